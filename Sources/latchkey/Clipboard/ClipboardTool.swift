// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import ChildProcesses
import FoundationEssentials
import Glibc
import TerminalRendering

/// A program that reaches the clipboard. Secrets go to it, and come from it, through pipes.
struct ClipboardTool: Equatable {
    let name: String
    /// Whether it marks what it copies for clipboard histories.
    let isMarking: Bool
    private let copy: [String]
    private let paste: [String]
    private let clear: [String]

    /// wl-copy says in its help whether it can mark.
    static func waylandTool(copy: String, paste: String) -> ClipboardTool {
        let help = run([copy, "--help"], input: nil).output
        let isMarking = help.withUnsafeBytes { String(decoding: $0, as: UTF8.self).contains("--sensitive") }
        // A type of text makes it offer every type of text, and spares a look at the content by xdg-mime.
        let arguments = (isMarking ? ["--sensitive"] : []) + ["--type", "text/plain;charset=utf-8"]
        return ClipboardTool(
            name: "wl-copy", isMarking: isMarking, copy: [copy] + arguments, paste: [paste, "--no-newline"],
            clear: [copy, "--clear"])
    }

    static func xclip(_ path: String) -> ClipboardTool {
        let selection = [path, "-selection", "clipboard"]
        return ClipboardTool(
            name: "xclip", isMarking: false, copy: selection + ["-in"], paste: selection + ["-out"],
            clear: selection + ["-in"])
    }

    static func xsel(_ path: String) -> ClipboardTool {
        ClipboardTool(
            name: "xsel", isMarking: false, copy: [path, "--clipboard", "--input"],
            paste: [path, "--clipboard", "--output"], clear: [path, "--clipboard", "--clear"])
    }
}

extension ClipboardTool: ClipboardHolding {
    func offer(_ secret: SecretBytes) throws(CommandFailure) {
        guard Self.run(copy, input: secret).isSuccess else {
            throw CommandFailure(.unavailable, "\(name) could not reach the clipboard.")
        }
        guard holds(secret) else {
            throw CommandFailure(.unavailable, "The clipboard does not hold what \(name) put there.")
        }
    }

    /// The program stays behind by itself, so there is nothing to do but wait.
    func serve(until deadline: ContinuousClock.Instant, isOver: () -> Bool) {
        while ContinuousClock.now < deadline && !isOver() { poll(nil, 0, 100) }
    }

    func takeBack(_ secret: SecretBytes) -> Bool {
        // A clipboard manager may put the text back when it is cleared; then it is cleared again.
        for attempt in 0..<4 {
            guard holds(secret) else { return true }
            if attempt > 0 { poll(nil, 0, 250) }
            _ = Self.run(clear, input: SecretBytes(count: 0))
        }
        return !holds(secret)
    }

    private func holds(_ secret: SecretBytes) -> Bool {
        Self.run(paste, input: nil).output == secret
    }

    /// What a run gave.
    private struct Outcome {
        var isSuccess: Bool
        var output: SecretBytes
    }

    /// Runs a program for at most five seconds: one that waits for a compositor that never answers is ended.
    private static func run(_ command: [String], input: SecretBytes?) -> Outcome {
        let nothing = Outcome(isSuccess: false, output: SecretBytes(count: 0))
        guard let toChild = PipeEnds(), let fromChild = PipeEnds() else { return nothing }
        var environment = ProcessInfo.processInfo.environment
        // wl-copy keeps what it offers in a file; this way it is one in memory (from version 2.2 on).
        if let folder = environment["XDG_RUNTIME_DIR"] { environment["TMPDIR"] = folder }
        // Whoever stays behind after a copy must not hold our end of the answer open.
        let output: [(from: Int32, to: Int32)] = input == nil ? [(fromChild.writing, Int32(STDOUT_FILENO))] : []
        let process = ChildProcess.spawn(
            command[0], arguments: Array(command.dropFirst()), descriptors: [(toChild.reading, 0)] + output,
            environment: environment)
        toChild.closeReading()
        fromChild.closeWriting()
        defer {
            toChild.closeWriting()
            fromChild.closeReading()
        }
        guard let process else { return nothing }
        if let input { input.withUnsafeBytes { _ = Descriptor.writeAll($0, to: toChild.writing) } }
        toChild.closeWriting()
        let limit = SecretSource.limit + 65_536
        let read = fromChild.readAll(limit: limit, milliseconds: 5000)
        return Outcome(isSuccess: wait(process) && read != nil, output: read ?? SecretBytes(count: 0))
    }

    private static func wait(_ process: Int32) -> Bool {
        var status: Int32 = 0
        for _ in 0..<500 {
            let ended = waitpid(process, &status, WNOHANG)
            if ended == process { return status == 0 }
            if ended < 0 && errno != EINTR { return false }
            poll(nil, 0, 10)
        }
        kill(process, SIGKILL)
        waitpid(process, &status, 0)
        return false
    }
}
