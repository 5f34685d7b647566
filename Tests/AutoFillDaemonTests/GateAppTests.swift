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

/// The gate's part for apps.
@Suite struct GateAppTests {
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

    private var lines: [AuditLine] {
        log.lines(seed: seed, from: 1, limit: .max).lines.map { line in
            var line = line
            line.number = nil
            return line
        }
    }

    private func app(_ identifier: String = FakeApp.identifier, digest: String = "d") throws -> VerifiedApp {
        let entitlement = AppEntitlement(
            identifier: try #require(AppIdentifier(identifier)), domains: ["webcredentials:shiny.example.com"],
            executable: "/usr/bin/shiny")
        let caller = CallerIdentity(
            process: 1, program: CallerProgram(path: "/usr/bin/shiny", digest: digest, standing: .rootOwned),
            sandbox: nil,
            unit: nil)
        let claim = AppClaim(subject: .executable("/usr/bin/shiny"), entitlement: entitlement, file: "/f")
        let grounds = AppPolicy.Grounds(catalog: AppCatalog(claims: [claim]), decisions: [])
        guard case .known(let app) = AppPolicy.standing(of: caller, grounds) else { throw WireError(.refused, "") }
        return app
    }

    private func association(
        _ entry: String = "webcredentials:shiny.example.com", of identifier: String = FakeApp.identifier
    ) async throws -> VerifiedAssociation {
        let book = try AssociationBook(
            path: folder.path + "/associations", key: try #require(SealKey(SecretBytes.random(count: 32))),
            fetcher: ConfirmingSites([identifier]), isPublicSuffix: { _ in false }, now: { 1_790_000_000 })
        let app = try #require(AppIdentifier(identifier))
        _ = try await book.declare([entry], for: app)
        _ = await book.check(app)
        return try #require(await book.verifiedAssociations(for: app).first)
    }

    private func credential(_ service: ServiceIdentifier = .init(written: "shiny.example.com")) -> HeldCredential {
        HeldCredential(
            identity: CredentialIdentity(type: .password, service: service, user: "rmondello", recordIdentifier: "r1"),
            provider: .builtIn, password: HeldSecret(WireSecret(SecretBytes(utf8: "canary"))))
    }

    private func act(
        _ surface: AuthenticationPolicy.Surface = .terminal, isSatisfied: Bool = true
    ) -> ActSpec {
        .init(surface: surface, requirement: .nothing, isSatisfied: isSatisfied, authentication: .recent)
    }

    private func expectRefusal(
        _ purpose: any ReleasePurpose, _ act: ActSpec, of credential: HeldCredential? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(sourceLocation: sourceLocation) {
            try gate.release(credential ?? self.credential(), for: purpose, act: act)
        } throws: {
            code($0) == .refused && ($0 as? WireError)?.reason?.isEmpty == false
        }
        #expect(lines.map(\.event) == ["refused"], sourceLocation: sourceLocation)
        #expect(
            lines.first?.requester == "\(FakeApp.identifier) at /usr/bin/shiny", sourceLocation: sourceLocation)
    }

    @Test func appGetsWhatItsSiteConfirms() async throws {
        let app = try app()
        let purpose = AppFill(chosen: app, confirmed: app, association: try await association())
        let secret = try gate.release(credential(), for: purpose, act: act())
        #expect(secret.bytes.text == "canary")
        #expect(
            lines == [
                AuditLine(
                    time: 1_790_000_000, event: "released", provider: "org.latchkey.passwords",
                    service: "shiny.example.com", user: "rmondello",
                    requester: "\(FakeApp.identifier) at /usr/bin/shiny", act: "terminal",
                    authentication: "passphrase a while ago")
            ])
    }

    @Test("S21: an app that is another one, or none, by the time of the release gets nothing")
    func changedApp() async throws {
        let (app, association) = (try app(), try await association())
        expectRefusal(AppFill(chosen: app, confirmed: nil, association: association), act())
    }

    @Test("S21: an app whose file changed by the time of the release gets nothing")
    func changedFile() async throws {
        let association = try await association()
        expectRefusal(AppFill(chosen: try app(), confirmed: try app(digest: "e"), association: association), act())
    }

    @Test("S21: without an association there is no release")
    func withoutAnAssociation() throws {
        let app = try app()
        expectRefusal(AppFill(chosen: app, confirmed: app, association: nil), act())
    }

    @Test("S21: an association of another app is none")
    func associationOfAnotherApp() async throws {
        let app = try app()
        let other = try await association(of: "E5336VM85F.com.example.Other")
        expectRefusal(AppFill(chosen: app, confirmed: app, association: other), act())
    }

    @Test(
        "S21, S22: what was saved elsewhere than for the confirmed domain is refused",
        arguments: [
            ServiceIdentifier(written: "other.example.com"), .init(written: "example.com"),
            .init(written: "evilshiny.example.com"), .init(written: "a.shiny.example.com"),
            .init(written: "http://shiny.example.com:8080"), .init(written: "https://shiny.example.com:8443"),
            .init(kind: .app, value: "shiny.example.com"), .init(kind: .app, value: FakeApp.identifier),
            .init(written: "not a host"),
        ])
    func otherServices(service: ServiceIdentifier) async throws {
        let app = try app()
        let association = try await association()
        expectRefusal(AppFill(chosen: app, confirmed: app, association: association), act(), of: credential(service))
    }

    @Test(
        "S3: nothing is released to an app by a tap in a page", arguments: [AuthenticationPolicy.Surface.bar, .popup])
    func otherSurfaces(surface: AuthenticationPolicy.Surface) async throws {
        let app = try app()
        expectRefusal(AppFill(chosen: app, confirmed: app, association: try await association()), act(surface))
    }

    @Test("S3: without what the preferences demand there is no release")
    func unsatisfiedAct() async throws {
        let app = try app()
        let purpose = AppFill(chosen: app, confirmed: app, association: try await association())
        expectRefusal(purpose, act(isSatisfied: false))
    }

    // MARK: A provider's own list

    private func listed(
        _ service: ServiceIdentifier = .init(kind: .domain, value: "shiny.example.com"), record: String? = nil
    ) -> HeldCredential {
        HeldCredential(
            identity: CredentialIdentity(type: .password, service: service, user: "listed", recordIdentifier: record),
            provider: .builtIn, password: HeldSecret(WireSecret(SecretBytes(utf8: "canary"))))
    }

    private func agreed(
        _ surface: AuthenticationPolicy.Surface = .terminal, by authentication: UserAct.Authentication = .passphrase,
        to agreements: Set<UserAct.Agreement> = [.foreign], isSatisfied: Bool = true
    ) -> ActSpec {
        .init(
            surface: surface, requirement: .authentication, isSatisfied: isSatisfied, authentication: authentication,
            agreements: agreements)
    }

    @Test func appGetsWhatWasChosenInAListAndAgreedTo() async throws {
        let app = try app()
        let purpose = AppListFill(chosen: app, confirmed: app, association: try await association())
        let secret = try gate.release(listed(), for: purpose, act: agreed())
        #expect(secret.bytes.text == "canary")
        #expect(lines.map(\.event) == ["released"])
        #expect(lines.last?.reason == "chosen in the provider's own list, as the user said")
    }

    @Test(
        "S3, S21: what was chosen in a list takes the user's word that it belongs to the app, and the passphrase",
        arguments: 0..<8)
    func actsThatAreNotEnoughForAList(number: Int) async throws {
        let app = try app()
        let purpose = AppListFill(chosen: app, confirmed: app, association: try await association())
        let acts = [
            act(), agreed(to: []), agreed(to: [.keeping]), agreed(by: .recent), agreed(by: .provider),
            agreed(by: .notAsked), agreed(.bar), agreed(isSatisfied: false),
        ]
        expectRefusal(purpose, acts[number], of: listed())
    }

    @Test("S21: what is known to be saved for a place is not taken for something of a list")
    func savedIsNotListed() async throws {
        let app = try app()
        let purpose = AppListFill(chosen: app, confirmed: app, association: try await association())
        expectRefusal(purpose, agreed(), of: listed(record: "r1"))
    }

    @Test("S21: a list changes nothing of what an app has to be", arguments: 0..<5)
    func appsThatGetNothingOfAList(number: Int) async throws {
        let (app, own) = (try app(), try await association())
        let other = try await association(of: "E5336VM85F.com.example.Other")
        let purposes: [AppListFill] = [
            AppListFill(chosen: app, confirmed: nil, association: own),
            AppListFill(chosen: app, confirmed: try self.app(digest: "e"), association: own),
            AppListFill(chosen: app, confirmed: app, association: nil),
            AppListFill(chosen: app, confirmed: app, association: other),
            AppListFill(chosen: app, confirmed: app, association: own),
        ]
        let elsewhere = listed(.init(kind: .domain, value: "bank.example"))
        expectRefusal(purposes[number], agreed(), of: number == 4 ? elsewhere : listed())
    }

    // MARK: Codes

    private func held(_ code: ReceivedCode) -> HeldCredential {
        HeldCredential(identity: code.identity, provider: .receivedCodes, password: code.secret)
    }

    @Test("S32: an app gets the code that is bound to the domain it is confirmed for")
    func appGetsACode() async throws {
        let (app, association) = (try app(), try await association())
        for (code, reason) in [
            (received("482193", boundTo: "Shiny.example.com"), "bound to a host that names the app"),
            (received("551234"), "bound to no site"),
        ] {
            let purpose = AppMessageCode(
                code.secret, binding: code.binding, chosen: app, confirmed: app, association: association)
            let secret = try gate.release(held(code), for: purpose, act: act())
            #expect(secret.bytes.count == 6)
            #expect(lines.last?.reason == reason)
        }
    }

    @Test(
        "S32: a code for another host is refused, and one for framed pages",
        arguments: [
            "example.com", "a.shiny.example.com", "evilshiny.example.com", "bank.example", "shiny.example.com:8443",
            "%",
        ])
    func codesForOtherHosts(host: String) async throws {
        let app = try app()
        let framed = host == "%"
        let code = received(
            "482193", boundTo: framed ? "shiny.example.com" : host, embedded: framed ? "pay.example" : nil)
        expectRefusal(
            AppMessageCode(
                code.secret, binding: code.binding, chosen: app, confirmed: app, association: try await association()),
            act(), of: held(code))
    }

    @Test("S32, S21: no code without an association, for another app, or for one that changed", arguments: 0..<6)
    func codesForNobody(number: Int) async throws {
        let (app, own) = (try app(), try await association())
        let code = received("482193", boundTo: "shiny.example.com")
        switch number {
        case 0:
            expectRefusal(
                AppMessageCode(code.secret, binding: code.binding, chosen: app, confirmed: app, association: nil),
                act(), of: held(code))
        case 1:
            expectRefusal(
                AppMessageCode(code.secret, binding: code.binding, chosen: app, confirmed: nil, association: own),
                act(), of: held(code))
        case 2:
            let changed = try self.app(digest: "e")
            expectRefusal(
                AppMessageCode(code.secret, binding: code.binding, chosen: app, confirmed: changed, association: own),
                act(), of: held(code))
        case 3:
            let other = try await association(of: "E5336VM85F.com.example.Other")
            expectRefusal(
                AppMessageCode(code.secret, binding: code.binding, chosen: app, confirmed: app, association: other),
                act(), of: held(code))
        case 4:
            expectRefusal(
                AppMessageCode(
                    received("551234").secret, binding: received("551234").binding, chosen: app, confirmed: app,
                    association: nil), act(),
                of: held(received("551234")))
        default:
            // The row of one code, the secret of another.
            let other = held(received("661122", boundTo: "shiny.example.com"))
            expectRefusal(
                AppMessageCode(code.secret, binding: code.binding, chosen: app, confirmed: app, association: own),
                act(), of: other)
        }
    }

    @Test(
        "S3: no code goes to an app by a tap in a page, or without what the preferences demand",
        arguments: [AuthenticationPolicy.Surface.bar, .popup])
    func codesByOtherSurfaces(surface: AuthenticationPolicy.Surface) async throws {
        let app = try app()
        let code = received("482193", boundTo: "shiny.example.com")
        let purpose = AppMessageCode(
            code.secret, binding: code.binding, chosen: app, confirmed: app, association: try await association())
        expectRefusal(purpose, act(surface), of: held(code))
    }
}
