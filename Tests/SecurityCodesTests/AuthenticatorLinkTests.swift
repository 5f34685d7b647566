// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import SecurityCodes
import Testing

/// Links that carry keys.
@Suite struct AuthenticatorLinkTests {
    private struct Account: Equatable {
        let name: String
        let key: [UInt8]
        let generator: CodeGenerator?
    }

    private static func read(_ text: String) throws -> (accounts: [Account], batch: AuthenticatorBatch?) {
        var accounts: [Account] = []
        let batch = try Array(text.utf8).withUnsafeBytes { text in
            try AuthenticatorLink.read(text) {
                accounts.append(Account(name: $0.name, key: $1, generator: $0.generator))
            }
        }
        return (accounts, batch)
    }

    private static let hello: [UInt8] = Array("Hello!".utf8) + [0xDE, 0xAD, 0xBE, 0xEF]

    @Test(arguments: [
        "JBSWY3DPEHPK3PXP", "jbswy3dpehpk3pxp", "JBSW Y3DP EHPK 3PXP", "JBSW-Y3DP-EHPK-3PXP", "JBSWY3DPEHPK3PXP======",
        "JBSWY3DPEHPK3PXP%3D%3D", "JBSW%20Y3DP%20EHPK%203PXP",
    ])
    func readsKeysAsPeopleWriteThem(key: String) throws {
        let (accounts, batch) = try Self.read("otpauth://totp/ACME:alice?secret=\(key)")
        #expect(accounts == [Account(name: "ACME: alice", key: Self.hello, generator: CodeGenerator())])
        #expect(batch == nil)
    }

    @Test func readsEveryParameter() throws {
        let link =
            "OTPAUTH://totp/ACME%20Co:%20john%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=ACME%20Co"
            + "&algorithm=SHA512&digits=8&period=60&image=https%3A%2F%2Facme.example%2Flogo.png&x"
        let expected = CodeGenerator(hash: .sha512, alphabet: .digits(8), movement: .period(60))
        #expect(
            try Self.read(link).accounts == [
                Account(name: "ACME Co: john@example.com", key: Self.hello, generator: expected)
            ])
    }

    @Test func readsCountersAndSteam() throws {
        let counter = try Self.read("otpauth://hotp/x?secret=JBSWY3DPEHPK3PXP&counter=7")
        #expect(counter.accounts.first?.generator?.movement == .counter(7))
        for link in [
            "otpauth://steam/rm?secret=JBSWY3DPEHPK3PXP", "otpauth://totp/rm?secret=JBSWY3DPEHPK3PXP&encoder=steam",
            "steam://JBSWY3DPEHPK3PXP", "otpauth://totp/Steam:anna_l?secret=JBSWY3DPEHPK3PXP&issuer=Steam",
            "otpauth://totp/STEAM:anna_l?secret=JBSWY3DPEHPK3PXP",
            "otpauth://totp/Shelf:anna?secret=JBSWY3DPEHPK3PXP&period=30&digits=5&issuer=Shelf&encoder=steam",
            "otpauth://steam/rm?secret=JBSWY3DPEHPK3PXP&digits=5",
        ] {
            #expect(try Self.read(link).accounts.first?.generator?.alphabet == .steam)
        }
    }

    @Test(arguments: [
        (
            "Hill%20Git%20%28https://git.hill.example%29:anna?issuer=Hill+Git+%28https%3A%2F%2Fgit.hill.example%29",
            "Hill Git (https://git.hill.example): anna"
        ),
        ("https://git.hill.example:anna?", "https://git.hill.example: anna"),
        ("A:B:anna?issuer=A:B", "A:B: anna"), ("A%3AB%3A%20anna?issuer=A%3AB", "A:B: anna"),
        ("A:an:na?", "A: an:na"), ("Shop:anna?issuer=Shop%2BMore", "Shop+More: anna"),
        ("Films%2B:anna?issuer=Films+", "Films+: anna"), ("C++:anna?issuer=C++", "C++: anna"),
        ("anna+git@a.example?issuer=A", "A: anna+git@a.example"), ("Steamy:anna?issuer=Steamy", "Steamy: anna"),
    ])
    func readsIssuersAndAccountsAsPeopleNameThem(link: String, name: String) throws {
        let account = try #require(try Self.read("otpauth://totp/\(link)&secret=JBSWY3DPEHPK3PXP").accounts.first)
        #expect(account.name == name)
        #expect(account.generator == CodeGenerator())
    }

    @Test func readsAnExport() throws {
        let (accounts, batch) = try Self.read(
            "otpauth-migration://offline?data=CjkKFDEyMzQ1Njc4OTAxMjM0NTY3ODkwEhRTaGlueTpybUBleGFtcGxlLmNvbRoFU2hpbnkgASgBMAIKHQoKYWJjZGVmZ2hpahIHY291bnRlciACKAIwATgHEAEYAiABKPv%2F%2F%2F%2F%2F%2F%2F%2F%2F%2FwE%3D"
        )
        #expect(accounts.map(\.name) == ["Shiny: rm@example.com", "counter"])
        #expect(accounts.map(\.key) == [Array("12345678901234567890".utf8), Array("abcdefghij".utf8)])
        #expect(accounts[0].generator == CodeGenerator())
        #expect(accounts[1].generator == CodeGenerator(hash: .sha256, alphabet: .digits(8), movement: .counter(7)))
        #expect(batch?.index == 1 && batch?.count == 2)
    }

    static let wrong = [
        "", "JBSWY3DPEHPK3PXP", "https://totp/x?secret=JBSWY3DPEHPK3PXP", "otpauth://", "otpauth://totp",
        "otpauth://totp/x",
        "otpauth://totp/x?", "otpauth://totp/x?issuer=y", "otpauth://totp/x?secret=", "otpauth://totp/x?secret=A",
        "otpauth://totp/x?secret=JBSWY3DP0", "otpauth://totp/x?secret=JB=SWY3D",
        "otpauth://totp/x?secret=JBSWY3DP&secret=JBSWY3DP",
        "otpauth://totp/x?secret=JBSWY3DP&digits=5", "otpauth://totp/x?secret=JBSWY3DP&digits=9",
        "otpauth://totp/x?secret=JBSWY3DP&digits=%2B6",
        "otpauth://totp/x?secret=JBSWY3DP&period=0", "otpauth://totp/x?secret=JBSWY3DP&period=99999999999999999999999",
        "otpauth://totp/x?secret=JBSWY3DP&algorithm=MD5", "otpauth://hotp/x?secret=JBSWY3DP",
        "otpauth://hotp/x?secret=JBSWY3DP&counter=-1",
        "otpauth://yotp/x?secret=JBSWY3DP", "otpauth://totp/x?secret=JBSWY3DP%2", "otpauth://totp/%zz?secret=JBSWY3DP",
        "otpauth://totp/x?secret=JBSWY3DP&encoder=other", "otpauth://totp/x#?secret=JBSWY3DP&period=1&period=2",
        "steam://", "steam://018",
        "otpauth-migration://offline", "otpauth-migration://offline?data=", "otpauth-migration://offline?data=%%",
        "otpauth-migration://offline?data=CgA", "otpauth-migration://offline?data=CgUKA2Fi",
        "otpauth-migration://offline?data=/////////////w",
        "otpauth-migration://offline?data=CgcKA2FiYyAE", "otpauth-migration://offline?data=CgQKAmFi_w",
    ]

    @Test(arguments: wrong)
    func refusesOtherLinksWithoutQuotingThem(link: String) {
        do {
            let found = try Self.read(link)
            Issue.record("\(found.accounts.count) accounts were read")
        } catch {
            let text = "\(error)"
            #expect(text.hasSuffix("."))
            #expect(!text.contains("JBSW") && !text.contains("CgU"))
        }
    }

    @Test func handsNothingOverWhereALaterAccountIsWrong() {
        // The first account is right, the second has no key.
        var count = 0
        let link = Array("otpauth-migration://offline?data=CgUKA2FiYwoA".utf8)
        #expect(throws: AuthenticatorLinkError.self) {
            try link.withUnsafeBytes { try AuthenticatorLink.read($0) { _, _ in count += 1 } }
        }
        #expect(count == 0)
    }

    @Test func refusesWhatIsTooLong() {
        let key = String(repeating: "A", count: 1000)
        #expect(throws: AuthenticatorLinkError.self) { try Self.read("otpauth://totp/x?secret=\(key)") }
        let label = String(repeating: "x", count: AuthenticatorLink.limit)
        #expect(throws: AuthenticatorLinkError.self) { try Self.read("otpauth://totp/\(label)?secret=JBSWY3DP") }
    }
}
