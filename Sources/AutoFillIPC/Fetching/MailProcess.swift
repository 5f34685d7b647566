// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Starts `latchkey-mail` for one mail: a process without files, network and environment, which prints the mail's code.
public struct MailProcess: Sendable {
    /// The most bytes of a mail that are read: a message with a code is short, and codes stand at its beginning.
    public static let maximumMail = 256 << 10
    /// In bytes.
    static let maximumAnswer = 1_024

    private let program: String
    private let sandbox: Sandbox

    /// - Parameter programFolder: where the programs of this Latchkey are.
    public init(programFolder: String, bubblewrap: Bubblewrap) {
        program = programFolder + "/latchkey-mail"
        sandbox = Sandbox(bubblewrap: bubblewrap)
    }

    /// Reads one mail. Blocks the thread that calls it until then, at most for `patience`.
    ///
    /// - Returns: what the process said; nothing where the mail has no code, or ended its reader.
    /// - Throws: `timedOut`; `providerUnavailable` when it cannot be started or says too much.
    public func read(_ mail: [UInt8], patience: Duration = .seconds(10)) throws(WireError) -> [UInt8] {
        let conversation = FetchConversation(
            input: Array(mail.prefix(Self.maximumMail)), maximumAnswer: Self.maximumAnswer,
            end: ContinuousClock.now + patience, name: "latchkey-mail")
        let (program, arguments) = command
        return try conversation.hold(program, arguments, files: [], environment: ["SWIFT_BACKTRACE": "enable=no"]).get()
    }

    /// What is started: the program, inside bubblewrap where that is there.
    var command: (program: String, arguments: [String]) {
        let (mounts, place) = sandbox.showing("latchkey-mail", at: program)
        let arguments =
            sandbox.bubblewrap.namespaceArguments + Bubblewrap.systemArguments + Bubblewrap.processArguments + mounts
            + ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/", "--", place]
        return sandbox.command(.network, arguments) ?? (program, [])
    }
}
