// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CGTK
internal import DesktopFields
internal import MainLoop

/// The main loop of the desktop's program, and what it knows of the desktop.
package enum DesktopLoop {
    /// Begins to draw. Called once, on the main thread, before everything else here.
    ///
    /// - Parameter hasScreenReader: Whether what stands in the panel is on the accessibility bus: only where a screen reader is to tell
    ///   of it.
    /// - Returns: Whether there is a display.
    package static func begin(hasScreenReader: Bool) -> Bool {
        latchkey_on_accessibility_bus(hasScreenReader ? 1 : 0)
        // From here on this thread is the one that `DesktopActor` stands for.
        return g_main_context_acquire(g_main_context_default()) != 0 && gtk_init_check(nil, nil) != 0
    }

    /// Whether the display is an X11 server's.
    @DesktopActor package static var isX11: Bool { latchkey_is_x11() != 0 }

    /// Runs until the program ends.
    package static func run() {
        gtk_main()
    }

    /// Ends `run`.
    @DesktopActor package static func end() {
        gtk_main_quit()
    }

    /// Where the window in front begins on an X11 screen, its width there, and the process that it names.
    @DesktopActor package static var frontWindow: (x: Int32, y: Int32, width: Int32, process: Int32)? {
        var (x, y, width, process): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        guard latchkey_front_window(&x, &y, &width, &process) != 0 else { return nil }
        return (x, y, width, process)
    }
}
