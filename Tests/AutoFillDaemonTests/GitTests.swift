// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillIPC
import AutoFillMatching
import AutoFillRelease
import AutoFillSecrets
import Foundation
import ShownText
import Testing

@testable import AutoFillAsking
@testable import AutoFillDaemon
@testable import DaemonTesting

@Suite struct GitCallerTests {
    private func program(_ path: String, isRootOwned: Bool = true) -> CallerProgram {
        CallerProgram(
            path: path, digest: "d-" + path, standing: isRootOwned ? .rootOwned : .changeable("it is in the home"),
            interpreter: nil)
    }

    private func caller(_ paths: String...) -> GitCaller? {
        GitCaller(
            ancestors: paths.map {
                program($0.replacingOccurrences(of: "!", with: ""), isRootOwned: !$0.hasSuffix("!"))
            })
    }

    @Test func whoStartedGitIsAboveGitAndItsHelpers() {
        #expect(
            caller("/usr/lib/git-core/git-remote-http", "/usr/bin/git", "/usr/bin/bash", "/usr/bin/foot")?.program
                == "/usr/bin/bash")
        #expect(
            caller("/usr/bin/dash", "/usr/lib/git-core/git-remote-http", "/usr/bin/git", "/usr/share/code/code")?
                .program == "/usr/share/code/code")
        #expect(caller("/usr/bin/git", "/usr/bin/dash", "/usr/bin/git", "/usr/bin/zsh")?.program == "/usr/bin/zsh")
    }

    @Test func theShellThatAPersonTypesIntoIsTheCaller() {
        let caller = caller("/usr/bin/git", "/usr/bin/bash", "/usr/bin/bash", "/usr/bin/foot")
        #expect(caller?.program == "/usr/bin/bash" && caller?.isByGit == true)
        #expect(caller?.digest == "d-/usr/bin/bash")
    }

    @Test(
        "S21: a git that somebody else can change is not a git, and neither is one by its name only",
        arguments: [
            ["/home/me/bin/git!", "/usr/bin/bash"], ["/usr/bin/python3", "/usr/bin/bash"],
            ["/usr/bin/bash", "/usr/bin/foot"],
            ["/usr/bin/gitk", "/usr/bin/bash"], ["/usr/bin/dash!", "/usr/bin/git", "/usr/bin/bash"],
        ])
    func otherProgramsAreNoGit(paths: [String]) {
        let ancestors = paths.map {
            program($0.replacingOccurrences(of: "!", with: ""), isRootOwned: !$0.hasSuffix("!"))
        }
        #expect(GitCaller(ancestors: ancestors)?.isByGit == false)
    }

    @Test func nobodyIsNobody() {
        #expect(GitCaller(ancestors: []) == nil)
    }
}

@Suite struct GitRequestTests {
    private func request(_ scheme: String, _ host: String, path: String? = nil, user: String? = nil) -> GitRequest? {
        GitRequest(.init(scheme: scheme, host: host, path: path, user: user))
    }

    @Test func readsWhatGitNames() throws {
        let request = try #require(self.request("https", "Git.Example.com:8443", path: "/org/repo.git/", user: "me"))
        #expect(request.origin.description == "https://git.example.com:8443")
        #expect(request.path == "org/repo.git" && request.user == "me")
        #expect(request.site == "https://git.example.com:8443/org/repo.git" && request.service == request.site)
        #expect(self.request("https", "git.example.com")?.service == "git.example.com")
        #expect(self.request("https", "a.test", path: "/", user: "")?.path == nil)
    }

    @Test(
        "S20: what is not a host is refused",
        arguments: [
            "", "a.test/b", "me@a.test", "a.test?x", "a.test#x", "a\\b", "a b.test", "a.test\u{0}", "a.test:99999",
            "a..test",
            "%61.test", "a.test\n", String(repeating: "a", count: 600),
        ])
    func whatIsNoHostIsRefused(host: String) {
        #expect(request("https", host) == nil)
    }

    @Test(arguments: ["ssh", "git", "HTTPS", "", "file", "javascript"])
    func otherSchemesAreRefused(scheme: String) {
        #expect(request(scheme, "a.test") == nil)
    }

    @Test func controlCharactersAreRefused() {
        #expect(request("https", "a.test", path: "a\nb") == nil)
        #expect(request("https", "a.test", user: "a\u{7}") == nil)
    }

    @Test(
        arguments: [
            ("a.test", nil, GitFit.server), ("a.test", "one.git", .server), ("https://a.test", "one.git", .server),
            ("https://a.test/one.git", "one.git", .path), ("https://a.test/one.git/", "one.git", .path),
            ("https://a.test/one%2Egit", "one.git", .path), ("https://a.test/one.git?x#y", "one.git", .path),
            ("https://a.test/one.git", nil, .elsewhere), ("https://a.test/", nil, .server),
            ("https://a.test/one.git", "two.git", nil), ("https://a.test/one", "one/two.git", nil),
            ("https://a.test/one.git", "one.gi", nil), ("https://a.test/a/../one.git", "one.git", nil),
        ] as [(String, String?, GitFit?)])
    func pathsFitWholeOrNotAtAll(service: String, path: String?, fit: GitFit?) throws {
        let request = try #require(self.request("https", "a.test", path: path))
        #expect(GitFit(ServiceIdentifier(written: service), isExact: true, for: request) == fit)
    }

    @Test func anotherHostIsNeverPlain() throws {
        let request = try #require(self.request("https", "a.test", path: "one.git"))
        #expect(GitFit(ServiceIdentifier(written: "b.a.test"), isExact: false, for: request) == .elsewhere)
    }
}

@Suite struct GitMemoryTests {
    private let start = ContinuousClock.now
    private let caller = GitCaller(program: "/usr/bin/bash", digest: "1", isByGit: true)
    private let credential = Data("credential".utf8)
    private let request: GitRequest

    init() throws {
        request = try #require(GitRequest(.init(scheme: "https", host: "a.test")))
    }

    private func agreed() -> GitMemory {
        var memory = GitMemory()
        memory.agreements.agree(caller, request, credential, at: start)
        return memory
    }

    private func isAgreed(
        _ memory: GitMemory, _ caller: GitCaller? = nil, _ request: GitRequest? = nil, _ credential: Data? = nil,
        after seconds: Int = 0
    ) -> Bool {
        memory.agreements.isAgreed(
            caller ?? self.caller, request ?? self.request, credential ?? self.credential, for: .seconds(60),
            at: start + .seconds(seconds))
    }

    @Test func anAgreementHoldsForItsTimeAndIsKnownAfterIt() {
        let memory = agreed()
        #expect(isAgreed(memory, after: 59) && !isAgreed(memory, after: 60))
        #expect(!memory.agreements.isAgreed(caller, request, credential, for: .zero, at: start))
        #expect(memory.agreements.isKnown(caller, request, credential))
        #expect(!memory.agreements.isKnown(caller, request, Data("other".utf8)))
    }

    @Test("S7: an agreement is for one program, one place and one credential")
    func anAgreementIsForNothingElse() throws {
        let memory = agreed()
        let others = [
            GitCaller(program: "/usr/bin/zsh", digest: "1", isByGit: true),
            GitCaller(program: "/usr/bin/bash", digest: "2", isByGit: true),
            GitCaller(program: "/usr/bin/bash", digest: "1", isByGit: false),
        ]
        for other in others {
            #expect(!isAgreed(memory, other) && !memory.agreements.isKnown(other, request, credential))
        }
        for target in [
            GitTarget(scheme: "https", host: "b.test"), GitTarget(scheme: "https", host: "a.test:8443"),
            GitTarget(scheme: "http", host: "a.test"), GitTarget(scheme: "https", host: "a.test", path: "one.git"),
        ] {
            let other = try #require(GitRequest(target))
            #expect(!isAgreed(memory, nil, other) && !memory.agreements.isKnown(caller, other, credential))
        }
        #expect(!isAgreed(memory, nil, nil, Data("other".utf8)))
        let named = try #require(GitRequest(.init(scheme: "https", host: "a.test", user: "me")))
        #expect(isAgreed(memory, nil, named))
    }

    @Test("S21: nothing is agreed with a program that is not a git of the system's")
    func nothingIsRememberedForOthers() {
        var memory = GitMemory()
        let stranger = GitCaller(program: "/tmp/x", digest: "1", isByGit: false)
        memory.agreements.agree(stranger, request, credential, at: start)
        #expect(!isAgreed(memory, stranger) && !memory.agreements.isKnown(stranger, request, credential))
    }

    @Test func aRejectedCredentialIsForgotten() {
        var memory = agreed()
        memory.agreements.forget(credential)
        #expect(!isAgreed(memory) && !memory.agreements.isKnown(caller, request, credential))
    }

    @Test func agreementsAreBounded() throws {
        var memory = GitMemory()
        for number in 0..<200 {
            memory.agreements.agree(caller, request, Data("\(number)".utf8), at: start + .seconds(number))
        }
        #expect(!memory.agreements.isKnown(caller, request, Data("0".utf8)))
        #expect(memory.agreements.isKnown(caller, request, Data("199".utf8)))
    }

    @Test func aReleaseIsFoundByWhatWasReleased() throws {
        var memory = GitMemory()
        let secret = SecretBytes(utf8: "right")
        let print = HeldSecret.fingerprint(secret, memory.fingerprintKey)
        memory.released(.shiny, of: .builtIn, for: request, fingerprint: print)
        #expect(isSame(memory.compare(request, fingerprint: print)))
        #expect(isSame(memory.compare(request, fingerprint: nil)))
        #expect(HeldSecret.fingerprint(secret, SecretBytes.random(count: 32)) != print)
        let named = try #require(GitRequest(.init(scheme: "https", host: "a.test", user: "nobody")))
        guard case .unknown = memory.compare(named, fingerprint: print) else {
            Issue.record("a release for another user")
            return
        }
    }

    @Test("S47 after three other passwords a release answers nothing, the right one included")
    func guessesAreBounded() throws {
        var memory = GitMemory()
        let print = HeldSecret.fingerprint(SecretBytes(utf8: "right"), memory.fingerprintKey)
        memory.released(.shiny, of: .builtIn, for: request, fingerprint: print)
        for guess in 0..<GitMemory.guessLimit {
            let other = HeldSecret.fingerprint(SecretBytes(utf8: "wrong \(guess)"), memory.fingerprintKey)
            guard case .other(_, let identity) = memory.compare(request, fingerprint: other) else {
                Issue.record("guess \(guess) was not told as one")
                return
            }
            #expect(identity == .shiny)
        }
        guard case .unknown = memory.compare(request, fingerprint: print) else {
            Issue.record("the fourth guess was answered")
            return
        }
    }

    private func isSame(_ comparison: GitMemory.Comparison) -> Bool {
        if case .same(_, let identity) = comparison { identity == .shiny } else { false }
    }
}

@Suite struct GitCandidateTests {
    private func candidate(
        _ user: String, _ fit: GitFit = .server, isRejected: Bool = false
    ) -> GitCandidate {
        var identity = CredentialIdentity.shiny
        identity.user = user
        var marks = CredentialMarks()
        marks.rejected = isRejected ? 0 : nil
        return GitCandidate(provider: .builtIn, identity: identity, fit: fit, marks: marks)
    }

    @Test func onlyWhatNobodyHasToChooseIsExact() {
        func exact(_ candidates: GitCandidate...) -> String? {
            GitCandidate.onlyExact(GitCandidate.sorted(candidates))?.identity.user
        }
        #expect(exact() == nil)
        #expect(exact(candidate("a")) == "a")
        #expect(exact(candidate("a"), candidate("b")) == nil)
        #expect(exact(candidate("a"), candidate("b", .elsewhere)) == "a")
        #expect(exact(candidate("a"), candidate("b", .path)) == "b")
        #expect(exact(candidate("a", isRejected: true), candidate("b")) == "b")
        #expect(exact(candidate("a", .elsewhere)) == nil)
        #expect(exact(candidate("a", isRejected: true)) == nil)
    }

    @Test("S25: any rank that a provider states is no trap", arguments: [Int.min, -1, 0, Int.max])
    func ranksAreCompared(rank: Int) {
        let ranks = [rank, 5, Int.min]
        let candidates = ranks.map { rank in
            var identity = CredentialIdentity.shiny
            identity.rank = rank
            return GitCandidate(provider: .builtIn, identity: identity, fit: .server, marks: CredentialMarks())
        }
        #expect(GitCandidate.sorted(candidates).map(\.identity.rank) == ranks.sorted(by: >))
    }
}
