// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// One connection of the sandboxed program: its request is read, judged, connected, and then bytes are passed both ways.
struct Tunnel {
    /// How long each part may take.
    struct Limits: Sendable {
        var head: Duration = .seconds(10)
        var connect: Duration = .seconds(10)
        /// Without a byte either way.
        var idle: Duration = .seconds(300)
        var whole: Duration = .seconds(3_600)
    }

    let client: Int32
    let policy: NetworkPolicy
    var limits = Limits()

    /// Carries it out until it ends. The client's socket is the caller's to close; it does not block.
    func run() {
        let start = ContinuousClock.now
        var bytes: [UInt8] = []
        guard let end = readHead(client, into: &bytes, until: start + limits.head) else { return }
        let request: TunnelRequest
        do {
            request = try TunnelRequest(head: bytes[..<end])
        } catch {
            return refuse(
                error == .malformed ? "400 Bad Request" : "501 Not Implemented", "Only CONNECT and http are known here."
            )
        }
        var rest = Array(bytes[end...])
        let decision = TunnelDecision(
            for: request.target, policy: policy, addresses: AddressPolicy.current(), resolve: InternetAddress.resolve)
        var server: Int32 = -1
        defer { if server >= 0 { close(server) } }
        var early: [UInt8] = []
        switch decision {
        case .refused:
            return refuse("403 Forbidden", "This program may not reach a host of that name.")
        case .connect(let addresses, let port):
            server = connect(to: addresses, port)
        case .proxy(let proxy, let target):
            let places = policy.resolve[proxy.place].map { InternetAddress.resolve($0.host) }
            server = connect(to: places ?? InternetAddress.resolve(proxy.place.host), proxy.place.port)
            if server >= 0, !ask(proxy, for: target, server, &early) {
                return refuse("502 Bad Gateway", "Your proxy refused.")
            }
        }
        guard server >= 0 else {
            return server == -ECONNREFUSED
                ? refuse("503 Service Unavailable", "The host refuses the connection.")
                : refuse("504 Gateway Timeout", "The host does not answer.")
        }
        if request.isConnect {
            early = Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8) + early
        } else {
            rest = request.opening + rest
        }
        relay(server, toServer: rest, toClient: early, end: start + limits.whole)
    }

    private func refuse(_ status: String, _ reason: String) {
        let body = "latchkey-net: \(reason)\n"
        let answer =
            "HTTP/1.1 \(status)\r\nContent-Type: text/plain\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
        _ = write(client, Array(answer.utf8), until: ContinuousClock.now + .seconds(2))
        shutdown(client, Int32(SHUT_WR))
        // What has come and nobody read would have the answer thrown away with the connection.
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let end = ContinuousClock.now + .seconds(1)
        while wait(client, POLLIN, until: end), read(client, &buffer, buffer.count) > 0 {}
    }

    /// Reads until the end of a head, and returns where that is; `nil` where it does not come, or is too long.
    private func readHead(_ descriptor: Int32, into bytes: inout [UInt8], until end: ContinuousClock.Instant) -> Int? {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while bytes.count <= TunnelRequest.maximumSize {
            if let end = TunnelRequest.end(of: bytes) { return end }
            guard wait(descriptor, POLLIN, until: end) else { return nil }
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { return nil }
            bytes += buffer[..<count]
        }
        return nil
    }

    private func write(_ descriptor: Int32, _ bytes: [UInt8], until end: ContinuousClock.Instant) -> Bool {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                send(descriptor, $0.baseAddress?.advanced(by: written), $0.count - written, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                written += count
            } else if errno == EAGAIN || errno == EINTR {
                guard wait(descriptor, POLLOUT, until: end) else { return false }
            } else {
                return false
            }
        }
        return true
    }

    private func wait(_ descriptor: Int32, _ events: Int32, until end: ContinuousClock.Instant) -> Bool {
        while true {
            let left = end - ContinuousClock.now
            guard left > .zero else { return false }
            var polled = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            let ready = poll(&polled, 1, Self.milliseconds(left))
            if ready > 0 { return true }
            if ready < 0, errno != EINTR { return false }
        }
    }

    private static func milliseconds(_ duration: Duration) -> Int32 {
        Int32(max(1, min((duration / .milliseconds(1)).rounded(.up), 60_000)))
    }

    /// A connection to the first address that answers; the last failure's `errno` below zero where none does.
    private func connect(to addresses: [InternetAddress], _ port: UInt16) -> Int32 {
        let end = ContinuousClock.now + limits.connect * 2
        var failure = ETIMEDOUT
        for address in addresses {
            let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
            let server = socket(address.isIPv4 ? AF_INET : AF_INET6, kind, 0)
            guard server >= 0 else { continue }
            let began = address.withSocketAddress(port: port) { Glibc.connect(server, $0, $1) }
            var reason: Int32 = began == 0 || errno == EINPROGRESS ? 0 : errno
            var size = socklen_t(MemoryLayout<Int32>.size)
            if began != 0, reason == 0 {
                if !wait(server, POLLOUT, until: min(end, ContinuousClock.now + limits.connect)) {
                    reason = ETIMEDOUT
                } else if getsockopt(server, SOL_SOCKET, SO_ERROR, &reason, &size) != 0 {
                    reason = errno
                }
            }
            guard reason != 0 else { return server }
            failure = reason
            close(server)
        }
        return -failure
    }

    /// Has the user's proxy connect; what its answer brought beyond its head is the server's.
    private func ask(_ proxy: NetworkPolicy.Proxy, for target: String, _ server: Int32, _ early: inout [UInt8]) -> Bool
    {
        let authorization = proxy.authorization.map { "Proxy-Authorization: Basic \($0)\r\n" } ?? ""
        let head = "CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\n\(authorization)\r\n"
        let end = ContinuousClock.now + limits.connect * 2
        var answer: [UInt8] = []
        guard write(server, Array(head.utf8), until: end), let size = readHead(server, into: &answer, until: end) else {
            return false
        }
        let line = String(decoding: answer.prefix { $0 != 13 }, as: UTF8.self).split(separator: " ")
        guard line.count >= 2, line[0].hasPrefix("HTTP/1."), line[1].count == 3, line[1].hasPrefix("2") else {
            return false
        }
        early = Array(answer[size...])
        return true
    }

    // MARK: Relaying

    /// One direction.
    private struct Flow {
        let source: Int32
        let sink: Int32
        var waiting: [UInt8]
        var sourceEnded = false
        var sinkEnded = false

        /// Whether nothing more comes of it.
        var isOver: Bool { sinkEnded }

        /// Moves what can be moved without waiting; `false` when the connection is broken.
        mutating func move(_ buffer: inout [UInt8]) -> Bool {
            if waiting.isEmpty, !sourceEnded {
                let count = read(source, &buffer, buffer.count)
                if count > 0 {
                    waiting = Array(buffer[..<count])
                } else if count == 0 {
                    sourceEnded = true
                } else if errno != EAGAIN, errno != EINTR {
                    return false
                }
            }
            if !waiting.isEmpty {
                let count = waiting.withUnsafeBytes {
                    send(sink, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                if count > 0 {
                    waiting.removeFirst(count)
                } else if errno != EAGAIN, errno != EINTR {
                    return false
                }
            }
            if waiting.isEmpty, sourceEnded, !sinkEnded {
                sinkEnded = true
                shutdown(sink, Int32(SHUT_WR))
            }
            return true
        }
    }

    private func relay(_ server: Int32, toServer: [UInt8], toClient: [UInt8], end: ContinuousClock.Instant) {
        var up = Flow(source: client, sink: server, waiting: toServer)
        var down = Flow(source: server, sink: client, waiting: toClient)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !(up.isOver && down.isOver) {
            let left = min(end - ContinuousClock.now, limits.idle)
            guard left > .zero else { return }
            func events(reading: Flow, writing: Flow) -> Int16 {
                (reading.waiting.isEmpty && !reading.sourceEnded ? Int16(POLLIN) : 0)
                    | (writing.waiting.isEmpty ? 0 : Int16(POLLOUT))
            }
            var polled = [
                pollfd(fd: client, events: events(reading: up, writing: down), revents: 0),
                pollfd(fd: server, events: events(reading: down, writing: up), revents: 0),
            ]
            // One that is waited for in no way would wake this up for ever when the other end hangs up.
            for index in polled.indices where polled[index].events == 0 { polled[index].fd = -1 }
            let ready = poll(&polled, 2, Int32(min(left / .milliseconds(1), 3_600_000).rounded(.up)))
            if ready < 0, errno == EINTR { continue }
            guard ready > 0, up.move(&buffer), down.move(&buffer) else { return }
        }
    }
}
