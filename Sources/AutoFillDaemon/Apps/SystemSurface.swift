// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC

/// An interface of Latchkey's own on a renderer: what is shown there, and what the user does.
struct SystemSurface: Sendable {
    private let name: String
    private let desk: InterfaceDesk
    private let acts: AsyncStream<InterfaceAct>

    /// Opens it; throws `userCanceled` where it cannot be shown.
    init(_ header: InterfaceDesk.Header, on desk: InterfaceDesk, over renderer: ClientConnection) async throws {
        let (acts, continuation) = AsyncStream<InterfaceAct>.makeStream()
        name = try await desk.present(
            header, over: renderer, act: { continuation.yield($0) }, cancel: { continuation.finish() })
        self.desk = desk
        self.acts = acts
    }

    func show(_ interface: InterfaceStatement) async {
        await desk.show(interface, on: name)
    }

    /// The next thing that the user does; throws `userCanceled` when that is to cancel.
    func next() async throws -> InterfaceAct {
        for await act in acts { return act }
        try Task.checkCancellation()
        throw WireError(.userCanceled, "The user cancelled.")
    }

    func end() async {
        await desk.end(name)
    }
}
