// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What the daemon can do, put together: each capability is a class of its own with its own state, and is given those below it.
@DaemonActor final class Capabilities {
    let broker: Broker
    let changes: AccountChanges
    let savedPasswordsWindow: SavedPasswordsWindow
    let providerSettings: ProviderSettings
    let knownApps: KnownApps
    let appRequests: AppRequests
    let passwordChanges: PasswordChanges
    let conversions: AppleConversions
    let upgrades: AccountUpgrades
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
        changes = AccountChanges(broker)
        savedPasswordsWindow = SavedPasswordsWindow(broker)
        providerSettings = ProviderSettings(broker, savedPasswordsWindow: savedPasswordsWindow)
        knownApps = KnownApps(broker)
        appRequests = AppRequests(broker, knownApps: knownApps)
        passwordChanges = PasswordChanges(broker, changes: changes)
        conversions = AppleConversions(broker, changes: changes)
        upgrades = AccountUpgrades(
            broker, providerSettings: providerSettings, appRequests: appRequests, changes: changes,
            passwordChanges: passwordChanges, conversions: conversions)
        codeMessages = CodeMessages(broker)
        apps = AppFilling(broker, codeMessages: codeMessages, appRequests: appRequests, upgrades: upgrades)
        appSaving = AppPasswordSaving(broker, appRequests: appRequests)
        items = SavedItems(broker)
        backups = BackupFeature(broker, items: items)
        status = DaemonStatus(broker, codeMessages: codeMessages)
        explanations = ExplainFeature(broker, codeMessages: codeMessages)
        git = GitFeature(broker, items: items)
        pageSessions = PageSessions(broker)
        consents = UserConsents(broker)
        newPasswords = NewPasswords(broker, pageSessions: pageSessions, consents: consents)
        pageRows = PageRows(broker, consents: consents, pageSessions: pageSessions)
        pageCodes = PageCodes(broker, codeMessages: codeMessages, pageSessions: pageSessions, pageRows: pageRows)
        pageFilling = PageFilling(
            broker, pageSessions: pageSessions, consents: consents, pageCodes: pageCodes, newPasswords: newPasswords)
        pageSuggestions = PageSuggestions(
            broker, pageSessions: pageSessions, pageRows: pageRows, pageCodes: pageCodes, newPasswords: newPasswords)
        unsettledUpgrades = UnsettledUpgrades(broker, changes: changes)
        saving = PasswordSaving(broker, unsettledUpgrades: unsettledUpgrades)
        recommendations = RecommendationFeature(broker, pageSessions: pageSessions, upgrades: upgrades)
        webSignIn = WebSignInFeature(broker, appRequests: appRequests)
        broker.add(knownApps)
        broker.add(upgrades)
        broker.add(codeMessages)
        broker.add(apps)
        broker.add(git)
        broker.add(pageSessions)
        broker.add(recommendations)
    }
}
