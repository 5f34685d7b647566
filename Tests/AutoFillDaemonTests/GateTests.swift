// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillIPC
import AutoFillMatching
import AutoFillSecrets
import Testing

@testable import AutoFillDaemon

@Suite struct GateTests {
    typealias Surface = AuthenticationPolicy.Surface

    private let folder: TemporaryFolder
    private let log: AuditLog
    private let gate: Gate
    private let seed = SecretBytes.random(count: 32)
    private let shiny: VerifiedOrigin
    private let credential = HeldCredential(
        identity: .shiny, provider: .builtIn, password: HeldSecret(WireSecret(SecretBytes(utf8: "canary"))))

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
        log = AuditLog(folder: folder.path)
        try log.initialize(seed: seed)
        gate = Gate(log: log) { 1_790_000_000 }
        shiny = try #require(verified("https://shiny.example.com"))
    }

    private func act(
        _ surface: Surface = .popup, _ requirement: AuthenticationPolicy.Requirement = .nothing,
        isSatisfied: Bool = true,
        _ authentication: Gate.Authentication = .recent
    ) -> Gate.Act {
        .init(surface: surface, requirement: requirement, isSatisfied: isSatisfied, authentication: authentication)
    }

    private var lines: [AuditLine] { log.read(seed: seed, head: nil).lines }

    /// Expects a refusal with a line in the log and none about a release.
    private func expectRefusal(
        _ purpose: Gate.Purpose, _ act: Gate.Act, of credential: HeldCredential? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(sourceLocation: sourceLocation) {
            try gate.release(credential ?? self.credential, for: purpose, act: act)
        } throws: {
            code($0) == .refused && ($0 as? WireError)?.reason?.isEmpty == false
        }
        #expect(lines.map(\.event) == ["refused"], sourceLocation: sourceLocation)
        #expect(lines.first?.reason?.isEmpty == false, sourceLocation: sourceLocation)
    }

    @Test func fillIntoTheVerifiedDocumentIsReleasedAndLogged() throws {
        let secret = try gate.release(credential, for: .fill(chosen: shiny, confirmed: shiny), act: act())
        #expect(secret.bytes.text == "canary")
        #expect(
            lines == [
                AuditLine(
                    time: 1_790_000_000, event: "released", provider: "org.latchkey.passwords",
                    service: "shiny.example.com", user: "rmondello", requester: "https://shiny.example.com",
                    act: "popup", authentication: "passphrase a while ago")
            ])
    }

    @Test func revealToTheCommandLineIsReleasedAndLogged() throws {
        let secret = try gate.release(credential, for: .reveal("/usr/bin/latchkey"), act: act(.terminal))
        #expect(secret.bytes.text == "canary")
        #expect(lines.map(\.event) == ["released"])
        #expect(lines.map(\.requester) == ["/usr/bin/latchkey"])
    }

    @Test(
        "S3: without what the preferences demand there is no release",
        arguments: [Surface.bar, .popup, .window, .terminal])
    func unsatisfiedActIsRefused(surface: Surface) {
        expectRefusal(.fill(chosen: shiny, confirmed: shiny), act(surface, .authentication, isSatisfied: false))
    }

    @Test func unsatisfiedRevealIsRefused() {
        expectRefusal(.reveal("latchkey"), act(.terminal, .authentication, isSatisfied: false))
    }

    @Test("S5: without the browser's second statement there is no release")
    func missingEvidenceIsRefused() {
        expectRefusal(.fill(chosen: shiny, confirmed: nil), act())
    }

    @Test(
        "S5: evidence of another document or origin is refused",
        arguments: [
            ("https://shiny.example.com", "D2"), ("https://evil.com", "D1"), ("http://shiny.example.com", "D1"),
            ("https://shiny.example.com:8443", "D1"), ("https://www.shiny.example.com", "D1"),
        ])
    func otherEvidenceIsRefused(url: String, document: String) throws {
        let other = try #require(verified(url, document: document))
        expectRefusal(.fill(chosen: shiny, confirmed: other), act())
    }

    @Test(
        "S6, S11, S14, S15: a credential of another origin is refused, though the evidence agrees",
        arguments: [
            "https://evil.com", "https://evilshiny.example.com", "http://shiny.example.com",
            "https://shiny.example.com:8443",
            "https://example.com",
        ])
    func otherOriginIsRefused(url: String) throws {
        let origin = try #require(verified(url))
        expectRefusal(.fill(chosen: origin, confirmed: origin), act())
    }

    @Test("S22: a credential of an app is never filled into a document")
    func credentialOfAnAppIsRefused() {
        let identity = CredentialIdentity(
            type: .password, service: ServiceIdentifier(kind: .app, value: "shiny.example.com"), user: "u",
            recordIdentifier: nil)
        let held = HeldCredential(identity: identity, provider: .builtIn, password: credential.password)
        expectRefusal(.fill(chosen: shiny, confirmed: shiny), act(), of: held)
    }

    @Test("S1: a tap inside a page is never an authentication", arguments: [Gate.Authentication.recent, .notAsked])
    func tapInAPageAuthenticatesNobody(authentication: Gate.Authentication) {
        expectRefusal(.fill(chosen: shiny, confirmed: shiny), act(.bar, .authentication, authentication))
    }

    @Test func passphraseOutsideThePageMakesATapEnough() throws {
        let act = act(.bar, .authentication, .passphrase)
        _ = try gate.release(credential, for: .fill(chosen: shiny, confirmed: shiny), act: act)
        #expect(lines.map(\.authentication) == ["passphrase just now"])
    }

    @Test("S5: nothing but the command line reveals", arguments: [Surface.bar, .popup, .window])
    func revealToAnythingElseIsRefused(surface: Surface) {
        expectRefusal(.reveal("a browser"), act(surface))
    }

    @Test("S26: without a line in the log there is no release")
    func withoutALogThereIsNoRelease() throws {
        let unwritable = Gate(log: AuditLog(folder: folder.path + "/nowhere")) { 0 }
        for purpose in [Gate.Purpose.fill(chosen: shiny, confirmed: shiny), .reveal("latchkey")] {
            #expect {
                try unwritable.release(credential, for: purpose, act: act(.terminal))
            } throws: {
                code($0) == .storageFailed
            }
        }
        #expect {
            try unwritable.release(credential, for: .fill(chosen: shiny, confirmed: nil), act: act())
        } throws: {
            code($0) == .storageFailed
        }
    }

    @Test func refusalBeforeThereIsACredentialIsLogged() throws {
        let error = try gate.refuse(
            .shiny, of: .builtIn, requester: "https://evil.com", surface: "bar", reason: "it was saved for another host"
        )
        #expect(error.code == .refused)
        #expect(error.reason == "it was saved for another host")
        #expect(lines.map(\.event) == ["refused"])
        #expect(lines.map(\.act) == ["bar"])
    }

    @Test("S30: a held secret prints as nothing")
    func heldSecretPrintsAsNothing() {
        var dumped = ""
        dump(credential, to: &dumped)
        #expect(!"\(credential)\(String(reflecting: credential))\(dumped)".contains("canary"))
    }

    @Test("S30: the log holds no secret")
    func logHoldsNoSecret() throws {
        _ = try gate.release(credential, for: .reveal("latchkey"), act: act(.terminal))
        #expect(!String(decoding: folder.read("audit.log"), as: UTF8.self).contains("canary"))
        #expect(!"\(lines)".contains("canary"))
    }
}
