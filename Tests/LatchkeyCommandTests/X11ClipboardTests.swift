// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import ChildProcesses
import Foundation
import Glibc
import ProcessTesting
import Testing

@testable import latchkey

private let hasServer = ["Xvfb", "xclip"].allSatisfy { name in
    FileManager.default.isExecutableFile(atPath: "/usr/bin/" + name)
}

/// Family S29 on a real X server, with xclip as the program that pastes. Skipped, by name, where either is missing.
@Suite(.tags(.startsProcess), .enabled(if: hasServer, "needs Xvfb and xclip"), .serialized)
struct X11ClipboardTests {
    /// A server of a test's own.
    private final class Server {
        let display: String
        private let home = TestHome()
        private let process: pid_t

        init() async throws {
            // The server chooses a free number and says which.
            let file = home.write("display", "")
            let output = open(file, O_RDWR | O_CLOEXEC)
            defer { close(output) }
            let arguments = ["-displayfd", "1", "-screen", "0", "320x240x24", "-nolisten", "tcp"]
            let started = ChildProcess.spawn("/usr/bin/Xvfb", arguments: arguments, descriptors: [(output, 1)])
            process = try #require(started)
            var text = ""
            try await eventually("the server is up") {
                text = String(decoding: FileManager.default.contents(atPath: file) ?? Data(), as: UTF8.self)
                return text.contains("\n")
            }
            display = ":" + text.filter(\.isNumber)
        }

        deinit {
            var status: Int32 = 0
            kill(process, SIGTERM)
            waitpid(process, &status, 0)
        }

        /// What another program finds on the clipboard, and the status it ends with.
        func xclip(_ arguments: String...) -> (String, Int32) {
            shell("exec timeout 30 xclip -selection clipboard \"$@\"", arguments)
        }

        /// Another program copies something.
        func copy(_ text: String) {
            _ = shell("printf %s \"$1\" | xclip -selection clipboard -in >/dev/null 2>&1", [text])
        }

        private func shell(_ command: String, _ arguments: [String]) -> (String, Int32) {
            let file = home.write("output", "")
            let output = open(file, O_RDWR | O_CLOEXEC)
            defer { close(output) }
            let process = ChildProcess.spawn(
                "/bin/sh", arguments: ["-c", command, "sh"] + arguments, descriptors: [(output, 1)],
                environment: ["DISPLAY": display, "PATH": "/usr/bin:/bin"])
            guard let process else { return ("", -1) }
            var status: Int32 = 0
            waitpid(process, &status, 0)
            return (String(decoding: FileManager.default.contents(atPath: file) ?? Data(), as: UTF8.self), status)
        }
    }

    private func copied(_ password: String, clearAfter: String, _ server: Server) async throws -> (
        FakeDaemon, CommandRun
    ) {
        let daemon = try FakeDaemon(TestHome())
        daemon.keep(1, ["a.example"], "me", password)
        let run = await daemon.home.run(
            "show", "a.example", "--copy", "--clear-after", clearAfter, adding: ["DISPLAY": server.display])
        return (daemon, run)
    }

    @Test("S29: on X11 the password is offered with the hint, and gone in time")
    func offersWithTheHint() async throws {
        let server = try await Server()
        let (daemon, run) = try await copied("x11 canary", clearAfter: "6", server)
        #expect(run.status == 0, "\(run.error)")
        #expect(server.xclip("-out").0 == "x11 canary")
        let targets = server.xclip("-out", "-target", "TARGETS").0.split(separator: "\n").map(String.init)
        #expect(targets.contains("x-kde-passwordManagerHint"))
        #expect(targets.contains("UTF8_STRING"))
        #expect(server.xclip("-out", "-target", "x-kde-passwordManagerHint").0 == "secret")
        #expect(server.xclip("-out", "-target", "image/png").1 != 0)
        try await eventually { daemon.home.clipboardHolder(clearAfter: 6) == nil }
        let (left, status) = server.xclip("-out")
        #expect(left == "")
        #expect(status != 0)
    }

    @Test("S29: on X11 a password beyond ASCII is not offered as Latin-1")
    func keepsToUTF8() async throws {
        let server = try await Server()
        let (_, run) = try await copied("schlüssel 🔑", clearAfter: "3583", server)
        #expect(run.status == 0, "\(run.error)")
        #expect(server.xclip("-out", "-target", "UTF8_STRING").0 == "schlüssel 🔑")
        #expect(server.xclip("-out", "-target", "text/plain;charset=utf-8").0 == "schlüssel 🔑")
        let targets = server.xclip("-out", "-target", "TARGETS").0.split(separator: "\n")
        #expect(!targets.contains("STRING"))
    }

    @Test("S29: on X11 what was copied since is left alone")
    func leavesOtherTextAlone() async throws {
        let server = try await Server()
        let (daemon, run) = try await copied("x11 canary", clearAfter: "5", server)
        #expect(run.status == 0, "\(run.error)")
        server.copy("something else")
        try await eventually { daemon.home.clipboardHolder(clearAfter: 5) == nil }
        #expect(server.xclip("-out").0 == "something else")
    }

    @Test("S29: on X11 a second copy takes the place of the first and outlives its time")
    func copiesTwice() async throws {
        let server = try await Server()
        let (daemon, first) = try await copied("first", clearAfter: "1", server)
        let (other, second) = try await copied("second", clearAfter: "3581", server)
        #expect(first.status == 0 && second.status == 0)
        try await eventually { daemon.home.clipboardHolder(clearAfter: 1) == nil }
        #expect(other.home.clipboardHolder(clearAfter: 3581) != nil)
        #expect(server.xclip("-out").0 == "second")
    }
}
