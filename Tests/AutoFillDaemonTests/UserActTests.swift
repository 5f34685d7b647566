// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillIPC
import AutoFillMatching
import AutoFillRelease
import AutoFillSecrets
import ShownText
import Testing

@testable import AutoFillDaemon
@testable import DaemonTesting

/// An act of the user is a proof for one release of one credential to one destination, until Latchkey locks.
@Suite struct UserActTests {
    private let folder: TemporaryFolder
    private let log: AuditLog
    private let gate: Gate
    private let seed = SecretBytes.random(count: 32)
    private let shiny: VerifiedOrigin
    private let credential = UserActTests.held(.shiny)
    private let spec = ActSpec(surface: .popup, requirement: .nothing, authentication: .recent)

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
        log = AuditLog(folder: folder.path)
        _ = try log.open(seed: seed, head: nil, isNew: true)
        gate = Gate(log: log, policy: MatchPolicy(.none)) { 1_790_000_000 }
        shiny = try #require(verified("https://shiny.example.com"))
    }

    private static func held(
        _ identity: CredentialIdentity, of provider: BundleIdentifier = .builtIn
    ) -> HeldCredential {
        HeldCredential(
            identity: identity, provider: provider, password: HeldSecret(WireSecret(SecretBytes(utf8: "canary"))))
    }

    private var purpose: PageFill { PageFill(chosen: shiny, confirmed: shiny) }
    private var lines: [AuditLine] { log.lines(seed: seed, from: 1, limit: .max).lines }

    /// Expects a refusal, and that the log says this reason.
    private func expectRefusal(
        _ reason: String, of credential: HeldCredential? = nil, for purpose: (any ReleasePurpose)? = nil,
        by act: UserAct, at moment: ReleaseMoment = .unchanged, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(sourceLocation: sourceLocation) {
            try gate.release(credential ?? self.credential, for: purpose ?? self.purpose, act: act, at: moment)
        } throws: {
            code($0) == .refused && ($0 as? WireError)?.reason == reason
        }
        #expect(lines.last?.event == "refused", sourceLocation: sourceLocation)
        #expect(lines.last?.reason == reason, sourceLocation: sourceLocation)
    }

    @Test("S55: one act releases once")
    func actIsSpentByOneRelease() throws {
        let act = spec.act(on: credential, to: purpose.destination)
        _ = try gate.release(credential, for: purpose, act: act, at: .unchanged)
        expectRefusal("the user's consent was used for another release already", by: act)
        #expect(lines.map(\.event) == ["released", "refused"])
    }

    @Test("S55: an act is spent by a refusal, too")
    func actIsSpentByARefusal() throws {
        let act = spec.act(on: credential, to: purpose.destination)
        expectRefusal("the page has changed since", for: PageFill(chosen: shiny, confirmed: nil), by: act)
        expectRefusal("the user's consent was used for another release already", by: act)
    }

    @Test(
        "S36: neither the PIN nor a finger is authentication for what was saved for another site",
        arguments: [.pin, .fingerprint] as [UserAct.Authentication],
        [.foreign, .to(.sharedService(savedFor: "glossy.example.org"))] as [UserAct.Agreement])
    func quickAnswersAreNotTakenForAnotherSites(means: UserAct.Authentication, agreement: UserAct.Agreement) {
        let spec = ActSpec(
            surface: .popup, requirement: .authentication, authentication: means, agreements: [agreement])
        expectRefusal(
            "the user was not asked as the preferences demand", by: spec.act(on: credential, to: purpose.destination))
    }

    @Test("S55: at many releases at once, one act releases once")
    func actIsSpentOnceByMany() async throws {
        let act = spec.act(on: credential, to: purpose.destination)
        let released = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<32 {
                group.addTask {
                    (try? gate.release(credential, for: purpose, act: act, at: .unchanged)) != nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(released == 1)
    }

    @Test("S55: an act for another user, service, record, type or provider releases nothing", arguments: 0..<5)
    func actForAnotherCredential(number: Int) throws {
        var identity = CredentialIdentity.shiny
        var provider = BundleIdentifier.builtIn
        switch number {
        case 0: identity.user += "2"
        case 1: identity.service = ServiceIdentifier(written: "www.shiny.example.com")
        case 2: identity.recordIdentifier = "another"
        case 3: identity.type = .oneTimeCode
        default: provider = try #require(BundleIdentifier("com.example.other"))
        }
        let act = spec.act(on: Self.held(identity, of: provider), to: purpose.destination)
        expectRefusal("the user agreed to another credential", by: act)
    }

    @Test(
        "S55: an act for another document, frame, origin or kind of place releases nothing",
        arguments: ["https://evil.com", "https://www.shiny.example.com", "https://shiny.example.com:8443"])
    func actForAnotherPlace(url: String) throws {
        let reason = "the user agreed to it for another place"
        let other = try #require(verified(url))
        expectRefusal(reason, by: spec.act(on: credential, to: .document(other)))
        let document = try #require(verified("https://shiny.example.com", document: "D2"))
        expectRefusal(reason, by: spec.act(on: credential, to: .document(document)))
        let framed = try #require(verified(["https://shiny.example.com", url]))
        expectRefusal(reason, by: spec.act(on: credential, to: .document(framed)))
        expectRefusal(reason, by: spec.act(on: credential, to: .question(about: shiny)))
        expectRefusal(reason, by: spec.act(on: credential, to: .commandLine("latchkey", connection: 1)))
    }

    @Test("S55: an act on one connection of the command line releases nothing on another")
    func actForAnotherConnection() throws {
        let terminal = ActSpec(surface: .terminal, requirement: .nothing, authentication: .recent)
        let purpose = Reveal(to: "latchkey", connection: 1)
        let other = Reveal(to: "latchkey", connection: 2)
        expectRefusal(
            "the user agreed to it for another place", for: purpose,
            by: terminal.act(on: credential, to: other.destination))
    }

    @Test("S55: an act from before a lock releases nothing after it")
    func actOfAnotherEpoch() throws {
        let reason = "Latchkey was locked in the meantime"
        for epoch in [1, 2] {
            let act = spec.act(on: credential, to: purpose.destination)
            expectRefusal(reason, by: act, at: ReleaseMoment(epoch: .init(epoch), isProviderEnabled: true))
        }
        let act = spec.act(on: credential, to: purpose.destination)
        expectRefusal(reason, by: act, at: ReleaseMoment(epoch: nil, isProviderEnabled: true))
    }

    @Test("S55: the log says what has come in between, and the worst of it")
    func logSaysWhatHasComeInBetween() throws {
        func act() -> UserAct { spec.act(on: credential, to: purpose.destination) }
        let epoch = UserAct.Epoch(0)
        expectRefusal(
            "the provider was disabled in the meantime", by: act(),
            at: ReleaseMoment(epoch: epoch, isProviderEnabled: false, isTakenBack: true))
        expectRefusal(
            "the page was left", by: act(), at: ReleaseMoment(epoch: epoch, isProviderEnabled: true, isTakenBack: true))
        expectRefusal(
            "the code was used or is too old", by: act(),
            at: ReleaseMoment(
                epoch: epoch, isProviderEnabled: false, isTakenBack: true, ended: "the code was used or is too old"))
        expectRefusal(
            "Latchkey was locked in the meantime", by: act(),
            at: ReleaseMoment(epoch: .init(3), isProviderEnabled: false, isTakenBack: true, ended: "it is too old"))
        let request = try #require(GitRequest(.init(scheme: "https", host: "shiny.example.com")))
        let git = GitLogin(request, startedBy: "git", wasChosen: true)
        let terminal = ActSpec(surface: .terminal, requirement: .nothing, authentication: .recent)
        expectRefusal(
            "git is gone", for: git, by: terminal.act(on: credential, to: git.destination),
            at: ReleaseMoment(epoch: epoch, isProviderEnabled: true, isTakenBack: true))
        expectRefusal(
            "the provider was disabled in the meantime", for: git,
            by: terminal.act(on: credential, to: git.destination),
            at: ReleaseMoment(epoch: epoch, isProviderEnabled: false))
    }

    @Test("S55: what is looked at before a release spends nothing, and says why there will be none")
    func requiringSpendsNothing() throws {
        let act = spec.act(on: credential, to: purpose.destination)
        try gate.require(credential, for: purpose, act: act, at: .unchanged)
        #expect(throws: WireError.self) {
            try gate.require(
                credential, for: purpose, act: act, at: ReleaseMoment(epoch: .init(0), isProviderEnabled: false))
        }
        #expect(lines.map(\.reason) == ["the provider was disabled in the meantime"])
        _ = try gate.release(credential, for: purpose, act: act, at: .unchanged)
    }

    @Test(
        "S3, S55: an act that had to authenticate and did not releases nothing",
        arguments: [UserAct.Authentication.recent, .notAsked, .remembered, .new])
    func actWithoutItsAuthentication(authentication: UserAct.Authentication) {
        let act = ActSpec(surface: .window, requirement: .authentication, authentication: authentication)
            .act(on: credential, to: purpose.destination)
        expectRefusal("the user was not asked as the preferences demand", by: act)
    }
}
