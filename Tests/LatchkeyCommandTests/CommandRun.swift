// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import ChildProcesses
import Foundation
import Glibc

@testable import latchkey

/// One run of the real program in folders of its own.
struct CommandRun {
    var output: String
    var error: String
    var status: Int32

    /// The folder that the tests' own program is in, and so the one that `latchkey` is built into.
    static var program: String { DaemonConnector.programFolder + "/latchkey" }
}

/// A home of its own for one test, removed with it.
final class TestHome: Sendable {
    let folder: String

    init() {
        // Short, because a socket's path has 107 bytes.
        var template = Array("/tmp/lk-XXXXXX".utf8CString)
        _ = mkdtemp(&template)
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        for name in ["run", "config", "data", "state", "bin"] {
            mkdir(folder + "/" + name, 0o700)
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    var environment: [String: String] {
        [
            "HOME": folder, "XDG_RUNTIME_DIR": folder + "/run", "XDG_CONFIG_HOME": folder + "/config",
            "XDG_DATA_HOME": folder + "/data", "XDG_STATE_HOME": folder + "/state",
            "PATH": folder + "/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8", "TZ": "UTC",
            // These tests stand in for the daemon.
            "LATCHKEY_STAND_IN": (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "",
        ]
    }

    var directories: Directories {
        guard let directories = Directories(environment: environment) else { preconditionFailure("no folders") }
        return directories
    }

    /// Writes a file and answers its path.
    @discardableResult func write(_ name: String, _ text: String, mode: mode_t = 0o600) -> String {
        let path = folder + "/" + name
        _ = FileManager.default.createFile(
            atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: Int(mode)])
        return path
    }

    /// Runs the program to its end, with this on standard input.
    func run(
        _ arguments: String...,
        input: String = "",
        adding variables: [String: String] = [:]
    ) async -> CommandRun {
        await run(arguments, input: input, adding: variables)
    }

    func run(_ arguments: [String], input: String, adding variables: [String: String]) async -> CommandRun {
        let environment = environment.merging(variables) { $1 }
        // Off the pool of Swift's tasks: the fake daemon answers on it.
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(returning: Self.runNow(arguments, Data(input.utf8), environment, self.folder))
            }
        }
    }

    private static func runNow(
        _ arguments: [String],
        _ input: Data,
        _ environment: [String: String],
        _ folder: String
    ) -> CommandRun {
        // Files rather than pipes: nothing to drain, and a process that stays behind holds nobody up. (Foundation's Process
        // would wait for that one too, by a socket that every descendant inherits.)
        let name = folder + "/run-\(UInt64.random(in: 0...UInt64.max))"
        let files = ["in", "out", "err"].map { "\(name).\($0)" }
        for file in files { _ = FileManager.default.createFile(atPath: file, contents: nil) }
        _ = FileManager.default.createFile(atPath: files[0], contents: input)
        let descriptors = files.map { open($0, O_RDWR | O_CLOEXEC) }
        defer { for descriptor in descriptors { close(descriptor) } }
        let process = ChildProcess.spawn(
            "/usr/bin/env", arguments: ["-C", folder, CommandRun.program] + arguments,
            descriptors: descriptors.enumerated().map { ($1, Int32($0)) }, environment: environment)
        guard let process else { return CommandRun(output: "", error: "cannot run \(CommandRun.program)", status: -1) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        func text(_ file: String) -> String {
            String(decoding: FileManager.default.contents(atPath: file) ?? Data(), as: UTF8.self)
        }
        return CommandRun(
            output: text(files[1]), error: text(files[2]),
            status: status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F))
    }
}
