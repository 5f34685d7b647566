// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
package import AutoFillProviders
internal import AutoFillSecrets
internal import Foundation
internal import Glibc
internal import ShownText
internal import Synchronization

/// A provider in the test's own process, which behaves as its script says.
///
/// It is at the other end of the daemon's socket and speaks the wire, so that everything of the daemon runs but the start of a
/// process. A script runs on a thread of its own, where it may block. Its end is the provider's end.
package final class FakeProvider: Sendable {
    package typealias Script = @Sendable (FakeProvider) throws -> Void
    /// What a script does with one request.
    package typealias Handler = @Sendable (FakeProvider, Arrival) throws -> Void

    /// Thrown by a script that ends like a process that crashes, and by the connection's end.
    package struct Ended: Error {}

    /// What came in: a request, a notification (without an id), or an answer (without a method).
    package struct Arrival {
        package var id: Message.Identifier?
        package var method = ""
        package var params: JSONValue = [:]
        package var answer: Result<JSONValue, WireError>?

        package subscript(member: String) -> JSONValue? { params[member] }
        package var request: Int64 { params["request"]?.integer ?? -1 }
        /// The user of the account, wherever the method has it.
        package var user: String { (params["user"] ?? params["identity"]?["user"])?.string ?? "" }
    }

    /// What all providers of a test note.
    package let notes: Notes
    private let stream: FramedStream
    private let finished = Notes()

    /// - Parameter socket: the provider's end of the connection.
    fileprivate init(socket: Int32, notes: Notes) {
        stream = FramedStream(socket: socket)
        self.notes = notes
    }

    fileprivate func run(_ script: @escaping Script) {
        let thread = Thread { [self] in
            // Whatever it throws is its end, as with a process.
            try? script(self)
            stream.close()
            finished.add(to: "end")
        }
        thread.stackSize = 512 << 10
        thread.start()
    }

    /// Ends the connection, and returns when the script has ended.
    fileprivate func end() async {
        stream.close()
        await finished.wait(for: "end")
    }

    // MARK: The wire

    /// The next message, whatever it is.
    package func receive() throws -> Arrival {
        guard let body = try stream.receive() else { throw Ended() }
        switch try body.withUnsafeBytes({ try Message(decoding: $0) }) {
        case .request(let id, let method, let params): return Arrival(id: id, method: method, params: params)
        case .notification(let method, let params): return Arrival(method: method, params: params)
        case .response(let id, let answer): return Arrival(id: id, answer: answer)
        }
    }

    /// The next request.
    package func ask() throws -> Arrival {
        while true {
            let arrival = try receive()
            if arrival.id != nil && arrival.answer == nil { return arrival }
        }
    }

    package func send(_ message: Message) throws {
        try stream.send(message.encoded())
    }

    /// Sends a frame with any text in it.
    package func frame(_ text: String) throws {
        try stream.send(SecretBytes(utf8: text))
    }

    /// Reads on, and does nothing, until the daemon ends it.
    package func forever() throws {
        while true { _ = try receive() }
    }

    package func request(_ id: String, _ method: String, _ params: JSONValue = [:]) throws {
        try send(.request(id: .string(id), method: method, params: params))
    }

    package func reply(_ asked: Arrival, _ result: JSONValue = [:]) throws {
        guard let id = asked.id else { return }
        try send(.response(id: id, .success(result)))
    }

    /// Answers with an error; without others, that there is no such method.
    package func fail(_ asked: Arrival, _ code: Int = -32601, reason: String? = nil) throws {
        guard let id = asked.id else { return }
        try send(.response(id: id, .failure(WireError(.init(rawValue: code), "no", reason: reason))))
    }

    // MARK: What providers do

    /// Takes the request to start, which it returns.
    @discardableResult package func began(_ capabilities: [String] = ["manage"]) throws -> Arrival {
        let start = try receive()
        try reply(
            start, ["name": "Fake", "version": "1", "capabilities": .array(capabilities.map(JSONValue.string))])
        return start
    }

    /// Answers with the password "canary", for the account that was asked about.
    package func credential(_ asked: Arrival, user: String? = nil) throws {
        try reply(
            asked,
            [
                "credential": [
                    "type": "password", "user": .string(user ?? asked.user), "password": .secret(utf8: "canary"),
                ]
            ])
    }

    /// Shows an interface for a request.
    package func show(_ element: JSONValue, for asked: Arrival) throws {
        try request(
            "i", "interface.show",
            ["request": .integer(asked.request), "interface": ["title": "T", "elements": [element]]])
    }

    package static func button(_ label: String) -> JSONValue {
        ["kind": "button", "id": "b", "label": .string(label)]
    }

    /// A list with one account.
    package static let list: JSONValue = [
        "kind": "list", "id": "l",
        "sections": [["title": "All", "rows": [["id": "0", "title": "listed", "subtitle": ""]]]],
    ]

    package func note(_ name: String, _ value: JSONValue = "") {
        notes.add(value, to: name)
    }
}

/// Starts fake providers where the daemon would start processes.
package final class FakeProviders: ProviderLaunching {
    package let notes = Notes()

    /// Scripts by the numbers that stand in their programs.
    private static let scripts = Mutex<[FakeProvider.Script]>([])

    /// Writes a program that stands for a script. No two are the same bytes, and copies stand for the same script.
    package static func write(_ script: @escaping FakeProvider.Script, to path: String) throws {
        let number = scripts.withLock { scripts in
            scripts.append(script)
            return scripts.count - 1
        }
        try Data("script \(number)\n".utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    }

    /// The script of a program, unless it is none.
    private static func script(_ program: String) -> FakeProvider.Script? {
        let text = String(decoding: FileManager.default.contents(atPath: program) ?? Data(), as: UTF8.self)
        guard text.hasPrefix("script "), let number = Int(text.dropFirst(7).dropLast()) else { return nil }
        return scripts.withLock { $0.indices.contains(number) ? $0[number] : nil }
    }

    package func start(_ launch: ProviderSupervisor.Launch, environment: [String: String]) async throws
        -> LaunchedProvider
    {
        var ends: [Int32] = [-1, -1]
        guard let script = Self.script(launch.program),
            socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0
        else { throw WireError(.providerUnavailable, "\(launch.program) cannot be started.") }
        let provider = FakeProvider(socket: ends[1], notes: notes)
        provider.run(script)
        return LaunchedProvider(socket: ends[0]) { await provider.end() }
    }
}
