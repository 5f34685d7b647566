// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillIdentityStore
internal import AutoFillMatching
internal import AutoFillSecrets
internal import Foundation
internal import Logging

/// Holds everything that changes, one change at a time: keys, sessions, policies. What it decides with are value types; what
/// the routes ask of it stands in the extensions of this file.
actor Broker {
    /// What time it is. Tests bring their own.
    struct TimeSource: Sendable {
        var now: @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
        /// In seconds since 1970.
        var date: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }
    }

    let directories: Directories
    let programFolder: String
    let time: TimeSource
    let desk: PromptDesk
    let interfaces: InterfaceDesk
    let shelf: BundleShelf
    let isolation: Isolation
    let logger: Logger
    let gate: Gate
    let audit: AuditLog
    let cost: Argon2Cost

    var keyringFile: KeyringFile
    var preferencesFile: PreferencesFile
    var unlocked: UnlockedKeys?
    /// What began before a lock must not end in a release after it.
    var lockCount = 0
    var book = SuggestionBook()
    var limiter = AttemptLimiter()
    var promptLimiter = PromptLimiter()
    var authentication: AuthenticationPolicy
    var idle: IdlePolicy
    var clients: [Int: ClientConnection] = [:]
    var batches: [Int: StoreBatch] = [:]
    var batchCount = 0
    var leases = StoreLeases()
    var deliveries = DeliveryRecord()
    /// Debug builds that are to start without isolation, and wait.
    var debugged: Set<BundleIdentifier> = []
    /// What runs for a document or a client, by a number of its own, so that it can be ended with it.
    var runs: [Int: Run] = [:]
    var runCount = 0
    /// When a containing app last asked the user to enable it.
    var lastEnableRequests: [BundleIdentifier: ContinuousClock.Instant] = [:]
    /// Requesters for whom a question stands open.
    var asking: Set<String> = []
    /// Writes of identity stores that run now: a lock waits for them, because they hold keys.
    var writes: [Int: Task<Void, any Error>] = [:]
    var auditFaults: [String] = []
    /// The one thing that is known about the stores while locked: whether the bar has to appear at all.
    var offersAnything: Bool
    private var isStopping = false
    private var stopWaiters: [CheckedContinuation<Void, Never>] = []
    /// Made with the broker's own store handler, hence after it.
    var supervisors: [BundleIdentifier: ProviderSupervisor] = [:]
    let providerEnvironment: [String: String]

    init(
        directories: Directories, programFolder: String, environment: [String: String], cost: Argon2Cost = .standard,
        time: TimeSource = TimeSource(), isolation: Isolation? = nil, folders: BundleFolders? = nil, logger: Logger
    ) throws {
        try Directories.makePrivate(directories.data)
        try Directories.makePrivate(directories.state)
        try Directories.makePrivate(directories.config)
        try Backup.finishInterruptedRestore(in: directories)
        self.directories = directories
        self.programFolder = programFolder
        self.time = time
        self.logger = logger
        self.cost = cost
        desk = PromptDesk(pinentry: Pinentry(environment: environment), logger: logger)
        interfaces = InterfaceDesk(now: time.now)
        shelf = BundleShelf(
            folders: folders ?? BundleFolders(data: directories.data),
            forbidden: [directories.config, directories.data, directories.state, directories.runtime],
            environment: environment)
        self.isolation = isolation ?? Isolation(environment: environment)
        audit = AuditLog(folder: directories.state)
        gate = Gate(log: audit, now: time.date)
        keyringFile = try KeyringFile(path: directories.data + "/keyring")
        preferencesFile = PreferencesFile(path: directories.config + "/preferences.json")
        authentication = AuthenticationPolicy(preference: preferencesFile.preferences.authenticationPreference)
        idle = IdlePolicy(span: preferencesFile.preferences.idleSpan, now: time.now())
        offersAnything = FileManager.default.fileExists(atPath: directories.state + "/offers-anything")
        // A provider gets what it needs to find its folders and to speak the user's language, and nothing else.
        providerEnvironment = environment.filter { name, _ in
            name == "HOME" || name == "PATH" || name == "LANG" || name.hasPrefix("LC_") || name.hasPrefix("XDG_")
        }
    }

    /// The built-in provider's.
    var supervisor: ProviderSupervisor { supervisor(of: .builtIn) }

    var preferences: Preferences { preferencesFile.preferences }

    var isInitialized: Bool { keyringFile.keyring != nil }

    /// What starting the built-in provider needs; throws `notInitialized` or `locked`.
    func launch() throws -> ProviderSupervisor.Launch {
        guard let key = try requireUnlocked().containerKey(of: .builtIn) else {
            throw WireError(.storageFailed, "The registry does not know the built-in provider.")
        }
        let program = programFolder + "/latchkey-passwords"
        let container = container(of: .builtIn)
        return .init(
            program: program, container: container, key: key, epoch: lockCount,
            isolation: (isolation, .init(program: program, bundle: program, folders: [container])),
            timeLimit: preferences.providerTimeLimit)
    }

    func requireUnlocked() throws -> UnlockedKeys {
        guard isInitialized else {
            throw WireError(.notInitialized, "There is nothing here yet.", hint: "Begin with `latchkey init`.")
        }
        guard let unlocked else { throw WireError(.locked, "Latchkey is locked.", hint: "Run `latchkey unlock`.") }
        idle.active(at: time.now())
        return unlocked
    }

    // MARK: Connections

    func connected(_ client: ClientConnection) {
        clients[client.number] = client
    }

    func disconnected(_ client: ClientConnection) async {
        clients[client.number] = nil
        client.detach()
        book.end { $0.connection == client.number }
        for run in runs.values where run.connection == client.number { run.cancel() }
        if case .app(let provider) = client.role {
            leases.forget(.init(provider: provider, client: client.number))
            batches = batches.filter { $0.value.writer != .init(provider: provider, client: client.number) }
        }
        await desk.forget(client.number)
        await interfaces.forget(client.number)
    }

    /// For `hello`.
    func standing() -> (initialized: Bool, locked: Bool) {
        (isInitialized, unlocked == nil)
    }

    /// Something happened to the user's session.
    func sessionEvent(_ event: SessionEvent) async {
        switch event {
        case .suspending: if preferences.lockOnSuspend { await lock(reason: "suspend") }
        case .screenLocked: if preferences.lockOnScreenLock { await lock(reason: "screen lock") }
        }
    }

    // MARK: The end

    func waitForStop() async {
        guard !isStopping else { return }
        await withCheckedContinuation { stopWaiters.append($0) }
    }

    func stop() {
        isStopping = true
        for waiter in stopWaiters { waiter.resume() }
        stopWaiters = []
    }

    func tellBrowsers() {
        for client in clients.values where client.role == .browser && client.isGreeted {
            client.peer?.notify(Browser.Changed.name)
        }
    }
}
