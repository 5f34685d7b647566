// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CAdwaita
package import MainLoop

/// GTK's application: one for each user session, which a second start brings to the front.
@DesktopActor package final class GTKApplication {
    let pointer: UnsafeMutablePointer<GtkApplication>?
    /// Called at the start and when the program is started again, with what is wanted.
    package typealias Activated = @DesktopActor (GTKApplication, MainWindow.Wish?) -> Void

    private let activated: Activated

    private init(_ identifier: String, isUnique: Bool, activated: @escaping Activated) {
        pointer = latchkey_application(identifier, isUnique ? 1 : 0)
        self.activated = activated
    }

    /// Runs until the last window is closed. Called on the main thread.
    ///
    /// - Parameters:
    ///   - isUnique: Whether another one that runs already is brought to the front in its place.
    ///   - wish: What is wanted beside the window; another one that runs already is told.
    ///   - activated: Called with the application, at the start and whenever it is started again.
    /// - Returns: The exit status.
    package nonisolated static func run(
        _ identifier: String, isUnique: Bool, wish: MainWindow.Wish?, activated: @escaping Activated
    ) -> Int32 {
        // From here on this thread is the one that `DesktopActor` stands for.
        guard g_main_context_acquire(g_main_context_default()) != 0 else { return 70 }
        return DesktopActor.assumeIsolated {
            let application = GTKApplication(identifier, isUnique: isUnique, activated: activated)
            guard let pointer = application.pointer else { return 70 }
            for (name, make) in actions {
                guard let action = latchkey_add_action(pointer, name) else { return 70 }
                Signal.connect(action, "activate", .withArgument) { parameter in
                    let text = parameter.flatMap { g_variant_get_string(OpaquePointer($0), nil) }
                    application.activated(application, make(text.map { String(cString: $0) } ?? ""))
                    return false
                }
            }
            var first = wish
            Signal.connect(UnsafeMutableRawPointer(pointer), "activate", .plain) { _ in
                application.activated(application, first)
                first = nil
                return false
            }
            if let wish, isUnique, tell(pointer, wish) { return 0 }
            return latchkey_run(pointer)
        }
    }

    private static let actions: [(name: String, make: @DesktopActor (String) -> MainWindow.Wish)] = [
        ("search", { .search($0) }), ("account", { .account($0) }),
    ]

    /// Tells the one that runs already, and returns whether there is one.
    private static func tell(_ pointer: UnsafeMutablePointer<GtkApplication>, _ wish: MainWindow.Wish) -> Bool {
        switch wish {
        case .search(let words): latchkey_tell_running(pointer, "search", words) != 0
        case .account(let id): latchkey_tell_running(pointer, "account", id) != 0
        }
    }

    /// Waits until nobody has the application's name on the session bus, for two seconds at most.
    package nonisolated static func waitForName(_ identifier: String) { latchkey_wait_for_name(identifier) }

    /// Whether there is a display to draw on.
    ///
    /// Windows are drawn by the processor. What a graphics driver draws lies in the card's memory, where nobody wipes it when this program
    /// ends; and such a driver brings 45 MB of code along.
    package nonisolated static var hasDisplay: Bool {
        let variable = "GDK_DEBUG"
        let before = g_getenv(variable).map { String(cString: $0) }
        g_setenv(variable, "gl-disable", 1)
        defer {
            // GDK has read it; what this program starts is drawn as it likes.
            if let before { g_setenv(variable, before, 1) } else { g_unsetenv(variable) }
        }
        return gtk_init_check() != 0
    }

    /// Has the program end.
    package func quit() {
        g_application_quit(UnsafeMutableRawPointer(pointer)?.assumingMemoryBound(to: GApplication.self))
    }
}
