// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAssociations
internal import AutoFillIPC
internal import AutoFillIdentityStore
internal import AutoFillSecrets

extension WireError {
    /// Translates an error of the lower modules into one of the wire protocol.
    init(saying error: any Error) {
        switch error {
        case let error as WireError: self = error
        case let error as SecretsError: self = Self.saying(error)
        case let error as AssociationBookError: self = Self.saying(error)
        case let error as IdentityStoreError: self.init(.storageFailed, error.description)
        default: self.init(.internalError, "A malfunction; see the journal of latchkeyd.")
        }
    }

    private static func saying(_ error: AssociationBookError) -> WireError {
        switch error.code {
        case .closed: WireError(.locked, "Latchkey was locked in the meantime.")
        case .full:
            WireError(
                .busy, "There are too many apps already.", hint: "Remove some with `latchkey associations remove`.")
        case .unsupportedVersion: WireError(.unsupportedVersion, error.reason)
        default: WireError(.storageFailed, error.reason)
        }
    }

    private static func saying(_ error: SecretsError) -> WireError {
        switch error.code {
        case .wrongPassphrase: WireError(.wrongPassphrase, "Wrong passphrase.")
        case .wrongRecoveryCode: WireError(.wrongPassphrase, "The recovery code is not right.")
        case .outOfMemory: WireError(.internalError, error.description)
        case .malformedRecoveryCode: WireError(.invalidParams, "This is not a recovery code: \(error.reason).")
        case .malformedPIN: WireError(.invalidParams, "This cannot be the PIN: \(error.reason).")
        case .memoryNotLocked:
            WireError(.refused, "There can be no PIN: \(error.reason).", hint: "See `ulimit -l`.")
        case .emptyPassphrase: WireError(.invalidParams, "A passphrase cannot be empty.")
        case .wrongLoginPassword:
            WireError(.wrongPassphrase, "The login password is not the one that was set.")
        case .unsupportedVersion: WireError(.unsupportedVersion, error.description)
        case .unsettled:
            WireError(
                .storageFailed, error.reason + (error.context.map { " (\($0))" } ?? ""), reason: WireError.unsettled,
                hint: "Look at it once the disk works, and make the change or take it back.")
        default: WireError(.storageFailed, error.reason + (error.context.map { " (\($0))" } ?? ""))
        }
    }
}
