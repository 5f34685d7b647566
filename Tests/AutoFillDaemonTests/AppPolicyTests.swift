// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillAssociations
import AutoFillRelease
import ShownText
import Testing

@testable import AutoFillDaemon
@testable import DaemonTesting

/// Which app a caller is, as a table: callers, what root says, what the user said.
@Suite struct AppPolicyTests {
    private static let shiny = "E5336VM85F.com.example.Shiny"
    private static let other = "E5336VM85F.com.example.Other"

    private func entitlement(_ identifier: String = shiny, _ executable: String? = nil) throws -> AppEntitlement {
        AppEntitlement(
            identifier: try #require(AppIdentifier(identifier)), domains: ["webcredentials:shiny.example.com"],
            executable: executable)
    }

    private func claim(
        _ path: String, _ identifier: String = shiny, file: String = "/usr/share/latchkey/apps/Shiny.entitlements"
    ) throws -> AppClaim {
        AppClaim(subject: .executable(path), entitlement: try entitlement(identifier, path), file: file)
    }

    private func caller(
        _ path: String = "/usr/bin/shiny", digest: String = "d1",
        standing: CallerProgram.Standing = .rootOwned, interpreter: String? = nil, foreignCode: String? = nil,
        sandbox: CallerIdentity.Sandbox? = nil
    ) -> CallerIdentity {
        CallerIdentity(
            process: 42,
            program: CallerProgram(
                path: path, digest: digest, standing: standing, interpreter: interpreter, foreignCode: foreignCode),
            sandbox: sandbox, unit: "app-shiny-42.scope")
    }

    private func grounds(
        _ claims: [AppClaim] = [], decisions: [AppDecision] = [], beside: AppEntitlement? = nil,
        sandboxed: Result<AppClaim?, AppEntitlement.Refusal>? = nil
    ) -> AppPolicy.Grounds {
        AppPolicy.Grounds(
            catalog: AppCatalog(claims: claims), decisions: decisions, sandboxed: sandboxed, beside: beside)
    }

    private func decision(
        _ path: String, digest: String = "d1", isAllowed: Bool = true, _ identifier: String = shiny
    ) -> AppDecision {
        AppDecision(
            path: path, digest: digest, isAllowed: isAllowed, identifier: identifier,
            domains: ["webcredentials:shiny.example.com"], date: 1)
    }

    private func source(_ standing: AppStanding) -> VerifiedApp.Source? {
        if case .known(let app) = standing { app.source } else { nil }
    }

    private func isRefused(_ standing: AppStanding, _ word: String = "") -> Bool {
        guard case .refused(let reason) = standing else { return false }
        return !reason.isEmpty && (word.isEmpty || reason.contains(word))
    }

    private func isUnknown(_ standing: AppStanding) -> Bool {
        if case .unknown = standing { true } else { false }
    }

    private let mine = CallerProgram.Standing.changeable("/home/me belongs to user 1000")

    // MARK: Root's word

    @Test("S21: a root-owned executable with a root-owned entitlement file is that app")
    func systemAppIsKnown() throws {
        let standing = AppPolicy.standing(of: caller(), grounds([try claim("/usr/bin/shiny")]))
        #expect(source(standing) == .system)
    }

    @Test("S21: a program that others can change and that states another app's identifier gets nothing")
    func userWritableClaimantIsRefused() throws {
        let program = caller("/home/me/shiny", standing: mine)
        let standing = AppPolicy.standing(
            of: program, grounds([try claim("/usr/bin/shiny")], beside: try entitlement()))
        #expect(isRefused(standing, "/usr/bin/shiny claims"))
    }

    @Test("S21: a claim that does not count takes nothing from the app that has one")
    func impostorDoesNotHarmTheApp() throws {
        let standing = AppPolicy.standing(
            of: caller(),
            grounds([try claim("/usr/bin/shiny")], decisions: [decision("/home/me/shiny", isAllowed: false)]))
        #expect(source(standing) == .system)
    }

    @Test("S21: of two claimants that count neither is the app")
    func twoClaimantsAreBothRefused() throws {
        let claims = [
            try claim("/usr/bin/shiny"), try claim("/usr/bin/shinier", file: "/etc/latchkey/apps/S.entitlements"),
        ]
        for path in ["/usr/bin/shiny", "/usr/bin/shinier"] {
            #expect(isRefused(AppPolicy.standing(of: caller(path), grounds(claims)), "claims"))
        }
        let flatpak = AppClaim(subject: .flatpak("com.example.Shiny"), entitlement: try entitlement(), file: "/f")
        #expect(
            isRefused(AppPolicy.standing(of: caller(), grounds([try claim("/usr/bin/shiny"), flatpak])), "flatpak"))
    }

    @Test("S21: the user's word and root's word for one identifier refuse both")
    func grantAndSystemAreBothRefused() throws {
        let said = [decision("/home/me/shiny")]
        let claims = [try claim("/usr/bin/shiny")]
        #expect(isRefused(AppPolicy.standing(of: caller(), grounds(claims, decisions: said)), "you have said"))
        let program = caller("/home/me/shiny", standing: mine)
        #expect(isRefused(AppPolicy.standing(of: program, grounds(claims, decisions: said)), "claims"))
    }

    @Test("S21: one executable with two identifiers is not an app")
    func twoIdentifiersAreRefused() throws {
        let claims = [try claim("/usr/bin/shiny"), try claim("/usr/bin/shiny", Self.other)]
        #expect(isRefused(AppPolicy.standing(of: caller(), grounds(claims)), "several files"))
    }

    @Test("S21: an executable that is root's no more is not an app")
    func changeableExecutableIsRefused() throws {
        let standing = AppPolicy.standing(of: caller(standing: mine), grounds([try claim("/usr/bin/shiny")]))
        #expect(isRefused(standing, "no longer belongs to root"))
    }

    @Test("S26: code of somebody else in a program of root's is not an app")
    func foreignCodeIsRefused() throws {
        let program = caller(foreignCode: "/home/me/preloaded.so")
        #expect(isRefused(AppPolicy.standing(of: program, grounds([try claim("/usr/bin/shiny")])), "preloaded.so"))
        let said = grounds(decisions: [decision("/usr/bin/shiny")], beside: try entitlement())
        #expect(source(AppPolicy.standing(of: caller(), said)) == .user)
        #expect(isRefused(AppPolicy.standing(of: program, said), "preloaded.so"))
    }

    @Test("S21: the user's no holds for what root installs, whatever its version")
    func refusedSystemApp() throws {
        let said = [decision("/usr/bin/shiny", digest: "", isAllowed: false)]
        #expect(isRefused(AppPolicy.standing(of: caller(), grounds([try claim("/usr/bin/shiny")], decisions: said))))
    }

    // MARK: Interpreters

    @Test("S21: an interpreter is not an app, whoever vouches for it")
    func interpretersAreNobody() throws {
        let program = caller("/usr/bin/python3.11", interpreter: "python3.11 runs code that others wrote")
        let claims = [try claim("/usr/bin/python3.11")]
        #expect(isRefused(AppPolicy.standing(of: program, grounds(claims)), "interpreters"))
        let said = [decision("/usr/bin/python3.11")]
        #expect(isRefused(AppPolicy.standing(of: program, grounds(decisions: said)), "interpreters"))
        #expect(isRefused(AppPolicy.standing(of: program, grounds(beside: try entitlement())), "interpreters"))
    }

    // MARK: The user's word

    @Test("S21: an unknown program that states an app is asked about, not believed")
    func unknownIsAskedAbout() throws {
        let program = caller("/home/me/shiny", standing: mine)
        #expect(isUnknown(AppPolicy.standing(of: program, grounds(beside: try entitlement()))))
    }

    @Test("S21: a program that states nothing is nobody")
    func noClaimIsRefused() {
        #expect(isRefused(AppPolicy.standing(of: caller(), grounds()), "states no"))
        #expect(isRefused(AppPolicy.standing(of: caller("/home/me/shiny", standing: mine), grounds()), "states no"))
    }

    @Test("S21: what the user said yes to is known, without any statement of its own too")
    func grantIsKnown() throws {
        let program = caller("/home/me/shiny", standing: mine)
        let said = [decision("/home/me/shiny")]
        #expect(source(AppPolicy.standing(of: program, grounds(decisions: said))) == .user)
        #expect(source(AppPolicy.standing(of: program, grounds(decisions: said, beside: try entitlement()))) == .user)
    }

    @Test("S21: what the user said no to is not asked about again")
    func refusalIsRemembered() throws {
        let program = caller("/home/me/shiny", standing: mine)
        let said = [decision("/home/me/shiny", isAllowed: false)]
        #expect(isRefused(AppPolicy.standing(of: program, grounds(decisions: said, beside: try entitlement()))))
    }

    @Test("S21: a file that changed is asked about again, after a yes and after a no", arguments: [true, false])
    func changedDigestIsUnknown(isAllowed: Bool) throws {
        let program = caller("/home/me/shiny", digest: "d2", standing: mine)
        let said = [decision("/home/me/shiny", isAllowed: isAllowed)]
        let standing = AppPolicy.standing(of: program, grounds(decisions: said, beside: try entitlement()))
        #expect(isUnknown(standing))
    }

    @Test("S21: a program that states something else than the user agreed to is asked about again")
    func changedStatementIsUnknown() throws {
        let program = caller("/home/me/shiny", standing: mine)
        let said = [decision("/home/me/shiny")]
        let elsewhere = AppEntitlement(
            identifier: try #require(AppIdentifier(Self.shiny)), domains: ["webcredentials:bank.example.com"])
        #expect(isUnknown(AppPolicy.standing(of: program, grounds(decisions: said, beside: elsewhere))))
        let renamed = try entitlement(Self.other)
        #expect(isUnknown(AppPolicy.standing(of: program, grounds(decisions: said, beside: renamed))))
    }

    @Test("S21: the same file at another path is another program")
    func otherPathIsUnknown() throws {
        let program = caller("/home/me/copy", standing: mine)
        let said = [decision("/home/me/shiny", isAllowed: false)]
        #expect(isUnknown(AppPolicy.standing(of: program, grounds(decisions: said, beside: try entitlement()))))
        #expect(
            isRefused(
                AppPolicy.standing(
                    of: program, grounds(decisions: [decision("/home/me/shiny")], beside: try entitlement())),
                "you have said"))
    }

    // MARK: Sandboxes

    @Test("S21: in a sandbox it is the sandbox that counts, and what its deployment states")
    func sandboxes() throws {
        let flatpak = CallerIdentity.Sandbox.flatpak(identifier: "com.example.Shiny", instance: "1", deployment: "/d")
        let mine = AppClaim(subject: .flatpak("com.example.Shiny"), entitlement: try entitlement(), file: "/d/f")
        let program = caller("/d/bin/shiny", interpreter: "it has libpython", sandbox: flatpak)
        #expect(source(AppPolicy.standing(of: program, grounds(sandboxed: .success(mine)))) == .flatpak)
        let snap = AppClaim(subject: .snap("shiny"), entitlement: try entitlement(), file: "/d/f")
        #expect(source(AppPolicy.standing(of: program, grounds(sandboxed: .success(snap)))) == .snap)
        let own = caller("/home/me/shiny", standing: .changeable("/home/me belongs to user 1000"), sandbox: flatpak)
        #expect(isRefused(AppPolicy.standing(of: own, grounds(sandboxed: .success(mine))), "not belong to the app"))
        #expect(isRefused(AppPolicy.standing(of: program, grounds(sandboxed: .success(nil)))))
        #expect(isRefused(AppPolicy.standing(of: program, grounds(sandboxed: .failure(.init(reason: "no"))))))
        #expect(isRefused(AppPolicy.standing(of: program, grounds())))
        // What stands beside the program, and what the user said of its path, is another app's business.
        #expect(isRefused(AppPolicy.standing(of: program, grounds(beside: try entitlement()))))
        #expect(isRefused(AppPolicy.standing(of: program, grounds([try claim("/d/bin/shiny")]))))
        let both = grounds([try claim("/usr/bin/shiny")], sandboxed: .success(mine))
        #expect(isRefused(AppPolicy.standing(of: program, both), "/usr/bin/shiny"))
    }
}
