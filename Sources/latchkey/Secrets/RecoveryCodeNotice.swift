// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import TerminalRendering

/// Shows a recovery code, once, with what to do with it. The code alone goes to standard output.
struct RecoveryCodeNotice {
    let code: SecretBytes
    /// Whether it takes the place of another one.
    var replaces = false

    /// Shows the code, and then has it count. Where it cannot be written to standard output, it never counts.
    ///
    /// - Parameter count: Tells the daemon that the code was shown.
    /// - Throws: The daemon's refusal, once it was said that the code does not count.
    func show(json: Bool, _ count: () async throws -> Void) async throws {
        if json {
            Output.json(.object([("recoveryCode", .secret(code))]))
        } else {
            Output.note("Your recovery code:")
            Output.secret(code)
        }
        do {
            try await count()
        } catch let error as WireError {
            // The daemon may have ended before or after it wrote.
            let isKnown =
                error.reason != WireError.unsettled && ![.providerUnavailable, .timedOut].contains(error.code)
            Output.note(
                isKnown
                    ? "This recovery code does not count" + (replaces ? "; the one that you have does." : ".")
                    : "It is not known whether this recovery code counts"
                        + (replaces ? ": keep the old one, too." : "."))
            throw error
        }
        guard !json else { return }
        Output.note(
            "Write it down on paper and keep it away from this computer. It opens everything without the "
                + "passphrase, and it is not shown again." + (replaces ? " The old one opens nothing more." : ""))
    }
}
