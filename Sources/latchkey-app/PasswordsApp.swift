// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import CLinux
internal import Glibc
internal import MainLoop
internal import PasswordsModel
internal import PasswordsWindow

/// Everything between the window and the daemon: the connection, the state of Latchkey, and the end at lock.
@DesktopActor final class PasswordsApp {
    private static var running: PasswordsApp?

    private let directories: Directories
    private let link: DaemonLink
    private let application: GTKApplication
    private var window: MainWindow?
    /// What the window shows now, in the daemon's words.
    private var state = State.unknown
    /// Whether the daemon ended while the recovery code was on the screen.
    private var hasEnded = false
    /// The number of the first line of the audit log that was not looked at.
    private var nextLine: Int?

    private enum State {
        case unknown, stopped, notInitialized, locked, open
    }

    /// Called at the start, and when the program is started again while it runs.
    static func activate(
        _ application: GTKApplication, _ directories: Directories, _ wish: MainWindow.Wish?, startsDaemon: Bool
    ) {
        if let running {
            guard let window = running.window else { return }
            return wish.map { window.fulfil($0) } ?? window.present()
        }
        let app = PasswordsApp(application, directories)
        running = app
        app.begin(wish, startsDaemon: startsDaemon)
    }

    private init(_ application: GTKApplication, _ directories: Directories) {
        self.application = application
        self.directories = directories
        link = DaemonLink(directories)
    }

    private func begin(_ wish: MainWindow.Wish?, startsDaemon: Bool) {
        let window = MainWindow(
            application: application, daemon: link, commands: CommandProcess(),
            settings: SettingsFiles(directories),
            copy: { await ClipboardProcess.copy($0) },
            connect: { DaemonLink.beginAnew([]) }, stateChanged: { [weak self] in self?.ask() })
        self.window = window
        link.asked = { [weak self] method, params in try self?.window?.take(method, params) }
        link.told = { [weak self] in self?.logGrew() }
        link.changed = { [weak self] in self?.window?.markStale() }
        link.ended = { [weak self] in self?.connectionEnded() }
        Task {
            do throws(WireError) {
                try await link.connect(startsDaemon: startsDaemon)
                await look()
            } catch {
                state = .stopped
                window.show(.stopped(error.message))
            }
            wish.map { window.fulfil($0) } ?? window.present()
        }
    }

    /// Asks what the state is, after something that may have changed it.
    private func ask() {
        guard state != .stopped, state != .unknown else { return }
        guard !hasEnded else { return DaemonLink.beginAnew([]) }
        Task { await look() }
    }

    private func look() async {
        // One that is asked by itself does not put off the idle lock.
        let status: Settings.Status.Answer
        do {
            status = try await link.call(Settings.Status.self)
        } catch {
            guard state == .unknown else { return }
            state = .stopped
            window?.show(.stopped((error as? WireError)?.message ?? "The daemon does not answer."))
            return
        }
        let next: State = !status.initialized ? .notInitialized : status.locked ? .locked : .open
        // What libraries have copied of a shown secret cannot be wiped, so the process ends.
        if state == .open, next != .open {
            // Nothing of this process is left in the memory of the next one.
            if window?.isShown == true, SettingsFiles(directories).returnsAtLock {
                DaemonLink.beginAnew(["--returned"])
            }
            exit(0)
        }
        guard next != state else { return }
        state = next
        switch next {
        case .notInitialized:
            window?.show(
                status.missingKeyring.map { .keyringMissing("\($0.message) \($0.hint)") } ?? .notInitialized)
        case .locked: window?.show(.locked(takesPIN: status.pin == true))
        case .open:
            window?.show(.open)
            // Without it the window would not hear of a lock.
            if await !follow() { await look() }
        case .stopped, .unknown: break
        }
    }

    /// Has the daemon tell of each line of the audit log, and of the lock. No line is asked for.
    private func follow() async -> Bool {
        let end = Int64.max
        let answer = try? await link.call(
            Settings.Audit.self, .init(since: end, cursor: Int(Int32.max), follow: true))
        nextLine = answer?.next
        return answer != nil
    }

    /// The events of the log that change what is listed.
    private static let changing: Set<String> = ["saved", "updated", "converted", "unsettled", "rejected", "restored"]

    private func logGrew() {
        Task {
            await look()
            window?.activityGrew()
            guard state == .open, let line = nextLine,
                let answer = try? await link.call(Settings.Audit.self, .init(cursor: line))
            else { return }
            nextLine = max(nextLine ?? 0, answer.next ?? 0)
            if answer.lines.contains(where: { Self.changing.contains($0.event) }) { window?.markStale() }
        }
    }

    private func connectionEnded() {
        if window?.showsRecoveryCode == true {
            hasEnded = true
            return
        }
        // A daemon that ends is locked. What this process has of secrets ends with it; the next one may look for the daemon again.
        if state == .open || state == .locked || state == .notInitialized { DaemonLink.beginAnew(["--stopped"]) }
    }
}
