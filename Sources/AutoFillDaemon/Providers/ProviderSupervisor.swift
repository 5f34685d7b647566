// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillSecrets
internal import CLinux
internal import Foundation
internal import Glibc
internal import Logging

/// Starts a provider's process on demand, keeps it for the next request, ends it when it misbehaves or Latchkey locks.
actor ProviderSupervisor {
    /// What a provider may ask of the daemon; the connection tells which provider it is.
    typealias StoreHandler =
        @Sendable (BundleIdentifier, _ method: String, _ params: JSONValue) async throws -> JSONValue

    /// What a start needs, which only an unlocked daemon has.
    struct Launch: Sendable {
        let program: String
        let container: String
        let key: SecretBytes
        /// How often Latchkey had been locked when this was made; after the next lock it starts nothing.
        var epoch = 0
    }

    private struct Running {
        let process: Int32
        let descriptor: Int32
        let peer: Peer
        let start: Provider.Start.Answer
    }

    private let identifier: BundleIdentifier
    private let environment: [String: String]
    private let store: StoreHandler
    private let logger: Logger
    private let requestLimit: Duration
    private let startLimit: Duration
    private var starting: Task<Running, any Error>?
    private var ending: Task<Void, Never>?
    private var leastEpoch = 0
    private var launches = 0
    private var requests = 0

    init(
        identifier: BundleIdentifier, environment: [String: String], logger: Logger,
        requestLimit: Duration = .seconds(5), startLimit: Duration = .seconds(10), store: @escaping StoreHandler
    ) {
        self.identifier = identifier
        self.environment = environment
        self.logger = logger
        self.requestLimit = requestLimit
        self.startLimit = startLimit
        self.store = store
    }

    var isRunning: Bool { starting != nil }

    /// Asks for a credential without user interaction. An answer for another user, or of another type, is an error.
    func provideCredential(for identity: CredentialIdentity, launch: Launch) async throws -> HeldCredential {
        requests += 1
        let request = requests
        let running = try await running(launch)
        let answer: CredentialAnswer
        do {
            answer = try await running.peer.call(
                Provider.ProvideCredential.self, .init(identity: IdentityStatement(identity), request: request),
                timeout: requestLimit)
        } catch let error as WireError where error.code == .timedOut {
            if let params = try? JSONValue(encoding: Provider.Cancel.Params(request: request)) {
                running.peer.notify(Provider.Cancel.name, params)
            }
            end()
            throw WireError(
                .timedOut, "\(running.start.name) did not answer within \(requestLimit.components.seconds) seconds.")
        } catch let error as WireError where !Self.isOfProviders(error.code) {
            throw WireError(.providerUnavailable, "\(running.start.name) answered nonsense.")
        }
        guard answer.credential.type == CredentialType.password.rawValue, answer.credential.user == identity.user else {
            throw WireError(.providerUnavailable, "\(running.start.name) answered for another account.")
        }
        return HeldCredential(
            identity: identity, provider: identifier, password: HeldSecret(answer.credential.password))
    }

    /// Whether a code is one that section 7 of `docs/protocol.md` has for a provider's answer, or that there was none.
    private static func isOfProviders(_ code: WireError.Code) -> Bool {
        (1000..<1200).contains(code.rawValue) || code == .providerUnavailable || code == .busy
    }

    /// Passes a request of the capability `manage` on.
    func manage(_ method: String, _ params: JSONValue, launch: Launch) async throws -> JSONValue {
        let running = try await running(launch)
        guard running.start.capabilities.contains("manage") else {
            throw WireError(.notPermitted, "\(running.start.name) cannot be managed from here.")
        }
        return try await running.peer.call(method, params, timeout: .seconds(60))
    }

    /// Starts the process if it does not run, so that it can bring its identity store up to date.
    func warm(_ launch: Launch) async throws -> Provider.Start.Answer {
        try await running(launch).start
    }

    /// Ends the process at once: what it holds in ordinary memory goes with it. What it acknowledged is on disk.
    func end() {
        let task = starting
        starting = nil
        guard let task else { return }
        let earlier = ending
        ending = Task {
            await earlier?.value
            guard let running = try? await task.value else { return }
            Self.kill(running)
        }
    }

    /// Ends the process, waits until it and earlier ones are gone, and starts none again for what was asked before this
    /// lock, so that no key of its outlives the call.
    func endAndWait(before epoch: Int = 0) async {
        leastEpoch = max(leastEpoch, epoch)
        end()
        await ending?.value
    }

    private static func kill(_ running: Running) {
        // Not waited for yet, so that its number is still its own where there is no descriptor.
        if latchkey_pidfd_signal(running.descriptor, SIGKILL) != 0 { Glibc.kill(running.process, SIGKILL) }
        running.peer.close()
        var status: Int32 = 0
        while waitpid(running.process, &status, 0) < 0 && errno == EINTR {}
        if running.descriptor >= 0 { close(running.descriptor) }
    }

    private func running(_ launch: Launch) async throws -> Running {
        if let starting {
            if let running = try? await starting.value, !running.peer.isClosed { return running }
            if self.starting == starting { end() }
        }
        if let starting { return try await starting.value }
        guard launch.epoch >= leastEpoch else { throw WireError(.locked, "Latchkey is locked.") }
        launches += 1
        let number = launches
        let task = Task { try await self.start(launch) }
        starting = task
        do {
            let running = try await task.value
            running.peer.onClose { [weak self] in
                Task { await self?.ended(number) }
            }
            return running
        } catch {
            if starting == task { starting = nil }
            throw error
        }
    }

    private func ended(_ number: Int) {
        guard number == launches else { return }
        end()
    }

    private func start(_ launch: Launch) async throws -> Running {
        try Directories.makePrivate(launch.container)
        var ends: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw WireError(.internalError, "No socket pair can be made.")
        }
        var environment = self.environment
        environment["LATCHKEY_PROVIDER_FD"] = "3"
        let process = ChildProcess.spawn(
            launch.program, arguments: [], descriptors: [(ends[1], 3)], environment: environment)
        close(ends[1])
        guard let process else {
            close(ends[0])
            throw WireError(.providerUnavailable, "\(launch.program) cannot be started.")
        }
        let identifier = self.identifier
        let store = self.store
        let peer = Peer(stream: FramedStream(socket: ends[0])) { method, params in
            try await store(identifier, method, params)
        }
        peer.start()
        let descriptor = latchkey_pidfd_open(process)
        do {
            let answer = try await peer.call(
                Provider.Start.self,
                .init(
                    protocol: wireVersion, identifier: identifier.rawValue, container: launch.container,
                    key: WireSecret(launch.key.base64)),
                timeout: startLimit)
            logger.info("provider started", metadata: ["provider": "\(identifier)"])
            return Running(process: process, descriptor: descriptor, peer: peer, start: answer)
        } catch {
            let failed = Running(
                process: process, descriptor: descriptor, peer: peer,
                start: .init(name: "", version: "", capabilities: []))
            Self.kill(failed)
            guard let error = error as? WireError, error.code != .providerUnavailable else {
                throw WireError(.providerUnavailable, "The provider \(identifier) ended while it was started.")
            }
            throw error
        }
    }
}

extension SecretBytes {
    /// The base64 text of these bytes, in locked memory (RFC 4648, section 4).
    var base64: SecretBytes {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        let text = SecretBytes(count: (count + 2) / 3 * 4)
        withUnsafeBytes { input in
            text.withUnsafeMutableBytes { output in
                for group in 0..<output.count / 4 {
                    let left = input.count - group * 3
                    var bits: UInt32 = 0
                    for offset in 0..<3 {
                        bits = bits << 8 | (offset < left ? UInt32(input[group * 3 + offset]) : 0)
                    }
                    for offset in 0..<4 {
                        let letter = alphabet[Int(bits >> UInt32(18 - 6 * offset)) & 63]
                        output[group * 4 + offset] = offset <= left ? letter : UInt8(ascii: "=")
                    }
                }
            }
        }
        return text
    }
}
