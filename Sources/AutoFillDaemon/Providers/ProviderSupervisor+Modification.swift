// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC

/// Changing passwords, by extensions of apps.
extension ProviderSupervisor {
    /// So long an extension may take without the user: it talks to its service.
    static let changeLimit = Duration.seconds(30)

    /// Has an extension change a password, without user interaction. An answer that comes while it is cancelled counts: the
    /// service has the new password then.
    func changePassword(
        _ params: Modification.ChangePassword.Params, launch: Launch
    ) async throws -> Modification.Changed {
        var params = params
        params.request = nextRequest()
        let running = try await running(launch)
        let limit = launch.timeLimit.map { _ in limits.request ?? Self.changeLimit }
        return try await call(
            Modification.ChangePassword.self, params, params.request, of: running, limit: limit, takesLate: true)
    }

    /// The same with the extension's interface; open until the user has finished in it.
    func prepareChange(
        _ params: Modification.ChangePassword.Params, request: Int, launch: Launch, show: @escaping Show
    ) async throws -> Modification.Changed {
        var params = params
        params.request = request
        let running = try await running(launch)
        shows[request] = show
        defer { shows[request] = nil }
        return try await call(
            Modification.PrepareChangePassword.self, params, request, of: running, limit: nil, takesLate: true)
    }
}
