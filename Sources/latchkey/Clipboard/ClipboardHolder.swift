// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import CLinux
import Glibc
import TerminalRendering

/// The process that keeps a password on the clipboard and takes it away again, after `latchkey show --copy` has ended.
enum ClipboardHolder {
    /// Starts the process and waits until the password is on the clipboard.
    static func start(_ secret: SecretBytes, on clipboard: Clipboard, clearAfter seconds: Int) throws(CommandFailure) {
        do {
            try ClipboardHolderProcess.start(secret, clearAfter: seconds, allowsUnmarked: !clipboard.isMarking)
        } catch {
            throw CommandFailure(.unavailable, error.message)
        }
    }

    /// Says why the process ends at once.
    static func say(_ failure: CommandFailure) {
        let kind: ClipboardHolderProcess.Problem.Kind = failure.status == .refused ? .unmarked : .unreachable
        say(ClipboardHolderProcess.Problem(kind, failure.message).written)
    }

    /// Says that the secret is on the clipboard, or would be.
    static func sayReady() { say(ClipboardHolderProcess.ready) }

    /// What the process does. Returns whether the clipboard is known not to hold the password any more.
    static func run(_ clipboard: Clipboard, clearAfter seconds: Int) throws(CommandFailure) -> Bool {
        _ = latchkey_forbid_dumps()
        let secret: SecretBytes
        do {
            secret = try Descriptor.readAll(STDIN_FILENO, limit: SecretSource.limit)
        } catch {
            throw CommandFailure(.malfunction, "There is no password to hold.")
        }
        guard secret.count > 0 else { throw CommandFailure(.malfunction, "There is no password to hold.") }
        let holding = clipboard.holding
        let turn = ClipboardTurn()
        do throws(CommandFailure) {
            try turn.alone { () throws(CommandFailure) in
                try holding.offer(secret)
                turn.take()
            }
        } catch {
            say(error)
            throw error
        }
        sayReady()
        holding.serve(until: .now + .seconds(seconds), isOver: isSignalPending)
        return turn.alone {
            guard turn.isOurs else { return true }
            let isCleared = holding.takeBack(secret)
            turn.end()
            return isCleared
        }
    }

    /// Has to run before the process has a second thread: from then on the signals that end a session wait to be looked at,
    /// so that the password is taken away before the process ends.
    static func prepareIfHolder(_ arguments: [String]) {
        guard arguments.dropFirst().first == ClipboardHolderProcess.command else { return }
        var signals = endingSignals
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    private static var endingSignals: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&signals, signal) }
        return signals
    }

    private static func isSignalPending() -> Bool {
        var signals = endingSignals
        var atOnce = timespec(tv_sec: 0, tv_nsec: 0)
        return sigtimedwait(&signals, nil, &atOnce) > 0
    }

    private static func say(_ text: String) {
        var text = text
        text.withUTF8 { _ = Descriptor.writeAll(UnsafeRawBufferPointer($0), to: STDOUT_FILENO) }
        close(STDOUT_FILENO)
    }
}
