// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC

/// An interface of Latchkey's own on a renderer: what is shown there, and what the user does.
package struct SystemSurface: Sendable {
    /// What may have to be answered by something else on it.
    package enum Event: Sendable {
        case act(InterfaceAct)
        /// What it is about has changed.
        case changed
    }

    package let name: String
    private let desk: InterfaceDesk
    /// In one order, so that nothing is lost between a change and an act.
    private let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation

    /// Opens it; throws `providerUnavailable` where it cannot be shown, and `userCanceled` where who asked is gone.
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

    /// The next thing that the user does; throws `userCanceled` when that is to cancel.
    package func next() async throws -> InterfaceAct {
        while true {
            if case .act(let act) = try await nextEvent() { return act }
        }
    }

    /// The next thing that the user does, or that somebody has said has changed; throws as `next` does.
    package func nextEvent() async throws -> Event {
        for await event in events { return event }
        try Task.checkCancellation()
        throw WireError(.userCanceled, "The user cancelled.")
    }

    /// Says that what it is about has changed.
    package func change() {
        continuation.yield(.changed)
    }

    package func end() async {
        await desk.end(name)
    }
}
