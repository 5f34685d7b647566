// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillAssociations
import AutoFillCredentials
import AutoFillIPC
import AutoFillMatching
import AutoFillRelease
import AutoFillSecrets
import ShownText
import Testing

@testable import AutoFillDaemon
@testable import DaemonTesting

/// The gate's part for extensions that change passwords.
@Suite struct GateModificationTests {
    private let folder: TemporaryFolder
    private let log: AuditLog
    private let gate: Gate
    private let seed = SecretBytes.random(count: 32)

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
        log = AuditLog(folder: folder.path)
        _ = try log.open(seed: seed, head: nil, isNew: true)
        gate = Gate(log: log, policy: MatchPolicy(.none)) { 1_790_000_000 }
    }

    private var lines: [AuditLine] { log.lines(seed: seed, from: 1, limit: .max).lines }

    private func target(_ app: String = FakeApp.identifier) throws -> UpgradeTarget {
        UpgradeTarget(
            identifier: try #require(BundleIdentifier("com.example.Shiny.upgrade")), name: "Shiny",
            app: try #require(AppIdentifier(app)), rules: nil)
    }

    private func association(of identifier: String = FakeApp.identifier) async throws -> VerifiedAssociation {
        let book = try AssociationBook(
            path: folder.path + "/associations", key: try #require(SealKey(SecretBytes.random(count: 32))),
            fetcher: ConfirmingSites([identifier]), isPublicSuffix: { _ in false }, now: { 1_790_000_000 })
        let app = try #require(AppIdentifier(identifier))
        _ = try await book.declare(["webcredentials:shiny.example.com"], for: app)
        _ = await book.check(app)
        return try #require(await book.verifiedAssociations(for: app).first)
    }

    private func credential(
        _ service: ServiceIdentifier = .init(written: "shiny.example.com"), record: String? = "r1"
    ) -> HeldCredential {
        HeldCredential(
            identity: CredentialIdentity(
                type: .password, service: service, user: "rmondello", recordIdentifier: record),
            provider: .builtIn, password: HeldSecret(WireSecret(SecretBytes(utf8: "canary"))))
    }

    private func act(
        _ surface: AuthenticationPolicy.Surface = .terminal, isSatisfied: Bool = true,
        _ authentication: UserAct.Authentication = .recent
    ) -> ActSpec {
        .init(surface: surface, requirement: .nothing, isSatisfied: isSatisfied, authentication: authentication)
    }

    private func expectRefusal(
        _ credential: HeldCredential, _ purpose: any ReleasePurpose, _ act: ActSpec,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(sourceLocation: sourceLocation) {
            try gate.release(credential, for: purpose, act: act)
        } throws: {
            code($0) == .refused && ($0 as? WireError)?.reason?.isEmpty == false
        }
        #expect(lines.map(\.event) == ["refused"], sourceLocation: sourceLocation)
    }

    @Test func extensionOfTheSitesAppIsGivenBothPasswords() async throws {
        let (target, association) = (try target(), try await association())
        _ = try gate.release(
            credential(),
            for: PasswordToChange(by: target.identifier, of: target.app, association: association, isNew: false),
            act: act())
        _ = try gate.release(
            credential(record: nil),
            for: PasswordToChange(by: target.identifier, of: target.app, association: association, isNew: true),
            act: act(.window, .new))
        #expect(lines.map(\.event) == ["released", "released"])
        #expect(lines.map(\.purpose) == ["to be changed", "a generated password, to change to"])
        #expect(lines.allSatisfy { $0.requester == "com.example.Shiny.upgrade of \(FakeApp.identifier)" })
    }

    @Test func withoutAnAssociationThereIsNoRelease() throws {
        expectRefusal(
            credential(),
            PasswordToChange(by: try target().identifier, of: try target().app, association: nil, isNew: false), act())
    }

    @Test func associationOfAnotherAppIsNone() async throws {
        let other = try await association(of: "E5336VM85F.com.example.Other")
        expectRefusal(
            credential(),
            PasswordToChange(by: try target().identifier, of: try target().app, association: other, isNew: false), act()
        )
    }

    @Test(arguments: [
        ServiceIdentifier(written: "other.example.com"), .init(written: "example.com"),
        .init(written: "a.shiny.example.com"), .init(written: "http://shiny.example.com:8080"),
        .init(written: "https://shiny.example.com:8443"), .init(kind: .app, value: FakeApp.identifier),
    ])
    func refusesWhatWasSavedElsewhere(service: ServiceIdentifier) async throws {
        expectRefusal(
            credential(service),
            PasswordToChange(
                by: try target().identifier, of: try target().app, association: try await association(), isNew: false),
            act())
    }

    @Test func refusesATapInAPage() async throws {
        expectRefusal(
            credential(),
            PasswordToChange(
                by: try target().identifier, of: try target().app, association: try await association(), isNew: false),
            act(.bar))
    }

    @Test(arguments: [AuthenticationPolicy.Surface.popup, .window, .terminal])
    func surfacesOutsideOfPagesCount(surface: AuthenticationPolicy.Surface) async throws {
        _ = try gate.release(
            credential(),
            for: PasswordToChange(
                by: try target().identifier, of: try target().app, association: try await association(), isNew: false),
            act: act(surface))
        #expect(lines.map(\.act) == [surface.rawValue])
    }

    @Test func refusesWithoutWhatThePreferencesDemand() async throws {
        expectRefusal(
            credential(),
            PasswordToChange(
                by: try target().identifier, of: try target().app, association: try await association(), isNew: false),
            act(isSatisfied: false))
    }

    /// A password that opens something already must not pass as one that was just made.
    @Test func refusesASavedPasswordAsANewOne() async throws {
        expectRefusal(
            credential(),
            PasswordToChange(
                by: try target().identifier, of: try target().app, association: try await association(), isNew: true),
            act(.terminal, .new))
    }

    @Test func refusesANewPasswordAsASavedOne() async throws {
        expectRefusal(
            credential(record: nil),
            PasswordToChange(
                by: try target().identifier, of: try target().app, association: try await association(), isNew: false),
            act(.terminal, .new))
    }
}
