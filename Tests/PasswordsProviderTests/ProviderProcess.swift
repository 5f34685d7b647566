// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import ChildProcesses
import Foundation
import Glibc
import ProviderTesting
import Testing

/// A `latchkey-passwords`, started as the daemon starts it.
final class ProviderProcess: Sendable {
    static let key = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
    static let otherKey = "BBECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

    let process: Int32
    let peer: Peer
    let store: StoreRecorder
    private let shown: AsyncStream<Provider.Show.Params>

    /// - Parameter wrapper: A program and its arguments that starts the provider.
    init(store: StoreRecorder = StoreRecorder(), wrapper: [String] = []) throws {
        let (ours, theirs) = try SocketPair.descriptors()
        defer { close(theirs) }
        process = try Self.spawn([(theirs, 3)], descriptor: "3", wrapper: wrapper)
        self.store = store
        let (shown, show) = AsyncStream.makeStream(of: Provider.Show.Params.self)
        self.shown = shown
        peer = Peer(stream: FramedStream(socket: ours)) { method, params in
            guard method == Provider.Show.name else { return try store.answer(method, params) }
            show.yield(try params.decoded())
            return .object([:])
        }
        peer.onClose { show.finish() }
        peer.start()
    }

    deinit {
        peer.close()
        kill(process, SIGKILL)
    }

    /// Starts one and has it open the vault in a container.
    static func started(
        in container: Container,
        store: StoreRecorder = StoreRecorder(),
        key: String = ProviderProcess.key,
        wrapper: [String] = []
    ) async throws -> ProviderProcess {
        let provider = try ProviderProcess(store: store, wrapper: wrapper)
        #expect(try await provider.start(in: container, key: key).capabilities == ["manage", "recommend"])
        return provider
    }

    static func spawn(
        _ descriptors: [(from: Int32, to: Int32)],
        descriptor: String?,
        wrapper: [String] = []
    ) throws -> Int32 {
        var environment = ProcessInfo.processInfo.environment
        environment["LATCHKEY_PROVIDER_FD"] = descriptor
        let command = wrapper + [program]
        let process = ChildProcess.spawn(
            command[0],
            arguments: Array(command.dropFirst()),
            descriptors: descriptors,
            environment: environment
        )
        return try #require(process)
    }

    /// Beside the tests, where the package's products are.
    static var program: String {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("latchkey-passwords").path
    }

    /// Waits for the end of a process: its exit status, or the negative number of the signal that ended it.
    static func end(of process: Int32) async -> Int32 {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var status: Int32 = 0
                while waitpid(process, &status, 0) < 0 && errno == EINTR {}
                continuation.resume(returning: status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F))
            }
        }
    }

    func end() async -> Int32 {
        await Self.end(of: process)
    }

    /// Ends it as a crash would, and waits.
    func crash() async {
        kill(process, SIGKILL)
        _ = await end()
    }

    /// Ends it as the daemon does, and waits.
    func stop() async {
        peer.close()
        _ = await end()
    }

    func start(in container: Container, key: String = ProviderProcess.key) async throws -> Provider.Start.Answer {
        try await call(
            Provider.Start.self,
            .init(
                protocol: 1,
                identifier: "org.latchkey.passwords",
                container: container.path,
                key: WireSecret(SecretBytes(utf8: key))
            )
        )
    }

    func call<M: WireMethod>(_ method: M.Type, _ params: M.Params) async throws -> M.Answer {
        try await peer.call(method, params, timeout: .seconds(30))
    }

    func manage<Answer: Decodable>(_ method: String, _ params: some Encodable) async throws -> Answer {
        try await peer.call("manage." + method, JSONValue(encoding: params), timeout: .seconds(30)).decoded()
    }

    func add(_ services: [String], _ user: String, _ password: String, notes: String? = nil) async throws -> Item {
        let item = NewItem(
            services: services,
            user: user,
            password: WireSecret(SecretBytes(utf8: password)),
            notes: notes.map { WireSecret(SecretBytes(utf8: $0)) }
        )
        let answer: Items.Add.Answer = try await manage("add", Items.Add.Params(items: [item]))
        return try #require(answer.items.first)
    }

    func edit(_ changes: ItemChanges) async throws -> Item {
        let answer: ItemAnswer = try await manage("edit", changes)
        return answer.item
    }

    func one(_ method: String, _ id: String) async throws -> Item {
        let answer: ItemAnswer = try await manage(method, ItemReference(id: id))
        return answer.item
    }

    func list(_ query: ItemQuery = ItemQuery()) async throws -> ItemPage {
        try await manage("list", query)
    }

    func reveal(_ id: String) async throws -> SecretBytes {
        let answer: Items.Reveal.Answer = try await manage("reveal", Items.Reveal.Params(id: id, purpose: "show"))
        return answer.password.bytes
    }

    func provide(_ service: ServiceStatement, _ user: String, _ record: String?) async throws -> CredentialStatement {
        let identity = IdentityStatement(
            type: "password",
            service: service,
            user: user,
            recordIdentifier: record,
            rank: 0
        )
        return try await call(Provider.ProvideCredential.self, .init(identity: identity, request: 1)).credential
    }

    /// The next interface that it shows.
    func interface() async -> InterfaceStatement? {
        for await shown in shown { return shown.interface }
        return nil
    }

    func snapshot() async throws -> String {
        let answer: Provider.Snapshot.Answer = try await manage("snapshot", Empty())
        return answer.file
    }

    /// Has it open every record; the number of items.
    func check() async throws -> Int {
        let answer: Provider.Check.Answer = try await manage("check", Empty())
        return answer.items
    }
}

/// A folder of a provider's own, removed with the test.
final class Container: Sendable {
    let path: String

    init() throws {
        // In memory where there is room for it: a vault waits for the disk at each change.
        let memory = "/dev/shm/"
        let place = FileManager.default.isWritableFile(atPath: memory) ? memory : NSTemporaryDirectory()
        path = place + "latchkey-container-" + UUID().uuidString
        try Directories.makePrivate(path)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func file(_ name: String) -> String { path + "/" + name }

    var files: Set<String> {
        Set((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [])
    }

    func read(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: file(name))))
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
    }
}
