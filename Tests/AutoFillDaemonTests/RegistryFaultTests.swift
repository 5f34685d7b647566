// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillRelease
import AutoFillSecrets
import Foundation
import ProcessTesting
import Testing

@testable import AutoFillDaemon
@testable import DaemonTesting

/// A change of the registry is kept in three files. Each call that writes them fails once, and from then on.
@Suite struct RegistryFaultTests {
    private let folder: TemporaryFolder
    private let keys: (keyring: Keyring, deviceKey: DeviceKey)

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
        let made = try Keyring.create(passphrase: SecretBytes(utf8: "x"), cost: .testOnlyFast)
        keys = (made.keyring, made.deviceKey)
    }

    /// What a daemon has open.
    private struct Opened {
        let audit: AuditLog
        var registry: SealedRegistry
        let findings: [AuditFinding]
    }

    /// Opens everything as a daemon does at its first unlock.
    private func open(creating: Bool = false, audit: AuditLog? = nil) throws -> Opened {
        let audit = audit ?? AuditLog(folder: folder.path)
        let file = try KeyringFile(path: folder.path + "/keyring")
        if creating { try file.save(keys.keyring) }
        let counter = RegistryCounter.inFiles(audit, file, keys.deviceKey, now: { 1 }, logger: silent)
        let (path, key) = (folder.path + "/registry", keys.deviceKey.registryKey)
        let registry =
            creating
            ? try SealedRegistry(creatingAt: path, key: key, counter: counter)
            : try SealedRegistry(contentsOf: path, key: key, counter: counter)
        let findings = try audit.open(seed: keys.deviceKey.auditKeySeed, head: registry.audit, isNew: creating)
        audit.note(registry: registry.count)
        return Opened(audit: audit, registry: registry, findings: findings)
    }

    /// What came of a change: `nil` if it was acknowledged, or else the reason of the refusal.
    private func change(_ opened: inout Opened, _ sites: Set<String>, _ faults: [FileFaults]) -> String? {
        @Sendable func fault(_ call: FileCalls.Call, _ path: String) -> Int32? {
            faults.compactMap { $0.next(call, path) }.first
        }
        return FileCalls.$testOnlyFault.withValue(fault) {
            do {
                try opened.registry.setNever(sites)
                return nil
            } catch {
                return WireError(saying: error).reason ?? "refused"
            }
        }
    }

    private static let calls = FileCalls.Call.allCases.flatMap { call in
        (1...8).flatMap { number in [false, true].map { (call, number, $0) } }
    }

    @Test(arguments: calls)
    func aChangeHoldsOrDoesNotAsTheAnswerSaid(call: FileCalls.Call, number: Int, goesOn: Bool) throws {
        for next in ["a start", "an unlock", "a change"] {
            var opened = try open(creating: true)
            #expect(change(&opened, ["old.test"], []) == nil)
            // A log whose line cannot be taken away: its write fails, and each truncation.
            for more in [[], [FileFaults(.truncate, 1, goesOn: true)]] {
                let reason = change(&opened, ["new.test"], [FileFaults(call, number, goesOn: goesOn)] + more)
                let expected: [[String]] =
                    switch reason {
                    case nil: [["new.test"]]
                    case "unsettled": [["old.test"], ["new.test"]]
                    default: [["old.test"]]
                    }
                #expect(opened.registry.neverSites == expected.first)
                switch next {
                case "a change":
                    #expect(change(&opened, ["old.test"], []) == nil)
                    let again = try open()
                    #expect(again.registry.neverSites == ["old.test"] && again.registry.older == nil)
                    #expect(again.findings == [])
                default:
                    opened = try open(audit: next == "an unlock" ? opened.audit : nil)
                    #expect(expected.contains(opened.registry.neverSites))
                    #expect(opened.registry.older == nil)
                    #expect(opened.findings == [])
                    #expect(change(&opened, ["old.test"], []) == nil)
                }
                opened = try open()
                #expect(opened.registry.older == nil && opened.registry.neverSites == ["old.test"])
            }
        }
    }

    @Test("a refused line that stays in the log is taken away before the next one, and before it is read")
    func aStrayLineIsTakenAway() throws {
        var opened = try open(creating: true)
        // The log is made with its first line.
        #expect(change(&opened, ["0.test"], []) == nil)
        #expect(change(&opened, ["a.test"], [FileFaults(.write, 2), FileFaults(.truncate, 1)]) == "unsettled")
        let seed = keys.deviceKey.auditKeySeed
        #expect(opened.audit.findings(seed: seed, head: opened.audit.head) == [])
        #expect(change(&opened, ["b.test"], []) == nil)
        #expect(opened.audit.findings(seed: seed, head: opened.audit.head) == [])
        #expect(opened.registry.neverSites == ["b.test"])
    }
}
