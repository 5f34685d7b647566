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

    func convert(_ params: Modification.Convert.Params) async throws(WireError) -> Modification.Converted {
        let asked = try ModifiedAccount(params.service, params.user, params.password, params.userInfo)
        let (controller, request) = try beginForModification(params.request, mayAuthorize: true)
        let outcome = await withoutInterface(params.request, request) {
            controller.convertAccountToSignInWithAppleWithoutUserInteraction(
                for: asked.service, existingCredential: asked.credential, userInfo: asked.userInfo)
        }
        return try converted(outcome)
    }

    func prepareConvert(_ params: Modification.PrepareConvert.Params) async throws(WireError) -> Modification.Converted
    {
        let asked = try ModifiedAccount(params.service, params.user, params.password, params.userInfo)
        let (controller, request) = try beginForModification(params.request, mayAuthorize: true)
        let outcome = await onScreen(params.request, request) {
            controller.prepareInterfaceToConvertAccountToSignInWithApple(
                for: asked.service, existingCredential: asked.credential, userInfo: asked.userInfo)
        }
        return try converted(outcome)
    }

    private func converted(_ outcome: RequestEnding.Outcome) throws(WireError) -> Modification.Converted {
        _ = try RequestAnswer.converted.credential(in: outcome)
        guard case .converted(let userInfo) = outcome else { throw .providerFailed("It converted no account.") }
        return .init(userInfo: userInfo.map { WireSecret($0) })
    }

    private func changed(_ outcome: RequestEnding.Outcome) throws(WireError) -> Modification.Changed {
        _ = try RequestAnswer.passwordChanged.credential(in: outcome)
        guard case .passwordChanged(let user, let password, let userInfo) = outcome else {
            throw .providerFailed("It changed no password.")
        }
        return .init(user: user, password: WireSecret(password), userInfo: userInfo.map { WireSecret($0) })
    }
}

/// What a view controller is given to change a password.
private struct PasswordChange {
    let account: ModifiedAccount
    let newPassword: String

    var service: ASCredentialServiceIdentifier { account.service }
    var credential: ASPasswordCredential { account.credential }
    var userInfo: [AnyHashable: Any]? { account.userInfo }

    init(_ params: Modification.ChangePassword.Params) throws(WireError) {
        account = try ModifiedAccount(params.service, params.user, params.password, params.userInfo)
        newPassword = SecretText(params.newPassword.bytes).unsafeString()
    }
}

/// What a view controller is told of an account. Apple's types hold a `String`, which cannot be wiped.
private struct ModifiedAccount {
    let service: ASCredentialServiceIdentifier
    let credential: ASPasswordCredential
    let userInfo: [AnyHashable: Any]?

    init(
        _ service: ServiceStatement, _ user: String, _ password: WireSecret?, _ sent: WireSecret?
    ) throws(WireError) {
        guard let service = ASCredentialServiceIdentifier(service.service) else {
            throw .providerFailed("It does not know services of this kind.")
        }
        self.service = service
        credential = ASPasswordCredential(
            user: user, password: password.map { SecretText($0.bytes).unsafeString() } ?? "")
        if let sent {
            guard let read = UserInfoList.userInfo(sent.bytes) else {
                throw .providerFailed("The app's userInfo cannot be read.")
            }
            userInfo = read
        } else {
            userInfo = nil
        }
    }
}
