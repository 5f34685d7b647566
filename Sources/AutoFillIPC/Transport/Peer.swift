// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import Synchronization

/// One end of a conversation: sends requests and waits for their answers, and hands the other side's requests to a handler.
///
/// Sendable: everything that changes is behind one lock.
public final class Peer: Sendable {
    /// Answers a request, or throws a `WireError`. For notifications the result is dropped.
    public typealias Handler = @Sendable (_ method: String, _ params: JSONValue) async throws -> JSONValue

    /// Maximum number of requests of one connection in progress at once.
    public static let requestLimit = 32
    /// Number of requests beyond the limit after which the peer is disconnected.
    private static let floodLimit = 256
    /// Maximum total size in bytes of one connection's requests in progress. A single one may be larger.
    private static let progressLimit = 4 << 20

    private struct State {
        var nextIdentifier: Int64 = 1
        var waiting: [Message.Identifier: CheckedContinuation<JSONValue, any Error>] = [:]
        /// Requests that were given up. A later answer to one of them is expected.
        var abandoned: [Message.Identifier] = []
        var inProgress = 0
        var bytesInProgress = 0
        /// An error about the whole connection, sent by the other side before it closed.
        var complaint: WireError?
        var refusals = 0
        var isClosed = false
        var onClose: [@Sendable () -> Void] = []
    }

    public let stream: FramedStream
    private let handler: Handler
    private let state = Mutex(State())

    /// Wraps a connected stream. Reads nothing before `start()`.
    public init(stream: FramedStream, handler: @escaping Handler) {
        self.stream = stream
        self.handler = handler
    }

    /// Starts reading on a thread of its own. The peer lives until the connection ends.
    public func start() {
        let isRunning = DetachedThread.start(stackSize: 256 << 10) { self.readUntilTheEnd() }
        if !isRunning { close() }
    }

    /// Sends a request and returns its answer.
    ///
    /// - Throws: The other side's `WireError`, `timedOut`, or `providerUnavailable` when the connection ends first.
    public func call(_ method: String, _ params: JSONValue = .object([:]), timeout: Duration? = nil) async throws
        -> JSONValue
    {
        let id = state.withLock { state in
            defer { state.nextIdentifier += 1 }
            return Message.Identifier.integer(state.nextIdentifier)
        }
        var deadline: Task<Void, any Error>?
        defer { deadline?.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (isOpen, complaint) = state.withLock { state in
                    if !state.isClosed { state.waiting[id] = continuation }
                    return (!state.isClosed, state.complaint)
                }
                guard isOpen else { return continuation.resume(throwing: complaint ?? Self.ended) }
                if Task.isCancelled { return abandon(id, CancellationError()) }
                // Set only after the continuation is stored: an earlier deadline would find none to resume.
                deadline = timeout.map { timeout in
                    Task {
                        try await Task.sleep(for: timeout)
                        self.abandon(id, WireError(.timedOut, "No answer to \(method) came in time."))
                    }
                }
                do {
                    try post(.request(id: id, method: method, params: params))
                } catch let error as Frame.Failure {
                    abandon(id, WireError(.internalError, "The message could not be sent: \(error.reason)."))
                } catch {
                    // The connection has ended. Its reader reports that, after the messages still to be read.
                }
            }
        } onCancel: {
            abandon(id, CancellationError())
        }
    }

    /// Sends a notification, which has no answer. Does nothing if the connection has ended.
    public func notify(_ method: String, _ params: JSONValue = .object([:])) {
        try? post(.notification(method: method, params: params))
    }

    /// Sends the reason why the conversation cannot continue, and ends it.
    public func end(_ reason: WireError) {
        reply(to: .null, .failure(reason))
        close()
    }

    /// Sends a message without waiting for the other side.
    private func post(_ message: Message) throws {
        try stream.post(message.encoded(in: stream.terms.arena))
    }

    /// Ends the conversation. All pending calls fail.
    public func close() {
        stream.close()
        finish()
    }

    public var isClosed: Bool {
        state.withLock { $0.isClosed }
    }

    /// Sets an action that runs once when the conversation has ended, or at once if it already has.
    public func onClose(_ action: @escaping @Sendable () -> Void) {
        let isClosed = state.withLock { state in
            if !state.isClosed { state.onClose.append(action) }
            return state.isClosed
        }
        if isClosed { action() }
    }

    private static let ended = WireError(.providerUnavailable, "The connection ended.")

    private func abandon(_ id: Message.Identifier, _ error: any Error) {
        let continuation = state.withLock { state in
            let continuation = state.waiting.removeValue(forKey: id)
            if continuation != nil {
                state.abandoned.append(id)
                if state.abandoned.count > 64 { state.abandoned.removeFirst() }
            }
            return continuation
        }
        continuation?.resume(throwing: error)
    }

    private func readUntilTheEnd() {
        do {
            while let body = try stream.receive() {
                guard take(body) else { break }
            }
        } catch let error as WireError {
            // The sender was refused.
            state.withLock { $0.complaint = error }
        } catch {
            // After a broken frame nothing that follows can be trusted, so the connection ends.
        }
        close()
    }

    /// Handles a message. Returns `false` if the peer has violated the protocol so that the conversation has to end.
    private func take(_ body: SecretBytes) -> Bool {
        let message: Message
        do {
            message = try body.withUnsafeBytes { try Message(decoding: $0, in: stream.terms.arena) }
        } catch let error as WireError {
            return answerNonsense(error)
        } catch {
            return false
        }
        switch message {
        case .request(let id, let method, let params): return begin(id, method, params, size: body.count)
        case .notification(let method, let params): return begin(nil, method, params, size: body.count)
        case .response(.null, let result):
            // The other side could not read one of our messages, or accepts no more. Errors are never answered.
            if case .failure(let error) = result { state.withLock { $0.complaint = error } }
            return countRefusal() <= Self.floodLimit
        case .response(let id, let result):
            let (continuation, isExpected) = state.withLock { state in
                if let continuation = state.waiting.removeValue(forKey: id) { return (Optional(continuation), true) }
                guard let index = state.abandoned.firstIndex(of: id) else { return (nil, false) }
                state.abandoned.remove(at: index)
                return (nil, true)
            }
            continuation?.resume(with: result.mapError { $0 as any Error })
            return isExpected
        }
    }

    /// Answers an unreadable message with a null id, as JSON-RPC requires; no request of ours has one. A peer may send 256 of them.
    private func answerNonsense(_ error: WireError) -> Bool {
        guard countRefusal() <= Self.floodLimit else { return false }
        reply(to: .null, .failure(error))
        return true
    }

    private func countRefusal() -> Int {
        state.withLock { state in
            state.refusals += 1
            return state.refusals
        }
    }

    private func begin(_ id: Message.Identifier?, _ method: String, _ params: JSONValue, size: Int) -> Bool {
        let (mayRun, refusals) = state.withLock { state in
            guard state.inProgress < Self.requestLimit,
                state.inProgress == 0 || state.bytesInProgress + size <= Self.progressLimit
            else {
                state.refusals += 1
                return (false, state.refusals)
            }
            state.inProgress += 1
            state.bytesInProgress += size
            return (true, state.refusals)
        }
        guard mayRun else {
            if let id { reply(to: id, .failure(WireError(.busy, "Too many requests at once."))) }
            return refusals <= Self.floodLimit
        }
        Task {
            let result: Result<JSONValue, WireError>
            let afterwards = Afterwards()
            do {
                result = .success(
                    try await Self.$afterwards.withValue(afterwards) { try await handler(method, params) })
            } catch let error as WireError {
                result = .failure(error)
            } catch is CancellationError {
                result = .failure(WireError(.userCanceled, "The request was cancelled."))
            } catch {
                result = .failure(WireError(.internalError, "A malfunction; see the journal of latchkeyd."))
            }
            state.withLock { state in
                state.inProgress -= 1
                state.bytesInProgress -= size
            }
            let isSent = id.map { reply(to: $0, result) } ?? true
            if isSent, case .success = result { afterwards.run() }
        }
        return true
    }

    /// Sends a result. Returns whether it was sent.
    @discardableResult
    private func reply(to id: Message.Identifier, _ result: Result<JSONValue, WireError>) -> Bool {
        do {
            try post(.response(id: id, result))
            return true
        } catch {
            // An answer that is too long is our defect, but the peer still has to get an answer.
            let apology = WireError(.internalError, "The answer could not be sent.")
            try? post(.response(id: id, .failure(apology)))
            return false
        }
    }

    // MARK: Afterwards

    /// Actions to run after the answer to a request was sent.
    private final class Afterwards: Sendable {
        private let state = Mutex<(isSent: Bool, actions: [@Sendable () -> Void])>((false, []))

        func add(_ action: @escaping @Sendable () -> Void) {
            let isSent = state.withLock { state in
                if !state.isSent { state.actions.append(action) }
                return state.isSent
            }
            if isSent { action() }
        }

        func run() {
            let actions = state.withLock { state in
                defer { state = (true, []) }
                return state.actions
            }
            for action in actions { action() }
        }
    }

    @TaskLocal private static var afterwards: Afterwards?

    /// Runs an action after the answer to the current request was sent, in this task or the one that started it.
    ///
    /// The action never runs if the request fails or its answer cannot be sent. It runs at once if no request is being handled.
    public static func afterReply(_ action: @escaping @Sendable () -> Void) {
        guard let afterwards else { return action() }
        afterwards.add(action)
    }

    private func finish() {
        let (waiting, complaint, actions) = state.withLock { state in
            defer {
                state.waiting = [:]
                state.onClose = []
                state.isClosed = true
            }
            return (state.waiting, state.complaint, state.onClose)
        }
        for continuation in waiting.values { continuation.resume(throwing: complaint ?? Self.ended) }
        for action in actions { action() }
    }
}
