// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillNetwork
internal import CLinux
internal import Glibc

/// The network access of one sandboxed program: a `latchkey-net` of its own, in a sandbox beside it.
///
/// The program has a network namespace with only a loopback. `latchkey-enter` listens there, passes the listening
/// socket through `channel` to `latchkey-net`, and gives it to the program as its proxy. The policy decides which
/// destinations are allowed.
public struct NetworkExit: Sendable {
    /// The program to start for the exit.
    public let program: String
    public let arguments: [String]
    public let descriptors: [(from: Int32, to: Int32)]
    /// The sandboxed program's end (`latchkey-enter listen`). Close it and `descriptors` once both programs are started.
    public let channel: Int32

    /// The exit's whole environment; nothing is inherited from this process.
    public static let environment = ["SWIFT_BACKTRACE": "enable=no"]

    /// Prepares a start.
    ///
    /// - Throws: `internalError` when no descriptors are left, and `providerUnavailable` without bubblewrap.
    public init(_ policy: NetworkPolicy, in sandbox: Sandbox) throws(WireError) {
        let (mounts, place) = sandbox.showing("latchkey-net")
        var inside = sandbox.bubblewrap.namespaceArguments + ["--share-net"]
        inside += Bubblewrap.systemArguments + Bubblewrap.processArguments + Bubblewrap.nameServerArguments
        inside += mounts + ["--remount-ro", "/dev", "--remount-ro", "/"]
        guard let command = sandbox.command(.network, inside + ["--chdir", "/", "--", place]) else {
            throw WireError(.providerUnavailable, "There is no sandbox to reach the network from.")
        }
        let text = Array(policy.text.utf8)
        let file = text.withUnsafeBytes { latchkey_memory_file($0.baseAddress, $0.count) }
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard file >= 0, text.count <= NetworkPolicy.maximumSize, socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            if file >= 0 { Glibc.close(file) }
            throw WireError(.internalError, "No way to the network can be made.")
        }
        (program, arguments) = (command.program, command.arguments)
        descriptors = [(file, 0), (ends[0], 3)]
        channel = ends[1]
    }

    /// Closes this process's ends.
    public func close() {
        for descriptor in descriptors.map(\.from) + [channel] { Glibc.close(descriptor) }
    }
}
