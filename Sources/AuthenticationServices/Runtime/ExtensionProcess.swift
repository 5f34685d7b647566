// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import Foundation
internal import Glibc

/// The life of an extension's process, whatever kind of extension it is.
enum ExtensionProcess {
    /// The environment variable that holds the number of the inherited connection.
    static let descriptorVariable = "LATCHKEY_PROVIDER_FD"

    /// Serves Latchkey until it ends the connection, then ends the process.
    ///
    /// - Parameters:
    ///   - name: For people; that of the process, where there is none.
    ///   - make: Makes what carries requests out, under its name.
    @MainActor
    static func serve(_ name: String?, _ make: (String) -> ExtensionRuntime) -> Never {
        // A stray print into a closed pipe must not end the provider.
        signal(SIGPIPE, SIG_IGN)
        // A file that may not grow is an error to be answered, not an end.
        signal(SIGXFSZ, SIG_IGN)
        guard let descriptor = inheritedSocket() else {
            refuse("This program is started by Latchkey, not by hand.", status: EX_USAGE)
        }
        guard ProcessHardening.forbidDumps() else {
            refuse("The kernel does not let this program keep its memory out of dumps.", status: EX_OSERR)
        }
        let runtime = make(name ?? ProcessInfo.processInfo.processName)
        runtime.allowDebugger = ProcessHardening.allowDebugger
        let peer = runtime.connect(FramedStream(socket: descriptor), store: .shared)
        // At once and without exit handlers: other threads may be at work, and what they wrote was durable before it
        // was acknowledged.
        peer.onClose { _exit(0) }
        peer.start()
        while true { RunLoop.main.run() }
    }

    /// Takes the connection out of the environment, so that nothing this process starts inherits it.
    private static func inheritedSocket() -> Int32? {
        guard let text = getenv(descriptorVariable).map({ String(cString: $0) }) else { return nil }
        unsetenv(descriptorVariable)
        guard let descriptor = Int32(text), descriptor > 2 else { return nil }
        var type: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0,
            type == Int32(SOCK_STREAM.rawValue),
            fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
        else { return nil }
        return descriptor
    }

    private static func refuse(_ sentence: String, status: Int32) -> Never {
        let program = ProcessInfo.processInfo.processName
        try? FileHandle.standardError.write(contentsOf: Data("\(program): \(sentence)\n".utf8))
        exit(status)
    }
}
