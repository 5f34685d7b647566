// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import Synchronization

/// The place of a renderer beside an app's request: taken once, by who brings the ticket.
final class RendererSeat: Sendable {
    /// The process that asked; its child draws.
    let process: PeerProcess
    private let arrivals: AsyncStream<ClientConnection>
    private let arrival: AsyncStream<ClientConnection>.Continuation
    private let ends: AsyncStream<Void>
    private let end: AsyncStream<Void>.Continuation

    init(for process: PeerProcess) {
        self.process = process
        (arrivals, arrival) = AsyncStream.makeStream()
        (ends, end) = AsyncStream.makeStream()
    }

    /// The renderer has come; returns when it is not needed any more.
    func take(_ client: ClientConnection) async {
        arrival.yield(client)
        arrival.finish()
        for await _ in ends {}
    }

    /// Waits for the renderer; nothing when it does not come in time.
    func wait(_ patience: Duration) async -> ClientConnection? {
        let deadline = Task {
            try await Task.sleep(for: patience)
            arrival.finish()
        }
        defer { deadline.cancel() }
        for await client in arrivals { return client }
        return nil
    }

    func leave() {
        arrival.finish()
        end.finish()
    }
}
