// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillIPC
import AutoFillRelease
import AutoFillSecrets
import Foundation
import Glibc
import ProcessTesting
import Testing

@testable import AutoFillProviders
@testable import DaemonTesting

@Suite struct IsolationTests {
    private let folder: TemporaryFolder
    private static let here = Isolation(environment: ["PATH": "/usr/bin:/bin"])

    init() throws {
        folder = try TemporaryFolder()
    }

    private func launch(
        _ script: String, _ isolation: Isolation, grants: GrantsStatement = .init()
    ) throws -> ProviderSupervisor.Launch {
        try FileManager.default.createDirectory(atPath: folder.path + "/bundle", withIntermediateDirectories: true)
        let container = folder.path + "/home/container"
        let program = try ProviderProgram.write(
            "import socket\n" + script, in: folder, name: "bundle/provider",
            notes: container)
        return .init(
            program: program, container: container,
            key: Array(0..<32 as Range<UInt8>).withUnsafeBytes { SecretBytes(copying: $0) },
            isolation: (
                isolation,
                .init(program: program, bundle: folder.path + "/bundle", folders: [container], grants: grants)
            ))
    }

    private func supervisor() -> ProviderSupervisor {
        ProviderSupervisor(
            identifier: .builtIn, environment: ["PATH": "/usr/bin:/bin", "HOME": folder.path + "/home"],
            logger: silent, limits: .init(request: .seconds(60), start: .seconds(60))
        ) { _, _, _ in .object([:]) }
    }

    private func noted(_ name: String) -> String {
        String(decoding: folder.read("home/container/" + name), as: UTF8.self)
    }

    @Test func missingBubblewrapIsSaidAndNotFailed() {
        let isolation = Isolation(environment: ["PATH": "/nonexistent"])
        // It may be where it always is.
        #expect(isolation.program != nil || isolation.reason?.isEmpty == false)
        #expect(Isolation(program: nil, reason: "x").program == nil)
    }

    /// A home with granted things in it that are what they say.
    private func home() throws -> [String: String] {
        let home = folder.path + "/home"
        let runtime = folder.path + "/runtime"
        for path in [home + "/.x", home + "/.y", home + "/.z", runtime + "/gnupg"] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        return ["HOME": home, "XDG_RUNTIME_DIR": runtime]
    }

    private func bound(_ grants: GrantsStatement, _ environment: [String: String]) -> [String] {
        Isolation(program: "/usr/bin/bwrap", reason: nil).granted(grants, environment).map(\.path)
    }

    @Test("a granted folder that became a link, or lies behind one, is not bound")
    func linkInAGrantIsNotFollowed() throws {
        let environment = try home()
        let home = folder.path + "/home"
        try FileManager.default.createSymbolicLink(atPath: home + "/.x/sub", withDestinationPath: "../..")
        try FileManager.default.createSymbolicLink(atPath: home + "/.link", withDestinationPath: "/etc")
        for path in [".x/sub", ".x/sub/.y", ".link", ".link/ssl"] {
            #expect(bound(.init(folders: [.init(path: path, write: true)]), environment) == [])
            #expect(bound(.init(sockets: ["~/" + path]), environment) == [])
        }
        #expect(bound(.init(folders: [.init(path: ".y", write: false)]), environment) == [home + "/.y"])
    }

    @Test func homeThatIsALinkIsStillTheHome() throws {
        var environment = try home()
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/linked", withDestinationPath: "home")
        environment["HOME"] = folder.path + "/linked"
        #expect(bound(.init(folders: [.init(path: ".y", write: false)]), environment) == [folder.path + "/linked/.y"])
    }

    @Test("a folder is no socket, except for the folder of several below the runtime directory")
    func folderIsNoSocket() throws {
        let environment = try home()
        #expect(bound(.init(sockets: ["~/.x"]), environment) == [])
        #expect(bound(.init(sockets: ["~/absent"]), environment) == [])
        let gnupg = "$XDG_RUNTIME_DIR/gnupg"
        #expect(bound(.init(sockets: [gnupg]), environment) == [folder.path + "/runtime/gnupg"])
        // Neither is a file a folder.
        try folder.write("x", to: "home/.x/file")
        #expect(bound(.init(folders: [.init(path: ".x/file", write: false)]), environment) == [])
    }

    @Test func onlyWhatWasGrantedIsAmongTheArguments() throws {
        let isolation = Isolation(program: "/usr/bin/bwrap", reason: nil)
        var rooms = Isolation.Rooms(program: "/b/p", bundle: "/b", folders: ["/c"])
        let environment = try home()
        let home = folder.path + "/home"
        let bare = isolation.arguments(for: rooms, environment: environment)
        #expect(bare.contains("--unshare-all") && !bare.contains("--share-net"))
        #expect(!bare.contains { $0.hasSuffix("latchkey-enter") })
        #expect(!bare.contains { $0.hasPrefix(home + "/") })
        #expect(bare.suffix(2) == ["--", "/b/p"])
        rooms.grants = .init(
            network: true, folders: [.init(path: ".x", write: false), .init(path: ".y", write: true)],
            sockets: ["$XDG_RUNTIME_DIR/gnupg"])
        let places = isolation.granted(rooms.grants, environment).enumerated().map { ($1, Int32($0) + 5) }
        let granted = isolation.arguments(for: rooms, environment: environment, channel: 4, granted: places)
        // What is granted is a way out, never this computer's network.
        #expect(!granted.contains("--share-net"))
        #expect(granted.suffix(5) == ["--", "/latchkey-enter", "listen", "4", "/b/p"])
        for part in [
            ["--ro-bind-fd", "5", home + "/.x"], ["--bind-fd", "6", home + "/.y"],
            ["--bind-fd", "7", folder.path + "/runtime/gnupg"],
        ] {
            #expect(granted.indices.contains { granted[$0...].starts(with: part) })
        }
        // The home is emptied before anything of it is put back.
        let emptied = granted.firstIndex(of: home) ?? .max
        #expect(emptied < granted.firstIndex(of: home + "/.x") ?? .min)
    }

    @Test("S39: what is shown is what was looked at, and no bubblewrap without that way is given anything")
    func placeIsHeldOpen() throws {
        let environment = try home()
        let grants = GrantsStatement(folders: [.init(path: ".x", write: false)])
        let place = try #require(
            Isolation(program: "/usr/bin/bwrap", reason: nil).granted(grants, environment).first)
        var before = stat()
        #expect(stat(place.path, &before) == 0)
        try FileManager.default.moveItem(atPath: folder.path + "/home/.x", toPath: folder.path + "/home/.moved")
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/home/.x", withDestinationPath: "/etc")
        var held = stat()
        #expect(fstat(place.openDescriptor, &held) == 0)
        #expect(held.st_ino == before.st_ino && held.st_dev == before.st_dev)

        let old = Isolation(
            sandbox: Sandbox(
                bubblewrap: Bubblewrap(program: "/usr/bin/bwrap", reason: "old", bindsDescriptors: false)))
        #expect(old.granted(grants, environment).isEmpty)
    }

    @Test("S39: a provider has Unix sockets only where it was given some, or shares a folder with its app")
    func socketsAreGranted() throws {
        func filter(_ grants: GrantsStatement) -> String? {
            let rooms = Isolation.Rooms(program: "/b/p", bundle: "/b", grants: grants)
            return Isolation(program: "/usr/bin/bwrap", reason: nil)
                .command(for: rooms, environment: [:], channel: nil)?.arguments.first
        }
        #expect(filter(.init()) == "network")
        #expect(filter(.init(network: true, folders: [.init(path: "a", write: true)])) == "network")
        #expect(filter(.init(sockets: ["~/a"])) == "provider")
        #expect(filter(.init(groups: ["com.example"])) == "provider")
    }

    @Test(
        "a provider sees its own folders, and neither the home, the network, other processes nor what it was not granted",
        .tags(.startsProcess),
        .enabled(if: here.program != nil, "bubblewrap does not work here: \(here.reason ?? "")"))
    func providerSeesItsOwn() async throws {
        try FileManager.default.createDirectory(
            atPath: folder.path + "/home/.secret", withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: folder.path + "/home/.mine", withIntermediateDirectories: true)
        try folder.write("canary", to: "home/.secret/file")
        try folder.write("given", to: "home/.mine/file")
        let supervisor = supervisor()
        let launch = try launch(
            """
            def sees(path):
                try: return os.path.exists(path) and (os.path.isdir(path) or open(path).read() != "")
                except OSError: return False
            def writes(path):
                try: open(path, "w").close(); return True
                except OSError: return False
            note("sees", " ".join(str(int(x)) for x in [
                sees("\(folder.path)/home/.secret/file"), sees("\(folder.path)/home/.mine/file"),
                writes("\(folder.path)/home/.mine/other"), writes("\(folder.path)/bundle/other"),
                writes("/usr/other"), sees("/etc/shadow"), sees("/etc/machine-id"), sees("/root/.profile")]))
            note("processes", str(len([p for p in os.listdir("/proc") if p.isdigit()])))
            note("interfaces", " ".join(name for _, name in socket.if_nameindex()))
            note("privileges", [l for l in open("/proc/self/status") if l.startswith("CapEff")][0].split()[1])
            began(); credential(ask()); forever()
            """, Self.here, grants: .init(folders: [.init(path: ".mine", write: false)]))
        let held = try await supervisor.provideCredential(for: .shiny, launch: launch)
        #expect(held.identity == .shiny)
        await supervisor.endAndWait()
        #expect(noted("sees") == "0 1 0 0 0 0 0 0\n")
        #expect((Int(noted("processes").dropLast()) ?? .max) <= 3)
        #expect(noted("interfaces") == "lo\n")
        #expect(Int(noted("privileges").dropLast(), radix: 16) == 0)
    }

    @Test(
        "S30: a lock waits until an isolated provider is gone, one that ignores its end too",
        .enabled(if: here.program != nil, "bubblewrap does not work here: \(here.reason ?? "")"))
    func isolatedProviderEndsWithTheLock() async throws {
        let supervisor = supervisor()
        let launch = try launch(
            """
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT): signal.signal(number, signal.SIG_IGN)
            began()
            if os.fork() == 0: forever()
            forever()
            """, Self.here)
        _ = try await supervisor.warm(launch)
        #expect(processes(of: launch.program) > 0)
        await supervisor.endAndWait(before: 1)
        #expect(processes(of: launch.program) == 0)
    }

    /// How many processes have a program's path among their arguments.
    private func processes(of program: String) -> Int {
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return numbers.filter { Int($0) != nil }.filter { number in
            let arguments = FileManager.default.contents(atPath: "/proc/\(number)/cmdline") ?? Data()
            return arguments.range(of: Data(program.utf8)) != nil
        }.count
    }
}
