// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC

/// Changing passwords, by extensions of apps.
extension ProviderSupervisor {
    /// The time limit for an extension that needs no user: it talks to its service.
    package static let changeLimit = Duration.seconds(30)

    /// Has an extension change a password, without user interaction. An answer that comes while it is cancelled counts: the
    /// service has the new password then.
    package func changePassword(
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
    package func prepareChange(
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

    // MARK: Sign in with Apple

    /// Has an extension convert an account, without user interaction; a sign-in of the user's does not count as one. An answer
    /// that comes while it is cancelled counts.
    package func convert(
        _ params: Modification.Convert.Params, launch: Launch, authorize: @escaping Authorize
    ) async throws -> Modification.Converted {
        var params = params
        params.request = nextRequest()
        let running = try await running(launch)
        let limit = launch.timeLimit.map { _ in limits.request ?? Self.changeLimit }
        authorizers[params.request] = authorize
        defer { endAuthorization(of: params.request) }
        return try await call(
            Modification.Convert.self, params, params.request, of: running, limit: limit, takesLate: true)
    }

    /// The same with the extension's interface; open until the user has finished in it.
    package func prepareConvert(
        _ params: Modification.Convert.Params, request: Int, launch: Launch, show: @escaping Show,
        authorize: @escaping Authorize
    ) async throws -> Modification.Converted {
        var params = params
        params.request = request
        let running = try await running(launch)
        shows[request] = show
        authorizers[request] = authorize
        defer {
            shows[request] = nil
            endAuthorization(of: request)
        }
        return try await call(
            Modification.PrepareConvert.self, params, request, of: running, limit: nil, takesLate: true)
    }

    /// An extension asks for a credential of Sign in with Apple: for a request of its own that runs, and once for each.
    package func authorized(_ params: JSONValue) async throws -> JSONValue {
        let params: Modification.Authorize.Params = try params.decoded()
        guard let authorize = authorizers.removeValue(forKey: params.request) else {
            throw WireError(
                .expired, "The request \(params.request) does not ask for Sign in with Apple, or has asked.")
        }
        let task = Task { try await authorize(params) }
        authorizations[params.request] = task
        return try JSONValue(encoding: await task.value)
    }

    /// The request is over: the window closes with it.
    private func endAuthorization(of request: Int) {
        authorizers[request] = nil
        authorizations.removeValue(forKey: request)?.cancel()
    }
}
