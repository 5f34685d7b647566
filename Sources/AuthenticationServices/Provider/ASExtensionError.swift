// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Why an extension's request failed.
public struct ASExtensionError: CustomNSError, Hashable {
    /// The kinds of failure; the raw values are Apple's.
    @nonexhaustive(warn)
    public enum Code: Int, Sendable {
        /// The request failed; the user can be told why by `ASExtensionLocalizedFailureReasonErrorKey`.
        case failed = 0
        /// The user said no.
        case userCanceled = 1
        /// The user has to be asked first.
        case userInteractionRequired = 100
        /// The provider has no credential for this identity.
        case credentialIdentityNotFound = 101
        /// A passkey is there that the relying party excludes.
        case matchedExcludedCredential = 102
    }

    private let error: NSError

    /// An error with what is to be said about it.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        error = NSError(domain: ASExtensionErrorDomain, code: code.rawValue, userInfo: userInfo)
    }

    /// The kind of failure.
    public var code: Code { Code(rawValue: error.code) ?? .failed }
    /// The raw value of `code`.
    public var errorCode: Int { error.code }
    /// What is said about the error.
    public var errorUserInfo: [String: Any] { error.userInfo }
    /// What is said about the error.
    public var userInfo: [String: Any] { error.userInfo }
    /// `ASExtensionErrorDomain`.
    public static var errorDomain: String { ASExtensionErrorDomain }

    /// The request failed.
    public static var failed: Code { .failed }
    /// The user said no.
    public static var userCanceled: Code { .userCanceled }
    /// The user has to be asked first.
    public static var userInteractionRequired: Code { .userInteractionRequired }
    /// The provider has no credential for this identity.
    public static var credentialIdentityNotFound: Code { .credentialIdentityNotFound }
    /// A passkey is there that the relying party excludes.
    public static var matchedExcludedCredential: Code { .matchedExcludedCredential }
}

extension ASExtensionError.Code {
    /// Matches an error with this code, be it of the Swift type or an `NSError` of the domain.
    public static func ~= (code: ASExtensionError.Code, error: any Error) -> Bool {
        let error = NSErrorParts(error)
        return error.domain == ASExtensionErrorDomain && error.code == code.rawValue
    }
}

/// The domain of `ASExtensionError`.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let ASExtensionErrorDomain: String = "ASExtensionErrorDomain"

/// The key of a sentence for the user in the `userInfo` of an `ASExtensionError.failed`.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let ASExtensionLocalizedFailureReasonErrorKey: String = "ASExtensionLocalizedFailureReasonErrorKey"
