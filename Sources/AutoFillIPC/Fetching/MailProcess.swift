// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Runs `latchkey-mail` for one mail: a process without files, network and environment, which prints the mail's code.
public struct MailProcess: Sendable {
    /// Maximum number of bytes read of a mail. Messages with a code are short, and the code is near the beginning.
    public static let maximumMail = 256 << 10
    /// Maximum size of the output in bytes.
    static let maximumAnswer = 1_024

    private let program: String
    private let sandbox: Sandbox

    /// - Parameter programFolder: The folder of this installation's programs.
    public init(programFolder: String, bubblewrap: Bubblewrap) {
        program = programFolder + "/latchkey-mail"
        sandbox = Sandbox(bubblewrap: bubblewrap)
    }

    /// Reads one mail. Blocks the calling thread, at most for `patience`.
    ///
    /// - Returns: The output, which is empty if the mail has no code or crashed the process.
    /// - Throws: `timedOut`; `providerUnavailable` when the process cannot be started or its output is too long.
    public func read(_ mail: [UInt8], patience: Duration = .seconds(10)) throws(WireError) -> [UInt8] {
        let conversation = FetchConversation(
            input: Array(mail.prefix(Self.maximumMail)), maximumAnswer: Self.maximumAnswer,
            end: ContinuousClock.now + patience, name: "latchkey-mail")
        let (program, arguments) = command
        return try conversation.hold(program, arguments, files: [], environment: ["SWIFT_BACKTRACE": "enable=no"]).get()
    }

    /// The command to start: the program, in bubblewrap if that is available.
    var command: (program: String, arguments: [String]) {
        let (mounts, place) = sandbox.showing("latchkey-mail", at: program)
        let arguments =
            sandbox.bubblewrap.namespaceArguments + Bubblewrap.systemArguments + Bubblewrap.processArguments + mounts
            + ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/", "--", place]
        return sandbox.command(.network, arguments) ?? (program, [])
    }
}
