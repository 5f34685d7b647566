// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// A completion handler on its way to the main actor.
///
/// Sendable unchecked: Apple's signatures do not ask for a sendable closure, so authors pass ones that belong to the
/// main actor. It is not touched on the way and called once, on the main actor, where such a closure belongs.
struct Delivery<each Argument>: @unchecked Sendable {
    private let handler: (repeat each Argument) -> Void

    init?(_ handler: ((repeat each Argument) -> Void)?) {
        guard let handler else { return nil }
        self.handler = handler
    }

    @MainActor
    func call(_ argument: repeat each Argument) {
        handler(repeat each argument)
    }
}
