// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Foundation
import ProviderTesting
import Testing

@Suite(.serialized, .timeLimit(.minutes(1)))
struct AuthenticatorTests {
    private static let shiny = ServiceStatement(type: 0, identifier: "shiny.example.com")
    private static let link = "otpauth://totp/Shiny:rm?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"

    private func secret(_ text: String) -> WireSecret { WireSecret(SecretBytes(utf8: text)) }

    private func add(_ provider: ProviderProcess, link: String? = Self.link, user: String = "rm") async throws -> Item {
        let item = NewItem(
            services: ["shiny.example.com"], user: user, password: secret("p"),
            authenticator: link.map { secret($0) })
        let answer: Items.Add.Answer = try await provider.manage("add", Items.Add.Params(items: [item]))
        return try #require(answer.items.first)
    }

    private func code(
        _ provider: ProviderProcess, _ record: String?, user: String = "rm", service: ServiceStatement = Self.shiny
    ) async throws -> CredentialStatement {
        let identity = IdentityStatement(
            type: "one-time-code", service: service, user: user, recordIdentifier: record, rank: 0)
        return try await provider.call(Provider.ProvideCredential.self, .init(identity: identity, request: 1))
            .credential
    }

    @Test func anItemWithAKeyGivesCodesAndSaysSo() async throws {
        let container = try Container()
        let provider = try await ProviderProcess.started(in: container)
        let item = try await add(provider)
        #expect(item.authenticator == true)
        #expect(try await provider.list().items == [item])
        let answer = try await code(provider, item.id)
        #expect(answer.type == "one-time-code")
        #expect(answer.password == nil)
        let text = try #require(answer.code).bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        #expect(text.utf8.count == 6 && text.utf8.allSatisfy { (0x30...0x39).contains($0) })
        #expect(provider.store.identities == ["0 shiny.example.com rm \(item.id)"])
        #expect(provider.store.kinds == ["one-time-code 30", "password"])
        // The password is as before, and the key is nowhere to be had.
        #expect(try await provider.provide(Self.shiny, "rm", item.id).password?.bytes == SecretBytes(utf8: "p"))
    }

    @Test func theStoreIsToldWhenAKeyComesAndGoes() async throws {
        let container = try Container()
        let provider = try await ProviderProcess.started(in: container)
        let item = try await add(provider, link: nil)
        #expect(item.authenticator == nil)
        #expect(provider.store.kinds == ["password"])
        let slow = "otpauth://totp/?secret=MFRGGZDF&period=60&digits=8"
        #expect(try await provider.edit(ItemChanges(id: item.id, authenticator: secret(slow))).authenticator == true)
        #expect(provider.store.kinds == ["one-time-code 60", "password"])
        #expect(try await code(provider, item.id).code?.bytes.count == 8)
        #expect(try await provider.edit(ItemChanges(id: item.id, user: "v")).authenticator == true)
        #expect(provider.store.identities == ["0 shiny.example.com v \(item.id)"])
        #expect(try await provider.edit(ItemChanges(id: item.id, authenticator: secret(""))).authenticator == nil)
        #expect(provider.store.kinds == ["password"])
        await #expect { try await code(provider, item.id, user: "v") } throws: {
            ($0 as? WireError)?.code == .providerExtension(101)
        }
    }

    @Test func nobodyElseGetsACode() async throws {
        let container = try Container()
        let provider = try await ProviderProcess.started(in: container)
        let item = try await add(provider)
        let bare = try await add(provider, link: nil, user: "bare")
        let refused: [(String?, String, ServiceStatement)] = [
            (nil, "rm", Self.shiny), ("nobody", "rm", Self.shiny), (item.id, "other", Self.shiny),
            (item.id, "rm", ServiceStatement(type: 0, identifier: "evil.test")), (bare.id, "bare", Self.shiny),
        ]
        for (record, user, service) in refused {
            await #expect { try await code(provider, record, user: user, service: service) } throws: {
                ($0 as? WireError)?.code == .providerExtension(101)
            }
        }
        _ = try await provider.one("remove", item.id)
        await #expect { try await code(provider, item.id) } throws: {
            ($0 as? WireError)?.code == .providerExtension(101)
        }
    }

    @Test(arguments: [
        "https://x?secret=GEZDGNBV", "GEZDGNBVGY3TQOJQ", "otpauth://hotp/x?secret=GEZDGNBV&counter=1",
        "otpauth://totp/x?secret=GEZDGNBV1",
        "otpauth-migration://offline?data=CjkKFDEyMzQ1Njc4OTAxMjM0NTY3ODkwEhRTaGlueTpybUBleGFtcGxlLmNvbRoFU2hpbnkgASgBMAIKHQoKYWJjZGVmZ2hpahIHY291bnRlciACKAIwATgHEAEYAiABKPv%2F%2F%2F%2F%2F%2F%2F%2F%2F%2FwE%3D",
    ])
    func aKeyThatIsNoneChangesNothing(link: String) async throws {
        let container = try Container()
        let provider = try await ProviderProcess.started(in: container)
        await #expect { try await add(provider, link: link) } throws: { error in
            let error = error as? WireError
            return error?.code == .invalidItem && error?.message.contains("GEZDGNBV") == false
        }
        #expect(try await provider.list().items == [])
        let item = try await add(provider)
        await #expect {
            try await provider.edit(ItemChanges(id: item.id, user: "v", authenticator: secret(link)))
        } throws: {
            ($0 as? WireError)?.code == .invalidItem
        }
        #expect(try await provider.one("get", item.id).user == "rm")
    }

    @Test func itsListShowsTheItemsWithAKey() async throws {
        let container = try Container()
        let provider = try await ProviderProcess.started(in: container)
        let item = try await add(provider)
        _ = try await add(provider, link: nil, user: "bare")
        let list = Provider.PrepareCredentialList.Params(services: [Self.shiny], type: "one-time-code", request: 5)
        async let answer = provider.call(Provider.PrepareCredentialList.self, list)
        let shown = try #require(await provider.interface()?.elements.first { $0.kind == "list" })
        #expect(Set(shown.sections?.flatMap(\.rows).map(\.title) ?? []) == ["rm"])
        let row = shown.sections?.first?.rows.first?.id
        let select = InterfaceAct(element: shown.id, action: "select", row: row)
        _ = try await provider.call(Provider.Act.self, .init(request: 5, act: select))
        #expect(try await answer.credential.code?.bytes.count == 6)
        #expect(item.authenticator == true)
    }

    @Test func keysOutliveTheProcess() async throws {
        let container = try Container()
        let provider = try await ProviderProcess.started(in: container)
        let item = try await add(provider)
        await provider.crash()
        let again = try await ProviderProcess.started(in: container)
        #expect(try await code(again, item.id).code?.bytes.count == 6)
        for name in container.files {
            #expect(!String(decoding: try container.read(name), as: UTF8.self).contains("GEZDGNBV"))
        }
    }
}
