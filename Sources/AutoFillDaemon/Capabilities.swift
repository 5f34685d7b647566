// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What the daemon can do, put together: each capability is a class of its own with its own state, and is given those below it.
@DaemonActor final class Capabilities {
    let broker: Broker
    let abilities: ProviderAbilities
    let stores: IdentityStores
    let providers: InstalledProviders
    let questions: UserQuestions
    let pending: PendingPasswords
    let providerInterfaces: ProviderInterfaces
    let changes: AccountChanges
    let appAssociations: AppAssociations
    let convertedAccounts: ConvertedAccounts
    let runs: Runs
    let savedPasswordsWindow: SavedPasswordsWindow
    let providerSettings: ProviderSettings
    let knownApps: KnownApps
    let appRequests: AppRequests
    let submittedForms: SubmittedForms
    let passwordChanges: PasswordChanges
    let conversions: AppleConversions
    let upgrades: AccountUpgrades
    let auditTrail: AuditTrail
    let codeMessages: CodeMessages
    let apps: AppFilling
    let appSaving: AppPasswordSaving
    let items: SavedItems
    let backups: BackupFeature
    let status: DaemonStatus
    let explanations: ExplainFeature
    let git: GitFeature
    let pageSessions: PageSessions
    let consents: UserConsents
    let newPasswords: NewPasswords
    let pageRows: PageRows
    let pageCodes: PageCodes
    let pageFilling: PageFilling
    let pageSuggestions: PageSuggestions
    let unsettledUpgrades: UnsettledUpgrades
    let saving: PasswordSaving
    let recommendations: RecommendationFeature
    let webSignIn: WebSignInFeature

    init(_ broker: Broker) {
        self.broker = broker
        abilities = ProviderAbilities(broker)
        stores = IdentityStores(broker, abilities: abilities)
        providers = InstalledProviders(broker, stores: stores, abilities: abilities)
        questions = UserQuestions(broker)
        pending = PendingPasswords(broker, providers: providers)
        providerInterfaces = ProviderInterfaces(
            broker, stores: stores, providers: providers, questions: questions, pending: pending)
        changes = AccountChanges(broker, stores: stores, providers: providers, providerInterfaces: providerInterfaces)
        appAssociations = AppAssociations(broker)
        convertedAccounts = ConvertedAccounts(broker, stores: stores, providers: providers)
        runs = Runs(broker)
        savedPasswordsWindow = SavedPasswordsWindow(
            broker, stores: stores, providers: providers, questions: questions, providerInterfaces: providerInterfaces,
            convertedAccounts: convertedAccounts, runs: runs)
        providerSettings = ProviderSettings(
            broker, stores: stores, providers: providers, questions: questions, abilities: abilities,
            providerInterfaces: providerInterfaces, appAssociations: appAssociations, runs: runs,
            savedPasswordsWindow: savedPasswordsWindow)
        knownApps = KnownApps(broker, appAssociations: appAssociations)
        appRequests = AppRequests(broker, questions: questions, runs: runs, knownApps: knownApps)
        submittedForms = SubmittedForms(broker, stores: stores, abilities: abilities)
        passwordChanges = PasswordChanges(
            broker, stores: stores, providers: providers, abilities: abilities, providerInterfaces: providerInterfaces,
            pending: pending, submittedForms: submittedForms, convertedAccounts: convertedAccounts,
            appAssociations: appAssociations, changes: changes)
        conversions = AppleConversions(
            broker, providers: providers, convertedAccounts: convertedAccounts, appAssociations: appAssociations,
            changes: changes)
        upgrades = AccountUpgrades(
            broker, stores: stores, providers: providers, questions: questions, abilities: abilities,
            providerInterfaces: providerInterfaces, appAssociations: appAssociations, pending: pending,
            convertedAccounts: convertedAccounts, runs: runs, providerSettings: providerSettings,
            appRequests: appRequests, changes: changes, passwordChanges: passwordChanges, conversions: conversions)
        auditTrail = AuditTrail(broker)
        codeMessages = CodeMessages(broker)
        apps = AppFilling(
            broker, stores: stores, providers: providers, questions: questions, providerInterfaces: providerInterfaces,
            appAssociations: appAssociations, auditTrail: auditTrail, runs: runs, codeMessages: codeMessages,
            appRequests: appRequests, upgrades: upgrades)
        appSaving = AppPasswordSaving(
            broker, stores: stores, providers: providers, questions: questions, abilities: abilities,
            providerInterfaces: providerInterfaces, appAssociations: appAssociations, submittedForms: submittedForms,
            convertedAccounts: convertedAccounts, runs: runs, appRequests: appRequests)
        items = SavedItems(
            broker, stores: stores, providers: providers, questions: questions, pending: pending,
            convertedAccounts: convertedAccounts)
        backups = BackupFeature(broker, providers: providers, items: items)
        status = DaemonStatus(broker, providers: providers, codeMessages: codeMessages)
        explanations = ExplainFeature(broker, stores: stores, codeMessages: codeMessages)
        git = GitFeature(
            broker, stores: stores, providers: providers, questions: questions, providerInterfaces: providerInterfaces,
            runs: runs, items: items)
        pageSessions = PageSessions(broker, runs: runs)
        consents = UserConsents(broker, providers: providers, questions: questions, auditTrail: auditTrail)
        newPasswords = NewPasswords(
            broker, providers: providers, questions: questions, abilities: abilities,
            providerInterfaces: providerInterfaces, pending: pending, submittedForms: submittedForms,
            pageSessions: pageSessions, consents: consents)
        pageRows = PageRows(broker, stores: stores, consents: consents, pageSessions: pageSessions)
        pageCodes = PageCodes(
            broker, questions: questions, auditTrail: auditTrail, runs: runs, codeMessages: codeMessages,
            pageSessions: pageSessions, pageRows: pageRows)
        pageFilling = PageFilling(
            broker, abilities: abilities, providerInterfaces: providerInterfaces, submittedForms: submittedForms,
            runs: runs, pageSessions: pageSessions, consents: consents, pageCodes: pageCodes, newPasswords: newPasswords
        )
        pageSuggestions = PageSuggestions(
            broker, stores: stores, questions: questions, abilities: abilities, pending: pending,
            convertedAccounts: convertedAccounts, pageSessions: pageSessions, pageRows: pageRows, pageCodes: pageCodes,
            newPasswords: newPasswords)
        unsettledUpgrades = UnsettledUpgrades(
            broker, stores: stores, providers: providers, questions: questions, providerInterfaces: providerInterfaces,
            pending: pending, changes: changes)
        saving = PasswordSaving(
            broker, stores: stores, providers: providers, questions: questions, abilities: abilities,
            providerInterfaces: providerInterfaces, pending: pending, submittedForms: submittedForms,
            convertedAccounts: convertedAccounts, runs: runs, unsettledUpgrades: unsettledUpgrades)
        recommendations = RecommendationFeature(
            broker, providers: providers, questions: questions, providerInterfaces: providerInterfaces, runs: runs,
            pageSessions: pageSessions, upgrades: upgrades)
        webSignIn = WebSignInFeature(
            broker, questions: questions, appAssociations: appAssociations, runs: runs, appRequests: appRequests)
        broker.add(stores)
        broker.add(providers)
        broker.add(questions)
        broker.add(appAssociations)
        broker.add(convertedAccounts)
        broker.add(runs)
        broker.add(knownApps)
        broker.add(submittedForms)
        broker.add(upgrades)
        broker.add(auditTrail)
        broker.add(codeMessages)
        broker.add(apps)
        broker.add(git)
        broker.add(pageSessions)
        broker.add(recommendations)
    }
}
