// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillAssociations
import AutoFillCredentials
import AutoFillIPC
import AutoFillSecrets
import Foundation
import Synchronization
import Testing

@testable import AutoFillAsking
@testable import AutoFillDaemon
@testable import AutoFillProviders
@testable import DaemonTesting

/// A broker in folders of its own, whose providers are scripts and whose clock is turned by hand.
final class FakeInstallation: Sendable {
    let folder: TemporaryFolder
    /// Where the programs are that a test runs; on a disk, because the other folder may be in memory.
    let programs: TemporaryFolder
    let directories: Directories
    let broker: Broker
    let capabilities: Capabilities
    let passphrase = SecretBytes(utf8: "correct horse")
    private let providers = FakeProviders()
    private let clock: Clock
    /// What is on the clipboard.
    let clipboard = FakeClipboard()

    /// What the providers note.
    var notes: Notes { providers.notes }

    private final class Clock: Sendable {
        let elapsed = Mutex(Duration.zero)
        private let waiting = Mutex<[(until: Duration, end: AsyncStream<Never>.Continuation)]>([])

        func turn(_ span: Duration) {
            let now = elapsed.withLock { elapsed in
                elapsed += span
                return elapsed
            }
            for waiter in waiting.withLock({ $0 }) where waiter.until <= now { waiter.end.finish() }
        }

        /// Returns when the clock was turned so far, even if that was before.
        func wait(until time: Duration) async throws {
            let (turned, end) = AsyncStream<Never>.makeStream()
            waiting.withLock { $0.append((time, end)) }
            turn(.zero)
            for await _ in turned {}
            try Task.checkCancellation()
        }
    }

    /// Answers what the tests ask of it; `snapshot` is the name it gives its snapshot.
    static func provider(snapshot: String = "snapshot-1", findsDamage: Bool = false) -> FakeProvider.Script {
        { provider in
            let container = try provider.began()["container"]?.string ?? ""
            let item: JSONValue = [
                "id": "r1", "services": ["shiny.example.com"], "user": "rmondello", "created": 1, "modified": 1,
            ]
            while true {
                let asked = try provider.ask()
                switch asked.method {
                case "provider.provideCredential": try provider.credential(asked)
                case "manage.list": try provider.reply(asked, ["items": [item]])
                case "manage.get": try provider.reply(asked, ["item": item])
                case "manage.reveal": try provider.reply(asked, ["password": .secret(utf8: "canary")])
                case "manage.check" where !findsDamage: try provider.reply(asked, ["items": 1])
                case "manage.snapshot":
                    try Data("snapshot".utf8).write(to: URL(fileURLWithPath: container + "/snapshot-1"))
                    try provider.reply(asked, ["file": .string(snapshot)])
                default: try provider.fail(asked)
                }
            }
        }
    }

    init(
        provider: @escaping FakeProvider.Script = FakeInstallation.provider(), sites: (any AssociationFetching)? = nil,
        sharing hosts: [String] = [], storeHooks: StoreWork.Hooks = .init(),
        logins: @escaping PINUnlock.Logins = { nil }, fingerprints: (any FingerprintReading)? = nil
    ) async throws {
        (folder, programs) = (try TemporaryFolder(inMemory: true), try TemporaryFolder())
        directories = try #require(folder.directories)
        try FakeProviders.write(provider, to: programs.path + "/latchkey-passwords")
        if !hosts.isEmpty {
            let groups = try JSONSerialization.data(withJSONObject: [["shared": hosts]])
            let quirks = directories.data + "/quirks"
            try FileManager.default.createDirectory(atPath: quirks, withIntermediateDirectories: true)
            try groups.write(to: URL(fileURLWithPath: quirks + "/shared-credentials.json"))
        }
        let clock = Clock()
        self.clock = clock
        let parts = DaemonParts(
            directories: directories, programFolder: programs.path,
            environment: ["HOME": folder.path, "PATH": "/usr/bin:/bin"],
            cost: .testOnlyFast,
            time: .init(
                now: { start + clock.elapsed.withLock { $0 } },
                date: { 1_790_000_000 + clock.elapsed.withLock { $0.components.seconds } },
                wait: { try await clock.wait(until: $0 - start) }),
            isolation: Isolation(program: nil, reason: "a test"), launcher: providers,
            folders: BundleFolders(data: directories.data, system: [folder.path + "/system"]),
            associationFetcher: sites, appFolders: AppFolders(files: [], flatpaks: [], snaps: []),
            storeHooks: storeHooks, logins: logins, fingerprints: fingerprints, clipboard: clipboard, logger: silent)
        broker = try await Broker(parts)
        capabilities = await Capabilities(broker)
    }

    deinit {
        let broker = self.broker
        Task { await broker.lock(reason: "end of a test") }
    }

    /// Turns the clock.
    func pass(_ span: Duration) {
        clock.turn(span)
    }

    /// Makes keys and saves identities; without others, one for shiny.example.com.
    func begin(_ identities: [CredentialIdentity] = [.shiny]) async throws {
        _ = try await initialize(passphrase: passphrase)
        _ = try await capabilities.shared.stores.handleStore(
            Provider.ReplaceIdentities.name,
            JSONValue(encoding: IdentitiesParams(identities: identities.map(IdentityStatement.init))), of: .builtIn)
    }
}

/// A clipboard that keeps what was copied, and can be marked or not.
final class FakeClipboard: ClipboardCopying {
    let copied = Mutex<[String]>([])
    let isMarking = Mutex(true)

    func check(allowsUnmarked: Bool, on display: DisplayStatement?) async throws {
        guard allowsUnmarked || isMarking.withLock(\.self) else {
            throw WireError(.refused, "It cannot be marked.", reason: "unmarked")
        }
    }

    func copy(_ secret: SecretBytes, allowsUnmarked: Bool, on display: DisplayStatement?) async throws {
        copied.withLock { $0.append(secret.text) }
    }
}

extension FakeInstallation {
    @DaemonActor var keyrings: KeyringFeature { capabilities.settings.keyrings }

    /// Initializes as a client does that shows the recovery code.
    func initialize(passphrase: SecretBytes) async throws -> SecretBytes {
        let code = try await capabilities.settings.keyrings.initialize(passphrase: passphrase, on: 0)
        try await capabilities.settings.keyrings.recoveryCodeShown(on: 0)
        return code
    }
}
