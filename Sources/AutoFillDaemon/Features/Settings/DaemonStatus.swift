// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillIdentityStore
internal import AutoFillMatching
internal import AutoFillProviders
internal import AutoFillQuirks
internal import AutoFillSecrets
internal import Foundation

/// Reports the status of Latchkey, and what it knows of sites.
@DaemonActor final class DaemonStatus {
    let broker: Broker
    let providers: InstalledProviders
    let codeMessages: CodeMessages
    let files: StoredFiles

    init(_ broker: Broker, providers: InstalledProviders, codeMessages: CodeMessages, files: StoredFiles) {
        self.broker = broker
        self.files = files
        self.providers = providers
        self.codeMessages = codeMessages
    }

    /// The status with the files that have a problem, which are looked at now.
    func wholeStatus() async -> Settings.Status.Answer {
        var status = await status()
        let (problems, setAside) = (files.problems(), files.setAside)
        if !problems.isEmpty { status.files = problems }
        if !setAside.isEmpty { status.setAside = setAside }
        return status
    }

    func status() async -> Settings.Status.Answer {
        let store = broker.unlocked?.stores[.builtIn]
        let count = store.flatMap { try? $0.state }
        let storeState =
            if let count { count.supportsIncrementalUpdates ? "ready" : "missing" } else { "locked" }
        let replaced = InstallationSwitch.replaced(in: broker.directories.data)
        return .init(
            initialized: broker.hasKeyring, locked: broker.unlocked == nil, autoFill: broker.preferences.autoFill,
            version: latchkeyVersion, processIdentifier: ProcessInfo.processInfo.processIdentifier,
            providers: await providerStatuses(), preferences: broker.preferences, store: storeState,
            memoryLocked: broker.unlocked?.auditSeed.isLocked ?? true,
            isolation: .init(available: broker.isolation.program != nil, reason: broker.isolation.reason),
            quirks: quirksStatement(), codes: codeMessages.codeStatements(),
            preferencesProblems: broker.preferencesFile.problems.isEmpty ? nil : broker.preferencesFile.problems,
            pin: broker.pin.isSet, login: broker.login.state(keyring: broker.keyringFile.keyring),
            sandboxed: PeerProcess.isSeenInSandbox ? true : nil, older: broker.older,
            replaced: replaced.isEmpty ? nil : replaced, missingKeyring: broker.missingKeyring,
            keyringUnsettled: broker.settleKeyring() ? nil : true)
    }

    /// The enabled providers; while locked only the built-in one is known.
    private func providerStatuses() async -> [ProviderStatus] {
        var statuses: [ProviderStatus] = []
        for provider in broker.unlocked?.order ?? [.builtIn] {
            statuses.append(
                ProviderStatus(
                    identifier: provider.rawValue, name: broker.name(of: provider),
                    running: await providers.supervisors[provider]?.isRunning ?? false,
                    identities: broker.unlocked?.stores[provider].flatMap { try? $0.state.count }))
        }
        return statuses
    }

    // MARK: Sites

    /// The quirks in use and their age, for `status`.
    func quirksStatement() -> QuirksStatement {
        let own = (try? QuirksStore(data: broker.directories.data).current()) ?? nil
        let quirks = broker.rules.quirks
        return QuirksStatement(
            source: own?.source, date: own?.date, groups: quirks.shared.count, suffixes: quirks.suffixes.source,
            suffixesDate: quirks.suffixes.date > 0 ? quirks.suffixes.date : nil, problems: quirks.problems)
    }

    /// Reads the quirks folders again, and reindexes the open stores accordingly.
    func reloadQuirks() throws -> QuirksStatement {
        try broker.readQuirks()
        return quirksStatement()
    }
}
