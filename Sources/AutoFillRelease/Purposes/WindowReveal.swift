// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
package import AutoFillMatching

/// Shows a password that the built-in provider keeps, in the provider's own window, or copies it from there.
package struct WindowReveal: ReleasePurpose {
    private let prompt: String
    private let connection: Int
    package let requester: String
    package let wanted: String?

    /// - Parameters:
    ///   - prompt: The name of the window's interface.
    ///   - program: The program that draws the window.
    ///   - connection: The number of its connection.
    ///   - isCopy: Whether it goes to the clipboard instead.
    package init(in prompt: String, of program: String, connection: Int, isCopy: Bool = false) {
        self.prompt = prompt
        self.connection = connection
        requester = program
        wanted = isCopy ? "copy, in a window" : "show, in a window"
    }

    package var destination: Destination { .window(prompt, connection: connection) }
    // Items can also be looked at while their provider is disabled.
    package var needsEnabledProvider: Bool { false }
    package var failed: String { "Nothing was shown" }
    package var takenBack: String { "the window is gone" }

    package func check(
        _ credential: HeldCredential, _ act: UserAct, _ policy: MatchPolicy
    ) throws(ReleaseRefusal) -> String? {
        guard act.surface == .window else { throw ReleaseRefusal(reason: "only a window shows or copies it") }
        guard credential.provider == .builtIn else { throw ReleaseRefusal(reason: "another provider keeps it") }
        return nil
    }
}
