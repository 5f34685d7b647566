// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AuthenticationServices
internal import PasswordRules

/// Passwords that are saved and generated.
extension PasswordsViewController {
    /// Saves, or keeps as pending. Only a form that is gone may not replace what there is: nobody has agreed to that.
    func save(_ request: ASSavePasswordRequest) {
        let wanted = PasswordToSave(request)
        Task {
            do {
                switch request.event {
                case .generatedPasswordFilled: try await items.keepPending(wanted)
                case .userInitiated: try await items.save(wanted, by: items.plan(for: wanted))
                case .formDidDisappear:
                    let plan = try await items.plan(for: wanted)
                    if case .replace = plan {
                        return extensionContext.cancelRequest(withError: ASExtensionError(.userInteractionRequired))
                    }
                    try await items.save(wanted, by: plan)
                }
                await extensionContext.completeSavePasswordRequest()
            } catch {
                extensionContext.cancelRequest(withError: ASExtensionError(error))
            }
        }
    }

    /// Asks before something is replaced that the question of the system did not name.
    func askToReplace(_ request: ASSavePasswordRequest) {
        let wanted = PasswordToSave(request)
        let name = wanted.user.isEmpty ? "without a user name" : "of \(wanted.user)"
        view.addSubview(
            MessageView("There is a password \(name) for \(wanted.service.saved) already. It stays in its history."))
        view.addSubview(
            ButtonView("Replace", style: .default) { [weak self] in
                guard let self else { return }
                Task {
                    do {
                        try await self.items.save(wanted, by: self.items.plan(for: wanted))
                        await self.extensionContext.completeSavePasswordRequest()
                    } catch {
                        self.extensionContext.cancelRequest(withError: ASExtensionError(error))
                    }
                }
            })
    }

    /// Passwords of each kind that the rules take; none where nothing satisfies them.
    func generate(_ request: ASGeneratePasswordsRequest) {
        let rules = SiteRules(
            field: request.passwordFieldPasswordRules, confirmation: request.confirmPasswordFieldPasswordRules,
            known: request.passwordRulesFromQuirks)
        let kinds: [(ASGeneratedPassword.Kind, PasswordKind)] = [
            (.strong, .standard), (.alphanumeric, .alphanumeric), (.passphrase, .passphrase(words: 6)),
        ]
        let results = kinds.compactMap { kind, made in
            (try? PasswordGenerator(rules: rules.rules, kind: made)).map {
                ASGeneratedPassword(kind: kind, value: $0.password())
            }
        }
        guard !results.isEmpty else {
            let reason = [ASExtensionLocalizedFailureReasonErrorKey: "No password satisfies the rules of this site."]
            return extensionContext.cancelRequest(withError: ASExtensionError(.failed, userInfo: reason))
        }
        extensionContext.completeGeneratePasswordRequest(results: results)
    }
}
