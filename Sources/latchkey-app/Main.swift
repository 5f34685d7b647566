// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import FoundationEssentials
internal import Glibc
internal import MainLoop
internal import PasswordsWindow

/// The window in which people see and change what is saved.
///
/// Its role is that of settings: it shows and asks. What may be shown is decided by the daemon.
@main
enum LatchkeyApp {
    static let identifier = "org.latchkey.Passwords"

    static func main() {
        signal(SIGPIPE, SIG_IGN)
        for variable in loading { unsetenv(variable) }
        // Swift's runtime would write registers and what they point to into the journal.
        for number in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP] { signal(number, SIG_DFL) }
        let arguments = CommandLine.arguments.dropFirst()
        var wish: MainWindow.Wish?
        switch (arguments.first, arguments.dropFirst().first, arguments.count) {
        case (nil, _, _), ("--stopped", nil, _), ("--returned", nil, _): break
        case ("--search", let words, ...2):
            wish = .search(words ?? getenv(MainWindow.Wish.variable).map { String(cString: $0) } ?? "")
            unsetenv(MainWindow.Wish.variable)
        case ("--account", let id?, 2): wish = .account(id)
        case ("--search-provider", nil, _): exit(ShellSearchProgram.run())
        case ("--version", nil, _):
            write("\(latchkeyVersion)\n", to: STDOUT_FILENO)
            exit(0)
        default: end(64, "usage: latchkey-app [--search [WORDS] | --account ID | --version]")
        }
        guard let directories = Directories(environment: ProcessInfo.processInfo.environment) else {
            end(78, "The folders of this user cannot be found.")
        }
        guard GTKApplication.hasDisplay else { end(69, "There is no display.") }
        let startsDaemon = arguments.first != "--stopped"
        // One that has just begun anew may still have its old name on the bus.
        if arguments.first == "--returned" { GTKApplication.waitForName(identifier) }
        exit(
            GTKApplication.run(identifier, isUnique: startsDaemon, wish: wish) { application, wish in
                PasswordsApp.activate(application, directories, wish, startsDaemon: startsDaemon)
            })
    }

    /// What has other people's code loaded into a program of GTK's, or of GLib's, or shows what it holds.
    private static let loading = [
        "GTK_MODULES", "GTK_PATH", "GTK_EXE_PREFIX", "GTK_DATA_PREFIX", "GTK_DEBUG", "GIO_EXTRA_MODULES",
        "GIO_MODULE_DIR", "GDK_PIXBUF_MODULE_FILE", "GDK_PIXBUF_MODULEDIR", "LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT",
    ]

    private static func write(_ text: String, to descriptor: Int32) {
        var text = text
        text.withUTF8 { _ = Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }

    private static func end(_ status: Int32, _ sentence: String) -> Never {
        write("latchkey-app: \(sentence)\n", to: STDERR_FILENO)
        exit(status)
    }
}
