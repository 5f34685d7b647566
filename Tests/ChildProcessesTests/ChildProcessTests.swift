// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ChildProcesses
import Foundation
import Glibc
import ProcessTesting
import Testing

@Suite(.tags(.startsProcess)) struct ChildProcessTests {
    /// What a shell command prints, started with nothing but a pipe as its output.
    private func output(_ command: String, environment: [String: String]? = nil) throws -> String {
        var ends: [Int32] = [0, 0]
        try #require(pipe2(&ends) == 0)
        let started = ChildProcess.spawn(
            "/bin/sh", arguments: ["-c", command], descriptors: [(ends[1], 1)], environment: environment)
        let process = try #require(started)
        close(ends[1])
        let text = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true).readDataToEndOfFile()
        var status: Int32 = 0
        waitpid(process, &status, 0)
        return String(decoding: text, as: UTF8.self)
    }

    /// A pipe that closes on exec.
    private func pipe2(_ ends: inout [Int32]) -> Int32 {
        guard pipe(&ends) == 0 else { return -1 }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return 0
    }

    @Test func environmentIsExactlyWhatWasGiven() throws {
        let text = try output("/usr/bin/env", environment: ["A": "1", "B": "x y"])
        let names = Set(text.split(separator: "\n").map(String.init))
        #expect(names.isSuperset(of: ["A=1", "B=x y"]))
        #expect(
            names.subtracting(["A=1", "B=x y"]).allSatisfy {
                $0.hasPrefix("PWD=") || $0.hasPrefix("SHLVL=") || $0.hasPrefix("_=")
            })
    }

    @Test func nothingButTheNamedDescriptorsIsPassedOn() throws {
        // One of a library, which does not close on exec.
        let stray = fcntl(STDERR_FILENO, F_DUPFD, 40)
        defer { close(stray) }
        let text = try output("for f in 0 1 2 3 4 5 6 7 8 9 \(stray); do [ -e /proc/$$/fd/$f ] && echo $f; done; true")
        #expect(text == "0\n1\n2\n")
    }

    @Test func standardInputIsEmpty() throws {
        #expect(try output("cat; echo end") == "end\n")
    }

    @Test func whatThisProcessIgnoresTheProgramDoesNot() throws {
        let old = signal(SIGUSR2, SIG_IGN)
        defer { signal(SIGUSR2, old) }
        let line = try output("grep SigIgn /proc/self/status")
        let digits = line.split(separator: "\t").last?.dropLast() ?? ""
        let ignored = try #require(UInt64(digits, radix: 16))
        // Signals 32 and 33 are the C library's own.
        #expect(ignored & 0x7FFF_FFFF == 0)
    }

    @Test(arguments: ["/nonexistent", "/", "/etc/passwd", ""])
    func programThatCannotBeStartedGivesNothing(program: String) {
        #expect(ChildProcess.spawn(program, arguments: [], descriptors: []) == nil)
    }

    @Test func descriptorsMayTradePlaces() throws {
        let (a, b) = (try descriptor(holding: "a"), try descriptor(holding: "b"))
        var ends: [Int32] = [0, 0]
        try #require(pipe2(&ends) == 0)
        let started = ChildProcess.spawn(
            "/bin/sh", arguments: ["-c", "cat /proc/self/fd/\(b) /proc/self/fd/\(a)"],
            descriptors: [(a, b), (b, a), (ends[1], 1)])
        let process = try #require(started)
        for descriptor in [a, b, ends[1]] { close(descriptor) }
        let text = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true).readDataToEndOfFile()
        var status: Int32 = 0
        waitpid(process, &status, 0)
        #expect(String(decoding: text, as: UTF8.self) == "ab")
    }

    /// A program that bubblewrap has not yet given a death signal must not outlive it.
    @Test func groupIsKilledWithAllThatItsLeaderStarted() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe2(&ends) == 0)
        let started = ChildProcess.spawn(
            "/bin/sh", arguments: ["-c", "sleep 600 & echo; wait"], descriptors: [(ends[1], 1)], isNewGroup: true)
        let process = try #require(started)
        close(ends[1])
        let output = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        #expect(try output.read(upToCount: 1) == Data("\n".utf8))
        ChildProcess.killGroup(process)
        var status: Int32 = 0
        waitpid(process, &status, 0)
        // The pipe ends with the last process that holds its other end.
        var polled = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
        #expect(poll(&polled, 1, 20_000) == 1 && polled.revents & Int16(POLLHUP) != 0)
    }

    /// A descriptor from which a text can be read, and then its end.
    private func descriptor(holding text: String) throws -> Int32 {
        var ends: [Int32] = [0, 0]
        try #require(pipe2(&ends) == 0)
        defer { close(ends[1]) }
        try #require(write(ends[1], text, text.utf8.count) == text.utf8.count)
        return ends[0]
    }

    @Test func waitsNoLongerThanTheLimit() throws {
        func start(_ command: String) throws -> Int32 {
            try #require(
                ChildProcess.spawn("/bin/sh", arguments: ["-c", command], descriptors: [], isNewGroup: true))
        }
        #expect(ChildProcess.wait(for: try start("exit 3"), limit: .seconds(60)) == 3 << 8)
        let endless = try start("sleep 600; exit 0")
        #expect(ChildProcess.wait(for: endless, limit: .milliseconds(50)) == nil)
        #expect(waitpid(endless, nil, WNOHANG) == -1 && errno == ECHILD)
    }
}
