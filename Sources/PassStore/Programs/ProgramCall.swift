// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillSecrets

/// A program with what it is given. Secrets go in through `input` only: arguments can be read by everybody.
public struct ProgramCall: Sendable {
    /// What the program reads on standard input.
    public enum Input: Sendable {
        case nothing
        case bytes([UInt8])
        case secret(SecretBytes)
    }

    /// An absolute path.
    public var program: String
    /// Without the program's own name.
    public var arguments: [String]
    /// All of the program's environment.
    public var environment: [String: String]
    /// What it reads.
    public var input: Input
    /// So many bytes it may write before it is stopped.
    public var outputLimit: Int
    /// So long it may take before it is stopped.
    public var limit: Duration

    /// A call with all its members.
    public init(
        _ program: String,
        _ arguments: [String],
        environment: [String: String],
        input: Input = .nothing,
        outputLimit: Int = 1 << 20,
        limit: Duration = .seconds(20)
    ) {
        self.program = program
        self.arguments = arguments
        self.environment = environment
        self.input = input
        self.outputLimit = outputLimit
        self.limit = limit
    }
}

/// How a program ended.
public struct ProgramEnd: Sendable {
    /// Why it was stopped from here.
    public enum Stop: Sendable, Equatable { case cancelled, timedOut, tooMuchOutput }

    /// What it wrote on standard output, in locked memory.
    public let output: SecretBytes
    /// What it wrote on descriptor 3 (gpg's status), at most 64 KiB.
    public let status: String
    /// What it wrote on standard error, at most 64 KiB.
    public let errors: String
    /// The exit status, or the negative number of the signal that ended it.
    public let code: Int32
    /// Why it was stopped, if it was.
    public let stop: Stop?

    /// Whether it ended of itself and says that it did what it was to do.
    public var isSuccess: Bool { code == 0 && stop == nil }
}

/// Starts programs.
public protocol ProgramRunning: Sendable {
    /// Runs a program to its end. Cancelling the task stops the program.
    ///
    /// - Throws: `PassStoreError` with `program` when it cannot be started.
    func run(_ call: ProgramCall) async throws(PassStoreError) -> ProgramEnd
}
