// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AutoFillIPC

@Suite struct WireErrorTests {
    @Test(arguments: [
        WireError(.locked, "Latchkey is locked."),
        WireError(.refused, "no", reason: "it was saved for another host"),
        WireError(.tooManyAttempts, "wait", hint: "Wait.", retryAfter: 3),
        WireError(.providerExtension(101), "x"), WireError(.identityStore(2), "x"),
        WireError(WireError.Code(rawValue: 123_456), "from a newer peer"),
    ])
    func travelsAsItIs(error: WireError) {
        #expect(WireError(error.value) == error)
    }

    @Test func dataIsLeftOutWhereThereIsNothingToAdd() {
        #expect(printed(WireError(.locked, "x").value) == #"{"code":2,"message":"x"}"#)
    }

    @Test(arguments: [
        "null", "5", #""x""#, "[]", "{}", #"{"code":"6"}"#, #"{"code":6.5}"#, #"{"code":null,"message":5}"#,
        #"{"message":{"secret":"canary"}}"#, #"{"code":{"secret":"canary"},"data":{"reason":{"secret":"canary"}}}"#,
        #"{"data":{"retryAfter":"1","hint":[]}}"#, #"{"data":{"secret":"canary"}}"#,
    ])
    func errorOfTheWrongShapeIsAMalfunctionWithoutText(text: String) throws {
        let error = WireError(try parse(text))
        #expect(error.code == .internalError)
        #expect(error.message == "an error without a message")
        #expect(error.reason == nil)
        #expect(error.hint == nil)
        #expect(error.retryAfter == nil)
    }

    @Test func codesOfAppleEnumerationsAreShifted() {
        #expect(WireError.Code.providerExtension(0).rawValue == 1000)
        #expect(WireError.Code.providerExtension(101).rawValue == 1101)
        #expect(WireError.Code.identityStore(1).rawValue == 1201)
    }
}
