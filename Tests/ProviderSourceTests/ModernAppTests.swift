// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import Crypto
import ProviderTesting
import Synchronization
import Testing

@testable import AuthenticationServices
@testable import ModernProvider

/// The app of `ProviderSources/Modern`, run.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct ModernAppTests {
    private let recorder = StoreRecorder()

    private func sync(
        enabled: Bool = true,
        incremental: Bool = true,
        failing: WireError? = nil,
        _ identities: [any ASCredentialIdentity]
    ) async throws -> SyncOutcome {
        recorder.state.withLock { $0.standing = .init(enabled: enabled, supportsIncrementalUpdates: incremental) }
        if let failing { recorder.fail("store.save", with: failing) }
        let end = try await DaemonEnd.started(recorder: recorder) { ASCredentialProviderViewController() }
        return await IdentitySync(store: end.store).sync(identities)
    }

    private var passwords: [any ASCredentialIdentity] { Array(Vault().identities.prefix(1)) }

    @Test
    func syncsAsTheStateAllows() async throws {
        #expect(try await sync(passwords) == .saved)
        #expect(try await sync(incremental: false, passwords) == .replaced)
        #expect(try await sync(enabled: false, passwords) == .disabled)
        #expect(recorder.methods == ["store.state", "store.save", "store.state", "store.replace", "store.state"])
    }

    @Test(
        arguments: [
            (WireError(.identityStore(1), ""), SyncOutcome.disabled), (WireError(.identityStore(2), ""), .busy),
            (WireError(.identityStore(0), ""), .failed(0)), (WireError(.locked, ""), .disabled),
        ]
    )
    func isToldWhyNothingWasSaved(error: WireError, outcome: SyncOutcome) async throws {
        #expect(try await sync(failing: error, passwords) == outcome)
    }

    @Test
    func savesThePasswordsAndThePasskeyAmongThem() async throws {
        #expect(try await sync(Vault().identities) == .saved)
        #expect(recorder.methods == ["store.state", "store.save"])
        #expect(recorder.identities == ["0 shiny.example.com rmondello r1", "0 shiny.example.com rmondello -"])
    }

    @Test
    func isGivenNoIdentitiesBack() async throws {
        #expect(await IdentitySync().everythingOf("shiny.example.com").isEmpty)
    }

    @Test
    func settingsDoNotOpen() async throws {
        #expect(await App.turnOn() == false)
        await #expect(throws: CocoaError(.featureUnsupported)) { try await App.openSettings() }
        let arrived = Arrival<Bool>()
        App.openSettings { arrived.arrive($0 == nil) }
        #expect(await arrived.next() == false)
    }

    private func isRefused(_ code: ASAuthorizationError.Code, _ body: () async throws -> Void) async -> Bool {
        do {
            try await body()
            return false
        } catch {
            return code ~= error
        }
    }

    @Test
    func nothingIsReportedSavedOrExchanged() async throws {
        #expect(await isRefused(.notHandled) { try await App.report() })
        // There is no system here that could be asked.
        #expect(await isRefused(.failed) { try await App.save() })
        let data = ASExportedCredentialData(
            accounts: [],
            formatVersion: .v1,
            exporterRelyingPartyIdentifier: "shiny.example.com",
            exporterDisplayName: "Shiny",
            timestamp: Date()
        )
        #expect(await isRefused(.credentialExport) { try await App.export(data) })
        #expect(
            await isRefused(.credentialImport) {
                _ = try await App.importCredentials([ASCredentialImportToken: UUID()])
            }
        )
        #expect(try await App.importCredentials(["token": UUID()]) == nil)
        #expect(try await App.importCredentials([ASCredentialImportToken: "no UUID"]) == nil)
    }

    @Test
    func extensionsAreAnsweredInKind() throws {
        let salts = ASAuthorizationPublicKeyCredentialPRFAssertionInput.InputValues.saltInput1(
            Data(repeating: 1, count: 32))
        let output = try #require(
            assertionOutput(for: .assertion(.init(largeBlob: .write(Data([1])), prf: .inputValues(salts))))
        )
        guard case .write(success: false) = output.largeBlob?.result else {
            Issue.record("the blob was not answered")
            return
        }
        #expect(output.prf?.first == SymmetricKey(data: Data(repeating: 1, count: 32)))
        #expect(output.prf?.second == nil)
        #expect(assertionOutput(for: .none) == nil)
        #expect(registrationOutput(for: .assertion(.init())) == nil)
        let created = registrationOutput(for: .registration(.init(largeBlob: .supportRequired, prf: .checkForSupport)))
        #expect(created?.largeBlob?.isSupported == true)
        #expect(created?.prf?.isSupported == true)
        #expect(created?.prf?.first == nil)
    }
}
