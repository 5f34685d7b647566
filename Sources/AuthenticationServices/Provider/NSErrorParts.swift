// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import Foundation

/// What an error says about itself, be it an `NSError` or a Swift type that stands for one.
struct NSErrorParts {
    let domain: String
    let code: Int
    let userInfo: [String: Any]

    init(_ error: any Error) {
        if let error = error as? any CustomNSError {
            domain = type(of: error).errorDomain
            code = error.errorCode
            userInfo = error.errorUserInfo
        } else {
            let error = error as NSError
            domain = error.domain
            code = error.code
            userInfo = error.userInfo
        }
    }
}

extension WireError {
    /// So long a reason of a provider is passed on, in bytes.
    private static let reasonLimit = 512

    /// What a provider gave to `cancelRequest(withError:)`, as it travels.
    ///
    /// Only the sentence that the provider wrote for the user is passed on: any other text of an error may hold what it
    /// was about. An error of another domain is a failure.
    init(canceledWith error: any Error) {
        let parts = NSErrorParts(error)
        let code = parts.domain == ASExtensionErrorDomain ? ASExtensionError.Code(rawValue: parts.code) : nil
        self = .providerAnswer(code ?? .failed)
        if code == .failed, let text = parts.userInfo[ASExtensionLocalizedFailureReasonErrorKey] as? String {
            reason = String(decoding: text.utf8.prefix(Self.reasonLimit), as: UTF8.self)
        }
    }

    /// An answer of the provider's that is one of Apple's codes.
    static func providerAnswer(_ code: ASExtensionError.Code) -> WireError {
        let sentence =
            switch code {
            case .failed: "The provider could not answer."
            case .userCanceled: "The request was cancelled."
            case .userInteractionRequired: "The provider has to ask the user first."
            case .credentialIdentityNotFound: "The provider has no such credential."
            case .matchedExcludedCredential: "The provider has a credential that is excluded."
            }
        return WireError(.providerExtension(code.rawValue), sentence)
    }

    /// A failure with a reason of ours.
    static func providerFailed(_ reason: String) -> WireError {
        var error = providerAnswer(.failed)
        error.reason = reason
        return error
    }
}
