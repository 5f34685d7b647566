// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets
internal import CLinux
internal import ChildProcesses
internal import Glibc

/// Copies by the program that has the rules for it: `latchkey clipboard-holder`, which stays, marks the password for clipboard
/// histories, and takes it away again.
enum ClipboardProcess {
    private static let seconds = 45

    /// Returns `nil` once the secret is on the clipboard, or why it is not.
    static func copy(_ secret: SecretBytes) async -> String? {
        await Task.detached { start(secret) }.value
    }

    private static func start(_ secret: SecretBytes) -> String? {
        var input: [Int32] = [-1, -1]
        var output: [Int32] = [-1, -1]
        guard latchkey_pipe(&input) == 0 else { return "The password cannot be handed over." }
        guard latchkey_pipe(&output) == 0 else {
            close(input[0])
            close(input[1])
            return "The password cannot be handed over."
        }
        defer { close(output[0]) }
        // A session of its own: it outlives this window.
        let process = ChildProcess.spawn(
            DaemonConnector.programFolder + "/latchkey",
            arguments: ["clipboard-holder", "--clear-after", String(seconds)],
            descriptors: [(input[0], 0), (output[1], 1)], isNewSession: true)
        close(input[0])
        close(output[1])
        guard let process else {
            close(input[1])
            return "The program latchkey is missing beside this one."
        }
        // It ends by itself; nobody else waits for it.
        _ = DetachedThread.start(stackSize: 64 << 10) { waitpid(process, nil, 0) }
        secret.withUnsafeBytes { CommandProcess.write($0, to: input[1]) }
        close(input[1])
        let said = readAll(output[0])
        if said == "ready" { return nil }
        return said.isEmpty ? "The clipboard cannot be reached." : said
    }

    /// What the other program says; it says one line, or why it could not.
    private static func readAll(_ descriptor: Int32) -> String {
        var said: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1_024)
        while said.count < buffer.count {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            said += buffer[..<count]
        }
        return String(decoding: said, as: UTF8.self)
    }
}
