// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillFetching
internal import AutoFillIPC
internal import CLinux
internal import Glibc

// One job for each process: what a server did to this one ends with it. The request is one JSON object on standard input, the
// answer one on standard output; 0 when the job was done, whatever became of its downloads.

/// Everything up to the end, or one byte more than may be.
func readInput() -> [UInt8] {
    var input: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while input.count <= FetchEnvelope.maximumSize {
        let count = read(STDIN_FILENO, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        input.append(contentsOf: buffer[..<count])
    }
    return input
}

func writeAll(_ bytes: [UInt8]) -> Bool {
    var written = 0
    while written < bytes.count {
        let count = bytes.withUnsafeBytes {
            write(STDOUT_FILENO, $0.baseAddress?.advanced(by: written), $0.count - written)
        }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        written += count
    }
    return true
}

if CommandLine.arguments.contains("--version") {
    print(latchkeyVersion)
    exit(0)
}
signal(SIGPIPE, SIG_IGN)
// Whoever asked is gone: nobody waits for the answer.
_ = latchkey_die_with_parent(SIGKILL)
// Before a byte is read, and before there is a second thread.
guard latchkey_confine() == 0 else {
    _ = writeAll(
        Array(#"{"error":{"code":-32603,"message":"latchkey-fetch cannot be confined on this system."}}"#.utf8))
    exit(1)
}
// The libraries below read variables of their own: other roots (SSL_CERT_FILE), other settings (OPENSSL_CONF), a file for the keys of
// connections (SSLKEYLOGFILE), proxies (https_proxy). None has a say: all that counts stands in the request.
clearenv()
let answer = await FetchJobs.answer(readInput())
// At once: a download that was given up may still be on its way in another thread, whose libraries are not taken away from it.
_exit(writeAll(answer.text) && answer.isResult ? 0 : 1)
