// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
internal import AutoFillSecrets
internal import TerminalRendering

extension ConformanceRun {
    private static let domain = ServiceStatement(type: 0, identifier: "shiny.example.com")
    private static let url = ServiceStatement(type: 1, identifier: "https://shiny.example.com/login?next=%2F")

    package func checkLists() async {
        let variants: [(String, [ServiceStatement])] = [
            ("a domain", [Self.domain]), ("a URL", [Self.url]), ("several services", [Self.url, Self.domain]),
            ("no service", []),
        ]
        for (name, services) in variants {
            await check("shows its list for \(name), and ends it when cancelled") {
                try requirePasswords()
                try await list(services, type: "password") { _, _ in }
            }
        }
        await check("shows its list of codes") {
            guard bundle.provides.contains("one-time-codes") else { throw ConformanceSkip("it provides no codes") }
            try await list([Self.url], type: "one-time-code") { _, _ in }
        }
        await check("answers a search, a page more and what it does not know in its list") {
            try requirePasswords()
            try await list([Self.domain], type: "password") { provider, request in
                try await self.poke(provider, request)
            }
        }
        await check("answers with the credential that was chosen in its list") {
            try requirePasswords()
            try await choose()
        }
        await check("shows its texts") {
            guard bundle.provides.contains("text") else { throw ConformanceSkip("it provides no texts") }
            let provider = try await running()
            let request = nextRequest()
            try await present(provider, request, Provider.ChooseText.self, .init(request: request)) { _, _ in }
        }
    }

    package func checkStrangeCancels() async {
        await check("ignores a cancel of a request that there is not") {
            let provider = try await running()
            provider.cancel(1_000_000)
            try await requireAlive(provider)
        }
        await check("ignores a cancel that comes too late") {
            let provider = try await running()
            provider.cancel(1)
            try await requireAlive(provider)
        }
    }

    package func checkCancel() async {
        await check("ends a request that is cancelled at once") {
            try requirePasswords()
            let provider = try await running()
            let request = nextRequest()
            let answer = Task {
                try await provider.call(
                    Provider.PrepareCredentialList.self,
                    .init(services: [Self.domain], type: "password", request: request), within: Self.patience)
            }
            // Messages are delivered in order; the cancellation has to be the second one.
            try await Task.sleep(for: .milliseconds(20))
            try await cancel(provider, request, answer)
        }
    }

    private func list(
        _ services: [ServiceStatement],
        type: String,
        _ body: @escaping (ProviderUnderTest, Int) async throws -> Void
    ) async throws {
        let provider = try await running()
        let request = nextRequest()
        let params = Provider.PrepareCredentialList.Params(services: services, type: type, request: request)
        try await present(provider, request, Provider.PrepareCredentialList.self, params, body)
    }

    /// Makes a request with an interface, runs the body once it is shown, and cancels.
    package func present<M: WireMethod>(
        _ provider: ProviderUnderTest,
        _ request: Int,
        _ method: M.Type,
        _ params: M.Params,
        _ body: (ProviderUnderTest, Int) async throws -> Void
    ) async throws {
        let answer = Task { try await provider.call(method, params, within: .seconds(60)) }
        defer { answer.cancel() }
        _ = try await shown(provider, request)
        try await body(provider, request)
        try await cancel(provider, request, answer)
    }

    /// The interface shown for a request. Waits for the first one.
    package func shown(_ provider: ProviderUnderTest, _ request: Int) async throws -> InterfaceStatement {
        let deadline = ContinuousClock.now + Self.patience
        while ContinuousClock.now < deadline {
            if let interface = provider.interfaces(request).last { return interface }
            if provider.peer.isClosed { throw ConformanceFault("it ended instead of showing an interface") }
            if let fault = provider.faults.last { throw ConformanceFault(fault) }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw ConformanceFault("it showed no interface")
    }

    /// Cancels a request. The provider has to answer it in any way, and to keep running.
    package func cancel<Answer: Sendable>(
        _ provider: ProviderUnderTest, _ request: Int, _ answer: Task<Answer, any Error>
    )
        async throws
    {
        provider.cancel(request)
        do {
            _ = try await Self.value(answer, within: Self.timeLimit)
        } catch is ConformanceFault {
            throw ConformanceFault("it did not answer a request that was cancelled")
        } catch let error as WireError where error.code == .providerUnavailable {
            throw ConformanceFault("it ended when a request was cancelled")
        } catch let error as WireError where error.code == .timedOut {
            throw ConformanceFault("it did not answer a request that was cancelled")
        } catch {
            // Any other error is a valid answer to a cancelled request.
        }
        try await requireAlive(provider)
    }

    /// Sends acts that any renderer may send, some of them on elements that do not exist.
    private func poke(_ provider: ProviderUnderTest, _ request: Int) async throws {
        let elements = provider.interfaces(request).last?.elements ?? []
        let text = WireSecret(SecretBytes(utf8: "a\u{202E}ß"))
        for list in elements where list.kind == "list" {
            if list.search == true {
                try await act(InterfaceAct(element: list.id, action: "search", text: text), provider, request)
            }
            if list.more == true { try await act(InterfaceAct(element: list.id, action: "more"), provider, request) }
        }
        // Acts on an older interface, or of a newer renderer. Any answer is valid.
        let strange = [
            InterfaceAct(element: "conformance.nothing", action: "press", fields: []),
            InterfaceAct(element: elements.first?.id ?? "x", action: "conformance.unknown"),
            InterfaceAct(element: elements.first?.id ?? "x", action: "select", row: "conformance.nothing", fields: []),
        ]
        for act in strange {
            do {
                try await self.act(act, provider, request)
            } catch let error as WireError where error.code != .timedOut && error.code != .providerUnavailable {
                // An error is a valid answer.
            }
        }
    }

    private func act(_ act: InterfaceAct, _ provider: ProviderUnderTest, _ request: Int) async throws {
        do {
            _ = try await provider.call(Provider.Act.self, .init(request: request, act: act), within: Self.timeLimit)
        } catch let error as WireError where error.code == .timedOut {
            throw ConformanceFault("provider.act (\(act.action)) was not answered at once")
        } catch let error as WireError where error.code == .providerUnavailable {
            throw ConformanceFault("it ended over provider.act (\(act.action))")
        }
    }

    private func choose() async throws {
        let provider = try await running()
        let request = nextRequest()
        let params = Provider.PrepareCredentialList.Params(services: [], type: "password", request: request)
        let answer = Task { try await provider.call(Provider.PrepareCredentialList.self, params, within: .seconds(60)) }
        defer { answer.cancel() }
        let interface = try await shown(provider, request)
        var form = InterfaceForm()
        form.show(interface)
        let row = form.targets.first { if case .row = $0 { true } else { false } }
        guard let row, let select = form.act(on: row) else {
            try await cancel(provider, request, answer)
            throw ConformanceSkip("its list has no rows; --answers or --container gives it accounts")
        }
        try await act(select, provider, request)
        // The answer is the credential or another interface, because the provider may ask for something first.
        let before = provider.interfaces(request).count
        let deadline = ContinuousClock.now + Self.patience
        let other = Task { @MainActor in
            while ContinuousClock.now < deadline, provider.interfaces(request).count <= before {
                try await Task.sleep(for: .milliseconds(20))
            }
            provider.cancel(request)
        }
        defer { other.cancel() }
        do {
            try take(try await Self.value(answer, within: Self.patience), type: "password", user: nil)
        } catch let error as WireError where provider.interfaces(request).count > before {
            _ = error
            throw ConformanceSkip("it asks for something else first")
        }
    }
}
