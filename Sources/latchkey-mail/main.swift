// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import MailReading

// One mail for each process: a stranger wrote it, and what it does to its reader ends with the reader. The mail is on standard
// input, its code on standard output; the process reads no file, starts no program and reaches no network.

/// Everything up to the end, or one byte more than may be.
func readInput() -> [UInt8] {
    var input: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while input.count <= MailAnswer.maximumMail {
        let count = read(STDIN_FILENO, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        input.append(contentsOf: buffer[..<count])
    }
    return input
}

if CommandLine.arguments.contains("--version") { exit(0) }
signal(SIGPIPE, SIG_IGN)
_ = latchkey_die_with_parent(SIGKILL)
// Before a byte is read.
guard latchkey_confine_reader() == 0 else { exit(1) }
let mail = readInput()
guard mail.count <= MailAnswer.maximumMail else { exit(1) }
let answer = MailAnswer.answer(to: mail)
// Shorter than a pipe takes at once.
let written = answer.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
exit(written == answer.count ? 0 : 1)
