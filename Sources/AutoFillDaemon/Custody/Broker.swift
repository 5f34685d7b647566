// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillAssociations
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillProviders
internal import AutoFillQuirks
internal import AutoFillRelease
internal import AutoFillSecrets
internal import Foundation
internal import Logging

/// The base of every capability: keys, preferences, connected clients, and the release of secrets.
///
/// It knows no capability. A capability that has to be told of an unlock, a lock or a client that leaves registers with `add`.
@DaemonActor final class Broker {

    /// The observers of sessions and clients. They are capabilities, which the broker neither knows nor retains.
    private var observers: [WeakObserver] = []

    let parts: DaemonParts

    let audit: AuditLog
    /// The matching rules; read again at every unlock.
    var rules: MatchingRules

    var keyringFile: KeyringFile { didSet { tellFront() } }
    var preferencesFile: PreferencesFile { didSet { tellFront() } }
    /// The session since the last unlock; `nil` while locked.
    var session: UnlockedSession? { didSet { oldValue?.end() } }
    /// Number of locks so far. A release is refused if the number has changed since it was requested.
    var lockCount = 0
    /// Runs between the derivation of a key and its use; tests lock there.
    var whenDerived: @DaemonActor () async -> Void = {}
    /// Answers pages without waiting for what this actor does.
    let front: FrontDesk
    var limiter = AttemptLimiter()
    var authentication: AuthenticationPolicy
    /// Fresh passphrases, each good for one request.
    var fresh = FreshAuthentications()
    var idle: IdlePolicy
    var clients: [Int: ClientConnection] = [:]
    /// The passwords that typed ones are compared with.
    let known = KnownPasswords()
    /// Known rules for the passwords of single sites; read together with `rules`.
    var siteQuirks: SiteQuirks
    /// Whether the stores offer anything at all, so whether the bar may appear. It is all that is known of them while locked.
    var offersAnything: Bool { didSet { tellFront() } }
    /// Why the last unlock failed after the passphrase was found right; `nil` if it did not.
    var unlockFault: WireError?
    private var stopping = (isAsked: false, waiters: [CheckedContinuation<Void, Never>]())

    init(_ parts: DaemonParts) throws {
        let directories = parts.directories
        try Self.makeFolders(parts)
        // This daemon holds the lock of the runtime folder, so whatever other processes do not lock was left by a kill. Keys come first.
        let left = AtomicFile.removeLeft(in: [directories.data, directories.state, directories.config], depth: 3)
        if !left.isEmpty {
            parts.logger.warning("half-written files cannot be removed: \(left.joined(separator: ", "))")
        }
        self.parts = parts
        let logger = parts.logger
        do {
            try Backup.removeStaging(in: directories)
            try InstallationSwitch(in: directories).finish()
        } catch {
            // An unlock tries again, and says why it cannot go on.
            logger.error("\(WireError(saying: error).message)")
        }
        front = FrontDesk()
        audit = AuditLog(folder: directories.state)
        rules = MatchingRules(parts.quirksFolders.load())
        siteQuirks = SiteQuirks(folders: parts.quirksFolders)
        for problem in rules.quirks.problems + siteQuirks.problems { logger.warning("\(problem)") }
        keyringFile = .reading(directories.data + "/keyring")
        if keyringFile.keyring != nil { DataWithoutKeyring.endInitialization(in: directories) }
        preferencesFile = PreferencesFile(path: PreferencesFile.path(in: directories))
        for problem in preferencesFile.problems { logger.warning("\(problem)") }
        authentication = AuthenticationPolicy(
            preference: preferencesFile.preferences.authenticationPreference,
            fills: preferencesFile.preferences.fillPreference)
        idle = IdlePolicy(span: preferencesFile.preferences.idleSpan, now: parts.time.now())
        offersAnything = FileManager.default.fileExists(atPath: directories.state + "/offers-anything")
        front.facts = .init(
            autoFill: preferencesFile.preferences.autoFill, offersAnything: offersAnything,
            isInitialized: keyringFile.keyring != nil)
        parts.pin.whenForgotten = { [weak self] in
            self?.fresh.forgetPINs()
            self?.tellObservers { $0.pinForgotten() }
        }
    }

    /// Makes the folders. One that cannot be made, as on a full disk, keeps nothing from starting: whatever has to be written there says so.
    private static func makeFolders(_ parts: DaemonParts) throws {
        for folder in [parts.directories.data, parts.directories.state, parts.directories.config] {
            do throws(WireError) {
                try Directories.makePrivate(folder)
            } catch {
                guard error.code == .storageFailed else { throw error }
                let message = error.message
                parts.logger.error("\(message)")
            }
        }
    }

    // MARK: Parts

    nonisolated var directories: Directories { parts.directories }
    nonisolated var programFolder: String { parts.programFolder }
    nonisolated var time: TimeSource { parts.time }
    nonisolated var shelf: BundleShelf { parts.shelf }
    nonisolated var isolation: Isolation { parts.isolation }
    nonisolated var environment: [String: String] { parts.environment }
    nonisolated var storeHooks: StoreWork.Hooks { parts.storeHooks }
    nonisolated var launcher: any ProviderLaunching { parts.launcher }
    nonisolated var callers: CallerInspector { parts.callers }
    nonisolated var appFolders: AppFolders { parts.appFolders }
    nonisolated var logger: Logger { parts.logger }
    nonisolated var cost: Argon2Cost { parts.cost }
    nonisolated var pin: PINUnlock { parts.pin }
    nonisolated var login: LoginUnlock { parts.login }
    nonisolated var quirksFolders: QuirksFolders { parts.quirksFolders }
    nonisolated var associationFetcher: any AssociationFetching { parts.associationFetcher }
    nonisolated var fetchProcess: FetchProcess { parts.fetchProcess }
    nonisolated var providerEnvironment: [String: String] { parts.providerEnvironment }

    // MARK: Keys

    private func tellFront() {
        front.facts = .init(
            autoFill: preferences.autoFill, offersAnything: offersAnything, isInitialized: isInitialized)
    }

    /// The gate, under the rules in force.
    var gate: Gate {
        Gate(log: audit, policy: rules.policy, now: time.date) { [known] credential in known.released(credential) }
    }

    var preferences: Preferences { preferencesFile.preferences }

    var isInitialized: Bool { keyringFile.keyring != nil }

    /// What is to be said where data are here without the keyring that opens them; `nil` where it is here, or nothing is.
    var missingKeyring: MissingKeyring? {
        guard !hasKeyring else { return nil }
        guard !InstallationSwitch(in: directories).isUnfinished else {
            return MissingKeyring(
                message: "A restore that was interrupted is not finished. All data are in \(directories.data).",
                hint: "Make room there if the disk is full, and run `latchkey unlock`: it finishes the restore.")
        }
        return DataWithoutKeyring(in: directories)?.statement
    }

    /// Why there are no keys to be had where there is no keyring, or a damaged one.
    var notInitialized: WireError { keyringFile.problem ?? .notInitialized(missingKeyring) }

    /// Whether there is a keyring, be it a damaged one.
    var hasKeyring: Bool { isInitialized || keyringFile.problem != nil }

    /// A provider's name for display: its identifier where the name of another enabled one looks the same.
    ///
    /// - Parameter stated: The name that its bundle states now, for one that need not be enabled.
    func name(of provider: BundleIdentifier, stated: String? = nil) -> String {
        guard provider != .builtIn else { return Self.builtInName }
        guard let unlocked, let name = stated ?? unlocked.registry.provider(provider)?.enabled?.name else {
            return provider.rawValue
        }
        let others = unlocked.order.filter { $0 != provider && $0 != .builtIn }
            .compactMap { unlocked.registry.provider($0)?.enabled?.name }
        let shown = ShownName(name)
        return ([Self.builtInName] + others).contains { ShownName($0) == shown } ? provider.rawValue : name
    }

    /// The name of the built-in provider.
    nonisolated static let builtInName = "Passwords"

    nonisolated static let lockedMeanwhile = WireError.lockedMeanwhile

    /// The open keys, for reading; `nil` while locked.
    var unlocked: UnlockedKeys? { session?.current }

    /// The current session.
    ///
    /// - Throws: `notInitialized` or `locked`.
    func unlockedSession() throws -> UnlockedSession {
        guard isInitialized else { throw notInitialized }
        guard let session else { throw WireError(.locked, "Latchkey is locked.", hint: "Run `latchkey unlock`.") }
        return session
    }

    /// The open keys.
    ///
    /// - Throws: `notInitialized` or `locked`.
    func requireUnlocked() throws -> UnlockedKeys {
        try unlockedSession().keys
    }

    /// Changes the registry or the stores of the session of now.
    ///
    /// - Throws: `locked` when there is no session; the errors of `change`.
    @discardableResult func change<Answer>(_ change: (inout UnlockedKeys) throws -> Answer) throws -> Answer {
        guard let session else { throw Self.lockedMeanwhile }
        return try session.change(change)
    }

    /// Records an act of the user: a choice, an answer or a command. Requests that pages, providers and programs make by themselves do not
    /// postpone the idle lock.
    func userActed() {
        idle.active(at: time.now())
    }

    // MARK: Connections

    func connected(_ client: ClientConnection) {
        clients[client.number] = client
    }

    func disconnected(_ client: ClientConnection) async {
        clients[client.number] = nil
        fresh.forget(client.number)
        client.detach()
        tellObservers { $0.clientLeft(client) }
        await tellObserversAndWait { await $0.clientClosed(client) }
    }

    /// The state that the answer to `hello` reports.
    func standing() -> (initialized: Bool, locked: Bool) {
        if !isInitialized {
            // A keyring may have been put back since the start, by the user or by an interrupted restore that can be finished now.
            try? InstallationSwitch.finish(for: self)
            let file = try? KeyringFile(path: directories.data + "/keyring")
            if let file, file.keyring != nil { keyringFile = file }
        }
        return (hasKeyring, unlocked == nil)
    }

    /// Locks after an event of the user's session, if the preferences say so.
    func sessionEvent(_ event: SessionEvent) async {
        if event != .sessionEnded { await parts.desktop.notifications.takeBackAll() }
        switch event {
        case .suspending: if preferences.lockOnSuspend { await lock(reason: "suspend") }
        case .screenLocked: if preferences.lockOnScreenLock { await lock(reason: "screen lock") }
        case .sessionEnded: await pin.forgetAfterLogout()
        }
    }

    // MARK: The end

    func waitForStop() async {
        guard !stopping.isAsked else { return }
        await withCheckedContinuation { stopping.waiters.append($0) }
    }

    func stop() {
        stopping.isAsked = true
        for waiter in stopping.waiters { waiter.resume() }
        stopping.waiters = []
    }

    /// Adds an observer. The broker does not retain it, so somebody else has to.
    func add(_ observer: some SessionObserver) {
        observers.append(WeakObserver(observer: observer))
    }

    func tellObserversAndWait(_ tell: @DaemonActor (any SessionObserver) async -> Void) async {
        for observer in observers { if let observer = observer.observer { await tell(observer) } }
    }

    func tellObservers(_ tell: (any SessionObserver) -> Void) {
        for observer in observers { observer.observer.map(tell) }
    }

    /// - Parameter isLock: Whether Latchkey was just locked. It may be unlocked again when a browser gets to ask.
    func tellBrowsers(isLock: Bool = false) {
        for client in clients.values where client.role == .browser && client.isGreeted {
            client.peer?.notify(Browser.Changed.name, isLock ? .object(["locked": .bool(true)]) : .object([:]))
        }
    }
}
