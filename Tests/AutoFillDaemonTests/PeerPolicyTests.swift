// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import Foundation
import Testing

@testable import AutoFillDaemon
@testable import DaemonTesting

@Suite struct PeerPolicyTests {
    /// Programs as files: a policy looks at nothing but files and the user.
    private enum Program: String, CaseIterable {
        case latchkey
        case app = "latchkey-app"
        case host = "latchkey-browser-host"
        case daemon = "latchkeyd"
        case provider = "latchkey-passwords"
        case login = "latchkey-login"
        case git = "git-credential-latchkey"
        case desktop = "latchkey-desktop"
        case browser, added, stranger
    }

    private let folder: TemporaryFolder
    private let policy: PeerPolicy

    init() throws {
        folder = try TemporaryFolder()
        for program in Program.allCases { try folder.write(program.rawValue, to: program.rawValue, mode: 0o700) }
        policy = PeerPolicy(
            user: 1000, folder: folder.path,
            peers: PeersFile(browsers: [folder.path + "/browser"], settings: [folder.path + "/added", "/nonexistent"]))
    }

    private func role(
        user: UInt32 = 1000, _ program: Program?, parent: Program? = nil, isSandboxed: Bool = false
    ) throws -> PeerRole {
        func executable(_ program: Program) throws -> PeerProcess.Executable {
            try #require(PeerProcess.Executable(path: folder.path + "/" + program.rawValue))
        }
        return policy.role(
            of: .init(
                user: user, executable: try program.map(executable), parent: try parent.map(executable),
                sharesNamespaces: !isSandboxed))
    }

    private func isRefused(_ role: PeerRole) -> Bool {
        if case .none = role { true } else { false }
    }

    @Test("S25: the command line and the app of the daemon's own folder, and what the user added, have settings")
    func ownCommandLineHasSettings() throws {
        for parent in [nil, Program.browser, .stranger, .host] {
            #expect(try role(.latchkey, parent: parent) == .settings)
            #expect(try role(.app, parent: parent) == .settings)
            #expect(try role(.added, parent: parent) == .settings)
        }
    }

    @Test("S25: the role of a login is root's, whatever runs, and nobody else's")
    func loginIsRoots() throws {
        for program in Program.allCases { #expect(try role(user: 0, program) == .login) }
        #expect(try role(user: 0, nil) == .login)
        #expect(try role(.login) == .client)
        #expect(isRefused(try role(user: 1001, .login)))
        #expect(isRefused(try role(user: 65534, .latchkey)))
    }

    @Test("S25: where the user is root, the program that the PAM module starts has the role of a login")
    func loginOfRoot() throws {
        let policy = PeerPolicy(user: 0, folder: folder.path, peers: PeersFile())
        func role(_ program: Program) throws -> PeerRole {
            policy.role(
                of: .init(
                    user: 0, executable: PeerProcess.Executable(path: folder.path + "/" + program.rawValue),
                    parent: nil, sharesNamespaces: true))
        }
        #expect(try role(.login) == .login)
        #expect(try role(.latchkey) == .settings)
        #expect(try role(.stranger) == .client)
    }

    @Test("S25, S34: the host has a browser's role where a known browser started it")
    func hostOfAKnownBrowser() throws {
        #expect(try role(.host, parent: .browser) == .browser)
    }

    @Test("S25, S34: a host that anything else started has no role")
    func hostByHandIsRefused() throws {
        for parent in Program.allCases where parent != .browser {
            #expect(isRefused(try role(.host, parent: parent)))
        }
        #expect(isRefused(try role(.host, parent: nil)))
    }

    @Test("S25, S34: another program may ask as an app and nothing else, whoever started it")
    func anotherProgramIsAClient() throws {
        for program in [Program.daemon, .provider, .browser, .stranger] {
            for parent in [nil] + Program.allCases.map(Optional.some) {
                #expect(try role(program, parent: parent) == .client)
            }
        }
    }

    @Test("S25: in a sandbox no program of Latchkey's has its role, and any other may ask as an app")
    func sandboxedProgramsHaveNoRole() throws {
        for program in [Program.latchkey, .app, .added, .git, .desktop] {
            #expect(!isRefused(try role(program)))
            #expect(isRefused(try role(program, isSandboxed: true)))
        }
        #expect(isRefused(try role(.host, parent: .browser, isSandboxed: true)))
        #expect(try role(.stranger, isSandboxed: true) == .client)
        #expect(try role(user: 0, .login, isSandboxed: true) == .login)
    }

    @Test("S25: a host that a service started has a browser behind it only outside of a sandbox")
    func sandboxedServiceStartsNoHosts() throws {
        let launched = LaunchedBrowsers(
            folder: folder.path, peers: PeersFile(launchers: [folder.path + "/stranger"]),
            sandboxed: SandboxedBrowsers(
                user: 1000, folder: folder.path, sandboxes: SandboxReader(runtime: folder.path, user: 1000)))
        for sharesNamespaces in [true, false] {
            let facts = PeerPolicy.Facts(
                user: 1000, executable: .init(path: folder.path + "/latchkey-browser-host"),
                parent: .init(path: folder.path + "/stranger"), sharesNamespaces: sharesNamespaces)
            #expect(launched.isLaunched(facts) == sharesNamespaces)
        }
    }

    @Test("S25: a program that cannot be seen has no role")
    func unseenProgramIsRefused() throws {
        #expect(isRefused(try role(nil)))
        #expect(isRefused(try role(nil, parent: .browser)))
    }

    @Test("S25: another user's process has no role, whatever it runs", arguments: [999, 1001, UInt32.max])
    func anotherUserIsRefused(user: UInt32) throws {
        for program in Program.allCases {
            #expect(isRefused(try role(user: user, program, parent: .browser)))
        }
    }

    @Test("S25: a copy of the command line is another program")
    func copyIsRefused() throws {
        let copy = folder.path + "/copy"
        try FileManager.default.copyItem(atPath: folder.path + "/latchkey", toPath: copy)
        let executable = try #require(PeerProcess.Executable(path: copy))
        #expect(
            policy.role(
                of: .init(user: 1000, executable: executable, parent: nil, sharesNamespaces: true)) == .client)
    }

    @Test func everyRefusalHasAReason() throws {
        for program in [nil] + Program.allCases.map(Optional.some) {
            if case .none(let reason) = try role(program) { #expect(!reason.isEmpty) }
        }
    }

    @Test func rolesHaveTheNamesOfTheWire() {
        #expect(PeerRole.settings.name == "settings")
        #expect(PeerRole.browser.name == "browser")
        #expect(PeerRole.client.name == "client")
        #expect(PeerRole.none("x").name == "none")
    }
}
