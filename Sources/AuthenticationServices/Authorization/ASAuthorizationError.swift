// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Why something that an app asked for was not done.
public struct ASAuthorizationError: CustomNSError, Hashable {
    /// The kinds of failure; the raw values are Apple's.
    @nonexhaustive(warn)
    public enum Code: Int, Sendable {
        /// A malfunction of which nothing is known.
        case unknown = 1000
        /// The user said no.
        case canceled = 1001
        /// The answer could not be used.
        case invalidResponse = 1002
        /// Nobody took up the request.
        case notHandled = 1003
        /// The request failed.
        case failed = 1004
        /// The user would have had to be asked, which was not allowed.
        case notInteractive = 1005
        /// A passkey is there that the relying party excludes.
        case matchedExcludedCredential = 1006
        /// Credentials could not be imported.
        case credentialImport = 1007
        /// Credentials could not be exported.
        case credentialExport = 1008
        /// The user would rather sign in with Apple; never here.
        case preferSignInWithApple = 1009
        /// This machine cannot make passkeys as it is set up.
        case deviceNotConfiguredForPasskeyCreation = 1010
    }

    private let error: NSError

    /// An error with what is to be said about it.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        error = NSError(domain: ASAuthorizationErrorDomain, code: code.rawValue, userInfo: userInfo)
    }

    /// The kind of failure.
    public var code: Code { Code(rawValue: error.code) ?? .unknown }
    /// The raw value of `code`.
    public var errorCode: Int { error.code }
    /// What is said about the error.
    public var errorUserInfo: [String: Any] { error.userInfo }
    /// What is said about the error.
    public var userInfo: [String: Any] { error.userInfo }
    /// `ASAuthorizationErrorDomain`.
    public static var errorDomain: String { ASAuthorizationErrorDomain }

    /// A malfunction of which nothing is known.
    public static var unknown: Code { .unknown }
    /// The user said no.
    public static var canceled: Code { .canceled }
    /// The answer could not be used.
    public static var invalidResponse: Code { .invalidResponse }
    /// Nobody took up the request.
    public static var notHandled: Code { .notHandled }
    /// The request failed.
    public static var failed: Code { .failed }
    /// The user would have had to be asked, which was not allowed.
    public static var notInteractive: Code { .notInteractive }
    /// A passkey is there that the relying party excludes.
    public static var matchedExcludedCredential: Code { .matchedExcludedCredential }
    /// Credentials could not be imported.
    public static var credentialImport: Code { .credentialImport }
    /// Credentials could not be exported.
    public static var credentialExport: Code { .credentialExport }
    /// The user would rather sign in with Apple; never here.
    public static var preferSignInWithApple: Code { .preferSignInWithApple }
    /// This machine cannot make passkeys as it is set up.
    public static var deviceNotConfiguredForPasskeyCreation: Code { .deviceNotConfiguredForPasskeyCreation }
}

extension ASAuthorizationError.Code {
    /// Matches an error with this code, be it of the Swift type or an `NSError` of the domain.
    public static func ~= (code: ASAuthorizationError.Code, error: any Error) -> Bool {
        let error = NSErrorParts(error)
        return error.domain == ASAuthorizationErrorDomain && error.code == code.rawValue
    }
}

/// The domain of `ASAuthorizationError`.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let ASAuthorizationErrorDomain: String = "com.apple.AuthenticationServices.AuthorizationError"

extension ASAuthorizationError {
    /// A refusal of something that the system does not do yet.
    static func missing(_ code: Code, _ sentence: String) -> ASAuthorizationError {
        ASAuthorizationError(code, userInfo: [NSLocalizedDescriptionKey: sentence])
    }
}
