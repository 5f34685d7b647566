// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Foundation
import ProviderTesting
import Testing

/// The built-in provider saves, keeps what was generated, and makes passwords.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct SavingTests {
    private func save(
        _ provider: ProviderProcess, _ user: String, _ password: String, _ event: String,
        service: String = "https://a.example", request: Int = 1
    ) async throws {
        _ = try await provider.call(
            Saving.Save.self,
            .init(
                request: request, service: ServiceStatement(type: 1, identifier: service), user: user,
                password: WireSecret(SecretBytes(utf8: password)), session: "S", event: event))
    }

    @Test
    func savesWhatIsNewAndUpdatesOnlyTheVeryPlaceAndUser() async throws {
        let container = try Container()
        // Its folder goes with it.
        defer { withExtendedLifetime(container) {} }
        let provider = try await ProviderProcess.started(in: container)
        let other = try await provider.add(["www.a.example"], "anna", "of another host").id
        let plain = try await provider.add(["http://a.example"], "anna", "without encryption").id
        try await save(provider, "anna", "first", "formDidDisappear")
        let all = try await provider.list().items
        let new = try #require(all.first { ![other, plain].contains($0.id) })
        #expect(new.services == ["a.example"])
        #expect(new.user == "anna")
        // The same again changes nothing; another one does, once the user wants it.
        try await save(provider, "anna", "first", "formDidDisappear")
        #expect(
            await Refusal.of { try await save(provider, "anna", "second", "formDidDisappear") }?.code == 1100)
        try await save(provider, "anna", "second", "userInitiated", service: "https://A.example:443")
        #expect(try await provider.list().items.count == 3)
        #expect(try await provider.reveal(new.id) == SecretBytes(utf8: "second"))
        #expect(try await provider.reveal(other) == SecretBytes(utf8: "of another host"))
        #expect(try await provider.reveal(plain) == SecretBytes(utf8: "without encryption"))
    }

    @Test
    func keepsWhatWasGeneratedUntilItIsSaved() async throws {
        let container = try Container()
        let provider = try await ProviderProcess.started(in: container)
        try await save(provider, "", "made up", "generatedPasswordFilled")
        #expect(try await provider.list().items.isEmpty)
        await provider.crash()
        let again = try await ProviderProcess.started(in: container)
        let waiting: Generated.List.Answer = try await again.manage("generated", Empty())
        let one = try #require(waiting.generated.first)
        #expect(one.service == "a.example")
        let answer: Generated.Reveal.Answer = try await again.manage(
            "revealGenerated", Generated.Reveal.Params(id: one.id))
        #expect(answer.password == WireSecret(SecretBytes(utf8: "made up")))
        try await save(again, "anna", "made up", "formDidDisappear")
        let rest: Generated.List.Answer = try await again.manage("generated", Empty())
        #expect(rest.generated.isEmpty)
        let gone = await Refusal.of {
            let _: Empty = try await again.manage("removeGenerated", ItemReference(id: one.id))
        }
        #expect(gone?.code == WireError.Code.notFound.rawValue)
    }

    @Test
    func makesPasswordsByTheRulesAndKeepsNone() async throws {
        let provider = try await ProviderProcess.started(in: Container())
        let answer = try await provider.call(
            Saving.Generate.self,
            .init(
                request: 1, service: ServiceStatement(type: 1, identifier: "https://a.example"),
                fieldRules: "required: digit; allowed: upper", quirkRules: "maxlength: 8"))
        let first = try #require(answer.passwords.first)
        #expect(first.kind == "STRONG")
        first.password.bytes.withUnsafeBytes { bytes in
            #expect(bytes.count == 8)
            #expect(bytes.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) })
        }
        let waiting: Generated.List.Answer = try await provider.manage("generated", Empty())
        #expect(waiting.generated.isEmpty)
    }
}
