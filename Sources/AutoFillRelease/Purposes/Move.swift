// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillCredentials
package import AutoFillMatching

/// Gives a saved password to another provider, which is to keep it from now on.
package struct Move: ReleasePurpose {
    private let keeper: BundleIdentifier

    /// - Parameter keeper: The other provider.
    package init(to keeper: BundleIdentifier) {
        self.keeper = keeper
    }

    package var destination: Destination { .keeper(keeper) }
    package var requester: String { keeper.rawValue }
    package var wanted: String? { "to be kept there" }
    // Items can also be moved while the built-in provider is disabled.
    package var needsEnabledProvider: Bool { false }
    package var failed: String { "Nothing was moved" }
    package var takenBack: String { "the move was cancelled" }

    package func check(
        _ credential: HeldCredential, _ act: UserAct, _ policy: MatchPolicy
    ) throws(ReleaseRefusal) -> String? {
        guard act.surface == .terminal else { throw ReleaseRefusal(reason: "only the settings move accounts") }
        guard credential.provider != keeper else { throw ReleaseRefusal(reason: "it is kept there already") }
        return nil
    }
}
