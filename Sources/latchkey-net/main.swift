// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillNetwork
internal import CLinux
internal import Glibc

// The way out of one sandbox: an HTTP proxy for one program, which has a network namespace of its own. Its policy is on
// standard input; on descriptor 3 `latchkey-enter` hands over the socket that listens inside. It ends with whoever started
// it, has neither files nor Unix sockets, and passes on bytes that it does not read.

func readInput() -> [UInt8]? {
    var input: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while input.count <= NetworkPolicy.maximumSize {
        let count = read(STDIN_FILENO, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return count == 0 ? input : nil }
        input += buffer[..<count]
    }
    return nil
}

func fail(_ reason: String) -> Never {
    _ = reason.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    exit(1)
}

if CommandLine.arguments.contains("--version") { exit(0) }
signal(SIGPIPE, SIG_IGN)
_ = latchkey_die_with_parent(SIGKILL)
// Before a byte of the sandboxed program is read, and before there is a second thread.
guard latchkey_confine_server() == 0 else { fail("latchkey-net: it cannot be confined on this system\n") }
guard let input = readInput(), let text = String(validating: input, as: UTF8.self),
    let policy = NetworkPolicy(text: text)
else { fail("latchkey-net: its policy cannot be read\n") }
let listener = latchkey_receive_descriptor(3)
guard listener >= 0, latchkey_is_listener(listener) == 1 else {
    fail("latchkey-net: it was started without a socket to serve\n")
}
close(3)
TunnelServer(listener: listener, policy: policy).run()
