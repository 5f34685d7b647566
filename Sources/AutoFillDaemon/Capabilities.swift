// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking

/// Creates the daemon's capabilities. Each is a class of its own with its own state, and receives those it depends on.
@DaemonActor final class Capabilities {
    let broker: Broker
    let shared: SharedCapabilities
    let pages: PageCapabilities
    let apps: AppCapabilities
    let upgrades: UpgradeCapabilities
    let settings: SettingsCapabilities

    init(_ broker: Broker) {
        self.broker = broker
        let abilities = ProviderAbilities(broker)
        let stores = IdentityStores(broker, abilities: abilities)
        let providers = InstalledProviders(broker, stores: stores, abilities: abilities)
        let questions = UserQuestions(
            broker, environment: broker.environment, fingerprints: broker.parts.desktop.fingerprints,
            notifications: broker.parts.desktop.notifications, logger: broker.logger)
        let pending = PendingPasswords(broker, providers: providers)
        let providerInterfaces = ProviderInterfaces(
            broker, stores: stores, providers: providers, questions: questions, pending: pending)
        let changes = AccountChanges(
            broker, stores: stores, providers: providers, providerInterfaces: providerInterfaces)
        let appAssociations = AppAssociations(broker)
        let convertedAccounts = ConvertedAccounts(broker, stores: stores, providers: providers)
        let runs = Runs(broker)
        let savedPasswordsWindow = SavedPasswordsWindow(
            broker, stores: stores, providers: providers, questions: questions, providerInterfaces: providerInterfaces,
            convertedAccounts: convertedAccounts, runs: runs)
        let providerSettings = ProviderSettings(
            broker, stores: stores, providers: providers, questions: questions, abilities: abilities,
            providerInterfaces: providerInterfaces, appAssociations: appAssociations, runs: runs,
            savedPasswordsWindow: savedPasswordsWindow)
        let knownApps = KnownApps(broker, appAssociations: appAssociations)
        let appRequests = AppRequests(broker, questions: questions, runs: runs, knownApps: knownApps)
        let submittedForms = SubmittedForms(broker, stores: stores, abilities: abilities)
        let passwordChanges = PasswordChanges(
            broker, stores: stores, providers: providers, abilities: abilities, providerInterfaces: providerInterfaces,
            pending: pending, submittedForms: submittedForms, convertedAccounts: convertedAccounts,
            appAssociations: appAssociations, changes: changes)
        let conversions = AppleConversions(
            broker, providers: providers, convertedAccounts: convertedAccounts, appAssociations: appAssociations,
            changes: changes)
        let upgrades = AccountUpgrades(
            broker, stores: stores, providers: providers, questions: questions, abilities: abilities,
            providerInterfaces: providerInterfaces, appAssociations: appAssociations, pending: pending,
            convertedAccounts: convertedAccounts, runs: runs, appRequests: appRequests, changes: changes,
            passwordChanges: passwordChanges, conversions: conversions)
        let auditTrail = AuditTrail(broker)
        let codeMessages = CodeMessages(broker)
        let apps = AppFilling(
            broker, stores: stores, providers: providers, questions: questions, providerInterfaces: providerInterfaces,
            appAssociations: appAssociations, auditTrail: auditTrail, runs: runs, codeMessages: codeMessages,
            appRequests: appRequests, upgrades: upgrades)
        let appSaving = AppPasswordSaving(
            broker, stores: stores, providers: providers, questions: questions, abilities: abilities,
            providerInterfaces: providerInterfaces, appAssociations: appAssociations, submittedForms: submittedForms,
            convertedAccounts: convertedAccounts, runs: runs, appRequests: appRequests)
        let items = SavedItems(
            broker, stores: stores, providers: providers, questions: questions, pending: pending,
            convertedAccounts: convertedAccounts, auditTrail: auditTrail)
        let itemMoving = ItemMoving(
            broker, stores: stores, abilities: abilities, providerInterfaces: providerInterfaces, items: items,
            runs: runs)
        let backups = BackupFeature(broker, providers: providers, items: items)
        let login = LoginFeature(broker)
        let files = StoredFiles(broker, items: items)
        let status = DaemonStatus(broker, providers: providers, codeMessages: codeMessages, files: files)
        let preferences = PreferenceSettings(broker, questions: questions)
        let explanations = ExplainFeature(broker, stores: stores, codeMessages: codeMessages)
        let git = GitFeature(
            broker, stores: stores, providers: providers, questions: questions, providerInterfaces: providerInterfaces,
            runs: runs, items: items)
        let desktop = DesktopFilling(
            broker, stores: stores, providers: providers, questions: questions, abilities: abilities,
            providerInterfaces: providerInterfaces, pending: pending, submittedForms: submittedForms,
            appAssociations: appAssociations, knownApps: knownApps, auditTrail: auditTrail, runs: runs,
            codeMessages: codeMessages)
        let desktopSaving = DesktopSaving(
            broker, filling: desktop, convertedAccounts: convertedAccounts)
        let pageSessions = PageSessions(broker, runs: runs)
        let consents = UserConsents(broker, providers: providers, questions: questions, auditTrail: auditTrail)
        let newPasswords = NewPasswords(
            broker, providers: providers, questions: questions, abilities: abilities,
            providerInterfaces: providerInterfaces, pending: pending, submittedForms: submittedForms,
            pageSessions: pageSessions, consents: consents)
        let lastUses = LastUses(broker)
        let pageRows = PageRows(
            broker, stores: stores, consents: consents, pageSessions: pageSessions, lastUses: lastUses)
        let pageCodes = PageCodes(
            broker, questions: questions, auditTrail: auditTrail, runs: runs, codeMessages: codeMessages,
            pageSessions: pageSessions, pageRows: pageRows)
        let pageFilling = PageFilling(
            broker, abilities: abilities, providerInterfaces: providerInterfaces, submittedForms: submittedForms,
            runs: runs, pageSessions: pageSessions, consents: consents, pageCodes: pageCodes, newPasswords: newPasswords
        )
        let pageSuggestions = PageSuggestions(
            broker, stores: stores, questions: questions, abilities: abilities, pending: pending,
            convertedAccounts: convertedAccounts, pageSessions: pageSessions, pageRows: pageRows, pageCodes: pageCodes,
            newPasswords: newPasswords)
        let accountSearch = AccountSearch(
            broker, stores: stores, questions: questions, providerInterfaces: providerInterfaces, items: items,
            pageSessions: pageSessions, pageRows: pageRows)
        let unsettledUpgrades = UnsettledUpgrades(
            broker, stores: stores, providers: providers, questions: questions, providerInterfaces: providerInterfaces,
            pending: pending, changes: changes)
        let waitingForms = WaitingForms(broker)
        let savedStrongPasswords = SavedStrongPasswords(broker, items: items)
        let saving = PasswordSaving(
            broker, stores: stores, providers: providers, questions: questions, abilities: abilities,
            providerInterfaces: providerInterfaces, pending: pending, submittedForms: submittedForms,
            convertedAccounts: convertedAccounts, waitingForms: waitingForms, unsettledUpgrades: unsettledUpgrades,
            savedStrongPasswords: savedStrongPasswords)
        let recommendations = RecommendationFeature(
            broker, providers: providers, questions: questions, providerInterfaces: providerInterfaces, runs: runs,
            pageSessions: pageSessions, upgrades: upgrades)
        let webSignIn = WebSignInFeature(
            broker, questions: questions, appAssociations: appAssociations, runs: runs, appRequests: appRequests)
        shared = .init(
            runs: runs, auditTrail: auditTrail, abilities: abilities, stores: stores, providers: providers,
            questions: questions, providerInterfaces: providerInterfaces, associations: appAssociations,
            pending: pending, convertedAccounts: convertedAccounts, submittedForms: submittedForms,
            codeMessages: codeMessages)
        pages = .init(
            sessions: pageSessions, consents: consents, rows: pageRows, codes: pageCodes, newPasswords: newPasswords,
            suggestions: pageSuggestions, search: accountSearch, filling: pageFilling, saving: saving)
        self.apps = .init(
            known: knownApps, requests: appRequests, filling: apps, saving: appSaving, webSignIn: webSignIn, git: git,
            desktop: desktop, desktopSaving: desktopSaving)
        self.upgrades = .init(
            changes: changes, passwords: passwordChanges, conversions: conversions, unsettled: unsettledUpgrades,
            accounts: upgrades, recommendations: recommendations)
        settings = .init(
            savedPasswordsWindow: savedPasswordsWindow, providers: providerSettings, items: items,
            itemMoving: itemMoving, backups: backups, keyrings: KeyringFeature(broker), login: login,
            status: status, explanations: explanations, preferences: preferences,
            search: ShellSearch(broker))
        // Observers are told in this order: those that others depend on come first.
        let observers: [any SessionObserver] = [
            runs, auditTrail, stores, providers, questions, appAssociations, convertedAccounts, submittedForms,
            waitingForms, codeMessages, knownApps, upgrades, apps, git, desktop, desktopSaving, pageSessions,
            recommendations, savedStrongPasswords, accountSearch, lastUses,
        ]
        for observer in observers { broker.add(observer) }
    }
}

/// The capabilities that several others depend on.
struct SharedCapabilities: Sendable {
    let runs: Runs
    let auditTrail: AuditTrail
    let abilities: ProviderAbilities
    let stores: IdentityStores
    let providers: InstalledProviders
    let questions: UserQuestions
    let providerInterfaces: ProviderInterfaces
    let associations: AppAssociations
    let pending: PendingPasswords
    let convertedAccounts: ConvertedAccounts
    let submittedForms: SubmittedForms
    let codeMessages: CodeMessages
}

/// The capabilities that serve pages.
struct PageCapabilities: Sendable {
    let sessions: PageSessions
    let consents: UserConsents
    let rows: PageRows
    let codes: PageCodes
    let newPasswords: NewPasswords
    let suggestions: PageSuggestions
    let search: AccountSearch
    let filling: PageFilling
    let saving: PasswordSaving
}

/// The capabilities that serve the user's programs.
struct AppCapabilities: Sendable {
    let known: KnownApps
    let requests: AppRequests
    let filling: AppFilling
    let saving: AppPasswordSaving
    let webSignIn: WebSignInFeature
    let git: GitFeature
    let desktop: DesktopFilling
    let desktopSaving: DesktopSaving
}

/// The capabilities that change how an account signs in, and those that ask for a change.
struct UpgradeCapabilities: Sendable {
    let changes: AccountChanges
    let passwords: PasswordChanges
    let conversions: AppleConversions
    let unsettled: UnsettledUpgrades
    let accounts: AccountUpgrades
    let recommendations: RecommendationFeature
}

/// The capabilities that serve the settings and the command line.
struct SettingsCapabilities: Sendable {
    let savedPasswordsWindow: SavedPasswordsWindow
    let providers: ProviderSettings
    let items: SavedItems
    let itemMoving: ItemMoving
    let backups: BackupFeature
    let keyrings: KeyringFeature
    let login: LoginFeature
    let status: DaemonStatus
    let explanations: ExplainFeature
    let preferences: PreferenceSettings
    let search: ShellSearch
}
