// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import Foundation
import Testing

@testable import AutoFillIPC

@Suite struct WireSecretTests {
    private let secret = WireSecret(SecretBytes(utf8: "canary"))

    @Test func otherEncodersGetAnError() {
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(secret) }
        #expect(throws: EncodingError.self) { try JSONEncoder().encode([PassphraseParams(passphrase: secret)]) }
        #expect(throws: EncodingError.self) { try PropertyListEncoder().encode(["x": secret]) }
    }

    @Test func otherDecodersGetAnError() {
        let json = Data(#"{"passphrase":{"secret":"canary"}}"#.utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(PassphraseParams.self, from: json) }
    }

    @Test func printsAsNothing() {
        var dumped = ""
        dump(Fill(ref: 1, role: "current-password", value: secret), to: &dumped)
        #expect(!"\(secret)\(String(reflecting: secret))\(dumped)".contains("canary"))
    }
}
