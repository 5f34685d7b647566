// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ChildProcesses
import Foundation
import Glibc
import ProcessTesting
import Testing

@testable import AutoFillIPC

@Suite struct PeerProcessTests {
    /// A process that connects to a socket of ours, says a byte, and lives until it is ended.
    final class Visitor: Sendable {
        let process: Int32
        let socket: Int32

        init(_ folder: TemporaryFolder) throws {
            let path = folder.path + "/visit.sock"
            let listening = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            defer { close(listening) }
            try #require(UnixAddress.bind(listening, path) && listen(listening, 1) == 0)
            let script = """
                import socket, sys, time
                s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.send(b"x"); time.sleep(600)
                """
            let started = ChildProcess.spawn("/usr/bin/python3", arguments: ["-c", script, path], descriptors: [])
            process = try #require(started)
            socket = accept(listening, nil, nil)
            var byte: UInt8 = 0
            try #require(read(socket, &byte, 1) == 1, "errno \(errno) on \(socket)")
        }

        /// Ends the process and waits until it is gone.
        func end() {
            kill(process, SIGKILL)
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        }

        deinit {
            close(socket)
        }
    }

    @Test("S25: the kernel names the process at the other end, its user and its executable")
    func kernelNamesTheProcess() throws {
        let pair = SocketPair()
        defer { close(pair.near) }
        let peer = try #require(PeerProcess(socket: pair.near))
        #expect(peer.process == getpid())
        #expect(peer.user == geteuid())
        #expect(peer.isAlive)
        let own = try #require(PeerProcess.Executable(path: "/proc/self/exe"))
        #expect(peer.executable?.isSameFile(as: own) == true)
        #expect(peer.executable?.path == targetOfSymbolicLink("/proc/self/exe"))
    }

    @Test("S25: the parent is who started the process", .tags(.startsProcess))
    func parentIsWhoStartedTheProcess() throws {
        let visitor = try Visitor(TemporaryFolder())
        defer { visitor.end() }
        let peer = try #require(PeerProcess(socket: visitor.socket))
        #expect(peer.process == visitor.process)
        let parent = try #require(PeerProcess(parentOf: peer))
        #expect(parent.process == getpid())
        #expect(parent.user == geteuid())
        #expect(parent.executable?.path == targetOfSymbolicLink("/proc/self/exe"))
    }

    @Test("S25: a process that has ended gives nothing, whoever has its number now", .tags(.startsProcess))
    func processThatHasEndedGivesNothing() throws {
        let visitor = try Visitor(TemporaryFolder())
        let peer = try #require(PeerProcess(socket: visitor.socket))
        #expect(peer.executable != nil)
        visitor.end()
        #expect(!peer.isAlive)
        #expect(peer.executable == nil)
        #expect(PeerProcess(parentOf: peer) == nil)
        // Newer kernels still name it, older ones do not.
        let late = PeerProcess(socket: visitor.socket)
        #expect(late?.isAlive != true)
        #expect(late?.executable == nil)
    }

    @Test func whatIsNoSocketGivesNothing() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        #expect(PeerProcess(socket: ends[0]) == nil)
        #expect(PeerProcess(socket: -1) == nil)
    }

    @Test("S25: an executable is the file, not its path")
    func executableIsTheFileNotItsPath() throws {
        let folder = try TemporaryFolder()
        let (first, second, link) = (folder.path + "/a", folder.path + "/b", folder.path + "/c")
        try #require(FileManager.default.createFile(atPath: first, contents: Data("x".utf8)))
        try #require(FileManager.default.createFile(atPath: second, contents: Data("x".utf8)))
        try #require(Glibc.link(first, link) == 0)
        let executable = try #require(PeerProcess.Executable(path: first))
        #expect(PeerProcess.Executable(path: link).map(executable.isSameFile) == true)
        #expect(PeerProcess.Executable(path: second).map(executable.isSameFile) == false)
    }

    @Test(arguments: ["/", "/nonexistent", "", "/dev/null"])
    func whatIsNoRegularFileIsNoExecutable(path: String) {
        #expect(PeerProcess.Executable(path: path) == nil)
    }

    @Test(
        "S25: root's file that others may write is not root's",
        arguments: [
            (0o755, true), (0o700, true), (0o775, false), (0o757, false), (0o777, false),
        ] as [(mode_t, Bool)])
    func fileThatOthersMayWriteIsNotRoots(mode: mode_t, isRootOwned: Bool) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a"
        try #require(FileManager.default.createFile(atPath: path, contents: nil))
        try #require(chmod(path, mode) == 0)
        #expect(PeerProcess.Executable(path: path)?.isRootOwned == (isRootOwned && geteuid() == 0))
    }
}
