// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AutoFillSecrets

@Suite struct SecretBytesTests {
    @Test func keepsTheBytesItCopied() {
        let secret = SecretBytes(utf8: "correct horse")
        #expect(secret.count == 13)
        #expect(secret.withUnsafeBytes { Array($0) } == Array("correct horse".utf8))
    }

    @Test func isZeroWhenNew() {
        for count in [0, 1, 16, 17, 2048, 2049, 100_000] {
            #expect(SecretBytes(count: count).withUnsafeBytes { $0.count == count && $0.allSatisfy { $0 == 0 } })
        }
    }

    @Test func comparesByContent() {
        #expect(SecretBytes(utf8: "a") == SecretBytes(utf8: "a"))
        #expect(SecretBytes(utf8: "") == SecretBytes(utf8: ""))
        #expect(SecretBytes(utf8: "a") != SecretBytes(utf8: "b"))
        #expect(SecretBytes(utf8: "a") != SecretBytes(utf8: "a\0"))
        #expect(SecretBytes(utf8: String(repeating: "x", count: 5000)) != SecretBytes(utf8: "x"))
    }

    @Test("S30: a secret prints as nothing") func printsNothing() {
        let secret = SecretBytes(utf8: "hunter2")
        var dumped = ""
        dump([secret], to: &dumped)
        let texts = ["\(secret)", String(reflecting: secret), String(describing: [secret]), dumped]
        for text in texts {
            #expect(text.contains("SecretBytes(redacted)"))
            #expect(!text.contains("hunter2") && !text.contains("104"))
        }
        #expect(Mirror(reflecting: secret).children.isEmpty)
    }

    @Test("S30: taking the bytes out of an array wipes the array") func wipesItsSource() {
        var bytes = Array("hunter2".utf8)
        bytes.reserveCapacity(64)
        let secret = SecretBytes(wiping: &bytes)
        #expect(bytes.isEmpty)
        #expect(secret == SecretBytes(utf8: "hunter2"))
    }

    @Test func randomSecretsDiffer() {
        #expect(SecretBytes.random(count: 32) != SecretBytes.random(count: 32))
        #expect(SecretBytes.random(count: 0).count == 0)
    }

    @Test(arguments: [
        ("a\n", "a"), ("a\r\n", "a"), ("a\n\n", "a\n"), ("a", "a"), ("\n", ""), ("", ""), ("a\r", "a\r"),
        ("\na", "\na"),
    ])
    func trimsExactlyOneFinalNewline(given: String, expected: String) {
        #expect(SecretBytes(utf8: given).trimmingOneFinalNewline() == SecretBytes(utf8: expected))
    }

    @Test func survivesManyThreads() async {
        await withTaskGroup(of: Bool.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    (0..<500).allSatisfy { round in
                        let text = "worker \(worker) round \(round)" + String(repeating: "x", count: round * 7)
                        let secret = SecretBytes(utf8: text)
                        return secret.withUnsafeBytes { $0.elementsEqual(text.utf8) }
                    }
                }
            }
            for await held in group { #expect(held) }
        }
    }
}
