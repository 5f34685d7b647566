// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Glibc
internal import Synchronization

/// Starts programs with nothing of this process but what they are given, and stops them when their time is up.
///
/// A program that is to stop is asked to by SIGTERM, so that gpg can take its lock files along, and killed when it has
/// not ended after a moment. What it started in its process group goes with it.
public struct ProgramRunner: ProgramRunning {
    /// So long a program may take to end when it is asked to.
    static let grace = Duration.milliseconds(500)

    private let clock: any Clock<Duration>

    /// - Parameter clock: What measures the limits of calls.
    public init(clock: any Clock<Duration> = ContinuousClock()) {
        self.clock = clock
    }

    /// Runs a program to its end.
    public func run(_ call: ProgramCall) async throws(PassStoreError) -> ProgramEnd {
        guard !Task.isCancelled else {
            throw PassStoreError(.program, "\(Self.name(call)) was cancelled before it began.")
        }
        let process = try StartedProgram(call)
        let clock = clock
        let limit = Task {
            do {
                try await clock.sleep(for: call.limit)
                await Self.stop(process, .timedOut, clock)
            } catch {
                // The program has ended before.
            }
        }
        defer { limit.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread { continuation.resume(returning: process.serve(call)) }
            }
        } onCancel: {
            Task { await Self.stop(process, .cancelled, clock) }
        }
    }

    private static func stop(_ process: StartedProgram, _ why: ProgramEnd.Stop, _ clock: any Clock<Duration>) async {
        process.stop(why, with: SIGTERM)
        try? await clock.sleep(for: grace)
        process.stop(why, with: SIGKILL)
    }

    static func name(_ call: ProgramCall) -> String {
        call.program.split(separator: "/").last.map(String.init) ?? call.program
    }
}
