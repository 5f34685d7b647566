// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import Testing

@testable import AutoFillIPC

@Suite struct MessageTests {
    @Test(arguments: [
        (
            #"{"id":1,"jsonrpc":"2.0","method":"m","params":{}}"#,
            Message.request(id: .integer(1), method: "m", params: .object([:]))
        ),
        (
            #"{"id":"","jsonrpc":"2.0","method":"m","params":{"a":1}}"#,
            .request(id: .string(""), method: "m", params: .object(["a": .integer(1)]))
        ),
        (#"{"jsonrpc":"2.0","method":"m","params":{}}"#, .notification(method: "m", params: .object([:]))),
        (#"{"id":-5,"jsonrpc":"2.0","result":null}"#, .response(id: .integer(-5), .success(.null))),
        (
            #"{"id":"x","jsonrpc":"2.0","result":{"a":[]}}"#,
            .response(id: .string("x"), .success(.object(["a": .array([])])))
        ),
        (
            #"{"error":{"code":6,"message":"no"},"id":1,"jsonrpc":"2.0"}"#,
            .response(id: .integer(1), .failure(WireError(.refused, "no")))
        ),
        (
            #"{"error":{"code":-32700,"message":"no"},"id":null,"jsonrpc":"2.0"}"#,
            .response(id: .null, .failure(WireError(.parseError, "no")))
        ),
    ])
    func readsAndWritesEachShape(text: String, expected: Message) throws {
        #expect(try message(text) == expected)
        #expect(expected.encoded().text == text)
    }

    @Test func paramsMayBeLeftOutAndUnknownMembersAreIgnored() throws {
        let read = try message(#"{"jsonrpc":"2.0","method":"m","id":1,"x-trace":[1,{"y":null}]}"#)
        #expect(read == .request(id: .integer(1), method: "m", params: .object([:])))
    }

    @Test(arguments: ["", "x", "{", "\u{0}", #"{"jsonrpc":"2.0","method":"m","method":"m"}"#])
    func whatIsNoJSONIsAParseError(text: String) {
        #expect { try message(text) } throws: { code($0) == .parseError }
    }

    @Test(arguments: [
        "null", "1", #""x""#, "[]", #"[{"id":1,"jsonrpc":"2.0","method":"m"}]"#, "{}", #"{"id":1,"method":"m"}"#,
        #"{"id":1,"jsonrpc":"1.0","method":"m"}"#, #"{"id":1,"jsonrpc":2.0,"method":"m"}"#,
        #"{"id":1,"jsonrpc":{"secret":"2.0"},"method":"m"}"#,
        #"{"id":1.5,"jsonrpc":"2.0","method":"m"}"#, #"{"id":true,"jsonrpc":"2.0","method":"m"}"#,
        #"{"id":null,"jsonrpc":"2.0","method":"m"}"#, #"{"id":[],"jsonrpc":"2.0","method":"m"}"#,
        #"{"id":{"secret":"x"},"jsonrpc":"2.0","method":"m"}"#,
        #"{"id":18446744073709551616,"jsonrpc":"2.0","method":"m"}"#,
        #"{"id":1,"jsonrpc":"2.0","method":1}"#, #"{"id":1,"jsonrpc":"2.0","method":null}"#,
        #"{"id":1,"jsonrpc":"2.0","method":{"secret":"m"}}"#,
        #"{"id":1,"jsonrpc":"2.0","method":"m","params":[]}"#, #"{"id":1,"jsonrpc":"2.0","method":"m","params":null}"#,
        #"{"id":1,"jsonrpc":"2.0","method":"m","params":"x"}"#,
        #"{"id":1,"jsonrpc":"2.0","method":"m","params":{"secret":"x"}}"#,
        #"{"id":1,"jsonrpc":"2.0"}"#, #"{"jsonrpc":"2.0","result":{}}"#, #"{"jsonrpc":"2.0","error":{}}"#,
        #"{"id":null,"jsonrpc":"2.0","result":{}}"#, #"{"jsonrpc":"2.0"}"#,
    ])
    func whatIsNoRequestOrAnswerIsAnInvalidRequest(text: String) {
        #expect { try message(text) } throws: { code($0) == .invalidRequest }
    }

    @Test func idsOfMoreThan256BytesAreRefused() throws {
        func text(_ count: Int) -> String {
            #"{"id":""# + String(repeating: "i", count: count) + #"","jsonrpc":"2.0","method":"m"}"#
        }
        _ = try message(text(256))
        #expect { try message(text(257)) } throws: { code($0) == .invalidRequest }
    }

    @Test func errorWinsOverResult() throws {
        let read = try message(#"{"error":{"code":2,"message":"locked"},"id":1,"jsonrpc":"2.0","result":{}}"#)
        #expect(read == .response(id: .integer(1), .failure(WireError(.locked, "locked"))))
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func messagesReadBackTheSame(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let params = JSONValue.object(["a": .random(depth: 4, using: &generator)])
        for written in [
            Message.request(id: .integer(Int64(bitPattern: seed)), method: "m", params: params),
            .notification(method: "n", params: params), .response(id: .string("s"), .success(params)),
        ] {
            let read = try written.encoded().withUnsafeBytes { try Message(decoding: $0) }
            #expect(read == written)
        }
    }
}
