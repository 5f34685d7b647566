// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC

/// Changes of passwords and conversions of accounts by apps' extensions.
extension ProviderSupervisor {
    /// The time limit for a request without user interaction, in which the extension talks to its service.
    package static let changeLimit = Duration.seconds(30)

    /// Has an extension change a password without user interaction.
    ///
    /// An answer that arrives during cancellation still counts, because the service already has the new password then.
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

    /// Has an extension change a password in its interface. Returns when the user has finished there.
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

    /// Has an extension convert an account without user interaction. A sign-in by the user does not count as interaction.
    ///
    /// An answer that arrives during cancellation still counts.
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

    /// Has an extension convert an account in its interface. Returns when the user has finished there.
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

    /// Answers an extension's request for a Sign in with Apple credential.
    ///
    /// - Throws: `expired` unless it belongs to one of the extension's own running requests, and is the first for that request.
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

    /// Ends the sign-in of a request that is over, which closes its window.
    private func endAuthorization(of request: Int) {
        authorizers[request] = nil
        authorizations.removeValue(forKey: request)?.cancel()
    }
}
