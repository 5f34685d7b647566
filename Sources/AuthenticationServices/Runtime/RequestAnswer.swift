// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC

/// What a request is to be answered with.
enum RequestAnswer: String {
    case password = "a password"
    case oneTimeCode = "a one-time code"
    case text = "a text"
    case configuration = "the end of its configuration"
    case saved = "a password saved"
    case generated = "generated passwords"
    case passwordChanged = "a password changed"
    case converted = "an account converted to Sign in with Apple"

    /// The credential that a request has ended with; throws what it was cancelled with, or that it was answered with
    /// something else than was asked for. Nothing for a configuration.
    func credential(in outcome: RequestEnding.Outcome) throws(WireError) -> CredentialStatement? {
        let (given, credential): (RequestAnswer, CredentialStatement?) =
            switch outcome {
            case .credential(let user, let password):
                (.password, CredentialStatement(type: "password", user: user, password: WireSecret(password)))
            case .oneTimeCode(let code):
                (.oneTimeCode, CredentialStatement(type: "one-time-code", code: WireSecret(code)))
            case .text(let text): (.text, CredentialStatement(type: "text", text: WireSecret(text)))
            case .configured: (.configuration, nil)
            case .saved: (.saved, nil)
            case .generated: (.generated, nil)
            case .passwordChanged: (.passwordChanged, nil)
            case .converted: (.converted, nil)
            case .failure(let error): throw error
            }
        guard given == self else {
            throw .providerFailed("It answered with \(given.rawValue) where \(rawValue) was asked for.")
        }
        return credential
    }
}
