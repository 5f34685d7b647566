// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
package import AutoFillSecrets

/// Drives a provider as the daemon does, including error cases, and records its behaviour.
@MainActor
package final class ConformanceRun {
    package let bundle: TestedBundle
    package let place: ConformancePlace
    /// The texts to type into its interfaces, by the id or the label of the element.
    package let answers: [String: String]
    package let output = OutputCapture()
    private let report: (ConformanceCheck) -> Void
    package private(set) var checks: [ConformanceCheck] = []
    /// An account on which an extension can test changes.
    package let account: TestedAccount?
    /// Secrets that the provider answered, which it must not print.
    package var secrets: [SecretBytes]
    /// What `--answers` can name of the interfaces so far: the identifiers and labels of their elements.
    package var shownNames: Set<String> = []
    private var provider: ProviderUnderTest?
    private var lastRequest = 0

    /// The time limit of `provider.provideCredential`.
    package static let timeLimit = Duration.seconds(5)
    /// The time limit for all other requests, generous because test machines are busy.
    package static let patience = Duration.seconds(10)

    package init(
        _ bundle: TestedBundle,
        _ place: ConformancePlace,
        answers: [String: String] = [:],
        account: TestedAccount? = nil,
        _ report: @escaping (ConformanceCheck) -> Void
    ) {
        self.bundle = bundle
        self.place = place
        self.answers = answers
        self.account = account
        self.report = report
        secrets = [place.key]
    }

    package func run() async -> ConformanceReport {
        let contents = bundle.contents
        await checkStart()
        if let claims = bundle.modification {
            await checkModification(claims)
            await checkConversion(claims)
            await checkStrangeCancels()
        } else {
            await checkStore()
            await checkConfigured()
            await checkCredentials()
            await checkLists()
            await checkConfiguration()
            await checkSaving()
            await checkGeneratingInterface()
            await checkAnswersMet()
            await checkStrangeCancels()
            await checkCancel()
        }
        await checkWire()
        await checkOutput()
        await checkBundle(contents)
        return ConformanceReport(identifier: bundle.identifier, checks: checks)
    }

    /// Runs one check. Faults that the provider commits meanwhile fail the check too, whatever its subject.
    package func check(_ name: String, _ body: () async throws -> Void) async {
        let before = provider?.faults.count ?? 0
        var outcome = ConformanceCheck.Outcome.passed
        do {
            try await body()
            if let provider, provider.faults.count > before { throw ConformanceFault(provider.faults[before]) }
        } catch let fault as ConformanceFault {
            outcome = .failed(fault.reason)
        } catch let skip as ConformanceSkip {
            outcome = .skipped(skip.reason)
        } catch let error as WireError {
            outcome = .failed("it answered \(error.code.rawValue): \(error.message)")
        } catch {
            outcome = .failed("its answer does not have the form that the protocol requires")
        }
        let check = ConformanceCheck(name: name, outcome: outcome)
        checks.append(check)
        report(check)
    }

    package func nextRequest() -> Int {
        lastRequest += 1
        return lastRequest
    }

    /// The process that checks share. A new one is started if it has ended.
    package func running() async throws -> ProviderUnderTest {
        if let provider, !provider.peer.isClosed { return provider }
        let started = try await start(store: provider?.store ?? StorePlayer())
        provider = started
        return started
    }

    package func forgetRunning() {
        provider = nil
    }

    /// Starts a new process with `provider.start`, and waits until it makes no more store requests.
    package func start(store: StorePlayer) async throws -> ProviderUnderTest {
        let provider = try ProviderUnderTest(bundle, place, output, store: store)
        do {
            let answer = try await provider.call(Provider.Start.self, place.start(bundle), within: Self.patience)
            guard !answer.name.isEmpty else { throw ConformanceFault("provider.start was answered without a name") }
        } catch let error as WireError {
            throw ConformanceFault("provider.start was answered by \(error.code.rawValue): \(error.message)")
        }
        // Only a provider with a store may make store requests.
        if bundle.modification == nil { await settle(provider) }
        return provider
    }

    /// Waits until a provider has made no store request for a moment.
    package func settle(_ provider: ProviderUnderTest) async {
        var last = -1
        for _ in 0..<20 {
            let count = provider.store.requests
            if count == last { return }
            last = count
            try? await Task.sleep(for: .milliseconds(300))
        }
    }

    /// Checks that the provider still answers.
    ///
    /// - Throws: A `ConformanceFault` when it does not.
    package func requireAlive(_ provider: ProviderUnderTest) async throws {
        do {
            _ = try await provider.peer.call("conformance.unknown", .object([:]), timeout: Self.patience)
            throw ConformanceFault("it answered a method that does not exist")
        } catch let error as WireError {
            switch error.code {
            case .methodNotFound: return
            case .providerUnavailable: throw ConformanceFault("it has ended")
            case .timedOut: throw ConformanceFault("it no longer answers")
            default: throw ConformanceFault("an unknown method was answered by \(error.code.rawValue), not -32601")
            }
        }
    }

    /// Checks the credential of an answer: its type, its user, and that its secret is not empty.
    package func take(_ answer: CredentialAnswer, type: String, user: String?) throws {
        let credential = answer.credential
        guard credential.type == type else {
            throw ConformanceFault("a credential of the type \(credential.type) was answered, not \(type)")
        }
        let secret =
            switch type {
            case "one-time-code": credential.code
            case "text": credential.text
            default: credential.password
            }
        guard let secret, secret.bytes.count > 0 else {
            throw ConformanceFault("a credential without its secret was answered")
        }
        if type == "password" {
            guard let answered = credential.user else {
                throw ConformanceFault("a password without its user was answered")
            }
            guard user == nil || answered == user else {
                throw ConformanceFault("the credential of another account was answered")
            }
        }
        // Short secrets would be found in any output.
        if secret.bytes.count >= 4 { secrets.append(secret.bytes) }
    }
}
