// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AutoFillIPC

@Suite struct FrameTests {
    @Test(arguments: [1, 2, 255, 256, 65_536, 1_048_575, 1_048_576])
    func headerReadsBackTheSame(size: Int) throws {
        let header = try Frame.header(bodySize: size)
        #expect(header.count == Frame.headerSize)
        #expect(try Frame.bodySize(header: header) == size)
    }

    @Test func lengthIsInNativeByteOrder() throws {
        #expect(try Frame.header(bodySize: 0x01_0203) == withUnsafeBytes(of: UInt32(0x01_0203)) { Array($0) })
    }

    @Test(arguments: [0, -1, 1_048_577, Int.max, Int.min])
    func sizesThatTheOtherSideRefusesAreNotSent(size: Int) {
        #expect(throws: Frame.Failure.self) { try Frame.header(bodySize: size) }
    }

    @Test(arguments: [0, 1_048_577, 0x8000_0000, 0xFFFF_FFFF] as [UInt32])
    func sizesOutOfBoundsAreRefused(size: UInt32) {
        let header = withUnsafeBytes(of: size) { Array($0) }
        #expect(throws: Frame.Failure.self) { try Frame.bodySize(header: header) }
    }

    @Test(arguments: [[], [1], [1, 0, 0], [1, 0, 0, 0, 0]] as [[UInt8]])
    func headersOfAnotherSizeAreRefused(header: [UInt8]) {
        #expect(throws: Frame.Failure.self) { try Frame.bodySize(header: header) }
    }
}
