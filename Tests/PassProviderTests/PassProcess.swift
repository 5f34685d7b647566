// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import ChildProcesses
import Foundation
import Glibc
import PassTesting
import ProviderTesting
import Synchronization
import Testing

/// A `latchkey-pass`, started as the daemon starts it, in the home of a `RealStore`.
final class PassProcess: Sendable {
    static let key = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

    let process: Int32
    let peer: Peer
    let store: StoreRecorder
    let container: String
    private let shown: AsyncStream<Provider.Show.Params>
    private let number = Mutex(1)

    /// Starts it with a configuration that names the store and the keys.
    init(
        _ real: RealStore, store: StoreRecorder = StoreRecorder(), container: String? = nil,
        key: String = PassProcess.key, isIsolated: Bool = false
    ) async throws {
        self.store = store
        self.container = container ?? real.folder + "/container"
        try FileManager.default.createDirectory(
            atPath: self.container, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let configuration = ["store": real.store, "gnupg": real.keys, "commits": true] as [String: any Sendable]
        try JSONSerialization.data(withJSONObject: configuration)
            .write(to: URL(fileURLWithPath: self.container + "/configuration.json"))
        let (ours, theirs) = try SocketPair.descriptors()
        defer { close(theirs) }
        // The environment names another store and no keys: it is the configuration that counts.
        let environment = [
            "HOME": real.home, "PATH": "/usr/bin:/bin", "LATCHKEY_PROVIDER_FD": "3", "PASSWORD_STORE_DIR": "/nowhere",
            "GNUPGHOME": "/nowhere", "GIT_DIR": "/nowhere",
        ]
        let command = (isIsolated ? Self.isolation(real, self.container) : []) + [Self.program]
        let started = ChildProcess.spawn(
            command[0], arguments: Array(command.dropFirst()), descriptors: [(theirs, 3)], environment: environment)
        process = try #require(started)
        let (shown, show) = AsyncStream.makeStream(of: Provider.Show.Params.self)
        self.shown = shown
        peer = Peer(stream: FramedStream(socket: ours)) { method, params in
            guard method == Provider.Show.name else { return try store.answer(method, params) }
            show.yield(try params.decoded())
            return .object([:])
        }
        peer.onClose { show.finish() }
        peer.start()
        let answer = try await call(
            Provider.Start.self,
            .init(
                protocol: 1, identifier: "org.latchkey.pass", container: self.container,
                key: WireSecret(SecretBytes(utf8: key))))
        #expect(answer.capabilities == ["manage"])
        #expect(answer.name == "pass")
    }

    deinit {
        peer.close()
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
    }

    /// Beside the tests, where the package's products are.
    static var program: String {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("latchkey-pass").path
    }

    /// Whether namespaces can be made here.
    static let canIsolate: Bool = {
        let trial = ["--unshare-all", "--ro-bind", "/", "/", "/bin/true"]
        guard let process = ChildProcess.spawn("/usr/bin/bwrap", arguments: trial, descriptors: []) else {
            return false
        }
        var status: Int32 = 0
        waitpid(process, &status, 0)
        return status == 0
    }()

    /// As the daemon isolates it: no network, no other processes, and of everything that can be written only what the
    /// entitlements name and the container.
    private static func isolation(_ real: RealStore, _ container: String) -> [String] {
        let products = URL(fileURLWithPath: program).deletingLastPathComponent().path
        return [
            "/usr/bin/bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL",
            "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", "/run",
            "--ro-bind", products, products,
        ] + [real.store, real.keys, container].flatMap { ["--bind", $0, $0] } + ["--"]
    }

    /// The number of a new request.
    func next() -> Int {
        number.withLock { number in
            number += 1
            return number
        }
    }

    func call<M: WireMethod>(_ method: M.Type, _ params: M.Params) async throws -> M.Answer {
        try await peer.call(method, params, timeout: .seconds(60))
    }

    func manage<Answer: Decodable>(_ method: String, _ params: some Encodable) async throws -> Answer {
        try await peer.call("manage." + method, JSONValue(encoding: params), timeout: .seconds(60)).decoded()
    }

    func add(_ services: [String], _ user: String, _ password: String, notes: String? = nil) async throws -> Item {
        let item = NewItem(
            services: services, user: user, password: WireSecret(SecretBytes(utf8: password)),
            notes: notes.map { WireSecret(SecretBytes(utf8: $0)) })
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

    func list(_ query: ItemQuery = ItemQuery()) async throws -> [Item] {
        let page: ItemPage = try await manage("list", query)
        return page.items
    }

    func reveal(_ id: String) async throws -> SecretBytes {
        let answer: Items.Reveal.Answer = try await manage("reveal", Items.Reveal.Params(id: id, purpose: "show"))
        return answer.password.bytes
    }

    static func identity(
        _ service: String, _ user: String, _ record: String?, type: String = "password"
    ) -> IdentityStatement {
        IdentityStatement(
            type: type, service: ServiceStatement(type: service.contains("://") ? 1 : 0, identifier: service),
            user: user,
            recordIdentifier: record, rank: 0)
    }

    func provide(_ identity: IdentityStatement) async throws -> CredentialStatement {
        try await call(Provider.ProvideCredential.self, .init(identity: identity, request: next())).credential
    }

    /// The next interface that has an element of a kind with this in one of its texts.
    func interface(_ kind: String, _ text: String = "") async throws -> (Int, InterfaceElement, InterfaceStatement) {
        for await shown in shown {
            for element in shown.interface.elements where element.kind == kind {
                let texts = [element.text, element.label].compactMap { $0 }
                guard text.isEmpty || texts.contains(where: { $0.contains(text) }) else { continue }
                return (shown.request, element, shown.interface)
            }
        }
        throw WireError(.internalError, "It ended without showing \(kind) \(text).")
    }

    /// Waits for a button and presses it.
    func press(_ label: String) async throws {
        let (request, _, interface) = try await interface("button", label)
        try await press(label, request, interface)
    }

    /// Presses a button of an interface that is shown.
    func press(_ label: String, _ request: Int, _ interface: InterfaceStatement) async throws {
        let button = try #require(interface.elements.first { $0.kind == "button" && $0.label?.contains(label) == true })
        let act = InterfaceAct(element: button.id, action: "press")
        _ = try await call(Provider.Act.self, .init(request: request, act: act))
    }
}
