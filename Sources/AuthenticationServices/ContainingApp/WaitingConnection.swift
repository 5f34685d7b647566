// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets
internal import Foundation

/// A containing app's way to the daemon for callers that cannot suspend: one connection, which threads use in turns.
///
/// One for each call would reach the daemon's limit on connections as soon as an app asks from many threads.
final class WaitingConnection: Sendable {
    /// The other end has gone.
    private struct Ended: Error {}

    private struct Line {
        let stream: FramedStream
        var lastRequest: Int64 = 0
    }

    /// For the turn and the answer together.
    private static let patience: TimeInterval = 30

    private let directories: Directories?
    private let turn = NSLock()
    /// The connection that was made last. `turn` guards it.
    private nonisolated(unsafe) var line: Line?

    /// - Parameter directories: Where the daemon's socket is.
    init(_ directories: Directories?) {
        self.directories = directories
    }

    deinit {
        line?.stream.close()
    }

    /// Asks and blocks until the daemon has answered, for half a minute at most. Throws the daemon's `WireError`.
    func ask<M: WireMethod>(_ method: M.Type, _ params: M.Params) throws -> M.Answer {
        let deadline = Date(timeIntervalSinceNow: Self.patience)
        guard turn.lock(before: deadline) else { throw ContainingAppConnection.notAvailable }
        defer { turn.unlock() }
        do {
            // A daemon that was started anew has ended the connection of the one before.
            if line != nil, let answer = try? answered({ try exchange(method, params, until: deadline) }) {
                return try answer.get()
            }
            try connect(until: deadline)
            return try answered { try exchange(method, params, until: deadline) }.get()
        } catch is Ended {
            throw ContainingAppConnection.notAvailable
        }
    }

    /// What the daemon answered, a refusal too. Throws where it answered nothing; then the connection is gone.
    private func answered<Answer>(_ ask: () throws -> Result<Answer, WireError>) throws -> Result<Answer, WireError> {
        do {
            return try ask()
        } catch {
            line?.stream.close()
            line = nil
            throw error
        }
    }

    private func connect(until deadline: Date) throws {
        guard let directories, let stream = try DaemonConnector.connect(directories, isOwnProgram: false) else {
            throw Ended()
        }
        line = Line(stream: stream)
        let program = Program(name: ProcessInfo.processInfo.processName, version: "0")
        let hello = Session.Hello.Params(protocol: 1, client: program)
        let answer = try answered { try exchange(Session.Hello.self, hello, until: deadline) }
        guard case .success(let session) = answer, session.role == "app" else {
            line?.stream.close()
            line = nil
            _ = try answer.get()
            throw ContainingAppConnection.notKnown
        }
    }

    /// Sends a request and reads until its answer comes; everything else that comes is passed over.
    private func exchange<M: WireMethod>(
        _ method: M.Type,
        _ params: M.Params,
        until deadline: Date
    ) throws -> Result<M.Answer, WireError> {
        guard let stream = line?.stream else { throw Ended() }
        line?.lastRequest += 1
        let number = line?.lastRequest ?? 0
        // Ends the waiting for a daemon that does not answer.
        let limit = DispatchWorkItem { stream.close() }
        DispatchQueue.global().asyncAfter(
            deadline: .now() + max(0, deadline.timeIntervalSinceNow), execute: limit)
        defer { limit.cancel() }
        let request = Message.request(id: .integer(number), method: M.name, params: try JSONValue(encoding: params))
        try stream.send(request.encoded())
        while let body = try stream.receive() {
            let message = try body.withUnsafeBytes { try Message(decoding: $0) }
            guard case .response(.integer(number), let result) = message else { continue }
            switch result {
            case .success(let value): return .success(try value.decoded())
            case .failure(let error): return .failure(error)
            }
        }
        throw Ended()
    }
}
