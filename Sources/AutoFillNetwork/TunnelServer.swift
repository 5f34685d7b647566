// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import Synchronization

/// Accepts connections of one sandboxed program on the listener that was handed out of its network namespace.
public final class TunnelServer: Sendable {
    /// How many at a time; the next one waits in the listener.
    static let maximumConnections = 48

    private let listener: Int32
    private let policy: NetworkPolicy
    private let count = Mutex(0)

    public init(listener: Int32, policy: NetworkPolicy) {
        self.listener = listener
        self.policy = policy
    }

    /// Serves until the listener fails.
    public func run() {
        while true {
            guard count.withLock({ $0 }) < Self.maximumConnections else {
                // Waited for in steps: one of them ends by itself sooner or later.
                poll(nil, 0, 20)
                continue
            }
            let client = latchkey_accept_nonblocking(listener)
            guard client >= 0 else {
                if errno == EINTR || errno == ECONNABORTED { continue }
                guard errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM else { return }
                poll(nil, 0, 100)
                continue
            }
            count.withLock { $0 += 1 }
            if !start(client) {
                close(client)
                count.withLock { $0 -= 1 }
            }
        }
    }

    private final class Work: Sendable {
        let server: TunnelServer
        let client: Int32

        init(_ server: TunnelServer, _ client: Int32) {
            self.server = server
            self.client = client
        }
    }

    /// A thread for each: finding a host's address blocks.
    private func start(_ client: Int32) -> Bool {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, 512 << 10)
        let work = Unmanaged.passRetained(Work(self, client))
        var thread = pthread_t()
        let failure = pthread_create(
            &thread, &attributes,
            { argument in
                guard let argument else { return nil }
                let work = Unmanaged<Work>.fromOpaque(argument).takeRetainedValue()
                Tunnel(client: work.client, policy: work.server.policy).run()
                close(work.client)
                work.server.count.withLock { $0 -= 1 }
                return nil
            }, work.toOpaque())
        if failure != 0 { work.release() }
        return failure == 0
    }
}
