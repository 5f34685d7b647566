// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillIPC
import AutoFillMatching
import AutoFillRelease
import AutoFillSecrets
import ShownText
import Testing

@testable import AutoFillAsking
@testable import AutoFillDaemon
@testable import DaemonTesting

@Suite struct GateTests {
    typealias Surface = AuthenticationPolicy.Surface

    private let folder: TemporaryFolder
    private let log: AuditLog
    private let gate: Gate
    private let seed = SecretBytes.random(count: 32)
    private let shiny: VerifiedOrigin
    private let policy: MatchPolicy
    private let credential = HeldCredential(
        identity: .shiny, provider: .builtIn, password: HeldSecret(WireSecret(SecretBytes(utf8: "canary"))))

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
        log = AuditLog(folder: folder.path)
        _ = try log.open(seed: seed, head: nil, isNew: true)
        policy = try .sharing(["shiny.example.com", "glossy.example.org"])
        gate = Gate(log: log, policy: policy) { 1_790_000_000 }
        shiny = try #require(verified("https://shiny.example.com"))
    }

    private func act(
        _ surface: Surface = .popup, _ requirement: AuthenticationPolicy.Requirement = .nothing,
        isSatisfied: Bool = true,
        _ authentication: UserAct.Authentication = .recent
    ) -> ActSpec {
        .init(surface: surface, requirement: requirement, isSatisfied: isSatisfied, authentication: authentication)
    }

    private var lines: [AuditLine] {
        log.lines(seed: seed, from: 1, limit: .max).lines.map { line in
            var line = line
            line.number = nil
            return line
        }
    }

    /// Expects a refusal with a line in the log and none about a release.
    private func expectRefusal(
        _ purpose: any ReleasePurpose, _ act: ActSpec, of credential: HeldCredential? = nil,
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
        let secret = try gate.release(credential, for: PageFill(chosen: shiny, confirmed: shiny), act: act())
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
        let secret = try gate.release(
            credential, for: Reveal(to: "/usr/bin/latchkey", connection: 1), act: act(.terminal))
        #expect(secret.bytes.text == "canary")
        #expect(lines.map(\.event) == ["released"])
        #expect(lines.map(\.requester) == ["/usr/bin/latchkey"])
    }

    @Test(
        "S3: without what the preferences demand there is no release",
        arguments: [Surface.bar, .popup, .window, .terminal])
    func unsatisfiedActIsRefused(surface: Surface) {
        expectRefusal(PageFill(chosen: shiny, confirmed: shiny), act(surface, .authentication, isSatisfied: false))
    }

    @Test func unsatisfiedRevealIsRefused() {
        expectRefusal(Reveal(to: "latchkey", connection: 1), act(.terminal, .authentication, isSatisfied: false))
    }

    @Test("S5: without the browser's second statement there is no release")
    func missingEvidenceIsRefused() {
        expectRefusal(PageFill(chosen: shiny, confirmed: nil), act())
    }

    @Test(
        "S5: evidence of another document or origin is refused",
        arguments: [
            ("https://shiny.example.com", "D2"), ("https://evil.com", "D1"), ("http://shiny.example.com", "D1"),
            ("https://shiny.example.com:8443", "D1"), ("https://www.shiny.example.com", "D1"),
        ])
    func otherEvidenceIsRefused(url: String, document: String) throws {
        let other = try #require(verified(url, document: document))
        expectRefusal(PageFill(chosen: shiny, confirmed: other), act())
    }

    @Test(
        "S6, S11, S14, S15: a credential of another origin is refused, though the evidence agrees",
        arguments: [
            "https://evil.com", "https://evilshiny.example.net", "http://shiny.example.com",
            "https://evilexample.com", "https://shiny.example.com.evil.com",
            "https://shiny.example.com:8443", "https://example.org",
        ])
    func otherOriginIsRefused(url: String) throws {
        let origin = try #require(verified(url))
        expectRefusal(PageFill(chosen: origin, confirmed: origin), act())
    }

    @Test("S22: a credential of an app is never filled into a document")
    func credentialOfAnAppIsRefused() {
        let identity = CredentialIdentity(
            type: .password, service: ServiceIdentifier(kind: .app, value: "shiny.example.com"), user: "u",
            recordIdentifier: nil)
        let held = HeldCredential(identity: identity, provider: .builtIn, password: credential.password)
        expectRefusal(PageFill(chosen: shiny, confirmed: shiny), act(), of: held)
    }

    @Test("S1: a tap inside a page is never an authentication", arguments: [UserAct.Authentication.recent, .notAsked])
    func tapInAPageAuthenticatesNobody(authentication: UserAct.Authentication) {
        expectRefusal(PageFill(chosen: shiny, confirmed: shiny), act(.bar, .authentication, authentication))
    }

    @Test func passphraseOutsideThePageMakesATapEnough() throws {
        let act = act(.bar, .authentication, .passphrase)
        _ = try gate.release(credential, for: PageFill(chosen: shiny, confirmed: shiny), act: act)
        #expect(lines.map(\.authentication) == ["passphrase just now"])
    }

    @Test(arguments: [.pin, .fingerprint] as [UserAct.Authentication])
    func aQuickAnswerOutsideThePageMakesATapEnough(means: UserAct.Authentication) throws {
        let act = act(.bar, .authentication, means)
        _ = try gate.release(credential, for: PageFill(chosen: shiny, confirmed: shiny), act: act)
        #expect(lines.map(\.authentication) == [means.rawValue])
    }

    @Test("S36: a finger reveals nothing on the command line")
    func aFingerRevealsNothing() {
        expectRefusal(Reveal(to: "latchkey", connection: 1), act(.terminal, .authentication, .fingerprint))
    }

    @Test("S5: nothing but the command line reveals", arguments: [Surface.bar, .popup, .window])
    func revealToAnythingElseIsRefused(surface: Surface) {
        expectRefusal(Reveal(to: "a browser", connection: 1), act(surface))
    }

    @Test func revealToAWindowIsReleasedAndLogged() throws {
        let purpose = WindowReveal(in: "p1", of: "/usr/bin/chromium", connection: 1)
        #expect(try gate.release(credential, for: purpose, act: act(.window)).bytes.text == "canary")
        #expect(lines.map(\.requester) == ["/usr/bin/chromium"])
        #expect(lines.map(\.purpose) == ["show, in a window"])
    }

    @Test("S68: nothing but a window shows a password in a window", arguments: [Surface.bar, .popup, .terminal])
    func revealToAWindowNeedsTheWindow(surface: Surface) {
        expectRefusal(WindowReveal(in: "p1", of: "chromium", connection: 1), act(surface))
    }

    @Test("S26: without a line in the log there is no release")
    func withoutALogThereIsNoRelease() throws {
        let unwritable = Gate(log: AuditLog(folder: folder.path + "/nowhere"), policy: policy) { 0 }
        let purposes: [any ReleasePurpose] = [
            PageFill(chosen: shiny, confirmed: shiny), Reveal(to: "latchkey", connection: 1),
        ]
        for purpose in purposes {
            #expect {
                try unwritable.release(credential, for: purpose, act: act(.terminal))
            } throws: {
                code($0) == .storageFailed
            }
        }
        #expect {
            try unwritable.release(credential, for: PageFill(chosen: shiny, confirmed: nil), act: act())
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
        _ = try gate.release(credential, for: Reveal(to: "latchkey", connection: 1), act: act(.terminal))
        #expect(!String(decoding: folder.read("audit.log"), as: UTF8.self).contains("canary"))
        #expect(!"\(lines)".contains("canary"))
    }

    // MARK: Git

    private func git(
        _ scheme: String = "https", _ host: String = "shiny.example.com", path: String? = nil, wasChosen: Bool = true
    ) throws -> any ReleasePurpose {
        let caller = GitCaller(program: "/usr/bin/bash", digest: "1", isByGit: true)
        let request = try #require(GitRequest(.init(scheme: scheme, host: host, path: path)))
        return GitLogin(request, startedBy: caller.purpose, wasChosen: wasChosen)
    }

    private func saved(for service: String) -> HeldCredential {
        HeldCredential(
            identity: CredentialIdentity(
                type: .password, service: ServiceIdentifier(written: service), user: "me", recordIdentifier: "1"),
            provider: .builtIn, password: HeldSecret(WireSecret(SecretBytes(utf8: "canary"))))
    }

    @Test func gitIsGivenWhatWasSavedForItsServerAndTheLogSaysWhoStartedIt() throws {
        _ = try gate.release(credential, for: git(wasChosen: false), act: act(.terminal))
        #expect(lines.map(\.requester) == ["https://shiny.example.com"])
        #expect(lines.map(\.purpose) == ["git, started by /usr/bin/bash"])
    }

    @Test(
        "S15: git is not given what was saved for another host, port or scheme",
        arguments: [
            ("http", "shiny.example.com"), ("https", "shiny.example.com:8443"), ("https", "evil.test"),
            ("https", "shiny.example.com.evil.test"), ("http", "shiny.example.com:443"),
        ])
    func otherServersGetNothing(scheme: String, host: String) throws {
        expectRefusal(try git(scheme, host), act(.terminal))
    }

    @Test("S12: another host of the site only where the user saw it")
    func otherHostsOfTheSiteAreChosen() throws {
        _ = try gate.release(credential, for: git("https", "www.shiny.example.com"), act: act(.terminal))
        expectOnlyRefusal(try git("https", "www.shiny.example.com", wasChosen: false))
    }

    @Test("S12: what was saved for a repository is for that one")
    func repositoriesAreKeptApart() throws {
        let one = saved(for: "https://a.test/one.git")
        _ = try gate.release(one, for: git("https", "a.test", path: "one.git", wasChosen: false), act: act(.terminal))
        expectOnlyRefusal(try git("https", "a.test", path: "two.git"), of: one)
        expectOnlyRefusal(try git("https", "a.test", wasChosen: false), of: one)
    }

    @Test("S3: git is given nothing by a tap in a browser, nor without an act")
    func gitNeedsItsOwnAct() throws {
        expectRefusal(try git(), act(.bar))
        expectOnlyRefusal(try git(), act(.terminal, .confirmation, isSatisfied: false))
    }

    /// Expects a refusal, whatever is in the log already.
    private func expectOnlyRefusal(
        _ purpose: any ReleasePurpose, _ act: ActSpec? = nil, of credential: HeldCredential? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(sourceLocation: sourceLocation) {
            try gate.release(credential ?? self.credential, for: purpose, act: act ?? self.act(.terminal))
        } throws: {
            code($0) == .refused
        }
        #expect(lines.last?.event == "refused", sourceLocation: sourceLocation)
    }

    // MARK: What has to be agreed to

    private func framed(_ frame: String = "https://shiny.example.com", in top: String) throws -> VerifiedOrigin {
        try #require(verified([frame, top]))
    }

    private func act(_ agreements: Set<UserAct.Agreement>, _ authentication: UserAct.Authentication = .recent)
        -> ActSpec
    {
        .init(
            surface: .window, requirement: .confirmation, isSatisfied: true, authentication: authentication,
            agreements: agreements)
    }

    private func consents(_ place: VerifiedOrigin) -> Set<UserAct.Agreement> {
        Set(policy.match(SavedService(credential.identity), for: place.chain).consent.map(UserAct.Agreement.to))
    }

    @Test("S6, S7: a frame inside a page of another site takes a yes to exactly these two")
    func frameTakesAYesToExactlyThesePlaces() throws {
        let place = try framed(in: "https://evil.com")
        let other = consents(try framed(in: "https://other.com"))
        #expect(!consents(place).isEmpty && consents(place) != other)
        for agreed in [[], other, [.foreign], [.foreign, .keeping]] {
            #expect(throws: WireError.self) {
                try gate.release(
                    credential, for: PageFill(chosen: place, confirmed: place), act: act(agreed, .passphrase))
            }
        }
        _ = try gate.release(
            credential, for: PageFill(chosen: place, confirmed: place), act: act(consents(place)))
        #expect(lines.map(\.event) == ["refused", "refused", "refused", "refused", "released"])
        #expect(lines.last?.reason?.contains("https://evil.com") == true)
    }

    @Test("S6: evidence of another page around the same frame is refused")
    func otherPageAroundTheFrameIsRefused() throws {
        let place = try framed(in: "https://evil.com")
        expectRefusal(
            PageFill(chosen: place, confirmed: try framed(in: "https://other.com")), act(consents(place)))
    }

    @Test("S18: a shared password takes a yes each time, and the log says with whom it was shared")
    func sharedPasswordTakesAYes() throws {
        let glossy = try #require(verified("https://glossy.example.org"))
        #expect(throws: WireError.self) {
            try gate.release(credential, for: PageFill(chosen: glossy, confirmed: glossy), act: act())
        }
        _ = try gate.release(
            credential, for: PageFill(chosen: glossy, confirmed: glossy), act: act(consents(glossy)))
        #expect(lines.map(\.event) == ["refused", "released"])
        #expect(lines.last?.reason?.contains("shiny.example.com") == true)
    }

    @Test("S19: a password saved for another place takes the passphrase and the user's word, outside of pages")
    func foreignPasswordTakesThePassphrase() throws {
        let other = try #require(verified("https://unrelated.example.net"))
        let purpose = PageFill(chosen: other, confirmed: other)
        var tapped = act([.foreign], .passphrase)
        tapped = .init(
            surface: .bar, requirement: .authentication, isSatisfied: true, authentication: .passphrase,
            agreements: tapped.agreements)
        for refused in [act([.foreign]), act([.foreign], .notAsked), act([], .passphrase), tapped] {
            #expect(throws: WireError.self) { try gate.release(credential, for: purpose, act: refused) }
        }
        _ = try gate.release(credential, for: purpose, act: act([.foreign], .passphrase))
        #expect(lines.map(\.event) == Array(repeating: "refused", count: 4) + ["released"])
        #expect(lines.last?.reason?.contains("anyway") == true)
    }

    @Test(
        "S14, S19: nobody's word sends what was saved on https into a page without it",
        arguments: ["http://shiny.example.com", "http://unrelated.example.net"])
    func httpsNeverGoesToHTTP(url: String) throws {
        let page = try #require(verified(url))
        expectRefusal(
            PageFill(chosen: page, confirmed: page), act([.foreign, .keeping], .passphrase))
    }
}
