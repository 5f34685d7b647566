// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import Testing

@testable import AutoFillDaemon
@testable import AutoFillSecrets
@testable import DaemonTesting

@Suite struct WireErrorRoomsTests {
    @Test(arguments: [
        (SecretsError.Code.wrongPassphrase, WireError.Code.wrongPassphrase),
        (.wrongRecoveryCode, .wrongPassphrase), (.malformedRecoveryCode, .invalidParams),
        (.emptyPassphrase, .invalidParams), (.unsupportedVersion, .unsupportedVersion),
        (.outOfMemory, .internalError), (.damaged, .storageFailed), (.file, .storageFailed),
        (.costOutOfBounds, .storageFailed), (.malformedPIN, .invalidParams), (.memoryNotLocked, .refused),
    ])
    func secretsErrorsAreSaidInTheWordsOfTheWire(inner: SecretsError.Code, outer: WireError.Code) {
        #expect(WireError(saying: SecretsError(inner, "x")).code == outer)
    }

    @Test func wireErrorsStayAsTheyAre() {
        let error = WireError(.refused, "no", reason: "r", hint: "h", retryAfter: 3)
        #expect(WireError(saying: error) == error)
    }

    @Test func whatIsUnknownIsAMalfunctionWithoutItsText() {
        struct Canary: Error { let text = "canary" }
        let error = WireError(saying: Canary())
        #expect(error.code == .internalError)
        #expect(!error.message.contains("canary"))
    }
}
