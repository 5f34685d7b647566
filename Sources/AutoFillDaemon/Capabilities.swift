// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What the daemon can do, put together: each capability is a class of its own with its own state, and is given those below it.
@DaemonActor final class Capabilities {
    let broker: Broker
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
        pending = PendingPasswords(broker)
        providerInterfaces = ProviderInterfaces(broker, pending: pending)
        changes = AccountChanges(broker, providerInterfaces: providerInterfaces)
        appAssociations = AppAssociations(broker)
        convertedAccounts = ConvertedAccounts(broker)
        runs = Runs(broker)
        savedPasswordsWindow = SavedPasswordsWindow(
            broker, providerInterfaces: providerInterfaces, convertedAccounts: convertedAccounts, runs: runs)
        providerSettings = ProviderSettings(
            broker, providerInterfaces: providerInterfaces, appAssociations: appAssociations, runs: runs,
            savedPasswordsWindow: savedPasswordsWindow)
        knownApps = KnownApps(broker, appAssociations: appAssociations)
        appRequests = AppRequests(broker, runs: runs, knownApps: knownApps)
        submittedForms = SubmittedForms(broker)
        passwordChanges = PasswordChanges(
            broker, providerInterfaces: providerInterfaces, pending: pending, submittedForms: submittedForms,
            convertedAccounts: convertedAccounts, appAssociations: appAssociations, changes: changes)
        conversions = AppleConversions(
            broker, convertedAccounts: convertedAccounts, appAssociations: appAssociations, changes: changes)
        upgrades = AccountUpgrades(
            broker, providerInterfaces: providerInterfaces, appAssociations: appAssociations, pending: pending,
            convertedAccounts: convertedAccounts, runs: runs, providerSettings: providerSettings,
            appRequests: appRequests, changes: changes, passwordChanges: passwordChanges, conversions: conversions)
        auditTrail = AuditTrail(broker)
        codeMessages = CodeMessages(broker)
        apps = AppFilling(
            broker, providerInterfaces: providerInterfaces, appAssociations: appAssociations, auditTrail: auditTrail,
            runs: runs, codeMessages: codeMessages, appRequests: appRequests, upgrades: upgrades)
        appSaving = AppPasswordSaving(
            broker, providerInterfaces: providerInterfaces, appAssociations: appAssociations,
            submittedForms: submittedForms, convertedAccounts: convertedAccounts, runs: runs, appRequests: appRequests)
        items = SavedItems(broker, pending: pending, convertedAccounts: convertedAccounts)
        backups = BackupFeature(broker, items: items)
        status = DaemonStatus(broker, codeMessages: codeMessages)
        explanations = ExplainFeature(broker, codeMessages: codeMessages)
        git = GitFeature(broker, providerInterfaces: providerInterfaces, runs: runs, items: items)
        pageSessions = PageSessions(broker, runs: runs)
        consents = UserConsents(broker, auditTrail: auditTrail)
        newPasswords = NewPasswords(
            broker, providerInterfaces: providerInterfaces, pending: pending, submittedForms: submittedForms,
            pageSessions: pageSessions, consents: consents)
        pageRows = PageRows(broker, consents: consents, pageSessions: pageSessions)
        pageCodes = PageCodes(
            broker, auditTrail: auditTrail, runs: runs, codeMessages: codeMessages, pageSessions: pageSessions,
            pageRows: pageRows)
        pageFilling = PageFilling(
            broker, providerInterfaces: providerInterfaces, submittedForms: submittedForms, runs: runs,
            pageSessions: pageSessions, consents: consents, pageCodes: pageCodes, newPasswords: newPasswords)
        pageSuggestions = PageSuggestions(
            broker, pending: pending, convertedAccounts: convertedAccounts, pageSessions: pageSessions,
            pageRows: pageRows, pageCodes: pageCodes, newPasswords: newPasswords)
        unsettledUpgrades = UnsettledUpgrades(
            broker, providerInterfaces: providerInterfaces, pending: pending, changes: changes)
        saving = PasswordSaving(
            broker, providerInterfaces: providerInterfaces, pending: pending, submittedForms: submittedForms,
            convertedAccounts: convertedAccounts, runs: runs, unsettledUpgrades: unsettledUpgrades)
        recommendations = RecommendationFeature(
            broker, providerInterfaces: providerInterfaces, runs: runs, pageSessions: pageSessions, upgrades: upgrades)
        webSignIn = WebSignInFeature(broker, appAssociations: appAssociations, runs: runs, appRequests: appRequests)
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
