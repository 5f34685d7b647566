// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import Foundation
import Glibc
import ProcessTesting
import Synchronization
import Testing

@testable import PassStore

/// A clock on which no time passes, until a test says so.
final class StandingClock: Clock, Sendable {
    private struct State {
        var isOver = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var now: ContinuousClock.Instant { ContinuousClock().now }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if !state.isOver { state.waiting.append(continuation) }
                    return state.isOver
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            pass()
        }
        try Task.checkCancellation()
    }

    /// All that anybody waits for, now and later, is over.
    func pass() {
        let waiting = state.withLock { state in
            state.isOver = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}

@Suite(.tags(.startsProcess), .timeLimit(.minutes(1)))
struct ProgramRunnerTests {
    private func shell(
        _ script: String, input: ProgramCall.Input = .nothing, outputLimit: Int = 1 << 20
    ) -> ProgramCall {
        ProgramCall(
            "/bin/sh", ["-c", script], environment: ["PATH": "/usr/bin:/bin"], input: input, outputLimit: outputLimit)
    }

    @Test
    func carriesInputOutputStatusAndEnd() async throws {
        let call = shell("cat; echo status >&3; echo error >&2; exit 7", input: .secret(SecretBytes(utf8: "in")))
        let end = try await ProgramRunner().run(call)
        #expect(end.output == SecretBytes(utf8: "in"))
        #expect(end.status == "status\n")
        #expect(end.errors == "error\n")
        #expect(end.code == 7)
        #expect(!end.isSuccess)
    }

    @Test
    func carriesMoreThanAPipeHolds() async throws {
        let bytes = (0..<900_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let end = try await ProgramRunner().run(shell("cat", input: .bytes(bytes)))
        #expect(end.isSuccess)
        #expect(end.output.withUnsafeBytes { Array($0) } == bytes)
    }

    @Test
    func endsWhenTheProgramReadsNothing() async throws {
        let end = try await ProgramRunner().run(shell("exit 0", input: .bytes(Array(repeating: 1, count: 1 << 20))))
        #expect(end.isSuccess)
    }

    @Test
    func givesNothingOfThisProcessToTheProgram() async throws {
        setenv("LATCHKEY_TEST_CANARY", "canary", 1)
        let descriptor = open("/dev/null", O_RDONLY)
        defer { close(descriptor) }
        let end = try await ProgramRunner().run(shell("env; ls /proc/self/fd"))
        let text = end.output.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        #expect(!text.contains("canary"))
        // Standard descriptors, status, and the one by which ls reads the folder.
        #expect(text.split(separator: "\n").filter { $0.allSatisfy(\.isNumber) }.count == 5)
    }

    @Test
    func stopsWhatWritesTooMuch() async throws {
        let end = try await ProgramRunner().run(shell("yes", outputLimit: 10_000))
        #expect(end.stop == .tooMuchOutput)
        #expect(end.output.count == 0)
    }

    @Test
    func stopsWhatTakesTooLongByTheClock() async throws {
        let clock = StandingClock()
        let run = Task { try await ProgramRunner(clock: clock).run(shell("sleep 600")) }
        clock.pass()
        let end = try await run.value
        #expect(end.stop == .timedOut)
        #expect(!end.isSuccess)
    }

    @Test
    func killsWhatDoesNotListenToSIGTERMAndWhatItStarted() async throws {
        let folder = try Folder()
        let script =
            "trap '' TERM; sleep 600 & echo $! >\(folder.path)/new; mv \(folder.path)/new \(folder.path)/child; wait"
        let run = Task { try await ProgramRunner().run(shell(script + "; sleep 600")) }
        try await eventually("the child is named") { folder.read("child") != nil }
        run.cancel()
        #expect(try await run.value.stop == .cancelled)
        let text = String(decoding: folder.read("child") ?? [], as: UTF8.self)
        let child = try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        // Killed with the group: gone, or a zombie where nobody here reaps it. It may take a moment to die.
        try await eventually("the child is killed") {
            let stat = try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8)
            return stat?.contains(") Z") ?? true
        }
    }

    @Test
    func doesNotWaitForWhoeverKeepsThePipesOpen() async throws {
        let end = try await ProgramRunner().run(shell("sleep 600 & echo done"))
        #expect(end.isSuccess)
        #expect(end.output == SecretBytes(utf8: "done\n"))
    }

    @Test
    func saysWhatCannotBeStarted() async {
        for program in ["/nowhere/gpg", "/etc/passwd", "/"] {
            let call = ProgramCall(program, [], environment: [:])
            await #expect(throws: PassStoreError.self) { try await ProgramRunner().run(call) }
        }
    }
}
