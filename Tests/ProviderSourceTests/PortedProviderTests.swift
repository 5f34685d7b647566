// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices
import AutoFillIPC
import AutoFillSecrets
import ProviderTesting
import Testing

@testable import ported_provider

/// The provider of `ProviderSources/Ported`, run: its files import only UIKit, and its fields are UIKit's.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct PortedProviderTests {
    private func started() async throws -> DaemonEnd {
        try await DaemonEnd.started { CredentialProviderViewController() }
    }

    @Test
    func saysWhatItsFieldsAreFor() async throws {
        let end = try await started()
        let answer = Task { try await end.call(Provider.Configure.self, .init(request: 1)) }
        let interface = try await end.interface()
        #expect(interface.kinds == ["text", "text", "secure", "button"])
        #expect(interface.elements.map(\.label).prefix(3) == ["Website", "User name", "Password"])
        #expect(interface.elements.map(\.contents) == [nil, "username", nil, nil])
        try end.cancel(1)
        await #expect(throws: WireError.self) { try await answer.value }
    }

    @Test
    func asksBeforeItProvides() async throws {
        let end = try await started()
        #expect(await Refusal.of { try await end.provide(1) } == Refusal(1100))
    }

    @Test(arguments: [("2468", 1101), ("1234", 1000), ("", 1000)])
    func takesWhatWasTypedAsPasscode(typed: String, code: Int) async throws {
        let end = try await started()
        end.beginInterface(1, .shiny("nobody"))
        let interface = try await end.interface()
        let field = try #require(interface.first("secure"))
        #expect(field.placeholder == "Passcode")
        #expect(field.value == nil)
        try await end.act(interface.first("button")?.id, "press", fields: [field.id: typed])
        #expect(await Refusal.of { try await end.answer(1) } == Refusal(code))
    }

    @Test
    func keepsWhatMakesNoSenseHere() {
        let field = TextField(label: "x")
        field.textContentType = .emailAddress
        #expect(field.contents == .email)
        field.textContentType = .password
        #expect(field.contents == nil)
        field.isSecureTextEntry = true
        #expect(field.isSecure)
        let controller = CredentialProviderViewController()
        #expect(controller.traitCollection == UITraitCollection())
        #expect(controller.traitCollection != UITraitCollection(userInterfaceStyle: .dark))
        #expect(controller.preferredStatusBarStyle == .darkContent)
        let other = UITextField()
        #expect(other.text == "")
        other.isSecureTextEntry = true
        other.text = "a secret"
        #expect(other.text == "")
    }
}
