// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import Glibc
import Synchronization
import Testing

@testable import AutoFillIPC

@Suite struct PeerTests {
    /// A peer under test and the raw other side of its conversation.
    final class Conversation: Sendable {
        let pair = SocketPair()
        let peer: Peer
        let far: FramedStream

        init(handler: @escaping Peer.Handler = Conversation.echo) {
            peer = Peer(stream: FramedStream(socket: pair.near), handler: handler)
            far = FramedStream(socket: dup(pair.far))
            peer.start()
        }

        deinit {
            peer.close()
        }

        @Sendable static func echo(_ method: String, _ params: JSONValue) async throws -> JSONValue {
            guard method == "echo" else { throw WireError(.methodNotFound, "There is no method \(method).") }
            return params
        }

        /// Sends a request and returns the next message, which has to be its answer.
        func ask(_ id: Int, _ method: String = "echo") async throws -> Message? {
            pair.write(#"{"id":\#(id),"jsonrpc":"2.0","method":"\#(method)"}"#)
            return try await far.nextMessage()
        }

        /// Waits until the peer has ended.
        func ended() async {
            await withCheckedContinuation { continuation in peer.onClose { continuation.resume() } }
        }
    }

    /// Lets handlers wait until the test says go.
    final class Latch: Sendable {
        private let state = Mutex((isOpen: false, waiters: [CheckedContinuation<Void, Never>]()))

        func wait() async {
            await withCheckedContinuation { continuation in
                let isOpen = state.withLock { state in
                    if !state.isOpen { state.waiters.append(continuation) }
                    return state.isOpen
                }
                if isOpen { continuation.resume() }
            }
        }

        func open() {
            let waiters = state.withLock { state in
                defer { state = (true, []) }
                return state.waiters
            }
            for waiter in waiters { waiter.resume() }
        }
    }

    // MARK: Answering

    @Test(arguments: [#"1"#, #""hello""#, #""""#, "-9223372036854775808"])
    func answerCarriesTheIdOfItsRequest(id: String) async throws {
        let talk = Conversation()
        talk.pair.write(#"{"id":\#(id),"jsonrpc":"2.0","method":"echo","params":{"a":1}}"#)
        let answer = try await blocking { try talk.far.receive()?.text }
        #expect(answer == #"{"id":\#(id),"jsonrpc":"2.0","result":{"a":1}}"#)
    }

    @Test func unknownMethodIsAnsweredAndTheConversationGoesOn() async throws {
        let talk = Conversation()
        let refused = try await talk.ask(1, "no.such")
        #expect(
            refused == .response(id: .integer(1), .failure(WireError(.methodNotFound, "There is no method no.such."))))
        #expect(try await talk.ask(2) == .response(id: .integer(2), .success(.object([:]))))
    }

    @Test(arguments: [
        "x", "{", "[]", "{}", #"{"id":1,"jsonrpc":"2.0","method":5}"#, #"{"id":null,"jsonrpc":"2.0","method":"m"}"#,
    ])
    func nonsenseIsAnsweredWithANullIdAndTheConversationGoesOn(text: String) async throws {
        let talk = Conversation()
        talk.pair.write(text)
        guard case .response(.null, .failure(let error)) = try await talk.far.nextMessage() else {
            Issue.record("no error with a null id")
            return
        }
        #expect(error.code == .parseError || error.code == .invalidRequest)
        #expect(try await talk.ask(2) == .response(id: .integer(2), .success(.object([:]))))
    }

    @Test func errorWithANullIdIsNeverAnswered() async throws {
        let talk = Conversation()
        talk.pair.write(#"{"error":{"code":-32700,"message":"x"},"id":null,"jsonrpc":"2.0"}"#)
        #expect(try await talk.ask(2) == .response(id: .integer(2), .success(.object([:]))))
    }

    @Test func notificationIsNeverAnswered() async throws {
        let talk = Conversation()
        talk.pair.write(#"{"jsonrpc":"2.0","method":"echo"}"#)
        talk.pair.write(#"{"jsonrpc":"2.0","method":"no.such"}"#)
        #expect(try await talk.ask(3) == .response(id: .integer(3), .success(.object([:]))))
    }

    @Test func secretOfARequestArrivesAsASecret() async throws {
        let talk = Conversation { _, params in
            guard case .secret(let bytes)? = params["password"] else { throw WireError(.invalidParams, "no secret") }
            return .string("\(bytes.count)")
        }
        talk.pair.write(#"{"id":1,"jsonrpc":"2.0","method":"m","params":{"password":{"secret":"canary"}}}"#)
        #expect(try await talk.far.nextMessage() == .response(id: .integer(1), .success(.string("6"))))
    }

    @Test func malfunctionIsAnsweredWithoutItsText() async throws {
        struct Canary: Error { let text = "canary" }
        let talk = Conversation { _, _ in throw Canary() }
        guard case .response(_, .failure(let error)) = try await talk.ask(1) else {
            Issue.record("no error")
            return
        }
        #expect(error.code == .internalError)
        #expect(!error.message.contains("canary"))
    }

    @Test func cancelledHandlerIsAnswered() async throws {
        let talk = Conversation { _, _ in throw CancellationError() }
        guard case .response(_, .failure(let error)) = try await talk.ask(1) else {
            Issue.record("no error")
            return
        }
        #expect(error.code == .userCanceled)
    }

    @Test func answerThatIsTooLongIsApologisedFor() async throws {
        let talk = Conversation { _, _ in .string(String(repeating: "x", count: Frame.maximumSize)) }
        guard case .response(.integer(1), .failure(let error)) = try await talk.ask(1) else {
            Issue.record("no error")
            return
        }
        #expect(error.code == .internalError)
    }

    @Test func messageOfOneMebibytePasses() async throws {
        let talk = Conversation()
        let empty = #"{"id":1,"jsonrpc":"2.0","method":"echo","params":{"a":""}}"#
        let text = String(repeating: "x", count: Frame.maximumSize - empty.utf8.count)
        let request = empty.replacing(#""a":"""#, with: #""a":"\#(text)""#)
        #expect(request.utf8.count == Frame.maximumSize)
        async let sent: Void = blocking { try talk.far.send(SecretBytes(utf8: request)) }
        let answer = try await talk.far.nextMessage()
        try await sent
        #expect(answer == .response(id: .integer(1), .success(.object(["a": .string(text)]))))
    }

    // MARK: Floods

    @Test func requestsBeyondThirtyTwoAtOnceAreBusyAndAFloodIsCutOff() async throws {
        let latch = Latch()
        let talk = Conversation { _, _ in
            await latch.wait()
            return .null
        }
        // Read while it is written: who does not read for five seconds is cut off for that.
        async let answers = blocking {
            try (0..<256).compactMap { _ in
                try talk.far.receive().map { try $0.withUnsafeBytes { try Message(decoding: $0) } }
            }
        }
        for id in 1...(Peer.requestLimit + 256) { talk.pair.write(#"{"id":\#(id),"jsonrpc":"2.0","method":"m"}"#) }
        let refusals = try await answers
        #expect(refusals.count == 256)
        for case .response(.integer(let id), .failure(let error)) in refusals {
            #expect(id > Peer.requestLimit)
            #expect(error.code == .busy)
        }
        #expect(!talk.peer.isClosed)
        talk.pair.write(#"{"id":999,"jsonrpc":"2.0","method":"m"}"#)
        await talk.ended()
        latch.open()
    }

    @Test func notificationsCountAsRequestsInProgress() async throws {
        let latch = Latch()
        let talk = Conversation { _, _ in
            await latch.wait()
            return .null
        }
        for _ in 0..<Peer.requestLimit { talk.pair.write(#"{"jsonrpc":"2.0","method":"m"}"#) }
        guard case .response(_, .failure(let error)) = try await talk.ask(1, "m") else {
            Issue.record("no refusal")
            return
        }
        #expect(error.code == .busy)
        latch.open()
    }

    @Test func floodOfNonsenseIsCutOff() async throws {
        let talk = Conversation()
        async let drained: Void = blocking { while try talk.far.receive() != nil {} }
        for _ in 0..<257 { talk.pair.write("x") }
        await talk.ended()
        _ = try? await drained
    }

    @Test(arguments: [0, 0xFFFF_FFFF] as [UInt32])
    func brokenFrameEndsTheConversation(size: UInt32) async {
        let talk = Conversation()
        talk.pair.write(size: size, body: Array(#"{"jsonrpc":"2.0"}"#.utf8))
        await talk.ended()
        #expect(talk.peer.isClosed)
    }

    // MARK: Asking

    @Test func callsAreAnsweredInAnyOrder() async throws {
        let talk = Conversation()
        async let first = talk.peer.call("a")
        async let second = talk.peer.call("b")
        var asked: [String: Message.Identifier] = [:]
        for _ in 0..<2 {
            guard case .request(let id, let method, _) = try await talk.far.nextMessage() else {
                Issue.record("no request")
                return
            }
            asked[method] = id
        }
        for method in ["b", "a"] {
            let id = try #require(asked[method])
            try talk.far.send(Message.response(id: id, .success(.string(method))).encoded())
        }
        #expect(try await first == .string("a"))
        #expect(try await second == .string("b"))
    }

    @Test func errorOfTheOtherSideIsThrown() async throws {
        let talk = Conversation()
        let called = Task { try await talk.peer.call("m") }
        _ = try await talk.far.nextMessage()
        talk.pair.write(#"{"error":{"code":4242,"data":{"reason":"r"},"message":"no"},"id":1,"jsonrpc":"2.0"}"#)
        await #expect(throws: WireError(.init(rawValue: 4242), "no", reason: "r")) { try await called.value }
    }

    @Test func answerOfTheWrongShapeIsAnError() async throws {
        let talk = Conversation()
        let called = Task { try await talk.peer.call(Items.Get.self, .init(id: "x")) }
        _ = try await talk.far.nextMessage()
        talk.pair.write(#"{"id":1,"jsonrpc":"2.0","result":{"item":{"id":5}}}"#)
        await #expect(throws: WireError.self) { try await called.value }
    }

    @Test(arguments: [Duration.zero, .milliseconds(5)])
    func callWithoutAnswerTimesOutAndTheLateAnswerIsDropped(timeout: Duration) async throws {
        let talk = Conversation()
        await #expect { try await talk.peer.call("m", timeout: timeout) } throws: { code($0) == .timedOut }
        _ = try await talk.far.nextMessage()
        talk.pair.write(#"{"id":1,"jsonrpc":"2.0","result":{}}"#)
        #expect(try await talk.ask(7) == .response(id: .integer(7), .success(.object([:]))))
    }

    @Test func cancelledCallEndsAndItsLateAnswerIsDropped() async throws {
        let talk = Conversation()
        let call = Task { try await talk.peer.call("m") }
        _ = try await talk.far.nextMessage()
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        talk.pair.write(#"{"id":1,"jsonrpc":"2.0","result":{}}"#)
        #expect(try await talk.ask(7) == .response(id: .integer(7), .success(.object([:]))))
    }

    @Test func callOfACancelledTaskEnds() async throws {
        let talk = Conversation()
        let latch = Latch()
        let call = Task {
            await latch.wait()
            return try await talk.peer.call("m")
        }
        call.cancel()
        latch.open()
        await #expect(throws: CancellationError.self) { try await call.value }
    }

    @Test(arguments: [
        #"{"id":1,"jsonrpc":"2.0","result":{}}"#, #"{"error":{"code":1,"message":"x"},"id":"a","jsonrpc":"2.0"}"#,
    ])
    func unaskedAnswerEndsTheConversation(text: String) async {
        let talk = Conversation()
        talk.pair.write(text)
        await talk.ended()
        #expect(talk.peer.isClosed)
    }

    @Test func secondAnswerEndsTheConversation() async throws {
        let talk = Conversation()
        async let called = talk.peer.call("m")
        _ = try await talk.far.nextMessage()
        talk.pair.write(#"{"id":1,"jsonrpc":"2.0","result":{}}"#)
        _ = try await called
        talk.pair.write(#"{"id":1,"jsonrpc":"2.0","result":{}}"#)
        await talk.ended()
    }

    @Test func secondLateAnswerEndsTheConversation() async throws {
        let talk = Conversation()
        await #expect(throws: WireError.self) { try await talk.peer.call("m", timeout: .zero) }
        for _ in 0..<2 { talk.pair.write(#"{"id":1,"jsonrpc":"2.0","result":{}}"#) }
        await talk.ended()
    }

    @Test func requestThatIsTooLongIsRefusedAndTheConversationGoesOn() async throws {
        let talk = Conversation()
        let params = JSONValue.object(["a": .string(String(repeating: "x", count: Frame.maximumSize))])
        await #expect { try await talk.peer.call("m", params) } throws: { code($0) == .internalError }
        #expect(try await talk.ask(7) == .response(id: .integer(7), .success(.object([:]))))
    }

    // MARK: The end

    // MARK: After the answer

    /// Notifies once the answer is out, and does what its method says.
    private func answering() -> Conversation {
        let holder = Mutex<Peer?>(nil)
        let conversation = Conversation { method, params in
            let peer = holder.withLock { $0 }
            // Also from a task that the handler has started.
            await Task { Peer.afterReply { peer?.notify("after " + method) } }.value
            switch method {
            case "refuse": throw WireError(.refused, "no")
            case "break": throw CancellationError()
            case "long": return .string(String(repeating: "x", count: 2 << 20))
            default: return params
            }
        }
        holder.withLock { $0 = conversation.peer }
        return conversation
    }

    @Test func whatComesAfterTheAnswerComesAfterIt() async throws {
        let conversation = answering()
        guard case .response(.integer(7), .success)? = try await conversation.ask(7) else {
            Issue.record("the answer is not the first")
            return
        }
        guard case .notification("after echo", _)? = try await conversation.far.nextMessage() else {
            Issue.record("what comes after it does not come")
            return
        }
    }

    @Test(arguments: ["refuse", "break", "long"])
    func nothingComesAfterAnAnswerThatIsNone(method: String) async throws {
        let conversation = answering()
        guard case .response(.integer(7), .failure)? = try await conversation.ask(7, method) else {
            Issue.record("it is no failure")
            return
        }
        // The next thing that is heard is the next answer.
        guard case .response(.integer(8), .success)? = try await conversation.ask(8) else {
            Issue.record("something came after a failure")
            return
        }
    }

    @Test func outsideOfARequestItIsDoneAtOnce() {
        let isDone = Mutex(false)
        Peer.afterReply { isDone.withLock { $0 = true } }
        #expect(isDone.withLock { $0 })
    }

    @Test func closeWakesWhoeverWaits() async throws {
        let talk = Conversation()
        let called = Task { try await talk.peer.call("m") }
        _ = try await talk.far.nextMessage()
        talk.peer.close()
        await #expect { try await called.value } throws: { code($0) == .providerUnavailable }
    }

    @Test func endOfTheOtherSideWakesWhoeverWaits() async throws {
        let talk = Conversation()
        let called = Task { try await talk.peer.call("m") }
        _ = try await talk.far.nextMessage()
        talk.far.close()
        await #expect { try await called.value } throws: { code($0) == .providerUnavailable }
    }

    @Test func closedPeerCallsAndTellsNothing() async {
        let talk = Conversation()
        talk.peer.close()
        await #expect { try await talk.peer.call("m") } throws: { code($0) == .providerUnavailable }
        talk.peer.notify("n")
        #expect(talk.peer.isClosed)
    }

    @Test func onCloseRunsOnceEachEvenAfterTheEnd() async {
        let talk = Conversation()
        let count = Mutex(0)
        talk.peer.onClose { count.withLock { $0 += 1 } }
        talk.peer.close()
        talk.peer.close()
        talk.peer.onClose { count.withLock { $0 += 1 } }
        await talk.ended()
        #expect(count.withLock { $0 } == 2)
    }
}
