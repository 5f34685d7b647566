// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import ProviderTesting
import Testing

@testable import AuthenticationServices
@testable import ClassicProvider

/// The provider of `ProviderSources/Classic`, run. One test after another: its database and its store are one for the
/// process, as they are on iOS.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(1)))
struct ClassicProviderTests {
    private let recorder = StoreRecorder()

    init() {
        PasswordDatabase.shared = PasswordDatabase()
    }

    private func started() async throws -> DaemonEnd {
        try await DaemonEnd.started(recorder: recorder, store: .shared) { CredentialProviderViewController() }
    }

    private func identity(_ record: String?) throws -> ASPasswordCredentialIdentity {
        try #require(ASPasswordCredentialIdentity(.shiny(record)))
    }

    // MARK: A suggestion

    @Test
    func providesThePasswordOfASuggestion() async throws {
        let end = try await started()
        let credential = try await end.provide(1, .shiny("1"))
        #expect(credential.user == "rmondello")
        #expect(credential.password?.bytes == SecretBytes(utf8: "correct horse"))
    }

    @Test
    func servesOneRequestAfterAnother() async throws {
        let end = try await started()
        for number in 1...3 {
            #expect(try await end.provide(number, .shiny("2")).user == "sherlock")
        }
    }

    @Test(arguments: ["9", "", nil] as [String?])
    func refusesARecordThatIsNotThere(record: String?) async throws {
        let end = try await started()
        #expect(await Refusal.of { try await end.provide(1, .shiny(record)) } == Refusal(1101))
    }

    @Test
    func asksForInteractionWhileLocked() async throws {
        PasswordDatabase.shared = PasswordDatabase(isLocked: true)
        let end = try await started()
        #expect(await Refusal.of { try await end.provide(1, .shiny("1")) } == Refusal(1100))
        // What is not there is not worth asking the user for.
        #expect(await Refusal.of { try await end.provide(2, .shiny("9")) } == Refusal(1101))
    }

    @Test
    func failsWithoutSayingWhyWhenTheDatabaseCannotBeRead() async throws {
        PasswordDatabase.shared = PasswordDatabase(isReadable: false)
        let end = try await started()
        #expect(await Refusal.of { try await end.provide(1, .shiny("1")) } == Refusal(1000))
    }

    // MARK: The list

    @Test(
        arguments: [
            ([], ["shiny.example.com", "dull.example.com"]),
            ([(0, "dull.example.com")], ["dull.example.com", "shiny.example.com"]),
            ([(1, "https://dull.example.com/login?next=/")], ["dull.example.com", "shiny.example.com"]),
            ([(0, "other.example")], ["shiny.example.com", "dull.example.com"]),
            ([(2, "dull.example.com")], ["shiny.example.com", "dull.example.com"]),
            ([(1, "no url at all")], ["shiny.example.com", "dull.example.com"]),
        ] as [([(Int, String)], [String])]
    )
    func listsAllPasswordsTheRightOnesFirst(services: [(Int, String)], hosts: [String]) async throws {
        let end = try await started()
        let sections = try await end.list(1, services.map { .init(type: $0.0, identifier: $0.1) })
        #expect(sections.flatMap(\.rows).map(\.subtitle) == hosts)
    }

    @Test
    func givesThePasswordThatTheUserChose() async throws {
        let end = try await started()
        _ = try await end.list()
        #expect(try await end.select("2").password?.bytes == SecretBytes(utf8: "battery staple"))
    }

    @Test
    func saysThatThereIsNothingToList() async throws {
        PasswordDatabase.shared = PasswordDatabase(all: [])
        let end = try await started()
        #expect(await Refusal.of { try await end.list() } == Refusal(1000, "No passwords are saved yet."))
    }

    @Test
    func takesAChoiceBackWithTheCancelButton() async throws {
        let request = DirectRequest(CredentialProviderViewController()) { $0.prepareCredentialList(for: []) }
        #expect(request.endSoFar == nil)
        request.controller.cancel(nil)
        #expect(await request.end() == .refusal(1001, nil))
        // Too late for anything else.
        let password = try #require(PasswordDatabase.shared.password(for: "1"))
        let list = CredentialListViewController()
        request.controller.credentialList(list, didSelect: password)
        #expect(request.endSoFar == .refusal(1001, nil))
    }

    @Test
    func keepsOneListOnly() throws {
        let request = DirectRequest(CredentialProviderViewController()) { controller in
            controller.prepareCredentialList(for: [])
            controller.prepareCredentialList(for: [])
        }
        #expect(request.controller.children.count == 1)
        #expect(request.controller.view.subviews.count == 1)
    }

    // MARK: Its own interface

    private func asking(_ record: String? = "1") throws -> (
        DirectRequest<CredentialProviderViewController>, AuthenticationViewController
    ) {
        PasswordDatabase.shared = PasswordDatabase(isLocked: true)
        let identity = try identity(record)
        let request = DirectRequest(CredentialProviderViewController()) {
            $0.prepareInterfaceToProvideCredential(for: ASPasswordCredentialRequest(credentialIdentity: identity))
        }
        let asking = try #require(request.controller.presentedViewController as? AuthenticationViewController)
        return (request, asking)
    }

    @Test
    func providesAfterTheMasterPassword() async throws {
        let (request, asking) = try asking()
        #expect(request.endSoFar == nil)
        asking.unlock(nil)
        #expect(await request.end() == .credential(user: "rmondello", password: SecretBytes(utf8: "correct horse")))
        #expect(request.controller.presentedViewController == nil)
    }

    @Test
    func refusesTheWrongMasterPassword() async throws {
        let (request, asking) = try asking()
        asking.submit(masterPassword: "open barley")
        #expect(await request.end() == .refusal(1000, nil))
        #expect(PasswordDatabase.shared.isLocked)
    }

    @Test
    func refusesWhenTheUserDoesNotWantTo() async throws {
        let (request, asking) = try asking()
        asking.cancel(nil)
        #expect(await request.end() == .refusal(1001, nil))
    }

    @Test
    func refusesARecordThatWentMeanwhile() async throws {
        let (request, asking) = try asking("9")
        asking.unlock(nil)
        #expect(await request.end() == .refusal(1101, nil))
    }

    // MARK: Configuration

    @Test
    func fillsTheStoreWhenItIsConfigured() async throws {
        let end = try await started()
        let request = DirectRequest(CredentialProviderViewController()) {
            $0.prepareInterfaceForExtensionConfiguration()
        }
        let stack = try #require(request.controller.presentedViewController as? UINavigationController)
        let controller = try #require(stack.topViewController as? ConfigurationViewController)
        #expect(controller.navigationController === stack)
        #expect(controller.extensionContext === request.controller.extensionContext)
        controller.done(nil)
        #expect(await request.end() == .configured)
        #expect(recorder.methods == ["store.replace"])
        #expect(recorder.identities.count == 2)
        _ = end
    }
}
