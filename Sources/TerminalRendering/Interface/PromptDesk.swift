// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC

/// Receives the daemon's messages to a renderer: a prompt is presented, updated or dismissed.
package final class PromptDesk: Sendable {
    package enum Event: Sendable {
        case present(String)
        case update(String)
        case dismiss(String)
        /// An act of the user on the surface.
        case deed(SurfaceDeed)
        /// The request that needed the prompts was answered.
        case answered
        /// A cancelled request did not end within its time limit.
        case overdue
    }

    package let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation
    private let progress: @Sendable (String) -> Void

    /// - Parameter progress: Called with the steps of a request that has several.
    package init(progress: @escaping @Sendable (String) -> Void = { _ in }) {
        (events, continuation) = AsyncStream.makeStream()
        self.progress = progress
    }

    package func tell(_ event: Event) {
        continuation.yield(event)
    }

    /// Answers the daemon's requests.
    package func answer(_ method: String, _ params: JSONValue) throws -> JSONValue {
        switch method {
        case Browser.Present.name:
            tell(.present(try params.decoded(as: Browser.Present.Params.self).prompt))
        case Browser.Update.name:
            tell(.update(try params.decoded(as: Browser.Update.Params.self).prompt))
        case Browser.Dismiss.name:
            tell(.dismiss(try params.decoded(as: Browser.Dismiss.Params.self).prompt))
        case Upgrades.Progress.name:
            progress(try params.decoded(as: Upgrades.Progress.Params.self).step)
        // The command line does not depend on it.
        case Browser.Changed.name: break
        default: throw WireError(.methodNotFound, "The command line answers no \(method).")
        }
        return .object([:])
    }
}
