// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillNetwork
internal import CLinux
internal import Glibc

/// The way to the network of one program in a sandbox: a `latchkey-net` of its own, in a sandbox beside it.
///
/// The program has a network namespace with nothing but a loopback. `latchkey-enter` listens there, hands the listening socket
/// through `channel` to `latchkey-net`, and names it to the program as its proxy. Where it may lead is the policy's.
public struct NetworkExit: Sendable {
    /// What to start for it.
    public let program: String
    public let arguments: [String]
    public let descriptors: [(from: Int32, to: Int32)]
    /// For the sandboxed program (`latchkey-enter listen`). Close it, and the others, once both are started.
    public let channel: Int32

    /// Its environment: nothing of this process's.
    public static let environment = ["SWIFT_BACKTRACE": "enable=no"]

    /// Prepares a start; throws `internalError` where descriptors are out, and `providerUnavailable` without bubblewrap.
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
