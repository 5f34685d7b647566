// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import DesktopFields
internal import FoundationEssentials
internal import Glibc
internal import MainLoop
internal import SuggestionPanel

/// Finds the sign-in forms of native programs, shows what is offered beside them, and writes what the user chose.
///
/// It knows fields, and a password only while it writes it. Who may get what is decided by the daemon.
@main
enum LatchkeyDesktop {
    static func main() {
        signal(SIGPIPE, SIG_IGN)
        for variable in loading { unsetenv(variable) }
        let arguments = Array(CommandLine.arguments.dropFirst())
        let isInside = DesktopSandbox.isInside
        guard Set(arguments).isSubset(of: isInside ? [verbose, DesktopSandbox.screenReader] : [verbose]) else {
            end(64, "usage: latchkey-desktop [--verbose]")
        }
        let environment = ProcessInfo.processInfo.environment.filter { !loading.contains($0.key) }
        guard let directories = Directories(environment: environment) else {
            end(78, "The folders of this user cannot be found.")
        }
        let isVerbose = arguments.contains(verbose)
        guard !isInside else {
            run(directories, hasScreenReader: arguments.contains(DesktopSandbox.screenReader), isVerbose: isVerbose)
        }
        guard isOnlyOne(directories) else { exit(0) }
        guard let bus = BusAddress.ask() else { end(69, noBus) }
        let hasScreenReader = BusAddress.hasScreenReader()
        let sandbox = DesktopSandbox(directories, environment: environment)
        if let reason = sandbox.reason {
            Journal.write("latchkey-desktop: It runs without a sandbox: \(reason).\n")
            run(directories, hasScreenReader: hasScreenReader, isVerbose: isVerbose)
        }
        guard BusAddress.socket(bus) != nil else {
            end(69, "The accessibility bus has no socket in a folder, so it cannot be shown to a sandbox.")
        }
        sandbox.run(arguments: arguments + (hasScreenReader ? [DesktopSandbox.screenReader] : []), bus: bus)
    }

    private static let verbose = "--verbose"
    private static let noBus = "There is no accessibility bus, on which programs describe their fields."

    private static func run(_ directories: Directories, hasScreenReader: Bool, isVerbose: Bool) -> Never {
        guard DesktopLoop.begin(hasScreenReader: hasScreenReader) else { end(69, "There is no display.") }
        let isWatching = DesktopActor.assumeIsolated { DesktopAgent.start(directories, isVerbose: isVerbose) }
        guard isWatching else { end(69, noBus) }
        DesktopLoop.run()
        exit(0)
    }

    /// What has other people's code loaded into a program of GTK's, or of GLib's.
    private static let loading = [
        "GTK_MODULES", "GTK3_MODULES", "GTK_PATH", "GTK_EXE_PREFIX", "GTK_IM_MODULE", "GTK_IM_MODULE_FILE",
        "GIO_EXTRA_MODULES", "GIO_MODULE_DIR", "GDK_PIXBUF_MODULE_FILE", "GDK_PIXBUF_MODULEDIR", "LD_PRELOAD",
        "LD_LIBRARY_PATH", "LD_AUDIT",
    ]

    /// Whether no other one runs for this user and display. The lock ends with the process.
    private static func isOnlyOne(_ directories: Directories) -> Bool {
        _ = mkdir(directories.runtime, 0o700)
        let environment = ProcessInfo.processInfo.environment
        let display = (environment["WAYLAND_DISPLAY"] ?? environment["DISPLAY"] ?? "").filter {
            $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-")
        }
        let lock = open(
            directories.runtime + "/desktop-\(display.prefix(40)).lock", O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW,
            0o600)
        return lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0
    }

    private static func end(_ status: Int32, _ sentence: String) -> Never {
        Journal.write("latchkey-desktop: \(sentence)\n")
        exit(status)
    }
}

/// Standard error, for the journal. What is written there is about programs, never about what is saved.
enum Journal {
    static func write(_ text: String) {
        var text = text
        text.withUTF8 { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
