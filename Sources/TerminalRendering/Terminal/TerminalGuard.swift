// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import Glibc

/// Restores the terminal's settings when a signal ends the program while they are changed.
package enum TerminalGuard {
    private struct Saved {
        var terminal: Int32
        var settings: termios
        /// The bytes that are written first, to leave the picture.
        var farewell: UnsafeMutableBufferPointer<UInt8>
        var previous: (interrupt: sigaction, terminate: sigaction, hangUp: sigaction, quit: sigaction)
    }

    // Unsafe because a signal handler must not take a lock. It is written before the handlers are set and after they
    // are removed, and only one question is asked at a time.
    private nonisolated(unsafe) static var saved: UnsafeMutablePointer<Saved>?

    /// - Parameter farewell: The text written to the terminal before its settings are restored.
    package static func begin(_ terminal: Int32, _ settings: termios, farewell: String = "") {
        let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: farewell.utf8.count)
        _ = bytes.initialize(from: farewell.utf8)
        let pointer = UnsafeMutablePointer<Saved>.allocate(capacity: 1)
        pointer.initialize(
            to: Saved(
                terminal: terminal, settings: settings, farewell: bytes,
                previous: (sigaction(), sigaction(), sigaction(), sigaction())))
        saved = pointer
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { signal in
            // write, tcsetattr, sigaction and raise are safe in a handler (signal-safety(7)).
            if let saved = TerminalGuard.saved {
                _ = write(saved.pointee.terminal, saved.pointee.farewell.baseAddress, saved.pointee.farewell.count)
                tcsetattr(saved.pointee.terminal, TCSAFLUSH, &saved.pointee.settings)
            }
            var standard = sigaction()
            standard.__sigaction_handler.sa_handler = SIG_DFL
            sigaction(signal, &standard, nil)
            raise(signal)
        }
        // The default action has to follow at once, not after the handler returns.
        action.sa_flags = SA_NODEFER
        sigaction(SIGINT, &action, &pointer.pointee.previous.interrupt)
        sigaction(SIGTERM, &action, &pointer.pointee.previous.terminate)
        sigaction(SIGHUP, &action, &pointer.pointee.previous.hangUp)
        sigaction(SIGQUIT, &action, &pointer.pointee.previous.quit)
    }

    package static func end() {
        guard let pointer = saved else { return }
        sigaction(SIGINT, &pointer.pointee.previous.interrupt, nil)
        sigaction(SIGTERM, &pointer.pointee.previous.terminate, nil)
        sigaction(SIGHUP, &pointer.pointee.previous.hangUp, nil)
        sigaction(SIGQUIT, &pointer.pointee.previous.quit, nil)
        saved = nil
        pointer.pointee.farewell.deallocate()
        pointer.deinitialize(count: 1)
        pointer.deallocate()
    }
}
