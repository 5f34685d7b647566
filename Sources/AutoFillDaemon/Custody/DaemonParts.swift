// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillAssociations
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillProviders
internal import AutoFillSecrets
internal import Logging

/// The parts of the daemon that never change while it runs: folders, programs, the clock, and the launcher of processes. Tests supply their
/// own.
struct DaemonParts: Sendable {
    let directories: Directories
    let programFolder: String
    let time: TimeSource
    let shelf: BundleShelf
    let isolation: Isolation
    let environment: [String: String]
    let storeHooks: StoreWork.Hooks
    let launcher: any ProviderLaunching
    let callers: CallerInspector
    let appFolders: AppFolders
    let logger: Logger
    let cost: Argon2Cost
    var quirksFolders: QuirksFolders { QuirksFolders(data: directories.data) }
    let associationFetcher: any AssociationFetching
    let fetchProcess: FetchProcess
    let providerEnvironment: [String: String]
    /// The PIN of the session.
    let pin: PINUnlock
    /// The services of the user's desktop.
    let desktop: DesktopServices
    /// Unlocking at login.
    let login: LoginUnlock
    /// The browsers, in whose windows no field is filled but by their extension.
    let browsers: BrowserList

    init(
        directories: Directories, programFolder: String, environment: [String: String], cost: Argon2Cost = .standard,
        time: TimeSource = .init(), isolation: Isolation? = nil,
        launcher: any ProviderLaunching = ProviderProcesses(), folders: BundleFolders? = nil,
        associationFetcher: (any AssociationFetching)? = nil, appFolders: AppFolders = AppFolders(),
        storeHooks: StoreWork.Hooks = .init(), logins: PINUnlock.Logins? = nil,
        fingerprints: (any FingerprintReading)? = nil, notifications: (any NotificationShowing)? = nil,
        clipboard: (any ClipboardCopying)? = nil, browsers: BrowserList = .init(added: []), logger: Logger
    ) {
        self.browsers = browsers
        pin = PINUnlock(cost: cost, logins: logins ?? { await UserLogins.now(environment: environment) })
        desktop = DesktopServices(
            fingerprints: fingerprints ?? FingerprintReader(environment: environment, logger: logger),
            notifications: notifications
                ?? DesktopNotifications(environment: environment, time: time, logger: logger),
            clipboard: clipboard ?? SessionClipboard(programFolder: programFolder, environment: environment))
        login = LoginUnlock(path: directories.data + "/login-key")
        self.directories = directories
        self.programFolder = programFolder
        self.time = time
        self.storeHooks = storeHooks
        self.environment = environment
        self.logger = logger
        self.cost = cost
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
        // A provider gets what it needs to find its folders and to speak the user's language, and nothing else.
        providerEnvironment = environment.filter { name, _ in
            name == "HOME" || name == "PATH" || name == "LANG" || name.hasPrefix("LC_") || name.hasPrefix("XDG_")
        }
    }
}

/// The services of the user's desktop. Each exists even if nothing there answers it.
struct DesktopServices: Sendable {
    let fingerprints: any FingerprintReading
    let notifications: any NotificationShowing
    let clipboard: any ClipboardCopying
}
