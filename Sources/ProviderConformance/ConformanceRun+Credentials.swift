// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets

extension ConformanceRun {
    package func checkStart() async {
        await check("answers provider.start, with members it does not know") { _ = try await running() }
        await check("answers an unknown method with -32601") { try await requireAlive(running()) }
    }

    package func checkStore() async {
        await check("makes store requests that are right") {
            let provider = try await running()
            guard provider.store.requests > 0 else { throw ConformanceSkip("it made none") }
            if let fault = provider.faults.first { throw ConformanceFault(fault) }
        }
        for (mood, name) in [(StorePlayer.Mood.disabled, "disabled (1201)"), (.busy, "busy (1202)")] {
            await check("goes on while its store is \(name)") {
                let provider = try await start(store: StorePlayer(mood: mood))
                try await requireAlive(provider)
                if let fault = provider.faults.first { throw ConformanceFault(fault) }
            }
        }
    }

    /// Saved identities of a type that may be requested; at most a sample of a large store.
    private func saved() async throws -> [IdentityStatement] {
        let all = try await running().store.identities.sorted { $0.key < $1.key }.map(\.value)
        let asked = all.filter { $0.type == "password" || $0.type == "one-time-code" }
        guard !asked.isEmpty else {
            throw ConformanceSkip("it saved no identities; --answers or --container gives it accounts")
        }
        return Array(asked.prefix(50))
    }

    package func checkCredentials() async {
        await check("saves identities only of kinds that its bundle states") {
            let words = ["password": "passwords", "one-time-code": "one-time-codes", "passkey": "passkeys"]
            for identity in try await running().store.identities.values
            where !bundle.provides.contains(words[identity.type] ?? "") {
                throw ConformanceFault(
                    "one is of the type \(identity.type.prefix(64)), which ASCredentialProviderExtensionCapabilities does not state"
                )
            }
        }
        var needsUser: IdentityStatement?
        await check("provides the credential of each identity that it saved, within 5 s") {
            for identity in try await saved() {
                let provider = try await running()
                let request = nextRequest()
                do {
                    let answer = try await provider.call(
                        Provider.ProvideCredential.self, .init(identity: identity, request: request),
                        within: Self.timeLimit)
                    try take(answer, type: identity.type, user: identity.user)
                } catch let error as WireError where error.code == .providerExtension(100) {
                    needsUser = needsUser ?? identity
                } catch let error as WireError where error.code == .timedOut {
                    throw ConformanceFault("it took longer than 5 s")
                }
                guard provider.interfaces(request).isEmpty else {
                    throw ConformanceFault("it showed an interface before provider.prepareInterface")
                }
            }
        }
        await check("returns 1101 (or 1100) for an unknown identity") {
            try requirePasswords()
            let identity = IdentityStatement(
                type: "password", service: ServiceStatement(type: 0, identifier: "nobody.invalid"), user: "nobody",
                recordIdentifier: "conformance-nobody", rank: 0)
            do {
                _ = try await running().call(
                    Provider.ProvideCredential.self, .init(identity: identity, request: nextRequest()),
                    within: Self.timeLimit)
                throw ConformanceFault("it answered a credential")
            } catch let error as WireError
                where error.code == .providerExtension(101) || error.code == .providerExtension(100)
            {}
        }
        await check("asks the user in its interface after it said 1100") {
            guard let identity = needsUser else { throw ConformanceSkip("it never said 1100") }
            try await interact(identity)
        }
    }

    private func interact(_ identity: IdentityStatement) async throws {
        let provider = try await running()
        let request = nextRequest()
        let answer = Task {
            try await provider.call(
                Provider.PrepareInterface.self, .init(identity: identity, request: request), within: .seconds(60))
        }
        defer { answer.cancel() }
        let interface = try await shown(provider, request)
        let prepared = ConformanceAnswers(answers)
        shownNames.formUnion(ConformanceAnswers.names(in: interface))
        guard prepared.names(interface), let act = prepared.act(on: interface) else {
            try await cancel(provider, request, answer)
            return
        }
        _ = try await provider.call(Provider.Act.self, .init(request: request, act: act), within: Self.patience)
        try note(act, in: interface)
        try take(try await Self.value(answer, within: Self.patience), type: identity.type, user: identity.user)
    }

    package func requirePasswords() throws {
        guard bundle.provides.contains("passwords") else { throw ConformanceSkip("it provides no passwords") }
    }

    /// The value of a task, or a fault if it exceeds the time limit.
    package static func value<Answer: Sendable>(_ task: Task<Answer, any Error>, within limit: Duration) async throws
        -> Answer
    {
        let deadline = Task {
            try await Task.sleep(for: limit)
            task.cancel()
        }
        defer { deadline.cancel() }
        do {
            return try await task.value
        } catch is CancellationError {
            throw ConformanceFault("no answer came")
        }
    }
}
