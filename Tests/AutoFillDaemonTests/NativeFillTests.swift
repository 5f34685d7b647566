// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillIPC
import AutoFillMatching
import AutoFillRelease
import AutoFillSecrets
import Testing

@testable import AutoFillDaemon
@testable import DaemonTesting

/// The gate's part for native programs, and what a binding covers.
@Suite struct NativeFillTests {
    private let log: AuditLog
    private let gate: Gate
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
        log = AuditLog(folder: folder.path)
        _ = try log.open(seed: SecretBytes.random(count: 32), head: nil, isNew: true)
        gate = Gate(log: log, policy: MatchPolicy(.none)) { 1_790_000_000 }
    }

    private static func program(
        _ path: String = "/usr/bin/mail", digest: String = "d", standing: CallerProgram.Standing = .rootOwned,
        interpreter: String? = nil, foreignCode: String? = nil, sandbox: CallerIdentity.Sandbox? = nil
    ) throws(CallerRefusal) -> VerifiedProgram {
        try ProgramPolicy.verified(
            CallerIdentity(
                process: 1,
                program: CallerProgram(
                    path: path, digest: digest, standing: standing, interpreter: interpreter, foreignCode: foreignCode),
                sandbox: sandbox, unit: nil))
    }

    private let credential = HeldCredential(
        identity: CredentialIdentity(
            type: .password, service: .init(written: "mail.example.com"), user: "me", recordIdentifier: "r1"),
        provider: .builtIn, password: HeldSecret(WireSecret(SecretBytes(utf8: "canary"))))

    private static func binding(
        to program: VerifiedProgram, record: String = "r1", user: String = "me", service: String = "mail.example.com"
    ) -> ProgramBinding {
        ProgramBinding(
            to: program, package: nil, provider: BundleIdentifier.builtIn.rawValue, record: record, service: service,
            user: user, date: 1)
    }

    private func release(
        to program: VerifiedProgram, confirmed: VerifiedProgram?, on ground: NativeFill.Ground, before: Bool = true,
        surface: UserAct.Surface = .panel, authentication: UserAct.Authentication = .recent
    ) throws -> String {
        try gate.release(
            credential,
            for: NativeFill(chosen: program, confirmed: confirmed, on: ground, wasReleasedBefore: before),
            act: ActSpec(
                surface: surface, requirement: .nothing, isSatisfied: true, authentication: authentication)
        ).bytes.text
    }

    @Test func boundProgramGetsIt() throws {
        let program = try Self.program()
        let binding = Self.binding(to: program)
        #expect(try release(to: program, confirmed: program, on: .binding(binding)) == "canary")
    }

    @Test("S21: a program that is another one, or gone, by the time of the release gets nothing")
    func replacedProgram() throws {
        let program = try Self.program()
        let binding = Self.binding(to: program)
        for confirmed in [nil, try Self.program(digest: "other"), try Self.program("/usr/bin/other")] {
            #expect(throws: WireError.self) {
                try release(to: program, confirmed: confirmed, on: .binding(binding))
            }
        }
    }

    @Test func firstReleaseTakesThePassphrase() throws {
        let program = try Self.program()
        let binding = Self.binding(to: program)
        for authentication in [
            UserAct.Authentication.recent, .pin, .recentPIN, .notAsked, .remembered, .provider, .fingerprint,
        ] {
            #expect(throws: WireError.self) {
                try release(
                    to: program, confirmed: program, on: .binding(binding), before: false,
                    authentication: authentication)
            }
        }
        #expect(
            try release(
                to: program, confirmed: program, on: .binding(binding), before: false, authentication: .passphrase)
                == "canary")
    }

    @Test func choiceWithoutAgreementIsRefused() throws {
        let program = try Self.program()
        #expect(throws: WireError.self) {
            try release(to: program, confirmed: program, on: .choice, surface: .window, authentication: .passphrase)
        }
    }

    @Test(arguments: [UserAct.Surface.bar, .popup, .terminal])
    func otherSurfacesAreRefused(surface: UserAct.Surface) throws {
        let program = try Self.program()
        let binding = Self.binding(to: program)
        #expect(throws: WireError.self) {
            try release(to: program, confirmed: program, on: .binding(binding), surface: surface)
        }
    }

    @Test func bindingIsForOneAccountOfOneProgram() throws {
        let program = try Self.program()
        let other = try Self.program("/usr/bin/other")
        let bindings = [
            Self.binding(to: other), Self.binding(to: program, record: "r2"), Self.binding(to: program, user: "you"),
            Self.binding(to: program, service: "other.example.com"),
        ]
        for binding in bindings {
            #expect(throws: WireError.self) { try release(to: program, confirmed: program, on: .binding(binding)) }
        }
    }

    @Test func bindingOfRootsProgramLastsThroughUpdatesAndOfAnOthersDoesNot() throws {
        let (old, new) = (try Self.program(digest: "old"), try Self.program(digest: "new"))
        #expect(Self.binding(to: old).covers(new))
        let changeable = CallerProgram.Standing.changeable("by the user")
        let (mine, mineChanged) = (
            try Self.program("/home/me/mail", digest: "old", standing: changeable),
            try Self.program("/home/me/mail", digest: "new", standing: changeable)
        )
        #expect(Self.binding(to: mine).covers(mine))
        #expect(!Self.binding(to: mine).covers(mineChanged))
        // A path at which root's program was, and now anybody's is.
        #expect(!Self.binding(to: old).covers(try Self.program(standing: changeable)))
    }

    @Test func programOfOthersCodeIsNone() {
        #expect(throws: CallerRefusal.self) { try Self.program(interpreter: "it is python") }
        #expect(throws: CallerRefusal.self) { try Self.program(foreignCode: "/tmp/evil.so") }
        #expect(throws: CallerRefusal.self) {
            try Self.program(
                standing: .changeable("by the user"),
                sandbox: .flatpak(identifier: "org.example.Mail", instance: "1", deployment: "/x"))
        }
    }

    @Test(arguments: ["zenity", "yad", "kdialog"]) func dialogToolsAreKnown(name: String) throws {
        #expect(try Self.program("/usr/bin/" + name).isDialogTool)
        #expect(try !Self.program("/usr/bin/mail").isDialogTool)
    }

    @Test(arguments: [
        "/usr/lib/chromium/chromium", "/opt/elsewhere/firefox", "/usr/bin/pinentry-gnome3", "/usr/bin/keepassxc",
        "/usr/lib/policykit-1-gnome/polkit-gnome-authentication-agent-1", "/usr/bin/i3lock", "/usr/bin/xterm",
        "/usr/bin/xdg-dbus-proxy", "/opt/latchkey/latchkey", "/opt/latchkey/any", "/usr/bin/latchkey-app",
    ])
    func untouchedProgramsAreRefused(path: String) {
        #expect(UntouchedPrograms.reason(path, ownFolder: "/opt/latchkey") != nil)
    }

    @Test(arguments: ["/usr/bin/claws-mail", "/usr/bin/filezilla", "/opt/chromium/electron-app", "/usr/bin/zenity"])
    func othersAreNot(path: String) {
        #expect(UntouchedPrograms.reason(path, ownFolder: "/opt/latchkey") == nil)
    }
}
