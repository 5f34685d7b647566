// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
internal import AutoFillSecrets

/// Checks of conversions to Sign in with Apple, for extensions that declare them; and of extensions' interfaces.
extension ConformanceRun {
    /// A conversion of an account with a wrong password.
    package func madeUpConversion(_ request: Int, _ claims: ModificationClaims) -> Modification.Convert.Params {
        let change = madeUpChange(request, claims)
        secrets += AuthorizationPlayer.secrets.map { SecretBytes(utf8: $0) }
        return .init(
            request: request, service: change.service, user: change.user,
            password: account.map { WireSecret(SecretBytes(utf8: $0.password)) } ?? change.password)
    }

    package func checkConversion(_ claims: ModificationClaims) async {
        await check("states how Apple knows its app") {
            try requireConverting(claims)
            guard claims.namesAppleClient else {
                throw ConformanceFault(
                    "LatchkeySignInWithAppleClientIdentifier or …ReturnURL is missing: nothing can be converted")
            }
        }
        await check("converts an account, or says why not, within 30 s, and never without a credential") {
            try requireConverting(claims)
            _ = try await convert(claims, .granted)
        }
        await check("converts nothing where Sign in with Apple fails") {
            try requireConverting(claims)
            let (result, _) = try await convert(claims, .failed)
            if case .success = result { throw ConformanceFault("it says that the account is converted") }
        }
        await check("ends with 1001 and no sentence where the user says no to Sign in with Apple") {
            try requireConverting(claims)
            let (result, hasAsked) = try await convert(claims, .canceled)
            guard hasAsked else { throw ConformanceSkip("it ended before it asked for a credential") }
            guard case .failure(let error) = result else {
                throw ConformanceFault("it says that the account is converted")
            }
            guard error.code == .providerExtension(1) else {
                throw ConformanceFault("it answered \(error.code.rawValue)")
            }
            guard error.reason == nil else { throw ConformanceFault("it gave a sentence along") }
        }
        await check("ends a conversion that is cancelled while the user signs in") {
            try requireConverting(claims)
            try await cancelWhileSigningIn(claims)
        }
        await check("shows its interface or answers where it is asked for one to convert, and ends when cancelled") {
            try requireConverting(claims)
            let request = nextRequest()
            try await running().expectAuthorization(request, .failed)
            let params = madeUpConversion(request, claims)
            try await presentOrAnswer(Modification.PrepareConvert.self, params, request) { _ in
                throw ConformanceFault("it reports a converted account without a credential")
            }
        }
    }

    private func convert(
        _ claims: ModificationClaims, _ mood: AuthorizationPlayer.Mood
    ) async throws -> (Result<Modification.Converted, WireError>, Bool) {
        let provider = try await running()
        let request = nextRequest()
        provider.expectAuthorization(request, mood)
        let result = try await ask(Modification.Convert.self, madeUpConversion(request, claims), request)
        let hasAsked = provider.hasAuthorized(request)
        if case .success = result, !hasAsked {
            throw ConformanceFault("it reports a converted account without having asked for a credential")
        }
        return (result, hasAsked)
    }

    private func cancelWhileSigningIn(_ claims: ModificationClaims) async throws {
        let provider = try await running()
        let request = nextRequest()
        provider.expectAuthorization(request, .silent)
        let pending = PendingAnswer(provider, Modification.Convert.self, madeUpConversion(request, claims))
        defer { pending.task.cancel() }
        let deadline = ContinuousClock.now + Self.patience
        while !provider.hasAuthorized(request), !pending.isDone, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(10))
        }
        guard provider.hasAuthorized(request) else {
            guard pending.isDone else { throw ConformanceFault("it neither asked for a credential nor answered") }
            throw ConformanceSkip("it ended before it asked for a credential")
        }
        try await cancel(provider, request, pending.task)
    }

    private func requireConverting(_ claims: ModificationClaims) throws {
        guard claims.convertsToSignInWithApple else { throw ConformanceSkip("it states that it converts no accounts") }
    }

    // MARK: Interfaces

    /// A running request, and whether it was answered.
    @MainActor
    private final class PendingAnswer<Answer: Sendable> {
        var isDone = false
        let task: Task<Answer, any Error>

        init<M: WireMethod>(_ provider: ProviderUnderTest, _ method: M.Type, _ params: M.Params)
        where M.Answer == Answer {
            let task = Task { try await provider.call(method, params, within: .seconds(60)) }
            self.task = task
            Task {
                _ = await task.result
                isDone = true
            }
        }
    }

    /// Waits for another interface or for the answer.
    private func wait<Answer>(
        _ provider: ProviderUnderTest, _ request: Int, beyond count: Int, or pending: PendingAnswer<Answer>
    ) async throws {
        let deadline = ContinuousClock.now + Self.changeLimit
        while provider.interfaces(request).count <= count, !pending.isDone {
            guard ContinuousClock.now < deadline else {
                throw ConformanceFault("it neither showed an interface nor answered within 30 s")
            }
            if let fault = provider.faults.last { throw ConformanceFault(fault) }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Makes a request with an interface and cancels it once one is shown. It may also be answered without an interface.
    package func presentOrAnswer<M: WireMethod>(
        _ method: M.Type, _ params: M.Params, _ request: Int, answered: (M.Answer) throws -> Void
    ) async throws {
        let provider = try await running()
        let pending = PendingAnswer(provider, method, params)
        defer { pending.task.cancel() }
        try await wait(provider, request, beyond: 0, or: pending)
        guard pending.isDone else { return try await cancel(provider, request, pending.task) }
        do {
            try answered(try await pending.task.value)
        } catch let error as WireError where [0, 1].contains(error.code.rawValue - 1000) {
            // Allowed: these errors say why there is no interface.
        }
        try await requireAlive(provider)
    }

    /// Makes a request with an interface, and types and presses what `--answers` says until it is answered.
    package func complete<M: WireMethod>(_ method: M.Type, _ params: M.Params, _ request: Int) async throws -> M.Answer
    {
        let provider = try await running()
        let prepared = ConformanceAnswers(answers)
        let pending = PendingAnswer(provider, method, params)
        defer { pending.task.cancel() }
        var pressed: Set<String> = []
        var count = 0
        for _ in 0..<8 {
            try await wait(provider, request, beyond: count, or: pending)
            if pending.isDone { return try await pending.task.value }
            count = provider.interfaces(request).count
            guard let interface = provider.interfaces(request).last, prepared.names(interface),
                let act = prepared.act(on: interface, without: pressed)
            else {
                try await cancel(provider, request, pending.task)
                throw ConformanceSkip("it asks for something that --answers does not have")
            }
            pressed.insert(act.element)
            try note(act, in: interface)
            _ = try await provider.call(Provider.Act.self, .init(request: request, act: act), within: Self.patience)
        }
        throw ConformanceFault("it has not completed after 8 buttons")
    }
}
