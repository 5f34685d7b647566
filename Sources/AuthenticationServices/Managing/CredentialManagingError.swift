// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC

/// Why a provider did not do what it was asked through `CredentialManaging`, or could not start.
public struct CredentialManagingError: Error, Equatable, Sendable {
    /// The kinds of failure. Others may join them.
    public struct Code: Hashable, Sendable {
        fileprivate let wire: WireError.Code.RawValue
        fileprivate let reason: String?

        private init(_ code: WireError.Code, reason: String? = nil) {
            wire = code.rawValue
            self.reason = reason
        }

        /// There is no such item.
        public static let notFound = Code(.notFound)
        /// The item breaks a limit of the provider's.
        public static let invalidItem = Code(.invalidItem)
        /// Disk full, file damaged, no permission; nothing was changed.
        public static let storageFailed = Code(.storageFailed)
        /// The disk failed in the last moment, so it is not known whether the change was kept.
        public static let outcomeUnknown = Code(.storageFailed, reason: WireError.unsettled)
        /// What is stored was written by a newer version.
        public static let unsupportedVersion = Code(.unsupportedVersion)
        /// The provider is busy; try again.
        public static let busy = Code(.busy)
        /// A malfunction of the provider.
        public static let internalError = Code(.internalError)
    }

    /// The kind of failure.
    public var code: Code
    /// One line for people; never holds a secret.
    public var message: String
    /// What the person can do about it, where there is something.
    public var hint: String?

    /// An error with a line for people.
    public init(_ code: Code, _ message: String, hint: String? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
    }
}

extension WireError {
    /// What a provider threw, as it travels. Only its own errors bring their text along.
    init(thrownByProvider error: any Error) {
        switch error {
        case let error as WireError: self = error
        case let error as CredentialManagingError:
            self.init(Code(rawValue: error.code.wire), error.message, reason: error.code.reason, hint: error.hint)
        case is CancellationError: self.init(.userCanceled, "The request was cancelled.")
        default: self.init(.internalError, "The provider has a malfunction.")
        }
    }
}
