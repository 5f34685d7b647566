// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import Foundation

/// Runs an account authentication modification extension. `main.swift` of one is one line:
///
///     AccountModificationExtension.main { MyAccountAuthenticationModificationViewController() }
public enum AccountModificationExtension {
    /// What Latchkey gave this extension: a folder of its own and a key; `nil` until it has started it.
    @MainActor public static var launch: ProviderLaunch? { CredentialProviderExtension.launch }

    /// Serves Latchkey until it ends the connection, then ends the process. Call it on the main thread, first of all.
    ///
    /// A program that Latchkey has not started says so on standard error and ends with 64 (`EX_USAGE`). What
    /// `CredentialProviderExtension.main` says about debuggers and core dumps holds here too.
    ///
    /// - Parameters:
    ///   - principal: Makes a view controller; called for each request.
    ///   - name: The extension's name for people; that of the process, where there is none.
    ///   - version: The extension's version for people.
    ///   - prepare: Called when Latchkey has started the extension and before any request, not on the main actor. What it
    ///     throws is the answer to `provider.start`, which Latchkey may send again.
    @preconcurrency @MainActor
    public static func main(
        _ principal: @escaping @MainActor () -> ASAccountAuthenticationModificationViewController,
        name: String? = nil,
        version: String = "0",
        prepare: @escaping @Sendable (ProviderLaunch) async throws -> Void = { _ in }
    ) -> Never {
        ExtensionProcess.serve(name) { name in
            ExtensionRuntime(name: name, version: version, making: .modification(principal)) { launch in
                try await prepare(launch)
                return nil
            }
        }
    }
}
