// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import Foundation
internal import Glibc

/// Runs a credential provider. `main.swift` of a provider is one line:
///
///     CredentialProviderExtension.main { MyCredentialProviderViewController() }
public enum CredentialProviderExtension {
    /// The environment variable that holds the number of the inherited connection.
    static let descriptorVariable = "LATCHKEY_PROVIDER_FD"

    /// What Latchkey gave this provider; `nil` until it has started it.
    @MainActor public internal(set) static var launch: ProviderLaunch?

    /// Serves Latchkey until it ends the connection, then ends the process. Call it on the main thread, first of all.
    ///
    /// A program that Latchkey has not started says so on standard error and ends with 64 (`EX_USAGE`).
    ///
    /// No debugger can be attached to it, and no core dump is made of it. Only where Latchkey says at the start that it is
    /// a debug build, this is lifted: Latchkey says so of a bundle whose entitlements have `get-task-allow`, and only after
    /// the user has asked for it. Passwords that such a build holds are as open as those of any program.
    ///
    /// - Parameters:
    ///   - principal: Makes a view controller; called for each request.
    ///   - name: The provider's name for people; that of the process, where there is none.
    ///   - version: The provider's version for people.
    ///   - prepare: Called when Latchkey has started the provider and before any request, not on the main actor. It
    ///     opens what the provider keeps, and may hand over what carries out the capability `manage`. What it throws is
    ///     the answer to `provider.start`, which Latchkey may send again.
    @MainActor
    public static func main(
        _ principal: @escaping @MainActor () -> ASCredentialProviderViewController,
        name: String? = nil,
        version: String = "0",
        prepare: @escaping @Sendable (ProviderLaunch) async throws -> (any CredentialManaging)? = { _ in nil }
    ) -> Never {
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
        let runtime = ExtensionRuntime(
            name: name ?? ProcessInfo.processInfo.processName,
            version: version,
            principal: principal,
            prepare: prepare
        )
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
