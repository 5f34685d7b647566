// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Foundation
import Glibc
import PassTesting
import ProcessTesting
import ProviderTesting
import Synchronization
import Testing

@Suite(
    .serialized, .timeLimit(.minutes(3)), .enabled(if: RealStore.isAvailable, Comment(rawValue: RealStore.absence)))
struct PassProviderTests {
    @Test(.tags(.startsProcess))
    func fillsTheIdentityStoreFromNamesAndAnswersFromThem() async throws {
        let real = try RealStore()
        try real.insert("web/shiny.example.com/rmondello", "secret\n")
        try real.insert("a.example:8443/admin", "other\nnote\n")
        try real.insert("bank/visa", "1234\n")
        let provider = try await PassProcess(real)
        await provider.store.wait(for: "store.replace")
        #expect(
            provider.store.identities == [
                "0 shiny.example.com rmondello web/shiny.example.com/rmondello",
                "1 https://a.example:8443 admin a.example:8443/admin",
            ])
        let credential = try await provider.provide(
            PassProcess.identity("shiny.example.com", "rmondello", "web/shiny.example.com/rmondello"))
        #expect(credential.user == "rmondello")
        #expect(credential.password?.bytes == SecretBytes(utf8: "secret"))
        let other = try await provider.provide(
            PassProcess.identity("https://a.example:8443", "admin", "a.example:8443/admin"))
        #expect(other.password?.bytes == SecretBytes(utf8: "other"))
    }

    @Test("S11, S14: an identity of another service, user, type or entry has no credential")
    func hasNoCredentialForAnyoneElse() async throws {
        let real = try RealStore()
        try real.insert("shiny.example.com/rmondello", "secret\n")
        try real.insert("bank/visa", "1234\n")
        try real.write("secret", to: "outside.gpg")
        let provider = try await PassProcess(real)
        let name = "shiny.example.com/rmondello"
        let refused = [
            PassProcess.identity("example.com", "rmondello", name),
            PassProcess.identity("evil.shiny.example.com", "rmondello", name),
            PassProcess.identity("shiny.example.com.", "rmondello", name),
            PassProcess.identity("SHINY.example.com", "rmondello", name),
            PassProcess.identity("https://shiny.example.com", "rmondello", name),
            PassProcess.identity("http://shiny.example.com", "rmondello", name),
            PassProcess.identity("shiny.example.com", "Rmondello", name),
            PassProcess.identity("shiny.example.com", "", name),
            PassProcess.identity("shiny.example.com", "rmondello", nil),
            PassProcess.identity("shiny.example.com", "rmondello", ""),
            PassProcess.identity("shiny.example.com", "rmondello", "../outside"),
            PassProcess.identity("shiny.example.com", "rmondello", "shiny.example.com/../shiny.example.com/rmondello"),
            PassProcess.identity("shiny.example.com", "rmondello", "shiny.example.com//rmondello"),
            PassProcess.identity("shiny.example.com", "rmondello", "/" + real.store + "/" + name),
            PassProcess.identity("shiny.example.com", "rmondello", "nobody"),
            PassProcess.identity("shiny.example.com", "visa", "bank/visa"),
            PassProcess.identity("shiny.example.com", "rmondello", name, type: "one-time-code"),
        ]
        for identity in refused {
            #expect(await Refusal.of { try await provider.provide(identity) }?.code == 1101, "\(identity)")
        }
        let app = IdentityStatement(
            type: "password", service: .init(type: 2, identifier: "shiny.example.com"), user: "rmondello",
            recordIdentifier: name, rank: 0)
        #expect(await Refusal.of { try await provider.provide(app) }?.code == 1101)
    }

    @Test(.tags(.startsProcess))
    func asksForALockedKeyInItsInterfaceAndRemembersNothingOfIt() async throws {
        let real = try RealStore(recipients: [RealStore.locked])
        try real.insert("shiny.example.com/rmondello", "secret\n")
        let provider = try await PassProcess(real)
        let identity = PassProcess.identity("shiny.example.com", "rmondello", "shiny.example.com/rmondello")
        #expect(await Refusal.of { try await provider.provide(identity) }?.code == 1100)
        #expect(!real.wasAsked)
        // Shown, but not pressed: nothing is asked and nothing is filled.
        async let answer = provider.call(
            Provider.PrepareInterface.self, .init(identity: identity, request: provider.next()))
        try await provider.press("Decrypt")
        // The user says no to the pinentry, and then tries again.
        let (request, _, interface) = try await provider.interface("message", "not unlocked")
        try real.answerPinentry(with: RealStore.passphrase)
        try await provider.press("Try Again", request, interface)
        #expect(try await answer.credential.password?.bytes == SecretBytes(utf8: "secret"))
        try real.answerPinentry(with: nil)
        #expect(try await provider.provide(identity).password?.bytes == SecretBytes(utf8: "secret"))
        real.lock()
        try real.startAgent()
        #expect(await Refusal.of { try await provider.provide(identity) }?.code == 1100)
    }

    @Test(.tags(.startsProcess))
    func saysPlainlyThatNoAgentRuns() async throws {
        let real = try RealStore(hasAgent: false)
        let provider = try await PassProcess(real)
        real.lock()
        _ = try await provider.add(["shiny.example.com"], "rmondello", "secret")
        let identity = PassProcess.identity("shiny.example.com", "rmondello", "shiny.example.com/rmondello")
        #expect(await Refusal.of { try await provider.provide(identity) }?.code == 1100)
        let request = provider.next()
        async let answer = Refusal.of {
            try await provider.call(Provider.PrepareInterface.self, .init(identity: identity, request: request))
        }
        try await provider.press("Decrypt")
        let (_, message, interface) = try await provider.interface("message", "No gpg-agent is running")
        #expect(message.style == "error")
        #expect(interface.elements.contains { $0.text?.contains("gpgconf --launch gpg-agent") == true })
        _ = try await provider.call(Provider.Cancel.self, .init(request: request))
        #expect(await answer?.code == 1001)
        #expect(!FileManager.default.fileExists(atPath: real.keys + "/S.gpg-agent"))
    }

    @Test(.tags(.startsProcess))
    func learnsTheUserThatStandsInside() async throws {
        let real = try RealStore()
        try real.insert("shiny.example.com/login", "secret\nuser: rmondello\nurl: https://b.example:8443/x\n")
        let store = StoreRecorder()
        let provider = try await PassProcess(real, store: store)
        await store.wait(for: "store.replace")
        #expect(store.identities == ["0 shiny.example.com login shiny.example.com/login"])
        let guess = PassProcess.identity("shiny.example.com", "login", "shiny.example.com/login")
        #expect(await Refusal.of { try await provider.provide(guess) }?.code == 1100)
        // Whoever cannot show the interface finds it under the user's name at once.
        #expect(store.identities.contains("0 shiny.example.com rmondello shiny.example.com/login"))
        // In the interface the user reads whose it is before it is filled.
        async let answer = provider.call(
            Provider.PrepareInterface.self, .init(identity: guess, request: provider.next()))
        try await provider.press("Decrypt")
        try await provider.press("Fill rmondello")
        #expect(try await answer.credential.user == "rmondello")
        await store.wait(for: "store.save")
        #expect(
            store.identities == [
                "0 shiny.example.com rmondello shiny.example.com/login",
                "1 https://b.example:8443 rmondello shiny.example.com/login",
            ])
        let known = PassProcess.identity("shiny.example.com", "rmondello", "shiny.example.com/login")
        #expect(try await provider.provide(known).user == "rmondello")
        // Another user inside: what was known is no longer answered for.
        try real.insert("shiny.example.com/login", "secret\nuser: somebody\n")
        #expect(await Refusal.of { try await provider.provide(known) }?.code == 1100)
        let gone = PassProcess.identity("https://b.example:8443", "somebody", "shiny.example.com/login")
        #expect(await Refusal.of { try await provider.provide(gone) }?.code == 1101)
    }

    @Test("S27: what was learned is sealed, and remembered at the next start", .tags(.startsProcess))
    func keepsWhatItLearnedSealed() async throws {
        let real = try RealStore()
        try real.insert("shiny.example.com", "secret\nuser: canary-user\n")
        let store = StoreRecorder()
        do {
            let provider = try await PassProcess(real, store: store)
            let guess = PassProcess.identity("shiny.example.com", "shiny.example.com", "shiny.example.com")
            #expect(await Refusal.of { try await provider.provide(guess) }?.code == 1100)
            await store.wait(for: "store.save")
        }
        #expect(store.identities == ["0 shiny.example.com canary-user shiny.example.com"])
        let container = real.folder + "/container"
        for file in try FileManager.default.contentsOfDirectory(atPath: container) {
            let bytes = FileManager.default.contents(atPath: container + "/" + file) ?? Data()
            #expect(bytes.range(of: Data("canary-user".utf8)) == nil, "\(file)")
            #expect(bytes.range(of: Data("secret".utf8)) == nil, "\(file)")
        }
        let again = StoreRecorder()
        let provider = try await PassProcess(real, store: again)
        _ = try await provider.list()
        let known = PassProcess.identity("shiny.example.com", "canary-user", "shiny.example.com")
        #expect(try await provider.provide(known).user == "canary-user")
        // Under another key it is like nothing: found out again, and everything is given again.
        let other = StoreRecorder()
        let stranger = try await PassProcess(real, store: other, key: "BBECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")
        await other.wait(for: "store.replace")
        #expect(other.identities == ["0 shiny.example.com shiny.example.com shiny.example.com"])
        _ = stranger
    }

    @Test(.tags(.startsProcess))
    func tellsTheIdentityStoreOnlyWhatChanged() async throws {
        let real = try RealStore()
        for user in ["a", "b", "c"] { try real.insert("shiny.example.com/\(user)", "p\n") }
        let store = StoreRecorder()
        do {
            let provider = try await PassProcess(real, store: store)
            await store.wait(for: "store.replace")
            _ = try await provider.list()
            _ = try await provider.add(["d.example"], "d", "p")
        }
        try real.pass(["rm", "-f", "shiny.example.com/a"])
        try real.insert("e.example/e", "p\n")
        store.state.withLock { ($0.methods, $0.counts) = ([], []) }
        let provider = try await PassProcess(real, store: store)
        await store.wait(for: "store.save")
        #expect(store.counts == [1, 1])
        #expect(store.identities.count == 4)
        #expect(!store.identities.contains { $0.contains(" a ") })
        _ = provider
    }

    @Test(.tags(.startsProcess))
    func givesOneTimeCodes() async throws {
        let real = try RealStore()
        let key = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
        try real.insert("shiny.example.com/rmondello", "secret\notpauth://totp/x?secret=\(key)\n")
        let store = StoreRecorder()
        let provider = try await PassProcess(real, store: store)
        let code = PassProcess.identity(
            "shiny.example.com", "rmondello", "shiny.example.com/rmondello", type: "one-time-code")
        let credential = try await provider.provide(code)
        #expect(credential.type == "one-time-code")
        #expect(credential.code?.bytes.count == 6)
        await store.wait(for: "store.save")
        #expect(store.identities.count == 1 || store.identities.count == 2)
    }

    @Test(
        .tags(.startsProcess),
        .enabled(if: PassProcess.canIsolate, "bubblewrap is needed, and a kernel that lets it make namespaces"))
    func worksInItsSandbox() async throws {
        let real = try RealStore(recipients: [RealStore.locked], hasGit: true)
        try real.insert("shiny.example.com/rmondello", "secret\n")
        let provider = try await PassProcess(real, isIsolated: true)
        let identity = PassProcess.identity("shiny.example.com", "rmondello", "shiny.example.com/rmondello")
        #expect(await Refusal.of { try await provider.provide(identity) }?.code == 1100)
        try real.answerPinentry(with: RealStore.passphrase)
        async let answer = provider.call(
            Provider.PrepareInterface.self, .init(identity: identity, request: provider.next()))
        try await provider.press("Decrypt")
        #expect(try await answer.credential.password?.bytes == SecretBytes(utf8: "secret"))
        // Nobody's settings are in there: the commit is by whoever made the last one.
        let id = try await provider.add(["b.example"], "u", "added").id
        #expect(try real.pass(["show", id]) == "added\n")
        #expect(try real.git("log", "-1", "--format=%an") == "Somebody\n")
        real.lock()
        #expect(await Refusal.of { try await provider.provide(identity) }?.code == 1100)
        #expect(!FileManager.default.fileExists(atPath: real.keys + "/S.gpg-agent"))
    }

    @Test(.tags(.startsProcess))
    func endsGpgWithTheRequest() async throws {
        let real = try RealStore(recipients: [RealStore.locked])
        try real.insert("shiny.example.com/rmondello", "secret\n")
        // A pinentry that the user does not answer.
        try real.write("#!/bin/sh\necho asked >>\(real.pinentryLog)\necho OK\nexec sleep 600\n", to: "pinentry")
        let provider = try await PassProcess(real)
        let identity = PassProcess.identity("shiny.example.com", "rmondello", "shiny.example.com/rmondello")
        let request = provider.next()
        async let answer = Refusal.of {
            try await provider.call(Provider.PrepareInterface.self, .init(identity: identity, request: request))
        }
        try await provider.press("Decrypt")
        try await eventually("the pinentry is asked") { real.wasAsked }
        #expect(!Self.children(of: provider.process).isEmpty)
        _ = try await provider.call(Provider.Cancel.self, .init(request: request))
        #expect(await answer?.code == 1001)
        try await eventually("gpg has ended") { Self.children(of: provider.process).isEmpty }
    }

    @Test(.tags(.startsProcess))
    func showsWhatIsForTheServiceFirst() async throws {
        let real = try RealStore()
        for name in [
            "other.example/o", "example.com/wide", "z/shiny.example.com/exact", "notshiny.example.com/x", "bank/v",
        ] {
            try real.insert(name, "right\n")
        }
        let provider = try await PassProcess(real)
        let services = [ServiceStatement(type: 1, identifier: "https://shiny.example.com/login")]
        async let answer = provider.call(
            Provider.PrepareCredentialList.self, .init(services: services, request: provider.next()))
        let (request, list, _) = try await provider.interface("list")
        let sections = list.sections ?? []
        #expect(sections.map(\.title) == ["Suggested", "All Entries"])
        #expect(sections.first?.rows.map(\.title) == ["exact", "wide"])
        #expect(sections.last?.rows.count == 5)
        let row = try #require(sections.first?.rows.first)
        let act = InterfaceAct(element: list.id, action: "select", row: row.id)
        _ = try await provider.call(Provider.Act.self, .init(request: request, act: act))
        #expect(try await answer.credential.user == "exact")
    }

    @Test(.tags(.startsProcess))
    func saysHowThingsAreInItsConfiguration() async throws {
        let real = try RealStore()
        try real.insert("shiny.example.com/rmondello", "p\n")
        symlink("/etc/passwd", real.store + "/link.gpg")
        let provider = try await PassProcess(real)
        async let answer = provider.call(Provider.Configure.self, .init(request: provider.next()))
        let (request, _, interface) = try await provider.interface("message", "pass is installed")
        let texts = interface.elements.compactMap(\.text).joined(separator: "\n")
        #expect(texts.contains("1 entries"))
        #expect(texts.contains("link.gpg. It is a symbolic link"))
        #expect(texts.contains("gpg-agent 2."))
        #expect(texts.contains(RealStore.open))
        try await provider.press("Done", request, interface)
        _ = try await answer
    }

    private static func children(of process: Int32) -> [Int32] {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
        return tasks.flatMap { task in
            let text = try? String(contentsOfFile: "/proc/\(process)/task/\(task)/children", encoding: .utf8)
            return (text ?? "").split(separator: " ").compactMap { Int32($0) }
        }
    }
}
