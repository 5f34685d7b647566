// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices

/// What is written into the app's log, and nothing of what the user has saved.
enum ErrorTexts {
    static func text(for error: Error) -> String {
        if let error = error as? ASExtensionError {
            switch error.code {
            case .failed:
                return "failed"
            case .userCanceled:
                return "canceled"
            case .userInteractionRequired:
                return "interaction required"
            case .credentialIdentityNotFound:
                return "not found"
            case .matchedExcludedCredential:
                return "excluded"
            @unknown default:
                return "something new"
            }
        }
        if let error = error as? ASCredentialIdentityStoreError, error.code == .storeBusy {
            return "busy"
        }
        let nsError = error as NSError
        guard nsError.domain == ASCredentialIdentityStoreErrorDomain else {
            return "\(nsError.domain) \(nsError.code)"
        }
        switch ASCredentialIdentityStoreError.Code(rawValue: nsError.code) {
        case .internalError?: return "internal"
        case .storeDisabled?: return "disabled"
        default: return "store \(nsError.code)"
        }
    }

    /// The way of `catch`.
    static func isExpected(_ work: () throws -> Void) -> Bool {
        do {
            try work()
            return true
        } catch ASExtensionError.userCanceled {
            return true
        } catch ASExtensionError.userInteractionRequired, ASExtensionError.credentialIdentityNotFound {
            return true
        } catch ASCredentialIdentityStoreError.storeDisabled {
            return true
        } catch let error as ASCredentialIdentityStoreError {
            return error.errorCode == ASCredentialIdentityStoreError.storeBusy.rawValue
        } catch let error as NSError where error.domain == ASExtensionErrorDomain && error.code == 0 {
            return false
        } catch {
            return false
        }
    }
}
