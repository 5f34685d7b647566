// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAssociations
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillIdentityStore
internal import AutoFillMatching
internal import AutoFillQuirks
internal import AutoFillRelease
internal import AutoFillSecrets
internal import Foundation
internal import Logging

/// Holds everything that changes, one change at a time: keys, sessions, policies. What it decides with are value types; what
/// the routes ask of it stands in the extensions of this file.
@DaemonActor final class Broker {
    /// What time it is. Tests bring their own.
    struct TimeSource: Sendable {
        var now: @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
        /// In seconds since 1970.
        var date: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }
        /// Returns when it is so late.
        var wait: @Sendable (ContinuousClock.Instant) async throws -> Void = {
            try await Task.sleep(until: $0, clock: .continuous)
        }
    }

    /// Who is told when a session ends or a client leaves: the capabilities, which this does not know and does not keep.
    private var observers: [WeakObserver] = []

    let directories: Directories
    let programFolder: String
    let time: TimeSource
    let desk: PromptDesk
    let interfaces: InterfaceDesk
    let shelf: BundleShelf
    let isolation: Isolation
    let launcher: any ProviderLaunching
    let callers: CallerInspector
    let appFolders: AppFolders
    let logger: Logger
    let audit: AuditLog
    let cost: Argon2Cost
    let quirksFolders: QuirksFolders
    /// Who may see what; read anew at every unlock.
    var rules: MatchingRules

    var keyringFile: KeyringFile { didSet { tellFront() } }
    var preferencesFile: PreferencesFile { didSet { tellFront() } }
    var unlocked: UnlockedKeys?
    /// What began before a lock must not end in a release after it.
    var lockCount = 0
    /// Answers pages without waiting for what this actor does.
    let front: FrontDesk
    var limiter = AttemptLimiter()
    var promptLimiter = PromptLimiter()
    var authentication: AuthenticationPolicy
    /// Passphrases that were given for one request each.
    var fresh = FreshAuthentications()
    var idle: IdlePolicy
    var clients: [Int: ClientConnection] = [:]
    var batches: [Int: StoreBatch] = [:]
    var batchCount = 0
    var leases = StoreLeases()
    /// Debug builds that are to start without isolation, and wait.
    var debugged: Set<BundleIdentifier> = []
    /// Requesters for whom a question stands open.
    var asking: Set<String> = []
    /// Is told of what the built-in provider saves while its window is shown.
    weak var handEdits: (any HandEdits)?
    /// Changes of identity stores that wait or run: a lock gives them up and waits for their end, because they hold keys.
    var writes: [Int: (task: Task<Void, any Error>, change: StoreChange)] = [:]
    /// Reads and changes identity stores on threads of its own.
    let storeWork: StoreWork
    var writeCount = 0
    /// Whether browsers are to be told of a change of a store when they were told a moment ago.
    var storeNotice: StoreNotice = .none
    /// What typed passwords are compared with.
    let known = KnownPasswords()
    /// The enabled providers of other people that save passwords, and whether they make them.
    var savingProviders: [BundleIdentifier: Bool] = [:]
    /// What other people's providers say that they provide, in the words of `ProviderBundle.provides`.
    var provided: [BundleIdentifier: [String]] = [:]
    /// Those that make passwords in an interface of their own, too.
    var showingMakers: Set<BundleIdentifier> = []
    /// What is known of single sites' passwords; read with `rules`.
    var siteQuirks: SiteQuirks
    let associationFetcher: any AssociationFetching
    /// For everything else that comes from the network.
    let fetchProcess: FetchProcess
    /// The one thing that is known about the stores while locked: whether the bar has to appear at all.
    var offersAnything: Bool { didSet { tellFront() } }
    private var isStopping = false
    private var stopWaiters: [CheckedContinuation<Void, Never>] = []
    /// Made with the broker's own store handler, hence after it.
    var supervisors: [BundleIdentifier: ProviderSupervisor] = [:]
    let providerEnvironment: [String: String]

    init(
        directories: Directories, programFolder: String, environment: [String: String], cost: Argon2Cost = .standard,
        time: TimeSource = TimeSource(), isolation: Isolation? = nil,
        launcher: any ProviderLaunching = ProviderProcesses(), folders: BundleFolders? = nil,
        associationFetcher: (any AssociationFetching)? = nil, appFolders: AppFolders = AppFolders(),
        storeHooks: StoreWork.Hooks = .init(), logger: Logger
    ) throws {
        try Directories.makePrivate(directories.data)
        try Directories.makePrivate(directories.state)
        try Directories.makePrivate(directories.config)
        try Backup.finishInterruptedRestore(in: directories)
        self.directories = directories
        self.programFolder = programFolder
        self.time = time
        storeWork = StoreWork(hooks: storeHooks)
        self.logger = logger
        self.cost = cost
        front = FrontDesk()
        desk = PromptDesk(pinentry: Pinentry(environment: environment), logger: logger)
        interfaces = InterfaceDesk(now: time.now)
        shelf = BundleShelf(
            folders: folders ?? BundleFolders(data: directories.data),
            forbidden: [directories.config, directories.data, directories.state, directories.runtime],
            environment: environment)
        let isolation = isolation ?? Isolation(environment: environment)
        self.isolation = isolation
        self.launcher = launcher
        let fetchProcess = FetchProcess(
            programFolder: programFolder,
            bubblewrap: isolation.sandbox.bubblewrap, configurationFolder: directories.config)
        self.fetchProcess = fetchProcess
        self.associationFetcher = associationFetcher ?? FetchedAssociations(fetchProcess)
        callers = CallerInspector(runtime: environment["XDG_RUNTIME_DIR"] ?? directories.runtime)
        self.appFolders = appFolders
        audit = AuditLog(folder: directories.state)
        quirksFolders = QuirksFolders(data: directories.data)
        rules = MatchingRules(quirksFolders.load())
        siteQuirks = SiteQuirks(folders: quirksFolders)
        for problem in rules.quirks.problems + siteQuirks.problems { logger.warning("\(problem)") }
        keyringFile = try KeyringFile(path: directories.data + "/keyring")
        preferencesFile = PreferencesFile(path: directories.config + "/preferences.json")
        for problem in preferencesFile.problems { logger.warning("\(problem)") }
        authentication = AuthenticationPolicy(preference: preferencesFile.preferences.authenticationPreference)
        idle = IdlePolicy(span: preferencesFile.preferences.idleSpan, now: time.now())
        offersAnything = FileManager.default.fileExists(atPath: directories.state + "/offers-anything")
        // A provider gets what it needs to find its folders and to speak the user's language, and nothing else.
        providerEnvironment = environment.filter { name, _ in
            name == "HOME" || name == "PATH" || name == "LANG" || name.hasPrefix("LC_") || name.hasPrefix("XDG_")
        }
        front.facts = .init(
            autoFill: preferencesFile.preferences.autoFill, offersAnything: offersAnything,
            isInitialized: keyringFile.keyring != nil)
    }

    private func tellFront() {
        front.facts = .init(
            autoFill: preferences.autoFill, offersAnything: offersAnything, isInitialized: isInitialized)
    }

    /// The one door, under the rules that are in force.
    var gate: Gate {
        Gate(log: audit, policy: rules.policy, now: time.date) { [known] credential in known.released(credential) }
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
        let readable = preferences.breachList.map { [$0] } ?? []
        return .init(
            program: program, container: container, key: key, epoch: lockCount,
            isolation: (isolation, .init(program: program, bundle: program, folders: [container], readable: readable)),
            timeLimit: preferences.providerTimeLimit)
    }

    /// A provider's name, for people.
    func name(of provider: BundleIdentifier) -> String {
        provider == .builtIn ? "Passwords" : unlocked?.registry.provider(provider)?.enabled?.name ?? provider.rawValue
    }

    func requireUnlocked() throws -> UnlockedKeys {
        guard isInitialized else {
            throw WireError(.notInitialized, "There is nothing here yet.", hint: "Begin with `latchkey init`.")
        }
        guard let unlocked else { throw WireError(.locked, "Latchkey is locked.", hint: "Run `latchkey unlock`.") }
        return unlocked
    }

    /// The user did something: chose, answered, or ran a command. What pages, providers and programs ask by themselves puts
    /// off no lock.
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
        if case .app(let provider) = client.role {
            leases.forget(.init(provider: provider, client: client.number))
            batches = batches.filter { $0.value.writer != .init(provider: provider, client: client.number) }
        }
        tellObservers { $0.clientLeft(client) }
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

    /// From now on somebody is told of what happens, for as long as somebody else keeps them.
    func add(_ observer: some SessionObserver) {
        observers.append(WeakObserver(observer: observer))
    }

    func tellObserversAndWait(_ tell: @DaemonActor (any SessionObserver) async -> Void) async {
        for observer in observers { if let observer = observer.observer { await tell(observer) } }
    }

    func tellObservers(_ tell: (any SessionObserver) -> Void) {
        for observer in observers { observer.observer.map(tell) }
    }

    func tellBrowsers() {
        for client in clients.values where client.role == .browser && client.isGreeted {
            client.peer?.notify(Browser.Changed.name)
        }
    }
}
