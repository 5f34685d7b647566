// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Foundation
import Glibc
import ProcessTesting
import ProviderTesting
import Testing

@Suite(.tags(.startsProcess), .serialized, .timeLimit(.minutes(1)))
struct HostileWireTests {
    private func raw() throws -> (socket: Int32, process: Int32) {
        let (ours, theirs) = try SocketPair.descriptors()
        defer { close(theirs) }
        return (ours, try ProviderProcess.spawn([(theirs, 3)], descriptor: "3"))
    }

    private static func frame(_ text: String) -> [UInt8] {
        withUnsafeBytes(of: UInt32(text.utf8.count)) { Array($0) } + Array(text.utf8)
    }

    @Test(
        arguments: [
            [0, 0, 0, 0], [0, 0, 0, 0x7F], [0xFF, 0xFF, 0xFF, 0xFF], [1, 0, 0x10, 0],
            Array("GET / HTTP/1.1\r\n\r\n".utf8),
        ] as [[UInt8]]
    )
    func endsAtWhatIsNoFrame(bytes: [UInt8]) async throws {
        let (socket, process) = try raw()
        defer { close(socket) }
        #expect(write(socket, bytes, bytes.count) == bytes.count)
        #expect(await ProviderProcess.end(of: process) == 0)
    }

    @Test(arguments: [[1], [9, 0, 0, 0], [9, 0, 0, 0, 0x7B]] as [[UInt8]])
    func endsAtAFrameThatIsCut(bytes: [UInt8]) async throws {
        let (socket, process) = try raw()
        #expect(write(socket, bytes, bytes.count) == bytes.count)
        close(socket)
        #expect(await ProviderProcess.end(of: process) == 0)
    }

    @Test
    func endsAtAFloodOfNonsense() async throws {
        let (socket, process) = try raw()
        let bytes = Array(repeating: Self.frame("{}"), count: 1000).flatMap { $0 }
        // Nobody reads the answers, and at some point nobody reads the questions either.
        Thread.detachNewThread {
            _ = send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
            var sink = [UInt8](repeating: 0, count: 1 << 16)
            while read(socket, &sink, sink.count) > 0 {}
            close(socket)
        }
        #expect(await ProviderProcess.end(of: process) == 0)
    }

    @Test
    func endsAtAnAnswerToNothing() async throws {
        let (socket, process) = try raw()
        defer { close(socket) }
        let bytes = Self.frame(#"{"id":99,"jsonrpc":"2.0","result":{}}"#)
        #expect(write(socket, bytes, bytes.count) == bytes.count)
        #expect(await ProviderProcess.end(of: process) == 0)
    }

    @Test(arguments: [
        "[]", "nonsense", "{", #"{"jsonrpc":"2.0"}"#, #"{"jsonrpc":"1.0","id":1,"method":"provider.start"}"#,
        #"[{"jsonrpc":"2.0","id":1,"method":"provider.start"}]"#, #"{"jsonrpc":"2.0","id":1,"method":7}"#,
        #"{"jsonrpc":"2.0","method":"provider.cancel"}"#, #"{"jsonrpc":"2.0","method":"nonsense","params":{}}"#,
        #"{"jsonrpc":"2.0","method":"provider.cancel","params":{"request":9223372036854775808}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"provider.start","params":{"protocol":1,"key":{"secret":7}}}"#,
        String(repeating: "[", count: 10_000), "\u{0}", "\"\\ud800\"",
    ])
    func outlivesAMessageThatIsNotRight(text: String) async throws {
        let container = try Container()
        let (socket, process) = try raw()
        let stream = FramedStream(socket: socket)
        try stream.send(SecretBytes(utf8: text))
        // It starts all the same.
        let start = Provider.Start.Params(
            protocol: 1, identifier: "org.latchkey.passwords", container: container.path,
            key: WireSecret(SecretBytes(utf8: ProviderProcess.key)))
        let request = Message.request(
            id: .integer(42), method: Provider.Start.name, params: try JSONValue(encoding: start))
        try stream.send(request.encoded())
        let answer = await Self.answer(to: .integer(42), from: stream)
        #expect(answer?["name"] == .string("Passwords"))
        stream.close()
        #expect(await ProviderProcess.end(of: process) == 0)
    }

    /// Reads, on a thread of its own, until the answer to a request has come.
    private static func answer(to id: Message.Identifier, from stream: FramedStream) async -> JSONValue? {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                while let body = try? stream.receive() {
                    let message = try? body.withUnsafeBytes { try Message(decoding: $0) }
                    guard case .response(id, let result) = message else { continue }
                    return continuation.resume(returning: try? result.get())
                }
                continuation.resume(returning: nil)
            }
        }
    }

    @Test(arguments: ["manage.nonsense", "provider.nonsense", "items.list", "hello", "store.save", "renderer.choose"])
    func answersAMethodItDoesNotKnow(method: String) async throws {
        let container = try Container()
        let provider = try await ProviderProcess.started(in: container)
        #expect(
            await Refusal.of { try await provider.peer.call(method) }?.code == WireError.Code.methodNotFound.rawValue
        )
        #expect(try await provider.list().items == [])
    }
}
