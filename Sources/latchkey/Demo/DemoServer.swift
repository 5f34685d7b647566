// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import TerminalRendering

/// Serves `DemoPage` to this computer alone, in one thread.
///
/// The method and path decide which fixed answer is sent. Everything else that a browser sends is read and dropped, so that closing
/// the connection does not take the answer away from it.
struct DemoServer {
    /// Maximum number of connections. The oldest is closed for a new one: browsers open connections that they do not use.
    private static let connectionLimit = 16
    /// Maximum number of bytes read from one connection.
    private static let readLimit = 64 << 10

    private let listener: Int32
    let port: UInt16

    /// Listens on 127.0.0.1; with port 0 on a free one.
    init(port: UInt16) throws(CommandFailure) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        var reuse: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        address.sin_port = port.bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listens = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &size) == 0
            }
        }
        guard listens else {
            throw CommandFailure(
                .refused, "The page cannot be served on port \(port): \(String(cString: strerror(errno))).",
                hint: "Choose another port: `latchkey demo --port 0` takes a free one.")
        }
        self.listener = listener
        self.port = UInt16(bigEndian: address.sin_port)
    }

    /// Answers requests until the process ends.
    func serve() -> Never {
        // The number of bytes read so far, in the order in which connections came.
        var connections: [(descriptor: Int32, count: Int)] = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            var polled = ([listener] + connections.map(\.descriptor)).map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            guard poll(&polled, nfds_t(polled.count), -1) > 0 else { continue }
            for index in connections.indices.reversed() where polled[index + 1].revents != 0 {
                let descriptor = connections[index].descriptor
                let count = read(descriptor, &buffer, buffer.count)
                if connections[index].count == 0, count > 0 {
                    let answer = Self.answer(buffer[..<count])
                    _ = write(descriptor, answer, answer.count)
                    shutdown(descriptor, Int32(SHUT_WR))
                }
                connections[index].count += max(0, count)
                if count <= 0 || connections[index].count > Self.readLimit {
                    close(descriptor)
                    connections.remove(at: index)
                }
            }
            guard polled[0].revents != 0 else { continue }
            let descriptor = accept(listener, nil, nil)
            guard descriptor >= 0 else { continue }
            if connections.count == Self.connectionLimit { close(connections.removeFirst().descriptor) }
            connections.append((descriptor, 0))
        }
    }

    /// The whole answer to a request, by the beginning of its first line.
    private static func answer(_ request: ArraySlice<UInt8>) -> [UInt8] {
        let form = DemoPage.forms.first { request.starts(with: "GET \($0.key) HTTP/1.".utf8) }?.value
        let page = form ?? (request.starts(with: "POST / HTTP/1.".utf8) ? DemoPage.received : DemoPage.notFound)
        let status = page == DemoPage.notFound ? "404 Not Found" : "200 OK"
        return Array(
            """
            HTTP/1.1 \(status)\r
            Content-Type: text/html; charset=utf-8\r
            Content-Length: \(page.utf8.count)\r
            Cache-Control: no-store\r
            Connection: close\r
            \r
            \(page)
            """.utf8)
    }
}
