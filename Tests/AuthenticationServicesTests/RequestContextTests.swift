// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import ProviderTesting
import Testing

@testable import AuthenticationServices

/// What a provider is told of who asks, and how it refuses because of that.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct RequestContextTests {
    private let framed = RequestContext(
        origin: "https://shiny.example.com",
        ancestors: ["https://middle.example", "https://top.example"],
        secureContext: true
    )

    @Test("S23: the provider is told document, frames and security")
    func providerIsTold() async throws {
        var told: [CredentialRequestContext?] = []
        let end = try await DaemonEnd.started {
            ScriptedController(
                provide: { controller, identity in
                    told.append(controller.extensionContext.requestContext)
                    controller.complete(identity.user)
                },
                list: { controller, _ in
                    told.append(controller.extensionContext.requestContext)
                    controller.complete("chosen")
                },
                interface: { controller in
                    told.append(controller.extensionContext.requestContext)
                    controller.complete("shown")
                }
            )
        }
        _ = try await end.call(Provider.ProvideCredential.self, .init(identity: .shiny, request: 1, context: framed))
        _ = try await end.call(Provider.PrepareInterface.self, .init(identity: .shiny, request: 2, context: framed))
        _ = try await end.call(
            Provider.PrepareCredentialList.self,
            .init(services: [], request: 3, context: RequestContext(app: "ABCDE12345.com.example.shiny"))
        )
        _ = try await end.provide(4)
        #expect(told.count == 4)
        for context in told.prefix(2) {
            #expect(context?.origin == "https://shiny.example.com")
            #expect(context?.ancestorOrigins == ["https://middle.example", "https://top.example"])
            #expect(context?.topOrigin == "https://top.example")
            #expect(context?.isSecureContext == true)
            #expect(context?.appIdentifier == nil)
        }
        #expect(told[2]?.appIdentifier == "ABCDE12345.com.example.shiny")
        // What nobody said is not taken for secure.
        #expect(told[2]?.isSecureContext == false)
        #expect(told[3] == nil)
    }

    @Test("S23: a provider refuses by a code of its own, with its reason")
    func providerRefuses() async throws {
        let end = try await DaemonEnd.started {
            ScriptedController(provide: { controller, _ in
                controller.extensionContext.refuseRequest(because: "not inside frames")
                controller.complete("too late")
            })
        }
        await #expect {
            try await end.call(Provider.ProvideCredential.self, .init(identity: .shiny, request: 1, context: framed))
        } throws: { error in
            (error as? WireError)?.code == .refused && (error as? WireError)?.reason == "not inside frames"
        }
    }
}
