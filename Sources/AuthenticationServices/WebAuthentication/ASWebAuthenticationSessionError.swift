// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Why a web authentication session brought nothing.
public struct ASWebAuthenticationSessionError: CustomNSError, Hashable {
    /// The kinds of failure; the raw values are Apple's.
    @nonexhaustive(warn)
    public enum Code: Int, Sendable {
        /// The user closed the window, the session was cancelled, or no window could be had.
        case canceledLogin = 1
        /// Nobody names a window to present over; never here.
        case presentationContextNotProvided = 2
        /// The window to present over is none; never here.
        case presentationContextInvalid = 3
    }

    private let error: NSError

    /// An error with what is to be said about it.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        error = NSError(domain: ASWebAuthenticationSessionErrorDomain, code: code.rawValue, userInfo: userInfo)
    }

    /// The kind of failure.
    public var code: Code { Code(rawValue: error.code) ?? .canceledLogin }
    /// The raw value of `code`.
    public var errorCode: Int { error.code }
    /// What is said about the error.
    public var errorUserInfo: [String: Any] { error.userInfo }
    /// What is said about the error.
    public var userInfo: [String: Any] { error.userInfo }
    /// `ASWebAuthenticationSessionErrorDomain`.
    public static var errorDomain: String { ASWebAuthenticationSessionErrorDomain }

    /// The user closed the window, the session was cancelled, or no window could be had.
    public static var canceledLogin: Code { .canceledLogin }
    /// Nobody names a window to present over; never here.
    public static var presentationContextNotProvided: Code { .presentationContextNotProvided }
    /// The window to present over is none; never here.
    public static var presentationContextInvalid: Code { .presentationContextInvalid }
}

extension ASWebAuthenticationSessionError.Code {
    /// Matches an error with this code, be it of the Swift type or an `NSError` of the domain.
    public static func ~= (code: ASWebAuthenticationSessionError.Code, error: any Error) -> Bool {
        let error = NSErrorParts(error)
        return error.domain == ASWebAuthenticationSessionErrorDomain && error.code == code.rawValue
    }
}

/// The domain of `ASWebAuthenticationSessionError`.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let ASWebAuthenticationSessionErrorDomain: String = "com.apple.AuthenticationServices.WebAuthenticationSession"
