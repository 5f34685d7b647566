// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Starts providers for `ProviderSupervisor`, which speaks to them over the socket it gets. `ProviderProcesses` starts processes.
package protocol ProviderLaunching: Sendable {
    /// Starts a provider with exactly the environment given.
    ///
    /// The launch's key is not for the launcher: the supervisor sends it over the socket.
    ///
    /// - Throws: `providerUnavailable` when the provider cannot be started.
    func start(_ launch: ProviderSupervisor.Launch, environment: [String: String]) async throws -> LaunchedProvider
}

/// A running provider.
package struct LaunchedProvider: Sendable {
    /// The daemon's end of the connection. The caller takes it over and closes it.
    package let socket: Int32
    /// Ends the provider forcibly, and returns when it has exited. The caller calls this exactly once.
    package let end: @Sendable () async -> Void

    package init(socket: Int32, end: @escaping @Sendable () async -> Void) {
        self.socket = socket
        self.end = end
    }
}
