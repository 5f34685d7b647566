// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import Foundation

/// What a passkey extension asks for, as it lies in an archive.
struct PasskeyExtensionInputArchive: Codable {
    /// The values of one evaluation.
    struct Values: Codable {
        var first: Data
        var second: Data?

        init(_ values: ASAuthorizationPublicKeyCredentialPRFAssertionInput.InputValues) {
            first = values.saltInput1
            second = values.saltInput2
        }

        var value: ASAuthorizationPublicKeyCredentialPRFAssertionInput.InputValues {
            .init(saltInput1: first, saltInput2: second)
        }
    }

    var readsBlob = false
    var writesBlob: Data?
    var requiresBlob: Bool?
    var checksForPRF: Bool?
    var values: Values?
    var perCredential: [Data: Values]?

    init(_ input: ASPasskeyAssertionCredentialExtensionInput) {
        switch input.largeBlob?.operation {
        case .read: readsBlob = true
        case .write(let data): writesBlob = data
        case nil: break
        }
        values = input.prf?.inputValues.map(Values.init)
        perCredential = input.prf?.perCredentialInputValues?.mapValues(Values.init)
    }

    init(_ input: ASPasskeyRegistrationCredentialExtensionInput) {
        requiresBlob = input.largeBlob.map { $0.supportRequirement == .required }
        checksForPRF = input.prf?.shouldCheckForSupport
        values = input.prf?.inputValues.map(Values.init)
    }

    var assertion: ASPasskeyAssertionCredentialExtensionInput {
        let prf = ASAuthorizationPublicKeyCredentialPRFAssertionInput(
            inputValues: values?.value,
            perCredentialInputValues: perCredential?.mapValues(\.value)
        )
        return .init(
            largeBlob: readsBlob ? .read : writesBlob.map { .write($0) },
            prf: values == nil && perCredential == nil ? nil : prf
        )
    }

    var registration: ASPasskeyRegistrationCredentialExtensionInput {
        .init(
            largeBlob: requiresBlob.map { $0 ? .supportRequired : .supportPreferred },
            prf: checksForPRF.map { .init(shouldCheckForSupport: $0, inputValues: values?.value) }
        )
    }
}

/// What a passkey extension gave, as it lies in an archive.
struct PasskeyExtensionOutputArchive: Codable {
    var hasReadBlob = false
    var blob: Data?
    var hasWrittenBlob: Bool?
    var supportsBlob: Bool?
    var supportsPRF: Bool?
    var first: Data?
    var second: Data?

    init(_ output: ASPasskeyAssertionCredentialExtensionOutput) {
        switch output.largeBlob?.result {
        case .read(let data):
            hasReadBlob = true
            blob = data
        case .write(let success): hasWrittenBlob = success
        case nil: break
        }
        first = output.prf.map { $0.first.withUnsafeBytes { Data($0) } }
        second = output.prf?.second.map { $0.withUnsafeBytes { Data($0) } }
    }

    init(_ output: ASPasskeyRegistrationCredentialExtensionOutput) {
        supportsBlob = output.largeBlob?.isSupported
        supportsPRF = output.prf?.isSupported
        first = output.prf?.first.map { $0.withUnsafeBytes { Data($0) } }
        second = output.prf?.second.map { $0.withUnsafeBytes { Data($0) } }
    }

    var assertion: ASPasskeyAssertionCredentialExtensionOutput {
        .init(
            largeBlob: hasReadBlob ? .read(data: blob) : hasWrittenBlob.map { .write(success: $0) },
            prf: first.map { .init(first: SymmetricKey(data: $0), second: second.map { SymmetricKey(data: $0) }) }
        )
    }

    var registration: ASPasskeyRegistrationCredentialExtensionOutput {
        .init(
            largeBlob: supportsBlob.map { $0 ? .supported : .unsupported },
            prf: supportsPRF.map { isSupported in
                guard isSupported else { return .unsupported }
                guard let first else { return .supported }
                return .init(first: SymmetricKey(data: first), second: second.map { SymmetricKey(data: $0) })
            }
        )
    }
}
