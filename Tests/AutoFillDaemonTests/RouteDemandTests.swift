// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillIPC
import Foundation
import Testing

@testable import AutoFillDaemon
@testable import DaemonTesting

/// The table of section 6 of `docs/protocol.md` ("What a method takes"), walked.
@Suite struct RouteDemandTests {
    private static let roles: [(name: String, role: PeerRole)] = [
        ("settings", .settings), ("browser", .browser), ("git", .git), ("client", .client), ("app", .app(.builtIn)),
        ("login", .login), ("desktop", .desktop),
    ]

    /// What the page says: by role, what each method takes.
    private static func page() throws -> [String: [String: String]] {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "../../docs/protocol.md"
        ).path
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let section = try #require(text.components(separatedBy: "### What a method takes\n").last)
        var table: [String: [String: String]] = [:]
        for line in section.split(separator: "\n").drop(while: { !$0.hasPrefix("|---") }).dropFirst() {
            guard line.hasPrefix("| ") else { break }
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            for method in cells[2].split(separator: ",") {
                let name = method.trimmingCharacters(in: CharacterSet(charactersIn: " `"))
                #expect(table[cells[0], default: [:]].updateValue(cells[1], forKey: name) == nil, "\(name) twice")
            }
        }
        return table
    }

    @Test("S36 the page and the routes say the same of every method of every role")
    func pageIsTrue() throws {
        let page = try Self.page()
        #expect(Set(page.keys) == Set(Self.roles.map(\.name)))
        for (name, role) in Self.roles {
            #expect(page[name] == Routes.of(role).demands.mapValues(\.rawValue), "\(name)")
        }
    }

    @Test("S36 what always takes the passphrase is refused without one, and with one that was given for something else")
    func passphraseIsDemanded() async throws {
        let daemon = try await FakeInstallation()
        try await daemon.begin()
        _ = try await daemon.broker.setPreferences(.init(authentication: "never"))
        let client = ClientConnection(number: 7, role: .settings, program: "/usr/bin/latchkey")
        let routes = Routes.of(.settings)
        let methods = routes.demands.filter { $0.value == .passphrase }.keys
        #expect(!methods.isEmpty)
        for method in methods {
            await #expect {
                try await routes.answer(method, .object([:]), daemon: daemon.capabilities, client: client)
            } throws: {
                code($0) == .authenticationRequired
            }
            try await daemon.broker.authenticate(passphrase: daemon.passphrase, for: "items.reveal", on: 7)
            await #expect {
                try await routes.answer(method, .object([:]), daemon: daemon.capabilities, client: client)
            } throws: {
                code($0) == .authenticationRequired
            }
        }
    }

    @Test(
        "S36 a weaker preference takes the passphrase and a line in the log; a stricter one takes neither",
        arguments: [
            PreferenceChanges(authentication: "never"), .init(authenticationMinutes: 6), .init(idleMinutes: 0),
            .init(idleMinutes: 16), .init(lockOnSuspend: false), .init(lockOnScreenLock: false),
            .init(providerSeconds: 6), .init(gitSave: "always"), .init(codeSeconds: 181),
            .init(codeMaildir: "/mail"), .init(breachList: "/list"), .init(breachRanges: true),
            .init(fingerprint: true),
        ])
    func weakerPreferences(changes: PreferenceChanges) async throws {
        let daemon = try await FakeInstallation()
        try await daemon.begin()
        let client = ClientConnection(number: 7, role: .settings, program: "/usr/bin/latchkey")
        func set(_ changes: PreferenceChanges) async throws {
            _ = try await Routes.of(.settings).answer(
                "preferences.set", JSONValue(encoding: changes), daemon: daemon.capabilities, client: client)
        }
        func lines() async throws -> [String?] {
            try await daemon.capabilities.shared.auditTrail.auditLines(.init()).lines.filter { $0.event == "weakened" }
                .map(
                    \.purpose)
        }
        let before = await daemon.broker.preferences
        await #expect { try await set(changes) } throws: { code($0) == .authenticationRequired }
        #expect(await daemon.broker.preferences == before)
        #expect(try await lines().isEmpty)
        try await daemon.broker.authenticate(passphrase: daemon.passphrase, for: "preferences.set", on: 7)
        try await set(changes)
        #expect(try await lines() == ["preferences.set"])
        // It is spent; what strengthens goes on without.
        await #expect {
            try await set(.init(authentication: "never", idleMinutes: 0, lockOnSuspend: false, gitMinutes: 9))
        } throws: {
            code($0) == .authenticationRequired
        }
        try await set(.init(authentication: "always", idleMinutes: 1, lockOnSuspend: true, gitSave: "never"))
        #expect(try await lines().count == 1)
    }
}
