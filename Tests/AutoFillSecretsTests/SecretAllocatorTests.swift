// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Testing

@testable import AutoFillSecrets

@Suite struct SecretAllocatorTests {
    @Test("S30: freed memory is wiped", arguments: SecretAllocator.sizeClasses + [1, 15, 100, 1000])
    func wipesWhatIsFreed(count: Int) throws {
        let allocator = SecretAllocator()
        var secret: SecretBytes? = SecretBytes(count: count, allocator: allocator)
        _ = secret?.withUnsafeMutableBytes { $0.initializeMemory(as: UInt8.self, repeating: 0xAA) }
        let address = try #require(secret?.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) })
        secret = nil

        // The slab stays mapped for as long as the allocator lives, so looking at the freed slot is allowed.
        let slot = UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: count)
        #expect(slot.allSatisfy { $0 == 0 })
        let next = SecretBytes(count: count, allocator: allocator)
        #expect(next.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } == address)
        #expect(next.withUnsafeBytes { $0.allSatisfy { $0 == 0 } })
    }

    @Test("S30: what a cipher returned is wiped where it stood", arguments: [1, 14, 15, 64, 5000])
    func wipesWhatACipherReturned(count: Int) {
        var plaintext = Data(repeating: 0xAA, count: count)
        let before = plaintext.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
        let secret = SealKey.moveAndWipe(&plaintext)
        #expect(secret.withUnsafeBytes { $0.count == count && $0.allSatisfy { $0 == 0xAA } })
        #expect(plaintext.allSatisfy { $0 == 0 })
        // Up to 14 bytes a `Data` keeps inside itself, where the address is that of a temporary.
        if count > 14 { #expect(plaintext.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } == before) }
    }

    @Test("S30: secrets are absent from core dumps and empty in a forked child")
    func isLeftOutOfDumps() throws {
        let small = SecretBytes(utf8: "small")
        let large = SecretBytes(count: 100_000)
        for secret in [small, large] {
            let flags = try #require(try Self.flags(of: secret))
            #expect(flags.contains("dd"), "not dumped")
            #expect(flags.contains("wf"), "wiped on fork")
            if secret.isLocked { #expect(flags.contains("lo"), "locked") }
        }
    }

    @Test func secretsDoNotOverlap() {
        let allocator = SecretAllocator()
        let secrets = (0..<2000).map { index in
            let secret = SecretBytes(count: 1 + index % 300, allocator: allocator)
            _ = secret.withUnsafeMutableBytes { $0.initializeMemory(as: UInt8.self, repeating: UInt8(index & 0xFF)) }
            return secret
        }
        for (index, secret) in secrets.enumerated() {
            #expect(secret.withUnsafeBytes { $0.allSatisfy { $0 == UInt8(index & 0xFF) } })
        }
    }

    @Test func givesNothingWhenTheSizeIsImpossible() {
        #expect(SecretAllocator().allocate(Int.max) == nil)
        #expect(SecretAllocator().allocate(Int.max / 2) == nil)
    }

    /// The kernel's flags of the mapping that a secret lies in.
    private static func flags(of secret: SecretBytes) throws -> [Substring]? {
        let address = secret.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
        let maps = try #require(fopen("/proc/self/smaps", "re"))
        defer { fclose(maps) }
        var buffer = [CChar](repeating: 0, count: 4096)
        var isInside = false
        while fgets(&buffer, Int32(buffer.count), maps) != nil {
            let line = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let range = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
            if range.count == 2 { isInside = (range[0]..<range[1]).contains(address) }
            if isInside, line.hasPrefix("VmFlags:") { return line.split { $0.isWhitespace } }
        }
        return nil
    }
}
