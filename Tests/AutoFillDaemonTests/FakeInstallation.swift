// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillAssociations
import AutoFillCredentials
import AutoFillIPC
import AutoFillSecrets
import Foundation
import Synchronization
import Testing

@testable import AutoFillDaemon

/// A broker in folders of its own, whose built-in provider is a script and whose clock is turned by hand.
final class FakeInstallation: Sendable {
    let folder: TemporaryFolder
    let directories: Directories
    let broker: Broker
    let passphrase = SecretBytes(utf8: "correct horse")
    private let clock: Clock

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
    static func provider(snapshot: String = "snapshot-1") -> String {
        """
        began()
        container = os.environ["HOME"] + "/data/latchkey/containers/org.latchkey.passwords"
        item = dict(id="r1", services=["shiny.example.com"], user="rmondello", created=1, modified=1)
        while True:
            m = ask()
            method = m["method"]
            if method == "provider.provideCredential": credential(m)
            elif method == "manage.list": send(id=m["id"], result=dict(items=[item]))
            elif method == "manage.get": send(id=m["id"], result=dict(item=item))
            elif method == "manage.reveal": send(id=m["id"], result=dict(password={"secret": "canary"}))
            elif method == "manage.snapshot":
                with open(container + "/snapshot-1", "w") as file: file.write("snapshot")
                send(id=m["id"], result=dict(file="\(snapshot)"))
            else: send(id=m["id"], error=dict(code=-32601, message="no"))
        """
    }

    init(
        provider: String = FakeInstallation.provider(), sites: (any AssociationFetching)? = nil,
        sharing hosts: [String] = []
    ) throws {
        folder = try TemporaryFolder()
        directories = try #require(folder.directories)
        _ = try FakeProvider.write(provider, in: folder, name: "latchkey-passwords")
        if !hosts.isEmpty {
            let groups = try JSONSerialization.data(withJSONObject: [["shared": hosts]])
            let quirks = directories.data + "/quirks"
            try FileManager.default.createDirectory(atPath: quirks, withIntermediateDirectories: true)
            try groups.write(to: URL(fileURLWithPath: quirks + "/shared-credentials.json"))
        }
        let clock = Clock()
        self.clock = clock
        broker = try Broker(
            directories: directories, programFolder: folder.path,
            environment: ["HOME": folder.path, "PATH": "/usr/bin:/bin"],
            cost: .testOnlyFast,
            time: .init(
                now: { start + clock.elapsed.withLock { $0 } },
                date: { 1_790_000_000 + clock.elapsed.withLock { $0.components.seconds } },
                wait: { try await clock.wait(until: $0 - start) }),
            isolation: Isolation(program: nil, reason: "a test"),
            folders: BundleFolders(data: directories.data, system: [folder.path + "/system"]),
            associationFetcher: sites, appFolders: AppFolders(files: [], flatpaks: [], snaps: []), logger: silent)
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
        _ = try await broker.initialize(passphrase: passphrase)
        _ = try await broker.handleStore(
            Provider.ReplaceIdentities.name,
            JSONValue(encoding: IdentitiesParams(identities: identities.map(IdentityStatement.init))), of: .builtIn)
    }
}
