// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices

#if canImport(CryptoKit)
    import CryptoKit
#else
    import Crypto
#endif

func assertionOutput(for input: ASPasskeyCredentialExtensionInput) -> ASPasskeyAssertionCredentialExtensionOutput? {
    guard case .assertion(let input) = input else { return nil }
    var blob: ASAuthorizationPublicKeyCredentialLargeBlobAssertionOutput?
    switch input.largeBlob?.operation {
    case .read: blob = .read(data: nil)
    case .write: blob = .write(success: false)
    case nil: break
    @unknown default: break
    }
    let prf = input.prf?.inputValues.map { values in
        ASAuthorizationPublicKeyCredentialPRFAssertionOutput(
            first: SymmetricKey(data: values.saltInput1),
            second: values.saltInput2.map { SymmetricKey(data: $0) }
        )
    }
    return ASPasskeyAssertionCredentialExtensionOutput(largeBlob: blob, prf: prf)
}

func registrationOutput(
    for input: ASPasskeyCredentialExtensionInput
) -> ASPasskeyRegistrationCredentialExtensionOutput? {
    switch input {
    case .none, .assertion:
        return nil
    case .registration(let input):
        return ASPasskeyRegistrationCredentialExtensionOutput(
            largeBlob: input.largeBlob?.supportRequirement == .required ? .supported : .unsupported,
            prf: input.prf?.shouldCheckForSupport == true ? .supported : .unsupported
        )
    @unknown default:
        return nil
    }
}
