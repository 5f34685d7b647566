// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import Glibc
package import Synchronization

/// Changes the terminal's settings for a question. A signal that stops or ends the program puts them back first, and when a stopped program
/// continues, they are changed again and the question is shown again.
package enum TerminalGuard {
    private struct State {
        var terminal: Int32 = -1
        var original = termios()
        var settings = termios()
        /// Written after the settings were changed.
        var greeting = Text()
        /// Written before they are put back.
        var farewell = Text()
        var previous: [sigaction] = []
    }

    /// A text of at most `capacity` bytes whose memory stays where it is, because a handler may be writing it.
    private struct Text {
        static let capacity = 4096
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 1)
        var count = 0

        mutating func set(_ text: String) {
            count = min(text.utf8.count, Self.capacity)
            bytes.copyBytes(from: text.utf8.prefix(count))
        }
    }

    private static let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    private static let stopping = [SIGTSTP, SIGTTIN, SIGTTOU]

    // Unsafe because a signal handler must not take a lock. Only one question is asked at a time, and the memory is never freed.
    private nonisolated(unsafe) static let state: UnsafeMutablePointer<State> = {
        let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
        state.initialize(to: State())
        return state
    }()
    /// Whether a thread is showing the question again: a second one would discard what is typed meanwhile.
    private static let isResuming = Atomic<Bool>(false)
    /// How often the question was shown again.
    package static let resumptions = Atomic<Int>(0)

    /// Whether the terminal belongs to this program's job. True for one that is not the terminal of this session.
    package static func isInForeground(_ terminal: Int32) -> Bool {
        let owner = tcgetpgrp(terminal)
        return owner < 0 || owner == getpgrp()
    }

    /// - Parameter farewell: The text written to the terminal before its settings are put back.
    package static func begin(_ terminal: Int32, _ original: termios, farewell: String = "") {
        state.pointee.original = original
        state.pointee.settings = original
        state.pointee.greeting.set("")
        state.pointee.farewell.set(farewell)
        state.pointee.terminal = terminal
        state.pointee.previous = []
        var action = sigaction()
        // The default action has to follow at once, not after the handler returns.
        action.sa_flags = SA_NODEFER | SA_RESTART
        action.__sigaction_handler.sa_handler = { TerminalGuard.take($0) }
        for signal in ending + stopping { state.pointee.previous.append(set(signal, action)) }
        action.__sigaction_handler.sa_handler = { _ in TerminalGuard.resume() }
        state.pointee.previous.append(set(SIGCONT, action))
    }

    /// Changes the terminal's settings and writes a text, now and when the program continues.
    ///
    /// - Parameter flush: whether what was typed before is discarded.
    package static func show(_ settings: termios, _ text: String, flush: Bool = true) {
        state.pointee.settings = settings
        state.pointee.greeting.set(text)
        tcsetattr(state.pointee.terminal, flush ? TCSAFLUSH : TCSANOW, &state.pointee.settings)
        write(state.pointee.greeting)
    }

    /// Puts the settings back.
    package static func end() {
        restore()
        for (signal, var action) in zip(ending + stopping + [SIGCONT], state.pointee.previous) {
            sigaction(signal, &action, nil)
        }
        state.pointee.terminal = -1
    }

    /// Shows the question again if the terminal is this job's and somebody has changed its settings, as shells do while a job is stopped.
    package static func resume() {
        guard isChanged, isInForeground(state.pointee.terminal), !isResuming.exchange(true, ordering: .acquiring) else {
            return
        }
        defer { isResuming.store(false, ordering: .releasing) }
        guard isChanged else { return }
        tcsetattr(state.pointee.terminal, TCSAFLUSH, &state.pointee.settings)
        write(state.pointee.greeting)
        resumptions.add(1, ordering: .relaxed)
    }

    /// Handles a signal. Every function that is called here and in `resume` is safe in a handler (signal-safety(7)).
    private static func take(_ signal: Int32) {
        let error = errno
        restore()
        var standard = sigaction()
        standard.__sigaction_handler.sa_handler = SIG_DFL
        var own = sigaction()
        sigaction(signal, &standard, &own)
        raise(signal)
        // Here again after a stop, or because nobody could have continued this program: the kernel stops none of an orphaned group.
        sigaction(signal, &own, nil)
        resume()
        errno = error
    }

    /// Whether the terminal has other settings than those of the question.
    private static var isChanged: Bool {
        var now = termios()
        return tcgetattr(state.pointee.terminal, &now) == 0 && now.c_lflag != state.pointee.settings.c_lflag
    }

    /// Puts the settings back, also from the background. Leaves settings alone that somebody else has made: a shell that edits its lines
    /// may have the terminal already.
    private static func restore() {
        guard state.pointee.terminal >= 0, !isChanged else { return }
        // A program in the background may change the settings only while it blocks this signal.
        var (blocked, before) = (sigset_t(), sigset_t())
        sigemptyset(&blocked)
        sigaddset(&blocked, SIGTTOU)
        pthread_sigmask(SIG_BLOCK, &blocked, &before)
        write(state.pointee.farewell)
        tcsetattr(state.pointee.terminal, TCSAFLUSH, &state.pointee.original)
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }

    private static func write(_ text: Text) {
        _ = Glibc.write(state.pointee.terminal, text.bytes.baseAddress, text.count)
    }

    /// Sets an action, and returns the one before. A signal that is ignored, as after `nohup`, stays so.
    private static func set(_ signal: Int32, _ action: sigaction) -> sigaction {
        var (action, previous) = (action, sigaction())
        sigaction(signal, &action, &previous)
        let isIgnored =
            unsafeBitCast(previous.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
        if isIgnored { sigaction(signal, &previous, nil) }
        return previous
    }
}
