// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The head of a request to the proxy (RFC 9110, section 9.3.6; RFC 9112, section 3.2.2).
public struct TunnelRequest: Sendable, Equatable {
    /// Why a head is refused.
    public enum Refusal: Error, Sendable, Equatable {
        /// It is not a request of HTTP/1.
        case malformed
        /// The target has another scheme than http, or none.
        case unsupported
    }

    /// The most bytes of a head.
    public static let maximumSize = 16_384

    /// Where it goes.
    public let target: HostAndPort
    /// What is said there first: nothing for CONNECT; for a request with an absolute address, its head as the server wants it.
    public let opening: [UInt8]
    /// Whether the client waits for the proxy's own answer.
    public let isConnect: Bool

    /// Where the head of what has come so far ends; `nil` while it is not complete.
    public static func end(of bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        return (4...bytes.count).first { bytes[($0 - 4)..<$0] == [13, 10, 13, 10] }
    }

    /// Reads a complete head, its empty line included.
    public init(head: some Collection<UInt8>) throws(Refusal) {
        guard head.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 13 || $0 == 10 || $0 == 9 || $0 >= 0x80 }) else {
            throw .malformed
        }
        var lines = Self.lines(of: Array(head))
        guard lines.count >= 2, lines.popLast() == [], lines.popLast() == [] else { throw .malformed }
        // Bare line ends would be read differently by the server.
        let isBroken = lines.contains { line in
            // A line that goes on in the next one, too.
            line.contains(13) || line.contains(10) || line.isEmpty || line[0] == 0x20 || line[0] == 9
        }
        // A name with anything else in it, a space before its colon most of all, is one name to us and another one to a server.
        let isNamed = lines.dropFirst().allSatisfy { line in
            line.firstIndex(of: UInt8(ascii: ":")).map { Self.isFieldName(line[..<$0]) }
                ?? false
        }
        guard let first = lines.first, !isBroken, isNamed else { throw .malformed }
        let words = first.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard words.count == 3, words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0", Self.isToken(words[0]) else {
            throw .malformed
        }
        guard words[0] != "CONNECT" else {
            guard let target = HostAndPort(words[1]) else { throw .malformed }
            self.target = target
            opening = []
            isConnect = true
            return
        }
        guard words[1].prefix(7).lowercased() == "http://" else { throw .unsupported }
        let rest = words[1].dropFirst(7)
        let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
        guard let target = HostAndPort(rest[..<end], defaultPort: 80) else { throw .malformed }
        let path = rest[end...]
        self.target = target
        isConnect = false
        let names: Set<String> = [
            "connection", "keep-alive", "host", "upgrade",
        ]
        let kept = lines.dropFirst().filter { line in
            let name = String(decoding: line.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self).lowercased()
            return !names.contains(name) && !name.hasPrefix("proxy-")
        }
        // One request for each connection: the next one may be for another host.
        let host = target.port == 80 ? String(target.description.dropLast(3)) : target.description
        opening =
            Array("\(words[0]) \(path.hasPrefix("/") ? "" : "/")\(path) HTTP/1.1\r\nHost: \(host)\r\n".utf8)
            + kept.flatMap { $0 + [13, 10] } + Array("Connection: close\r\n\r\n".utf8)
    }

    /// The lines between the pairs of carriage return and line feed.
    private static func lines(of bytes: [UInt8]) -> [[UInt8]] {
        var lines: [[UInt8]] = [[]]
        var index = 0
        while index < bytes.count {
            if bytes[index] == 13, index + 1 < bytes.count, bytes[index + 1] == 10 {
                lines.append([])
                index += 2
            } else {
                lines[lines.count - 1].append(bytes[index])
                index += 1
            }
        }
        return lines
    }

    /// RFC 9110, section 5.1: a token.
    private static func isFieldName(_ name: some Collection<UInt8>) -> Bool {
        !name.isEmpty
            && name.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
    }

    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D }
    }
}
