// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import Synchronization

/// The place of a renderer beside an app's request. It is taken once, by the client that presents the ticket.
final class RendererSeat: Sendable {
    /// The process that made the request; its child process is the renderer.
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

    /// Seats the renderer, and returns when it is no longer needed.
    func take(_ client: ClientConnection) async {
        arrival.yield(client)
        arrival.finish()
        for await _ in ends {}
    }

    /// Waits for the renderer; `nil` if it does not connect in time.
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
