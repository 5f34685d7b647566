// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Testing

/// Parameters that hold the members of another type beside their own.
@Suite struct ActParamsTests {
    private let act = InterfaceAct(
        element: "go", action: "press",
        fields: [FieldContents(id: "pass", text: WireSecret(SecretBytes(utf8: "x")))])

    @Test func theMembersOfTheActAndOfTheRequestAreInOneObject() throws {
        let value = try JSONValue(encoding: Provider.Act.Params(request: 7, act: act))
        #expect(value["request"] == .integer(7))
        #expect(value["element"] == .string("go"))
        #expect(try value.decoded(as: Provider.Act.Params.self) == Provider.Act.Params(request: 7, act: act))
    }

    @Test func aRendererSaysThePrompt() throws {
        let params = Renderer.Act.Params(prompt: "p", act: act)
        let value = try JSONValue(encoding: params)
        #expect(value["prompt"] == .string("p"))
        #expect(try value.decoded(as: Renderer.Act.Params.self) == params)
    }

    @Test func anActWithoutItsRequestIsRefused() throws {
        let value = try JSONValue(encoding: act)
        #expect(throws: (any Error).self) { try value.decoded(as: Provider.Act.Params.self) }
    }
}
