// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import Testing

@testable import AutoFillIPC

@Suite struct WireDecoderTests {
    @Test(arguments: [#"{"session":"s"}"#, #"{"cursor":null,"search":null,"session":"s"}"#])
    func optionalsMayBeAbsentOrNull(text: String) throws {
        let params: Renderer.List.Params = try parse(text).decoded()
        #expect(params == .init(session: "s"))
    }

    @Test func unknownMembersAreIgnored() throws {
        let params: ItemReference = try parse(#"{"id":"x","future":{"a":[1]},"also":{"secret":"y"}}"#).decoded()
        #expect(params == ItemReference(id: "x"))
    }

    @Test(arguments: [
        (#"{}"#, "session"), (#"{"session":null}"#, "session"), (#"{"session":1}"#, "session"),
        (#"{"session":["s"]}"#, "session"), (#"{"session":{"secret":"s"}}"#, "session"),
        (#"{"session":"s","cursor":"1"}"#, "cursor"), (#"{"session":"s","cursor":1.5}"#, "cursor"),
        (#"{"session":"s","cursor":true}"#, "cursor"), (#"{"session":"s","cursor":9223372036854775808}"#, "cursor"),
        (#"{"session":"s","search":5}"#, "search"),
    ])
    func errorNamesTheMember(text: String, member: String) throws {
        let value = try parse(text)
        #expect {
            let _: Renderer.List.Params = try value.decoded()
        } throws: { error in
            code(error) == .invalidParams && (error as? WireError)?.message.contains("The member \(member) ") == true
        }
    }

    @Test(arguments: [
        (#"{"request":1}"#, "identity"), (#"{"identity":5,"request":1}"#, "identity"),
        (
            #"{"identity":{"rank":0,"service":{"identifier":"a"},"type":"password","user":"u"},"request":1}"#,
            "identity.service.type"
        ),
        (
            #"{"identity":{"rank":0,"service":{"identifier":"a","type":"0"},"type":"password","user":"u"},"request":1}"#,
            "identity.service.type"
        ),
    ])
    func errorNamesTheWholeWay(text: String, path: String) throws {
        let value = try parse(text)
        #expect {
            let _: Provider.ProvideCredential.Params = try value.decoded()
        } throws: {
            ($0 as? WireError)?.message.contains("The member \(path) ") == true
        }
    }

    @Test func errorNamesThePlaceInAnArray() throws {
        let value = try parse(#"{"items":[{"password":{"secret":"x"},"services":["a",5],"user":"u"}]}"#)
        #expect {
            let _: Items.Add.Params = try value.decoded()
        } throws: {
            ($0 as? WireError)?.message.contains("The member items.0.services.1 ") == true
        }
    }

    @Test(arguments: ["null", "5", "[]", #""x""#, #"{"secret":"canary"}"#])
    func whatIsNoObjectIsRefusedInASentence(text: String) throws {
        let value = try parse(text)
        #expect {
            let _: ItemReference = try value.decoded()
        } throws: { error in
            let message = (error as? WireError)?.message ?? ""
            return message == "The whole is not right: an object was expected."
        }
    }

    @Test(arguments: [
        ("2147483647", Int32.max), ("-2147483648", .min), ("0", 0),
    ])
    func integersInRangeAreExact(text: String, expected: Int32) throws {
        #expect(try parse(text).decoded(as: Int32.self) == expected)
    }

    @Test(arguments: ["2147483648", "-2147483649", "1e2", "1.0", "\"1\"", "true", "null", "[]"])
    func integersOutOfRangeOrOfAnotherShapeAreRefused(text: String) throws {
        let value = try parse(text)
        #expect { try value.decoded(as: Int32.self) } throws: { code($0) == .invalidParams }
    }

    @Test(arguments: [
        #"{"passphrase":"x"}"#, #"{"passphrase":null}"#, #"{"passphrase":{"Secret":"x"}}"#, #"{"passphrase":{}}"#,
    ])
    func secretThatTravelsAsTextIsRefused(text: String) throws {
        let value = try parse(text)
        #expect {
            let _: PassphraseParams = try value.decoded()
        } throws: { error in
            code(error) == .invalidParams && (error as? WireError)?.message.contains("passphrase") == true
        }
    }
}
