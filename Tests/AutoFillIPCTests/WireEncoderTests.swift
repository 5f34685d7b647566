// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import Testing

@testable import AutoFillIPC

@Suite struct WireEncoderTests {
    @Test func absentOptionalsAreLeftOut() throws {
        #expect(printed(try JSONValue(encoding: Renderer.List.Params(session: "s"))) == #"{"session":"s"}"#)
    }

    @Test func emptyIsAnObjectWithoutMembers() throws {
        #expect(printed(try JSONValue(encoding: Empty())) == "{}")
        let read: Empty = try parse(#"{"x":1}"#).decoded()
        #expect(read == Empty())
    }

    @Test func integersBeyondTheWireAreRefused() {
        #expect(throws: EncodingError.self) { try JSONValue(encoding: ["a": UInt64.max]) }
        #expect(throws: Never.self) { try JSONValue(encoding: ["a": UInt64(Int64.max)]) }
    }

    @Test func nestedSecretsStaySecrets() throws {
        let item = NewItem(services: ["a"], user: "u", password: WireSecret(SecretBytes(utf8: "p")))
        let value = try JSONValue(encoding: Items.Add.Params(items: [item]))
        #expect(printed(value) == #"{"items":[{"password":{"secret":"p"},"services":["a"],"user":"u"}]}"#)
        #expect(try value.decoded(as: Items.Add.Params.self) == Items.Add.Params(items: [item]))
    }

    @Test func tenThousandIdentitiesKeepTheirOrder() throws {
        let identities = (0..<10_000).map {
            IdentityStatement(type: "password", service: .init(type: 0, identifier: "a"), user: "\($0)", rank: $0)
        }
        let value = try JSONValue(encoding: IdentitiesParams(identities: identities))
        #expect(try value.decoded(as: IdentitiesParams.self).identities == identities)
    }
}
