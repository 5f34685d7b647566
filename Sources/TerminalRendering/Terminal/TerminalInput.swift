// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Synchronization

/// Waits for what a person types on a terminal, as long as the answer is wanted.
package struct TerminalInput {
    let terminal: Int32
    /// A pipe to the program that wants the answer; its end ends the wait. -1 for none.
    private let asker: Int32
    private let patience: Duration?

    /// How often it is looked whether the terminal still belongs to this job, in milliseconds.
    private static let interval: Int32 = 500

    private static let answered = Atomic<Bool>(false)

    /// Whether a person has answered since this was last asked. Much may have happened while the question stood.
    package static func takeAnswered() -> Bool {
        answered.exchange(false, ordering: .relaxed)
    }

    package init(_ terminal: Int32, asker: Int32 = -1, patience: Duration? = nil) {
        self.terminal = terminal
        self.asker = asker
        self.patience = patience
    }

    /// Discards what was typed before, which was meant for something else.
    ///
    /// - Returns: `false` if the terminal belongs to another job and nobody can bring this one to the foreground.
    package func begin() -> Bool {
        stopInBackground() && tcflush(terminal, TCIFLUSH) == 0
    }

    /// Returns at once in the foreground. A program in the background is stopped until it comes there, as by reading.
    private func stopInBackground() -> Bool {
        // Swift's threads block this signal, and the kernel lets a thread that blocks it take the terminal from the shell.
        var (stop, before) = (sigset_t(), sigset_t())
        sigemptyset(&stop)
        sigaddset(&stop, SIGTTOU)
        pthread_sigmask(SIG_UNBLOCK, &stop, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        while tcdrain(terminal) != 0 {
            guard errno == EINTR else { return false }
        }
        return true
    }

    /// Waits for a line. Returns `false` once nobody wants it, the time is over, or the terminal belongs to another job for good.
    package func wait() -> Bool {
        let deadline = patience.map { ContinuousClock.now + $0 }
        while deadline.map({ ContinuousClock.now < $0 }) ?? true {
            var wanted = [
                pollfd(fd: terminal, events: Int16(POLLIN), revents: 0), pollfd(fd: asker, events: 0, revents: 0),
            ]
            let count = poll(&wanted, 2, Self.interval)
            if count < 0 && errno != EINTR { return false }
            if wanted[1].revents != 0 { return false }
            // A job in the background leaves what is typed to others.
            guard TerminalGuard.isInForeground(terminal) else {
                guard stopInBackground() else { return false }
                continue
            }
            if wanted[0].revents != 0 {
                Self.answered.store(true, ordering: .relaxed)
                return true
            }
            TerminalGuard.resume()
        }
        return false
    }
}
