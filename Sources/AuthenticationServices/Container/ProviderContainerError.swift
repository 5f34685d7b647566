// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets

/// Why a `ProviderContainer` cannot be had, or its secrets cannot be read or changed.
public struct ProviderContainerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure. Others may join them.
    public struct Code: Hashable, Sendable {
        private enum Backing {
            case notAvailable, locked, damaged, unsupportedVersion, storageFailed, tooLarge, busy
        }

        private let backing: Backing

        /// Latchkey does not run, or does not know this program as part of an enabled provider.
        public static let notAvailable = Code(backing: .notAvailable)
        /// Latchkey is locked.
        public static let locked = Code(backing: .locked)
        /// The file is not what was written, or was sealed under another key. It has been left as it is.
        public static let damaged = Code(backing: .damaged)
        /// The file was written by a newer version. It has been left as it is.
        public static let unsupportedVersion = Code(backing: .unsupportedVersion)
        /// Disk full, no permission; nothing was changed.
        public static let storageFailed = Code(backing: .storageFailed)
        /// A name or a secret, or all of them together, have more bytes than there may be.
        public static let tooLarge = Code(backing: .tooLarge)
        /// Another process has been changing the secrets for five seconds.
        public static let busy = Code(backing: .busy)
    }

    /// The kind of failure.
    public let code: Code
    /// One line for people; never holds a secret.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The line for people.
    public var description: String { message }

    /// What kept the daemon from answering.
    init(asking error: any Error) {
        guard let error = error as? WireError else {
            self.init(.notAvailable, "Latchkey did not answer.")
            return
        }
        self.init(error.code == .locked ? .locked : .notAvailable, error.message)
    }

    /// What is wrong with the file of secrets.
    init(reading error: any Error, _ path: String) {
        if let error = error as? ProviderContainerError {
            self = error
            return
        }
        let error = error as? SecretsError
        switch error?.code {
        case .damaged: self.init(.damaged, "The secrets in \(path) are damaged, or belong to another provider.")
        case .unsupportedVersion:
            self.init(.unsupportedVersion, "The secrets in \(path) were written by a newer version.")
        default: self.init(.storageFailed, error?.description ?? "The secrets in \(path) cannot be read.")
        }
    }
}
