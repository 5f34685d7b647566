// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC

/// What requests have shown, and what is answered to it.
@MainActor
package final class Screens {
    private var arrivals: [Int: Arrival<InterfaceStatement>] = [:]
    package private(set) var count = 0
    package private(set) var inFlight = 0
    package private(set) var mostInFlight = 0
    /// Called for each, before it is answered.
    package var onShow: (@MainActor (Provider.Show.Params) async throws -> Void)?

    package subscript(request: Int) -> Arrival<InterfaceStatement> {
        if let arrival = arrivals[request] { return arrival }
        let arrival = Arrival<InterfaceStatement>()
        arrivals[request] = arrival
        return arrival
    }

    package func show(_ params: Provider.Show.Params) async throws {
        count += 1
        inFlight += 1
        mostInFlight = max(mostInFlight, inFlight)
        defer { inFlight -= 1 }
        try await onShow?(params)
        self[params.request].arrive(params.interface)
    }
}

extension InterfaceStatement {
    /// The first element of a kind.
    package func first(_ kind: String) -> InterfaceElement? {
        elements.first { $0.kind == kind }
    }

    package var kinds: [String] { elements.map(\.kind) }
}
