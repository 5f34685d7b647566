// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC

/// The reason why a command failed: one line for the user, an optional hint, and the exit status.
package struct CommandFailure: Error, Equatable {
    package let status: ExitStatus
    /// One sentence; never holds a secret.
    package let message: String
    /// What the user can do about it.
    package let hint: String?

    package init(_ status: ExitStatus, _ message: String, hint: String? = nil) {
        self.status = status
        self.message = message
        self.hint = hint
    }

    /// The text for standard error. It is always escaped, because a message may quote the text of an item or of a file.
    package var lines: String {
        "latchkey: \(TerminalText.escaped(message))\n" + (hint.map { "hint: \(TerminalText.escaped($0))\n" } ?? "")
    }
}

extension CommandFailure {
    /// Translates an error of the daemon for the command line. An unknown code is a malfunction, not a crash.
    package init(_ error: WireError) {
        var message = error.message
        if let reason = error.reason, reason != WireError.unsettled, !message.contains(reason) {
            message += message.hasSuffix(".") ? " (\(reason))" : ": \(reason)"
        }
        self.init(Self.status(of: error.code), message, hint: error.hint ?? Self.hint(for: error))
    }

    package static func status(of code: WireError.Code) -> ExitStatus {
        switch code {
        case .notInitialized: .notInitialized
        case .locked: .locked
        case .authenticationRequired, .wrongPassphrase, .tooManyAttempts: .authentication
        case .refused, .notPermitted: .refused
        case .notFound: .notFound
        case .userCanceled: .canceled
        case .providerUnavailable, .timedOut, .busy: .unavailable
        case .alreadyExists: .alreadyExists
        case .storageFailed: .storage
        case .unsupportedVersion: .unsupportedVersion
        case .invalidItem, .invalidParams: .invalidInput
        case .providerExtension(1): .canceled
        case .providerExtension(101): .notFound
        default: .malfunction
        }
    }

    private static func hint(for error: WireError) -> String? {
        if error.code == .tooManyAttempts, let seconds = error.retryAfter {
            return "Wait \(seconds) second\(seconds == 1 ? "" : "s"), then try again."
        }
        return switch error.code {
        case .notInitialized: "Run `latchkey init` first."
        case .locked: "Run `latchkey unlock` first."
        case .authenticationRequired: "Run it in a terminal, or name a file with --passphrase-file."
        case .notPermitted: "Only the `latchkey` beside latchkeyd may ask; see `settings` in peers.json for others."
        case .methodNotFound: "The running latchkeyd is another version: `latchkey daemon stop`, then try again."
        case .busy, .timedOut, .providerUnavailable: "Try again in a moment."
        case .unsupportedVersion: "Update Latchkey."
        default: nil
        }
    }
}
