// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import Testing

@testable import AutoFillIPC

@Suite struct JSONPrinterTests {
    @Test(arguments: [
        (JSONValue.null, "null"), (.bool(true), "true"), (.integer(-7), "-7"), (.number(0.5), "0.5"),
        (.number(1e300), "1e+300"), (.number(.leastNonzeroMagnitude), "5e-324"), (.number(.nan), "null"),
        (.number(.infinity), "null"),
        (.string("a\"b\\c/\n\u{1F}é"), #""a\"b\\c/\u000a\u001fé""#),
        (.array([.integer(1), .array([]), .object([:])]), "[1,[],{}]"),
        (.secret(SecretBytes(utf8: "correct \"horse\"")), #"{"secret":"correct \"horse\""}"#),
    ])
    func writesCompactJSON(value: JSONValue, text: String) {
        #expect(printed(value) == text)
    }

    @Test func membersAreSortedByName() {
        #expect(
            printed(.object(["b": .null, "a": .null, "B": .null, "é": .null]))
                == #"{"B":null,"a":null,"b":null,"é":null}"#)
    }

    @Test(arguments: [
        JSONValue.secret(SecretBytes(utf8: "canary")),
        .array([.secret(SecretBytes(utf8: "canary"))]),
        .object(["password": .secret(SecretBytes(utf8: "canary")), "user": .string("x")]),
        .object(["a": .object(["b": .array([.null, .secret(SecretBytes(utf8: "canary"))])])]),
    ])
    func descriptionLeavesSecretsOut(value: JSONValue) {
        var dumped = ""
        dump(value, to: &dumped)
        for text in [value.description, value.debugDescription, "\(value)", String(reflecting: value), dumped] {
            #expect(!text.contains("canary"))
        }
        #expect(value.description.contains(#"{"secret":"…"}"#))
    }

    @Test func messagesThatHoldSecretsPrintWithoutThem() {
        let held = JSONValue.object(["password": .secret(SecretBytes(utf8: "canary"))])
        let error = WireError(.refused, "no")
        let messages: [Message] = [
            .request(id: .integer(1), method: "m", params: held), .notification(method: "m", params: held),
            .response(id: .string("1"), .success(held)), .response(id: .null, .failure(error)),
        ]
        for message in messages {
            var dumped = ""
            dump(message, to: &dumped)
            #expect(!"\(message)\(String(reflecting: message))\(dumped)".contains("canary"))
        }
    }
}
