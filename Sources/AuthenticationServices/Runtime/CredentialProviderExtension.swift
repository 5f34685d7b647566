// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import Foundation

/// Runs a credential provider. `main.swift` of a provider is one line:
///
///     CredentialProviderExtension.main { MyCredentialProviderViewController() }
public enum CredentialProviderExtension {
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
    @preconcurrency @MainActor
    public static func main(
        _ principal: @escaping @MainActor () -> ASCredentialProviderViewController,
        name: String? = nil,
        version: String = "0",
        prepare: @escaping @Sendable (ProviderLaunch) async throws -> (any CredentialManaging)? = { _ in nil }
    ) -> Never {
        ExtensionProcess.serve(name) { name in
            ExtensionRuntime(name: name, version: version, principal: principal, prepare: prepare)
        }
    }
}
