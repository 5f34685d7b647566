// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import Glibc
import TerminalRendering

/// As much of the X11 protocol (X Window System Protocol, version 11) as owning a selection takes: requests, replies and
/// events in this machine's byte order.
final class X11Connection {
    /// The connection broke or the server said no.
    struct Failure: Error {}

    /// An event or a reply: 32 bytes, and what follows them in a reply.
    struct Packet {
        let bytes: [UInt8]

        var kind: UInt8 { bytes[0] & 0x7F }

        func word(at offset: Int) -> UInt32 {
            guard offset + 4 <= bytes.count else { return 0 }
            return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
        }
    }

    /// The number of the request that a reply or an error belongs to: the lower 16 bits of the count of requests (section 1).
    private static func request(of packet: Packet) -> UInt16 {
        packet.bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self) }
    }

    /// The kinds of packets that matter here (appendix B).
    enum Kind {
        static let error: UInt8 = 0
        static let reply: UInt8 = 1
        static let propertyNotify: UInt8 = 28
        static let selectionClear: UInt8 = 29
        static let selectionRequest: UInt8 = 30
        static let selectionNotify: UInt8 = 31
    }

    private let descriptor: Int32
    private var events: [Packet] = []
    /// How many requests were sent, in the 16 bits that answers have of it.
    private var sent: UInt16 = 0
    private(set) var root: UInt32 = 0
    private(set) var firstIdentifier: UInt32 = 0

    /// Connects and introduces itself (section 8, connection setup).
    init(_ display: X11Display) throws {
        guard let descriptor = display.connect() else { throw Failure() }
        self.descriptor = descriptor
        var limit = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let cookie = display.cookie
        let name = cookie == nil ? "" : "MIT-MAGIC-COOKIE-1"
        try send(
            SecretBytes.written { sink in
                #if _endian(little)
                    sink(UInt8(ascii: "l"))
                #else
                    sink(UInt8(ascii: "B"))
                #endif
                sink(0)
                for number in [11, 0, UInt16(name.utf8.count), UInt16(cookie?.count ?? 0), 0] { Self.put(number, sink) }
                Self.putPadded(name.utf8, sink)
                cookie?.withUnsafeBytes { Self.putPadded($0, sink) }
            }
        )
        let head = try read(8)
        let rest = try read(Int(head.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 6, as: UInt16.self) }) * 4)
        guard head[0] == 1, rest.count >= 32 else { throw Failure() }
        let setup = Packet(bytes: rest)
        firstIdentifier = setup.word(at: 4)
        let vendor = Int(rest[16]) | Int(rest[17]) << 8
        let formats = Int(rest[21])
        // The first root begins with its window, behind the vendor's name and the formats of eight bytes each.
        root = setup.word(at: 32 + (vendor + 3) / 4 * 4 + formats * 8)
        guard root != 0 else { throw Failure() }
    }

    deinit {
        close(descriptor)
    }

    /// Sends one request; its length in units of four bytes is filled in here.
    func request(_ opcode: UInt8, _ detail: UInt8, _ words: [UInt32], _ data: SecretBytes? = nil) throws {
        let padded = ((data?.count ?? 0) + 3) / 4
        try send(
            SecretBytes.written { sink in
                sink(opcode)
                sink(detail)
                Self.put(UInt16(1 + words.count + padded), sink)
                for word in words { Self.put(word, sink) }
                data?.withUnsafeBytes { Self.putPadded($0, sink) }
            }
        )
        sent &+= 1
    }

    /// The reply to the request just sent. Events that come first are kept. Errors of earlier requests are ignored: a window that asked for the
    /// clipboard may be gone when its answer comes, which harms nobody else.
    func reply() throws -> Packet {
        while true {
            let packet = try readPacket()
            switch packet.kind {
            case Kind.reply: return packet
            case Kind.error: if Self.request(of: packet) == sent { throw Failure() }
            default: events.append(packet)
            }
        }
    }

    /// The next event. Waits for it at most this long, and returns `nil` when none came. Errors are ignored, as in `reply`.
    func nextEvent(milliseconds: Int32) throws -> Packet? {
        if !events.isEmpty { return events.removeFirst() }
        var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&ready, 1, milliseconds) > 0 else { return nil }
        let packet = try readPacket()
        return packet.kind == Kind.error || packet.kind == Kind.reply ? nil : packet
    }

    /// The number that stands for a name here (InternAtom).
    func atom(_ name: String) throws -> UInt32 {
        let count = UInt16(name.utf8.count)
        let word = withUnsafeBytes(of: (count, UInt16(0))) { $0.loadUnaligned(as: UInt32.self) }
        try request(16, 0, [word], SecretBytes(utf8: name))
        return try reply().word(at: 8)
    }

    private func readPacket() throws -> Packet {
        var bytes = try read(32)
        if bytes[0] == Kind.reply {
            let length = Int(Packet(bytes: bytes).word(at: 4))
            // Nothing asked for here has a long answer.
            guard length <= 1 << 18 else { throw Failure() }
            bytes += try read(length * 4)
        }
        return Packet(bytes: bytes)
    }

    private func send(_ bytes: SecretBytes) throws {
        guard bytes.withUnsafeBytes({ Descriptor.writeAll($0, to: descriptor) }) else { throw Failure() }
    }

    private func read(_ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var total = 0
        while total < count {
            let got = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress?.advanced(by: total), count - total)
            }
            if got < 0 && errno == EINTR { continue }
            guard got > 0 else { throw Failure() }
            total += got
        }
        return bytes
    }

    private static func put(_ number: UInt16, _ sink: (UInt8) -> Void) {
        withUnsafeBytes(of: number) { for byte in $0 { sink(byte) } }
    }

    private static func put(_ number: UInt32, _ sink: (UInt8) -> Void) {
        withUnsafeBytes(of: number) { for byte in $0 { sink(byte) } }
    }

    private static func putPadded(_ bytes: some Collection<UInt8>, _ sink: (UInt8) -> Void) {
        for byte in bytes { sink(byte) }
        for _ in 0..<((4 - bytes.count % 4) % 4) { sink(0) }
    }
}
