// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import SecurityCodes
import Testing

/// Links that are written: what was read of one is what is read of what is written.
@Suite struct AuthenticatorLinkWritingTests {
    private struct Account: Equatable {
        let entry: AuthenticatorEntry
        let key: [UInt8]
    }

    private static func read(_ text: [UInt8]) throws -> [Account] {
        var accounts: [Account] = []
        _ = try text.withUnsafeBytes { try AuthenticatorLink.read($0) { accounts.append(Account(entry: $0, key: $1)) } }
        return accounts
    }

    private static func written(_ account: Account) -> [UInt8]? {
        account.key.withUnsafeBytes { AuthenticatorLink.write(account.entry, key: $0) }
    }

    @Test(arguments: [
        (
            "otpauth://totp/Shiny:rm?secret=JBSWY3DPEHPK3PXP",
            "otpauth://totp/Shiny:rm?secret=JBSWY3DPEHPK3PXP&issuer=Shiny"
        ),
        ("otpauth://TOTP/rm?secret=jbsw-y3dp======&digits=6&period=30", "otpauth://totp/rm?secret=JBSWY3DP"),
        (
            "otpauth://totp/a%20b?secret=ME&algorithm=hmacsha256&digits=8&period=60",
            "otpauth://totp/a%20b?secret=ME&algorithm=SHA256&digits=8&period=60"
        ),
        ("steam://JBSWY3DP", "otpauth://totp/Steam:?secret=JBSWY3DP&issuer=Steam&encoder=steam"),
        ("otpauth://totp/a:b:c?secret=ME", "otpauth://totp/a:b%3Ac?secret=ME&issuer=a"),
        ("otpauth://totp/%C3%A9?secret=ME&issuer=%26%3D", "otpauth://totp/%26%3D:%C3%A9?secret=ME&issuer=%26%3D"),
    ])
    func writesOneLinkInOneWay(text: String, expected: String) throws {
        let account = try #require(try Self.read(Array(text.utf8)).first)
        let written = try #require(Self.written(account))
        #expect(String(decoding: written, as: UTF8.self) == expected)
        #expect(try Self.read(written) == [account])
        #expect(try Self.written(#require(try Self.read(written).first)) == written)
    }

    @Test func everyLengthOfAKeyIsReadBack() throws {
        for count in 1...64 {
            let key = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ count) }
            let first = try #require(try Self.read(Array("otpauth://totp/x?secret=ME".utf8)).first)
            let written = try #require(Self.written(Account(entry: first.entry, key: key)))
            #expect(try Self.read(written).map(\.key) == [key])
        }
    }

    @Test func writesNoCounter() throws {
        let account = try #require(try Self.read(Array("otpauth://hotp/x?secret=ME&counter=1".utf8)).first)
        #expect(Self.written(account) == nil)
    }
}
