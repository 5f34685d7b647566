// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Glibc
import Synchronization

@testable import AutoFillDaemon
@testable import DaemonTesting

/// A browser's connection to the daemon, with the browser's end in the test's hands.
final class FakeBrowser: Sendable {
    let client: ClientConnection
    private let near: Peer
    private let far: Peer
    private let arrivals = Mutex<
        (seen: [(String, JSONValue)], waiters: [(String, AsyncStream<JSONValue>.Continuation)])
    >(
        (seen: [], waiters: []))

    /// - Parameter answer: What the browser answers; what it throws is its error.
    init(
        number: Int = 1, role: PeerRole = .browser,
        answer: @escaping @Sendable (String, JSONValue) async throws -> JSONValue = { _, _ in .object([:]) }
    ) {
        var ends: [Int32] = [-1, -1]
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends)
        client = ClientConnection(number: number, role: role, program: "/usr/bin/browser-host")
        near = Peer(stream: FramedStream(socket: ends[0])) { _, _ in .object([:]) }
        let holder = Holder()
        far = Peer(stream: FramedStream(socket: ends[1])) { method, params in
            holder.browser?.arrived(method, params)
            return try await answer(method, params)
        }
        client.attach(near)
        client.setGreeted()
        holder.browser = self
        near.start()
        far.start()
    }

    deinit {
        near.close()
        far.close()
    }

    /// Lets the handler find the browser without keeping it.
    private final class Holder: Sendable {
        private struct Reference {
            weak var browser: FakeBrowser?
        }

        private let reference = Mutex(Reference())

        var browser: FakeBrowser? {
            get { reference.withLock { $0.browser } }
            set { reference.withLock { $0.browser = newValue } }
        }
    }

    private func arrived(_ method: String, _ params: JSONValue) {
        let waiters = arrivals.withLock { state in
            let waiters = state.waiters.filter { $0.0 == method }
            state.waiters.removeAll { $0.0 == method }
            if waiters.isEmpty { state.seen.append((method, params)) }
            return waiters
        }
        for (_, waiter) in waiters {
            waiter.yield(params)
            waiter.finish()
        }
    }

    /// Waits for a request or notification of the daemon's and returns its parameters; `null` when the test is cancelled.
    func next(_ method: String) async -> JSONValue {
        let (arriving, waiter) = AsyncStream<JSONValue>.makeStream()
        let seen = arrivals.withLock { state -> JSONValue? in
            if let index = state.seen.firstIndex(where: { $0.0 == method }) {
                return state.seen.remove(at: index).1
            }
            state.waiters.append((method, waiter))
            return nil
        }
        if let seen { return seen }
        for await params in arriving { return params }
        return .null
    }

    /// The name of the prompt that the daemon presents next.
    func prompt() async -> String {
        guard case .string(let name)? = await next(Browser.Present.name)["prompt"] else { return "" }
        return name
    }
}
