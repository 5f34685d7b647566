// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets

/// Checks of saving and generating, for providers that declare them.
extension ConformanceRun {
    private static let service = ServiceStatement(type: 1, identifier: "https://conformance.invalid")

    private func save(_ user: String, _ password: String, _ event: String, kind: String? = nil) async throws {
        let provider = try await running()
        let request = nextRequest()
        _ = try await provider.call(
            Saving.Save.self,
            .init(
                request: request, service: Self.service, user: user,
                password: WireSecret(SecretBytes(utf8: password)), session: "conformance-\(user)", event: event,
                kind: kind),
            within: Self.timeLimit)
        guard provider.interfaces(request).isEmpty else {
            throw ConformanceFault("it showed an interface before provider.prepareSavePassword")
        }
    }

    /// The passwords the provider gives for a user's accounts, once its store lists them, or `nil` if it needs the user first.
    private func kept(of user: String) async throws -> [SecretBytes]? {
        let provider = try await running()
        await settle(provider)
        var found: [SecretBytes] = []
        for identity in provider.store.identities.values where identity.type == "password" && identity.user == user {
            do {
                let answer = try await provider.call(
                    Provider.ProvideCredential.self, .init(identity: identity, request: nextRequest()),
                    within: Self.timeLimit)
                try take(answer, type: "password", user: user)
                answer.credential.password.map { found.append($0.bytes) }
            } catch let error as WireError where error.code == .providerExtension(100) {
                return nil
            }
        }
        guard !found.isEmpty else { throw ConformanceFault("its store has no identity of the account that it saved") }
        return found
    }

    private func require(_ password: String, of user: String, _ fault: String) async throws {
        guard let kept = try await kept(of: user) else { return }
        guard kept.contains(SecretBytes(utf8: password)) else { throw ConformanceFault(fault) }
    }

    /// Shows the interface for a password that was not saved because the user has to be asked, and cancels it.
    private func prepare(_ user: String, _ password: String, _ event: String) async throws {
        let provider = try await running()
        let request = nextRequest()
        let params = Saving.Save.Params(
            request: request, service: Self.service, user: user, password: WireSecret(SecretBytes(utf8: password)),
            session: "conformance-\(user)", event: event)
        try await present(provider, request, Saving.PrepareSave.self, params) { _, _ in }
    }

    package func checkSaving() async {
        let made = "conformance-Made-Up-1"
        secrets.append(SecretBytes(utf8: made))
        await check("saves a password that the user wants saved") {
            try requireSaving()
            try await save("conformance", made, "userInitiated")
            try await require(made, of: "conformance", "it returns a password other than the one that it saved")
        }
        await check("replaces a password that the user wants replaced") {
            try requireSaving()
            try await save("conformance", made + "-newer", "userInitiated")
            try await require(made + "-newer", of: "conformance", "it still gives the old password")
        }
        await check("keeps a generated password without asking") {
            try requireSaving()
            try await save("conformance-generated", made + "-generated", "generatedPasswordFilled", kind: "STRONG")
        }
        await check("asks before a form that is gone replaces a password (1100), or keeps both") {
            try requireSaving()
            do {
                try await save("conformance", made + "-other", "formDidDisappear")
            } catch let error as WireError where error.code == .providerExtension(100) {
                try await prepare("conformance", made + "-other", "formDidDisappear")
            }
            try await require(
                made + "-newer", of: "conformance", "it replaced a password without asking the user")
        }
        await check("makes passwords that keep to the rules") {
            guard bundle.generates else { throw ConformanceSkip("it makes no passwords") }
            let before = try await running().store.identities.count
            let answer = try await running().call(
                Saving.Generate.self,
                .init(
                    request: nextRequest(), service: Self.service,
                    fieldRules: "required: lower; required: digit; minlength: 10; maxlength: 12"),
                within: Self.timeLimit)
            guard let first = answer.passwords.first else { throw ConformanceFault("it answered no password") }
            for made in answer.passwords { secrets.append(made.password.bytes) }
            let isRight = first.password.bytes.withUnsafeBytes { bytes in
                (10...12).contains(bytes.count) && bytes.contains { (0x30...0x39).contains($0) }
                    && bytes.contains { (0x61...0x7A).contains($0) }
            }
            guard isRight else { throw ConformanceFault("its first password breaks the rules that it was told") }
            guard try await running().store.identities.count == before else {
                throw ConformanceFault("it saved a password that it was only to generate")
            }
        }
    }

    package func checkGeneratingInterface() async {
        await check("shows its interface for a new password, and ends it when cancelled") {
            guard bundle.generatesWithInterface else { throw ConformanceSkip("it has none") }
            let provider = try await running()
            let request = nextRequest()
            try await present(
                provider, request, Saving.PrepareGenerate.self, .init(request: request, service: Self.service)
            ) { _, _ in }
        }
    }

    private func requireSaving() throws {
        guard bundle.saves else { throw ConformanceSkip("it saves no passwords") }
    }
}
