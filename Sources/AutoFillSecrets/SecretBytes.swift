// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Bytes that nobody else may see: locked into memory, absent from core dumps, wiped when released, printed as nothing.
///
/// The memory is locked as long as its `SecretArena` allows; beyond it a secret may reach swap (see `isLocked`) but is
/// still left out of core dumps and wiped. It is empty in a forked child, so a process that uses secrets must not fork
/// without exec. Two secrets compare in constant time.
///
/// Sendable unchecked: the address and the size never change, and the bytes change only through
/// `withUnsafeMutableBytes`, whose contract is that the secret has not been shared yet.
public final class SecretBytes: @unchecked Sendable {
    /// The number of bytes.
    public let count: Int

    private let block: SecretAllocator.Block
    private let allocator: SecretAllocator

    /// For tests of who is charged.
    var arena: SecretAllocator { allocator }

    init(count: Int, allocator: SecretAllocator) {
        precondition(count >= 0, "a secret cannot have a negative size")
        // Like every allocation in Swift, this one ends the process when there is no memory. Sizes that come from
        // outside are bounded before they get here.
        guard let block = allocator.allocate(count) else { fatalError("out of memory for a secret") }
        self.count = count
        self.block = block
        self.allocator = allocator
    }

    deinit {
        allocator.free(block)
    }

    /// Zero bytes, to be filled through `withUnsafeMutableBytes`.
    ///
    /// - Parameter count: The size in bytes; bound it before, when it comes from outside.
    /// - Parameter arena: the share of locked memory that it is charged to.
    public convenience init(count: Int, in arena: SecretArena = .own) {
        self.init(count: count, allocator: arena.allocator)
    }

    /// A copy of bytes that the caller wipes.
    public convenience init(copying bytes: UnsafeRawBufferPointer, in arena: SecretArena = .own) {
        self.init(count: bytes.count, in: arena)
        withUnsafeMutableBytes { $0.copyMemory(from: bytes) }
    }

    /// Takes the bytes out of an array and wipes it; afterwards the array is empty.
    ///
    /// Only this one array is wiped. A copy of it made earlier keeps the bytes.
    public convenience init(wiping bytes: inout [UInt8]) {
        self.init(count: bytes.count)
        bytes.withUnsafeMutableBytes { source in
            withUnsafeMutableBytes { $0.copyMemory(from: UnsafeRawBufferPointer(source)) }
            if let base = source.baseAddress { latchkey_wipe(base, source.count) }
        }
        bytes.removeAll()
    }

    /// The UTF-8 of a string, for constants, tests and the `String` API of Apple's that providers are written against.
    ///
    /// A `String` cannot be wiped: whoever holds a secret in one has to end when Latchkey locks.
    public convenience init(utf8 text: String) {
        var text = text
        let bytes = text.withUTF8 { $0.count }
        self.init(count: bytes)
        text.withUTF8 { utf8 in withUnsafeMutableBytes { $0.copyMemory(from: UnsafeRawBufferPointer(utf8)) } }
    }

    /// Bytes from the kernel's random generator.
    ///
    /// A kernel that gives none ends the process: going on with a predictable key would be worse.
    public static func random(count: Int, in arena: SecretArena = .own) -> SecretBytes {
        let secret = SecretBytes(count: count, in: arena)
        let status = latchkey_random(secret.block.address, count)
        guard status == 0 else { fatalError("the kernel's random generator failed with errno \(status)") }
        return secret
    }

    /// Whether the kernel keeps these bytes out of swap.
    public var isLocked: Bool { block.isLocked }

    /// Lends the bytes for the length of a call. The pointer must not outlive it, and copies are the caller's to wipe.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime(self) {} }
        return try body(UnsafeRawBufferPointer(start: block.address, count: count))
    }

    /// Lends the bytes for writing. Only for whoever made this secret and has not handed it to anyone yet: a reader on
    /// another thread would see half a secret.
    public func withUnsafeMutableBytes<Result, Failure: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime(self) {} }
        return try body(UnsafeMutableRawBufferPointer(start: block.address, count: count))
    }

    /// The same bytes without one line ending (LF or CR LF) at the end; what a pipe or a file adds to a passphrase.
    public func trimmingOneFinalNewline() -> SecretBytes {
        withUnsafeBytes { bytes in
            var end = bytes.count
            if end > 0, bytes[end - 1] == UInt8(ascii: "\n") {
                end -= 1
                if end > 0, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
            }
            return end == bytes.count ? self : SecretBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[..<end]))
        }
    }
}

extension SecretBytes: Equatable {
    /// Compares in a time that depends on the sizes only.
    public static func == (left: SecretBytes, right: SecretBytes) -> Bool {
        guard left.count == right.count else { return false }
        return left.withUnsafeBytes { a in
            right.withUnsafeBytes { b in latchkey_equal(a.baseAddress, b.baseAddress, a.count) != 0 }
        }
    }
}

extension SecretBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Never the bytes, and not their number either.
    public var description: String { "SecretBytes(redacted)" }

    public var debugDescription: String { description }

    /// A mirror without children, so that `dump` and test failures show nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
