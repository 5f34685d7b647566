// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
internal import AutoFillSecrets
internal import FoundationEssentials

/// Checks of password changes, for extensions that declare them.
extension ConformanceRun {
    /// The daemon's time limit for a change without an interface.
    package static let changeLimit = Duration.seconds(30)
    private static let nobody = "conformance-nobody"
    private static let wrong = "conformance-Wrong-Password-1"
    /// The user info that an app passes along: a property list `{}` with one text in it.
    private static let userInfo = #"<plist version="1.0"><dict><key>conformance</key><string>x</string></dict></plist>"#

    /// A password change that states a wrong current password.
    package func madeUpChange(_ request: Int, _ claims: ModificationClaims) -> Modification.ChangePassword.Params {
        change(request, claims, user: account?.user ?? Self.nobody, from: Self.wrong, to: claims.makePassword())
    }

    private func change(
        _ request: Int, _ claims: ModificationClaims, user: String, from password: String?, to newPassword: String,
        userInfo: String? = nil
    ) -> Modification.ChangePassword.Params {
        for secret in [password, newPassword].compactMap({ $0 }) { secrets.append(SecretBytes(utf8: secret)) }
        return .init(
            request: request, service: ServiceStatement(type: 0, identifier: claims.host), user: user,
            password: password.map { WireSecret(SecretBytes(utf8: $0)) },
            newPassword: WireSecret(SecretBytes(utf8: newPassword)),
            userInfo: userInfo.map { WireSecret(SecretBytes(utf8: Data($0.utf8).base64EncodedString())) })
    }

    /// Makes a request without an interface. Errors that an extension may answer are allowed; others are faults.
    package func ask<M: WireMethod>(
        _ method: M.Type, _ params: M.Params, _ request: Int
    ) async throws -> Result<M.Answer, WireError> {
        let provider = try await running()
        let result: Result<M.Answer, WireError>
        do {
            result = .success(try await provider.call(method, params, within: Self.changeLimit))
        } catch let error as WireError {
            switch error.code {
            case .providerExtension(0), .providerExtension(1), .providerExtension(100): result = .failure(error)
            case .timedOut:
                provider.cancel(request)
                throw ConformanceFault("it took longer than 30 s")
            case .providerUnavailable: throw ConformanceFault("it ended over \(M.name)")
            default: throw error
            }
        }
        guard provider.interfaces(request).isEmpty else {
            throw ConformanceFault("it showed an interface before it was asked to")
        }
        return result
    }

    package func checkModification(_ claims: ModificationClaims) async {
        await checkWhatItIsNotAskedFor(claims)
        var needsUser = false
        await check("says why it does not change a password that is wrong (1000 or 1100), within 30 s") {
            try requireChanging(claims)
            let request = nextRequest()
            switch try await ask(Modification.ChangePassword.self, madeUpChange(request, claims), request) {
            case .success: throw ConformanceFault("it reports a changed password although the given one was wrong")
            case .failure(let error): needsUser = error.code == .providerExtension(100)
            }
        }
        for (name, isBack) in [("changes the password of --account", false), ("changes it back", true)] {
            await check("\(name), within 30 s") {
                try requireChanging(claims)
                guard let account else { throw ConformanceSkip("--account gives it an account at its service") }
                let passwords = [account.password, account.newPassword]
                try await change(claims, account, passwords[isBack ? 1 : 0], passwords[isBack ? 0 : 1], &needsUser)
            }
        }
        await check("takes what an app asks for: without the password, with userInfo") {
            try requireChanging(claims)
            let request = nextRequest()
            let params = change(
                request, claims, user: Self.nobody, from: nil, to: claims.makePassword(), userInfo: Self.userInfo)
            guard case .failure = try await ask(Modification.ChangePassword.self, params, request) else {
                throw ConformanceFault("it reports a changed password for a user who proved nothing")
            }
        }
        await check("refuses userInfo that is not a property list, and goes on") {
            try requireChanging(claims)
            let provider = try await running()
            let request = nextRequest()
            var params = madeUpChange(request, claims)
            params.userInfo = WireSecret(SecretBytes(utf8: "no base64 of anything"))
            do {
                _ = try await provider.call(Modification.ChangePassword.self, params, within: Self.changeLimit)
                throw ConformanceFault("it says that it changed a password")
            } catch let error as WireError where error.code != .timedOut && error.code != .providerUnavailable {}
            try await requireAlive(provider)
        }
        await check("asks the user in its interface after it said 1100, and ends when cancelled") {
            try requireChanging(claims)
            guard needsUser else { throw ConformanceSkip("it never said 1100") }
            let provider = try await running()
            let request = nextRequest()
            let params = madeUpChange(request, claims)
            try await present(provider, request, Modification.PrepareChangePassword.self, params) { _, _ in }
        }
        await check("ends a change that is cancelled at once") {
            try requireChanging(claims)
            let provider = try await running()
            let request = nextRequest()
            let params = madeUpChange(request, claims)
            let answer = Task {
                try await provider.call(Modification.ChangePassword.self, params, within: Self.changeLimit)
            }
            // Messages are delivered in order; the cancellation has to be the second one.
            try await Task.sleep(for: .milliseconds(20))
            try await cancel(provider, request, answer)
        }
        await check("shows its interface or answers where it is asked for one, and ends when cancelled") {
            try requireChanging(claims)
            let request = nextRequest()
            let params = madeUpChange(request, claims)
            try await presentOrAnswer(Modification.PrepareChangePassword.self, params, request) { _ in
                throw ConformanceFault("it reports a changed password although the given one was wrong")
            }
        }
    }

    private func checkWhatItIsNotAskedFor(_ claims: ModificationClaims) async {
        await check("provides no credential") {
            let identity = IdentityStatement(
                type: "password", service: ServiceStatement(type: 0, identifier: claims.host), user: Self.nobody,
                recordIdentifier: nil, rank: 0)
            let provider = try await running()
            do {
                _ = try await provider.call(
                    Provider.ProvideCredential.self, .init(identity: identity, request: nextRequest()),
                    within: Self.timeLimit)
                throw ConformanceFault("it answered a credential")
            } catch let error as WireError where error.code != .timedOut && error.code != .providerUnavailable {}
            try await requireAlive(provider)
        }
        await check("refuses a kind of change that Info.plist does not state") {
            guard !claims.changesPasswords || !claims.convertsToSignInWithApple else {
                throw ConformanceSkip("it states both")
            }
            let request = nextRequest()
            let isRefused: Bool
            if claims.changesPasswords {
                try await running().expectAuthorization(request, .failed)
                let asked = madeUpConversion(request, claims)
                isRefused = try await ask(Modification.Convert.self, asked, request).isFailure
            } else {
                let asked = madeUpChange(request, claims)
                isRefused = try await ask(Modification.ChangePassword.self, asked, request).isFailure
            }
            guard isRefused else { throw ConformanceFault("it says that it has done it") }
        }
    }

    /// A change that has to succeed, without an interface or, after error 1100, with one and the texts of `--answers`.
    private func change(
        _ claims: ModificationClaims, _ account: TestedAccount, _ old: String, _ new: String, _ needsUser: inout Bool
    ) async throws {
        let request = nextRequest()
        let params = change(request, claims, user: account.user, from: old, to: new)
        let changed: Modification.Changed
        switch try await ask(Modification.ChangePassword.self, params, request) {
        case .success(let answer): changed = answer
        case .failure(let error) where error.code == .providerExtension(100):
            needsUser = true
            let request = nextRequest()
            let params = change(request, claims, user: account.user, from: old, to: new)
            changed = try await complete(Modification.PrepareChangePassword.self, params, request)
        case .failure(let error): throw ConformanceFault("it failed: \(error.reason ?? error.message)")
        }
        guard changed.user == account.user || !changed.user.isEmpty else {
            throw ConformanceFault("it answered no user")
        }
        guard changed.password.bytes == SecretBytes(utf8: new) else {
            secrets.append(changed.password.bytes)
            throw ConformanceFault("it set another password than it was given; change it back by hand")
        }
    }

    private func requireChanging(_ claims: ModificationClaims) throws {
        guard claims.changesPasswords else { throw ConformanceSkip("it states that it changes no passwords") }
    }
}

extension Result {
    fileprivate var isFailure: Bool { if case .failure = self { true } else { false } }
}
