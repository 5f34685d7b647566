// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets

@testable import AuthenticationServices

/// A request given to a controller by hand, for what the system does not ask for yet.
@MainActor
struct DirectRequest<Controller: ASCredentialProviderViewController> {
    /// How a request ended, in a form that can be compared.
    enum End: Equatable {
        case credential(user: String, password: SecretBytes)
        case oneTimeCode(SecretBytes)
        case text(SecretBytes)
        case configured
        case saved
        case generated([String])
        case passwordChanged(user: String, password: SecretBytes)
        case converted
        case refusal(Int, String?)
    }

    let controller: Controller
    private let ending = RequestEnding()

    init(_ controller: Controller, _ begin: (Controller) -> Void = { _ in }) {
        self.controller = controller
        controller.beginRequest(with: ASCredentialProviderExtensionContext(ending: ending))
        controller.loadViewIfNeeded()
        begin(controller)
    }

    /// Nothing while the request is open.
    var endSoFar: End? { ending.outcome.map(Self.end) }

    func end() async -> End {
        Self.end(await ending.wait())
    }

    private static func end(_ outcome: RequestEnding.Outcome) -> End {
        switch outcome {
        case .credential(let user, let password): .credential(user: user, password: password)
        case .oneTimeCode(let code): .oneTimeCode(code)
        case .text(let text): .text(text)
        case .configured: .configured
        case .saved: .saved
        case .generated(let results): .generated(results.map(\.kind))
        case .passwordChanged(let user, let password, _): .passwordChanged(user: user, password: password)
        case .converted: .converted
        case .failure(let error): .refusal(error.code.rawValue, error.reason)
        }
    }
}
