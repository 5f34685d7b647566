// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
internal import AutoFillSecrets
internal import ChildProcesses
internal import FoundationEssentials
package import Glibc
internal import Synchronization

/// One process of a provider, on a connection that plays the daemon.
package final class ProviderUnderTest: Sendable {
    private struct State {
        var store: StorePlayer
        var isStarted = false
        var faults: [String] = []
        /// The interfaces shown for each request, oldest first.
        var interfaces: [Int: [InterfaceStatement]] = [:]
        var authorization = AuthorizationPlayer()
        var status: Int32?
    }

    package let peer: Peer
    package let process: pid_t
    private let raw: Int32
    private let isModification: Bool
    private let state: Mutex<State>

    /// A member that no version of the protocol defines, because unknown members have to be ignored.
    package static let strange = "conformance.member"

    /// Starts the program. Sends nothing yet.
    package init(_ bundle: TestedBundle, _ place: ConformancePlace, _ output: OutputCapture, store: StorePlayer)
        throws(ConformanceFault)
    {
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0, let printing = output.open() else {
            throw ConformanceFault("no socket or pipe can be made here")
        }
        let started = ChildProcess.spawn(
            bundle.executable, arguments: [], descriptors: [(printing, 1), (printing, 2), (ends[1], 3)],
            environment: place.environment(descriptor: 3))
        let reason = errno
        close(ends[1])
        close(printing)
        guard let started else {
            close(ends[0])
            throw ConformanceFault("the executable cannot be started: \(String(cString: strerror(reason)))")
        }
        process = started
        isModification = bundle.modification != nil
        raw = fcntl(ends[0], F_DUPFD_CLOEXEC, 3)
        let box = Box()
        state = Mutex(State(store: store))
        peer = Peer(stream: FramedStream(socket: ends[0])) { method, params in
            guard let provider = box.provider.withLock({ $0.value }) else {
                throw WireError(.internalError, "The test is over.")
            }
            guard method == Modification.Authorize.name else { return try provider.answer(method, params) }
            return try await provider.authorize(params)
        }
        box.provider.withLock { $0.value = self }
        peer.start()
    }

    deinit {
        peer.close()
        if raw >= 0 { close(raw) }
        if state.withLock({ $0.status }) == nil {
            kill(process, SIGKILL)
            var status: Int32 = 0
            waitpid(process, &status, 0)
        }
    }

    private final class Box: Sendable {
        struct Weak {
            weak var value: ProviderUnderTest?
        }
        let provider = Mutex(Weak())
    }

    private func answer(_ method: String, _ params: JSONValue) throws -> JSONValue {
        try state.withLock { state in
            if !state.isStarted { state.faults.append("\(method) came before provider.start had been sent") }
            guard !isModification || method == Provider.Show.name else {
                state.faults.append("it asked \(method), and has no identity store")
                throw WireError(.methodNotFound, "There is no method \(method) for such an extension.")
            }
            guard method == Provider.Show.name else {
                return try state.store.answer(method, params).adding(Self.strange)
            }
            guard let shown = try? params.decoded(as: Provider.Show.Params.self) else {
                state.faults.append("interface.show has parameters of the wrong shape")
                throw WireError(.invalidParams, "This is not an interface.")
            }
            do {
                try shown.interface.check()
            } catch let error as WireError {
                state.faults.append("an interface is refused: \(error.message)")
                throw error
            }
            state.interfaces[shown.request, default: []].append(shown.interface)
            return JSONValue.object([:]).adding(Self.strange)
        }
    }

    private func authorize(_ params: JSONValue) async throws -> JSONValue {
        let answer = try state.withLock { try $0.authorization.answer(params) }
        guard let answer else {
            // The user never answers; the request is cancelled long before this ends.
            try await Task.sleep(for: .seconds(120))
            throw WireError(.providerExtension(1), "The user closed the window.")
        }
        return try JSONValue(encoding: answer).adding(Self.strange)
    }

    /// Allows a request to use Sign in with Apple, with the given behaviour.
    package func expectAuthorization(_ request: Int, _ mood: AuthorizationPlayer.Mood) {
        state.withLock { $0.authorization.begin(request, mood) }
    }

    /// Whether the extension has asked for a credential in a request.
    package func hasAuthorized(_ request: Int) -> Bool { state.withLock { $0.authorization.hasAsked(request) } }

    package var store: StorePlayer { state.withLock { $0.store } }
    package var faults: [String] { state.withLock { $0.faults + $0.store.faults + $0.authorization.faults } }
    package func interfaces(_ request: Int) -> [InterfaceStatement] { state.withLock { $0.interfaces[request] ?? [] } }

    /// Makes a request with a method's own types and one unknown member.
    package func call<M: WireMethod>(_ method: M.Type, _ params: M.Params, within limit: Duration) async throws
        -> M.Answer
    {
        if M.name == Provider.Start.name { state.withLock { $0.isStarted = true } }
        let value = try JSONValue(encoding: params).adding(Self.strange)
        return try await peer.call(M.name, value, timeout: limit).decoded()
    }

    package func cancel(_ request: Int) {
        peer.notify(Provider.Cancel.name, .object(["request": .integer(Int64(request))]))
    }

    /// Writes raw bytes that need not be a valid message.
    package func write(raw bytes: [UInt8]) {
        _ = bytes.withUnsafeBytes { send(raw, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    /// Closes our half of the connection, like a daemon that has exited.
    package func hangUp() {
        shutdown(raw, Int32(SHUT_RDWR))
        peer.close()
    }

    /// The exit status of the process as of `waitpid`, or `nil` if it does not end within the time limit.
    package func end(within limit: Duration) async -> Int32? {
        let deadline = ContinuousClock.now + limit
        while true {
            let status = state.withLock { state in
                if state.status == nil {
                    var status: Int32 = 0
                    if waitpid(process, &status, WNOHANG) == process { state.status = status }
                }
                return state.status
            }
            if status != nil || ContinuousClock.now > deadline { return status }
            try? await Task.sleep(for: .milliseconds(20))
        }
    }
}

extension JSONValue {
    /// The object with one additional member.
    fileprivate func adding(_ name: String) -> JSONValue {
        guard case .object(var members) = self else { return self }
        members[name] = .object(["anything": .array([.null, .integer(1)])])
        return .object(members)
    }
}
