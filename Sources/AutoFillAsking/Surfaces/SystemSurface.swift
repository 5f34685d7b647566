// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC

/// One of Latchkey's own interfaces on a renderer: shows content and returns the user's acts.
package struct SystemSurface: Sendable {
    /// An event that may change what the surface shows.
    package enum Event: Sendable {
        case act(InterfaceAct)
        /// The subject of the interface has changed.
        case changed
    }

    package let name: String
    private let desk: InterfaceDesk
    /// Both kinds of events in one order, so that neither is lost.
    private let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation

    /// Opens the surface.
    ///
    /// - Throws: `providerUnavailable` when it cannot be shown, `userCanceled` when the client has disconnected.
    package init(_ header: InterfaceDesk.Header, on desk: InterfaceDesk, over renderer: any QuestionClient) async throws
    {
        let (events, continuation) = AsyncStream<Event>.makeStream()
        name = try await desk.present(
            header, over: renderer, act: { continuation.yield(.act($0)) }, cancel: { continuation.finish() })
        self.desk = desk
        self.events = events
        self.continuation = continuation
    }

    package func show(_ interface: InterfaceStatement) async {
        await desk.show(interface, on: name)
    }

    /// The user's next act.
    ///
    /// - Throws: `userCanceled` when the user cancels.
    package func next() async throws -> InterfaceAct {
        while true {
            if case .act(let act) = try await nextEvent() { return act }
        }
    }

    /// The user's next act, or a change announced by `change`.
    ///
    /// - Throws: `userCanceled` when the user cancels.
    package func nextEvent() async throws -> Event {
        for await event in events { return event }
        try Task.checkCancellation()
        throw WireError(.userCanceled, "The user cancelled.")
    }

    /// Announces that the subject of the interface has changed.
    package func change() {
        continuation.yield(.changed)
    }

    package func end() async {
        await desk.end(name)
    }
}
