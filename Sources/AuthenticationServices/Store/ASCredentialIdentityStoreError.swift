// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
public import Foundation

/// Why the identity store was not changed.
public struct ASCredentialIdentityStoreError: CustomNSError, Hashable {
    /// The kinds of failure; the raw values are Apple's.
    @nonexhaustive(warn)
    public enum Code: Int, Sendable {
        /// A malfunction; the sentence under `NSLocalizedDescriptionKey` says which.
        case internalError = 0
        /// The user has not enabled the provider.
        case storeDisabled = 1
        /// The store is being changed; try again.
        case storeBusy = 2
    }

    private let error: NSError

    /// An error with what is to be said about it.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        error = NSError(domain: ASCredentialIdentityStoreErrorDomain, code: code.rawValue, userInfo: userInfo)
    }

    /// The kind of failure.
    public var code: Code { Code(rawValue: error.code) ?? .internalError }
    /// The raw value of `code`.
    public var errorCode: Int { error.code }
    /// What is said about the error.
    public var errorUserInfo: [String: Any] { error.userInfo }
    /// What is said about the error.
    public var userInfo: [String: Any] { error.userInfo }
    /// `ASCredentialIdentityStoreErrorDomain`.
    public static var errorDomain: String { ASCredentialIdentityStoreErrorDomain }

    /// A malfunction.
    public static var internalError: Code { .internalError }
    /// The user has not enabled the provider.
    public static var storeDisabled: Code { .storeDisabled }
    /// The store is being changed; try again.
    public static var storeBusy: Code { .storeBusy }

    /// What the daemon answered, or what kept it from answering.
    init(_ error: any Error) {
        if let error = error as? ASCredentialIdentityStoreError {
            self = error
        } else if let error = error as? WireError {
            let code: Code =
                switch error.code {
                case .identityStore(Code.storeDisabled.rawValue), .notPermitted, .locked: .storeDisabled
                case .identityStore(Code.storeBusy.rawValue), .busy: .storeBusy
                default: .internalError
                }
            self.init(code, userInfo: [NSLocalizedDescriptionKey: error.message])
        } else {
            self.init(.internalError)
        }
    }
}

extension ASCredentialIdentityStoreError.Code {
    /// Matches an error with this code, be it of the Swift type or an `NSError` of the domain.
    public static func ~= (code: ASCredentialIdentityStoreError.Code, error: any Error) -> Bool {
        let error = NSErrorParts(error)
        return error.domain == ASCredentialIdentityStoreErrorDomain && error.code == code.rawValue
    }
}

/// The domain of `ASCredentialIdentityStoreError`.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let ASCredentialIdentityStoreErrorDomain: String = "ASCredentialIdentityStoreErrorDomain"
