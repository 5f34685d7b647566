// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC

/// Takes what the daemon tells a renderer: that a prompt is to be shown, has changed, has ended.
package final class PromptDesk: Sendable {
    package enum Event: Sendable {
        case present(String)
        case update(String)
        case dismiss(String)
        /// What the person did at the surface.
        case deed(SurfaceDeed)
        /// The request that all this is for has been answered.
        case answered
        /// A cancelled request had its time to end.
        case overdue
    }

    package let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation
    private let progress: @Sendable (String) -> Void

    /// - Parameter progress: is told the steps of a request that has several.
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
        // Nothing of the command line hangs on it.
        case Browser.Changed.name: break
        default: throw WireError(.methodNotFound, "The command line answers no \(method).")
        }
        return .object([:])
    }
}
