// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillMatching

/// Copies a password or a code from a browser's popup. It goes from the daemon to the clipboard; the browser does not get it.
package struct ClipboardCopy: ReleasePurpose {
    private let connection: Int
    package let requester: String
    package let wanted: String?

    /// - Parameters:
    ///   - browser: The browser whose popup asks.
    ///   - connection: The number of its connection.
    ///   - isCode: Whether it is a one-time code.
    package init(for browser: String, connection: Int, isCode: Bool) {
        requester = browser
        self.connection = connection
        wanted = isCode ? "copy, a code" : "copy"
    }

    package var destination: Destination { .clipboard(requester, connection: connection) }
    package var isOfTheAccount: Bool { true }
    package var failed: String { "Nothing was copied" }
    package var takenBack: String { "the browser is gone" }

    package func check(
        _ credential: HeldCredential, _ act: UserAct, _ policy: MatchPolicy
    ) throws(ReleaseRefusal) -> String? {
        guard act.surface == .popup else { throw ReleaseRefusal(reason: "only a browser's popup copies") }
        return nil
    }
}
