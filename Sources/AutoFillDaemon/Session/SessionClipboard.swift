// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets

/// Somewhere to put a secret for a while.
protocol ClipboardCopying: Sendable {
    /// Finds out whether something could be copied.
    ///
    /// - Parameters:
    ///   - allowsUnmarked: Whether to copy even where histories cannot be told to leave it out.
    ///   - display: The display whose clipboard is meant; `nil` for the daemon's own.
    /// - Throws: `refused` with the reason `unmarked`; `notFound` where no clipboard can be reached.
    func check(allowsUnmarked: Bool, on display: DisplayStatement?) async throws

    /// Returns once the secret is on the clipboard. Throws as `check` does.
    func copy(_ secret: SecretBytes, allowsUnmarked: Bool, on display: DisplayStatement?) async throws
}

/// The clipboard of the user's session, held by a process of its own (`ClipboardHolderProcess`).
struct SessionClipboard: ClipboardCopying {
    let programFolder: String
    let environment: [String: String]

    func check(allowsUnmarked: Bool, on display: DisplayStatement?) async throws {
        try await start(nil, allowsUnmarked, display)
    }

    func copy(_ secret: SecretBytes, allowsUnmarked: Bool, on display: DisplayStatement?) async throws {
        try await start(secret, allowsUnmarked, display)
    }

    private func start(_ secret: SecretBytes?, _ allowsUnmarked: Bool, _ display: DisplayStatement?) async throws {
        let environment = display?.replacing(in: environment) ?? environment
        let problem: ClipboardHolderProcess.Problem? = await withCheckedContinuation { continuation in
            // It waits for the other program.
            let isRunning = DetachedThread.start(stackSize: 256 << 10) {
                do throws(ClipboardHolderProcess.Problem) {
                    try ClipboardHolderProcess.start(
                        secret, allowsUnmarked: allowsUnmarked, programFolder: programFolder, environment: environment)
                    continuation.resume(returning: nil)
                } catch {
                    continuation.resume(returning: error)
                }
            }
            if !isRunning { continuation.resume(returning: .init(.unreachable, "The system has no thread left.")) }
        }
        guard let problem else { return }
        throw WireError(
            problem.kind == .unmarked ? .refused : .notFound, problem.message, reason: problem.kind.rawValue)
    }
}
