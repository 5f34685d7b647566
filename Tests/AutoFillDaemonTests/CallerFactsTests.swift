// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillRelease
import ChildProcesses
import Foundation
import Glibc
import ProcessTesting
import ShownText
import Testing

@testable import AutoFillDaemon
@testable import AutoFillProviders
@testable import DaemonTesting

@Suite struct CallerFactsTests {
    // MARK: Flatpak

    private static let info = """
        [Application]
        name=com.example.Shiny
        runtime=runtime/org.gnome.Platform/x86_64/46

        [Instance]
        instance-id=2084718592
        app-path=/var/lib/flatpak/app/com.example.Shiny/x86_64/stable/0123abcd/files
        runtime-path=/var/lib/flatpak/runtime/org.gnome.Platform/x86_64/46/4567/files
        """

    @Test func flatpakInfoIsRead() throws {
        let info = try #require(FlatpakInfo(Self.info))
        #expect(info.name == "com.example.Shiny")
        #expect(info.instance == "2084718592")
        #expect(info.isDeployed)
        #expect(info.runtimePath == "/var/lib/flatpak/runtime/org.gnome.Platform/x86_64/46/4567/files")
    }

    @Test(
        "S21: what flatpak would not write names no app",
        arguments: [
            "", "[Application]\nname=com.example.Shiny\n", info.replacingOccurrences(of: "name=com", with: "name="),
            info.replacingOccurrences(of: "com.example.Shiny\nruntime", with: "../Shiny\nruntime"),
            info.replacingOccurrences(of: "2084718592", with: "../1"),
            info.replacingOccurrences(of: "2084718592", with: ""),
            info.replacingOccurrences(of: "app-path=/var", with: "app-path=var"),
            info.replacingOccurrences(of: "/stable/", with: "/../"),
            info + "\n[Application]\nname=com.example.Other\n",
        ])
    func flatpakInfoIsRefused(text: String) {
        #expect(FlatpakInfo(text) == nil)
    }

    @Test(
        "S21: files that lie elsewhere than an installation puts them are no deployment",
        arguments: [
            "/home/me/files", "/var/lib/flatpak/app/com.example.Other/x86_64/stable/01/files",
            "/var/lib/flatpak/app/com.example.Shiny/x86_64/stable/01", "/files",
        ])
    func otherPlaces(path: String) throws {
        let text = Self.info.replacingOccurrences(
            of: "/var/lib/flatpak/app/com.example.Shiny/x86_64/stable/0123abcd/files", with: path)
        #expect(try #require(FlatpakInfo(text)).isDeployed == false)
    }

    @Test("S21: no text of a sandbox's, and no line of a process's, crashes who reads it")
    func anyText() {
        var generator = SystemRandomNumberGenerator()
        let letters = Array("[]=/#\n \t.-_0aZ\u{0}é" + "xrp ")
        for _ in 0..<3_000 {
            var text = Self.info
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let offset = Int.random(in: 0..<text.count, using: &generator)
                let place = text.index(text.startIndex, offsetBy: offset)
                let letter = letters.randomElement(using: &generator) ?? "x"
                if Bool.random(using: &generator) { text.remove(at: place) } else { text.insert(letter, at: place) }
            }
            if let info = FlatpakInfo(text) { #expect(info.appPath.hasPrefix("/") && !info.name.contains("/")) }
            let line = String((0..<Int.random(in: 0...40)).map { _ in letters.randomElement() ?? "x" })
            _ = PeerProcess.MappedFile(line: line[...])
            _ = ControlGroup.snap(line)
            _ = SandboxReader.snap(label: line)
            _ = InterpreterPolicy.isNamed(line)
        }
    }

    // MARK: Snap and systemd

    @Test func snapsAreReadFromLabelAndGroup() {
        #expect(SandboxReader.snap(label: "snap.shiny.app (enforce)").map { [$0.name, $0.app] } == ["shiny", "app"])
        let scope = "/user.slice/user-1000.slice/app.slice/snap.shiny.app-0aa1b2c3-1111-2222-3333-444455556666.scope"
        #expect(ControlGroup.snap(scope).map { [$0.name, $0.app] } == ["shiny", "app"])
        #expect(
            ControlGroup.snap("/system.slice/snap.shiny.daemon.service").map { [$0.name, $0.app] } == [
                "shiny", "daemon",
            ])
    }

    @Test(
        "S21: a label that confines nothing, or is no snap's, names no snap",
        arguments: [
            "unconfined", "snap.shiny.app (complain)", "snap.shiny (enforce)", "snap..app (enforce)", "",
            "firefox (enforce)",
        ])
    func otherLabels(label: String) {
        #expect(SandboxReader.snap(label: label) == nil)
    }

    @Test func unitsAreForPeople() {
        #expect(ControlGroup.unit("/user.slice/app.slice/app-shiny-42.scope") == "app-shiny-42.scope")
        #expect(ControlGroup.unit("/system.slice/a.service/sub") == "a.service")
        #expect(ControlGroup.unit("/") == nil)
        #expect(ControlGroup.snap("/user.slice/app-snap.shiny.app.scope") == nil)
    }

    // MARK: Paths

    @Test("S21: a path counts as root's where every part of it is")
    func trustedPaths() throws {
        // The loader is in a place that is root's on every machine; where the tests run may be anywhere.
        let shell = try #require(FileManager.default.realPath(of: "/bin/sh"))
        #expect(TrustedPath.standing(of: shell) == .rootOwned)
        let folder = try TemporaryFolder()
        let file = try folder.write("x", to: "program")
        // /tmp is everybody's.
        #expect(TrustedPath.standing(of: file) != .rootOwned)
        #expect(TrustedPath.standing(of: "/nowhere/at/all") != .rootOwned)
        #expect(TrustedPath.standing(of: "bin/sh") != .rootOwned)
        #expect(TrustedPath.standing(of: "/usr") != .rootOwned)
        #expect(TrustedPath.standing(ofFolder: "/usr") == .rootOwned)
        #expect(TrustedPath.standing(ofFolder: shell) != .rootOwned)
    }

    @Test("S21: one part that others can write, or that is another's, is enough to lose it")
    func changeablePaths() throws {
        guard geteuid() == 0 else { return }
        let place = "/usr/local/lib/latchkey-test-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(
            atPath: place + "/inner", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        defer { try? FileManager.default.removeItem(atPath: place) }
        let file = place + "/inner/program"
        _ = FileManager.default.createFile(
            atPath: file, contents: Data("x".utf8), attributes: [.posixPermissions: 0o755])
        #expect(TrustedPath.standing(of: file) == .rootOwned)
        for (path, mode) in [(file, 0o775), (file, 0o757), (place + "/inner", 0o777), (place, 0o775)] {
            let before = try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
            chmod(path, mode_t(mode))
            #expect(TrustedPath.standing(of: file) != .rootOwned)
            chmod(path, mode_t(before))
        }
        for path in [file, place + "/inner", place] {
            chown(path, 65534, 0)
            #expect(TrustedPath.standing(of: file) != .rootOwned)
            chown(path, 0, 0)
        }
        #expect(TrustedPath.standing(of: file) == .rootOwned)
        try FileManager.default.moveItem(atPath: place + "/inner", toPath: place + "/real")
        try FileManager.default.createSymbolicLink(atPath: place + "/inner", withDestinationPath: place + "/real")
        #expect(TrustedPath.standing(of: file) != .rootOwned)
    }

    // MARK: Processes

    /// A process of a program.
    private func process(of program: String, _ arguments: [String]) throws -> (PeerProcess, Int32) {
        let child = try #require(ChildProcess.spawn(program, arguments: arguments, descriptors: []))
        return (try #require(PeerProcess(child: child)), child)
    }

    private static func own() -> PeerProcess? {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { return nil }
        defer { for end in ends { close(end) } }
        return PeerProcess(socket: ends[0])
    }

    @Test("S21: a process is named by its file, digest and the programs above it")
    func ownProcess() async throws {
        let own = try #require(Self.own())
        let inspector = CallerInspector(runtime: "/nowhere")
        let identity = try await inspector.identity(of: own)
        #expect(identity.process == getpid())
        #expect(identity.program.path == (try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")))
        #expect(identity.program.digest.count == 64)
        #expect(identity.sandbox == nil)
        #expect(await !inspector.parents(of: own).isEmpty)
        #expect(own.startTime ?? 0 > 0)
        #expect(own.mappedCode?.contains { $0.path == identity.program.path } == true)
    }

    @Test("S21: a process that runs an interpreter is told to be one", .tags(.startsProcess))
    func interpreterProcess() async throws {
        let (process, child) = try process(of: "/bin/sleep", ["30"])
        defer { end(child) }
        let sleeping = try await CallerInspector(runtime: "/nowhere").identity(of: process)
        #expect(sleeping.program.interpreter == nil || sleeping.program.path.contains("busybox"))
        let (shell, other) = try self.process(of: "/bin/sh", ["-c", "sleep 30; true"])
        defer { end(other) }
        #expect(try await CallerInspector(runtime: "/nowhere").identity(of: shell).program.interpreter != nil)
    }

    @Test("S21: a program whose file was replaced is not what its path says", .tags(.startsProcess))
    func replacedProgram() async throws {
        let folder = try TemporaryFolder()
        let program = folder.path + "/program"
        let sleep = try #require(FileManager.default.realPath(of: "/bin/sleep"))
        let install = try #require(
            ChildProcess.spawn("/usr/bin/install", arguments: ["-m", "755", sleep, program], descriptors: []))
        var status: Int32 = 0
        waitpid(install, &status, 0)
        let (process, child) = try process(of: program, ["30"])
        defer { end(child) }
        let inspector = CallerInspector(runtime: "/nowhere")
        let before = try await inspector.identity(of: process)
        #expect(before.program.path == program && !before.program.isRootOwned)
        try FileManager.default.removeItem(atPath: program)
        await #expect(throws: CallerRefusal.self) { try await inspector.identity(of: process) }
        try folder.write("another", to: "program")
        await #expect(throws: CallerRefusal.self) { try await inspector.identity(of: process) }
    }

    @Test("S21: a process that has ended is nobody", .tags(.startsProcess))
    func endedProcess() async throws {
        let (process, child) = try process(of: "/bin/sleep", ["30"])
        end(child)
        await #expect(throws: CallerRefusal.self) {
            try await CallerInspector(runtime: "/nowhere").identity(of: process)
        }
    }

    @Test("S21: a sandbox that flatpak did not make is nobody's", .tags(.startsProcess))
    func imitatedFlatpak() async throws {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/bwrap") else { return }
        let folder = try TemporaryFolder()
        let info = try folder.write(Self.info, to: "info")
        // A root of its own, with a file of the user's where flatpak puts its own.
        let own = [
            "--ro-bind", "/usr", "/usr", "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64",
            "--ro-bind", info, "/.flatpak-info", "--", "/usr/bin/sleep", "30",
        ]
        let (wrapper, child) = try process(of: "/usr/bin/bwrap", own)
        defer { end(child) }
        // bwrap itself, or its child: both have the imitation for a root once it is there.
        var refusal: CallerRefusal?
        try await eventually("the imitation is there") {
            do throws(CallerRefusal) {
                _ = try SandboxReader(runtime: folder.path, user: geteuid()).sandbox(
                    of: Self.child(of: child) ?? wrapper)
            } catch {
                refusal = error
            }
            return refusal != nil || !wrapper.isAlive
        }
        // It has ended where no sandbox can be made.
        guard wrapper.isAlive else { return }
        #expect(refusal?.reason.contains("flatpak") == true)
    }

    private static func child(of parent: Int32) -> PeerProcess? {
        let text = try? String(contentsOfFile: "/proc/\(parent)/task/\(parent)/children", encoding: .utf8)
        return text?.split(separator: " ").first.flatMap { Int32($0) }.flatMap { PeerProcess(child: $0) }
    }

    private func end(_ child: Int32) {
        kill(child, SIGKILL)
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    }
}
