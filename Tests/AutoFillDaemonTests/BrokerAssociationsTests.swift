// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillAssociations
import AutoFillIPC
import Foundation
import ProcessTesting
import Synchronization
import Testing

@testable import AutoFillDaemon
@testable import DaemonTesting

/// Answers for every site at once.
private final class OneAnswer: AssociationFetching {
    private let state = Mutex<(finding: AssociationAnswer.Finding, asked: [AssociationQuestion])>((.apps([]), []))

    var asked: [AssociationQuestion] { state.withLock { $0.asked } }

    func set(_ finding: AssociationAnswer.Finding) {
        state.withLock { $0.finding = finding }
    }

    func ask(_ question: AssociationQuestion) async -> AssociationAnswer {
        state.withLock { state in
            state.asked.append(question)
            return AssociationAnswer(requests: [], finding: state.finding)
        }
    }
}

/// Apps and their domains, through the broker.
@Suite(.timeLimit(.minutes(2))) struct BrokerAssociationsTests {
    private static let app = "E5336VM85F.com.example.Shiny"
    private static let host = "shiny.example.com"

    private func begin() async throws -> (FakeInstallation, OneAnswer) {
        let sites = OneAnswer()
        sites.set(.apps([Self.app]))
        let daemon = try await FakeInstallation(sites: sites)
        try await daemon.begin()
        return (daemon, sites)
    }

    private func verified(_ daemon: FakeInstallation) async throws -> [Bool] {
        try await daemon.capabilities.shared.associations.listAssociations(.init()).associations.map(\.verified)
    }

    @Test func opensWithTheKeysAndClosesWithThem() async throws {
        let (daemon, _) = try await begin()
        _ = try await daemon.capabilities.shared.associations.addAssociation(.init(app: Self.app, domain: Self.host))
        #expect(try await verified(daemon) == [true])
        await daemon.broker.lock(reason: "test")
        #expect(await daemon.capabilities.shared.associations.associations == nil)
        await #expect { try await verified(daemon) } throws: { code($0) == .locked }
        await #expect { try await daemon.capabilities.shared.associations.associationLog(.init()) } throws: {
            code($0) == .locked
        }
        try await daemon.broker.unlock(passphrase: daemon.passphrase)
        #expect(try await verified(daemon) == [true])
    }

    @Test func asksWhatIsDueWhenItIsUnlocked() async throws {
        let (daemon, sites) = try await begin()
        _ = try await daemon.capabilities.shared.associations.addAssociation(.init(app: Self.app, domain: Self.host))
        await daemon.broker.lock(reason: "test")
        let count = sites.asked.count
        sites.set(.denied(AssociationDenial(reason: "404 Not Found")))
        daemon.pass(.seconds(8 * 86_400))
        try await daemon.broker.unlock(passphrase: daemon.passphrase)
        try await eventually { try await verified(daemon) == [false] }
        #expect(sites.asked.count == count + 1)
    }

    @Test("S21: believing any certificate, or another source, needs the user") func dangerousDoorsNeedTheUser()
        async throws
    {
        let (daemon, _) = try await begin()
        _ = try await daemon.broker.setPreferences(PreferenceChanges(authentication: "always"))
        daemon.pass(.seconds(60))
        await #expect { try await daemon.capabilities.shared.associations.setDeveloperMode(.init(on: true)) } throws: {
            code($0) == .authenticationRequired
        }
        // Turning it off is no danger.
        try await daemon.capabilities.shared.associations.setDeveloperMode(.init(on: false))
        try await daemon.broker.authenticate(passphrase: daemon.passphrase, for: nil, on: 0)
        try await daemon.capabilities.shared.associations.setDeveloperMode(.init(on: true))
        // Who may change the source, `Routes` has decided (`RouteDemandTests`).
        try await daemon.capabilities.shared.associations.setAssociationSource(.init(source: "https://cdn.example.com"))
        let list = try await daemon.capabilities.shared.associations.listAssociations(.init())
        #expect(list.developerMode)
        #expect(list.source == "https://cdn.example.com")
    }

    @Test(arguments: ["", "http://cdn.example.com", "cdn", "https://"])
    func refusesSourcesThatAreNone(source: String) async throws {
        let (daemon, _) = try await begin()
        await #expect {
            try await daemon.capabilities.shared.associations.setAssociationSource(.init(source: source))
        } throws: {
            code($0) == .invalidParams
        }
    }

    @Test func aDamagedFileLocksNobodyOut() async throws {
        let (daemon, _) = try await begin()
        _ = try await daemon.capabilities.shared.associations.addAssociation(.init(app: Self.app, domain: Self.host))
        await daemon.broker.lock(reason: "test")
        try Data("nonsense".utf8).write(to: URL(fileURLWithPath: daemon.directories.state + "/associations"))
        try await daemon.broker.unlock(passphrase: daemon.passphrase)
        #expect(try await verified(daemon) == [])
        #expect(
            try await daemon.capabilities.shared.associations.associationLog(.init()).lines.last?.text.contains(
                "damaged")
                ?? false)
    }

    @Test func whoFollowsTheLogDoesNotKeepItUnlocked() async throws {
        let (daemon, _) = try await begin()
        for _ in 0..<20 {
            daemon.pass(.seconds(60))
            _ = try? await daemon.capabilities.shared.associations.associationLog(.init())
        }
        _ = await daemon.broker.lockIfIdle()
        await #expect { try await daemon.capabilities.shared.associations.associationLog(.init()) } throws: {
            code($0) == .locked
        }
    }

    @Test func removingWhatIsNotThereIsAnError() async throws {
        let (daemon, _) = try await begin()
        await #expect {
            try await daemon.capabilities.shared.associations.removeAssociations(.init(app: Self.app, domain: nil))
        } throws: {
            code($0) == .notFound
        }
    }
}
