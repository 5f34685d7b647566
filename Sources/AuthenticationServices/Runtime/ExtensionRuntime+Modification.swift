// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets

/// Requests to change how an account signs in.
extension ExtensionRuntime {
    func changePassword(_ params: Modification.ChangePassword.Params) async throws(WireError) -> Modification.Changed {
        let asked = try PasswordChange(params)
        let (controller, request) = try beginForModification(params.request)
        let outcome = await withoutInterface(params.request, request) {
            controller.changePasswordWithoutUserInteraction(
                for: asked.service, existingCredential: asked.credential, newPassword: asked.newPassword,
                userInfo: asked.userInfo)
        }
        return try changed(outcome)
    }

    func prepareChangePassword(
        _ params: Modification.PrepareChangePassword.Params
    ) async throws(WireError) -> Modification.Changed {
        let asked = try PasswordChange(params)
        let (controller, request) = try beginForModification(params.request)
        let outcome = await onScreen(params.request, request) {
            controller.prepareInterfaceToChangePassword(
                for: asked.service, existingCredential: asked.credential, newPassword: asked.newPassword,
                userInfo: asked.userInfo)
        }
        return try changed(outcome)
    }

    private func changed(_ outcome: RequestEnding.Outcome) throws(WireError) -> Modification.Changed {
        _ = try RequestAnswer.passwordChanged.credential(in: outcome)
        guard case .passwordChanged(let user, let password, let userInfo) = outcome else {
            throw .providerFailed("It changed no password.")
        }
        return .init(user: user, password: WireSecret(password), userInfo: userInfo.map { WireSecret($0) })
    }
}

/// What a view controller is given to change a password. Apple's types hold a `String`, which cannot be wiped.
private struct PasswordChange {
    let service: ASCredentialServiceIdentifier
    let credential: ASPasswordCredential
    let newPassword: String
    let userInfo: [AnyHashable: Any]?

    init(_ params: Modification.ChangePassword.Params) throws(WireError) {
        guard let service = ASCredentialServiceIdentifier(params.service.service) else {
            throw .providerFailed("It does not know services of this kind.")
        }
        self.service = service
        credential = ASPasswordCredential(
            user: params.user, password: params.password.map { SecretText($0.bytes).unsafeString() } ?? "")
        newPassword = SecretText(params.newPassword.bytes).unsafeString()
        if let sent = params.userInfo {
            guard let read = UserInfoList.userInfo(sent.bytes) else {
                throw .providerFailed("What the app gave along cannot be read.")
            }
            userInfo = read
        } else {
            userInfo = nil
        }
    }
}
