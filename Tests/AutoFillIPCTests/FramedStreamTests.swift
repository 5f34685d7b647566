// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import Glibc
import Testing

@testable import AutoFillIPC

@Suite struct FramedStreamTests {
    private let pair = SocketPair()

    @Test(arguments: [1, 4, 65_536, Frame.maximumSize])
    func messagePassesWhole(size: Int) async throws {
        let (sender, receiver) = (FramedStream(socket: pair.near), FramedStream(socket: dup(pair.far)))
        let body = SecretBytes.random(count: size)
        async let sent: Void = blocking { try sender.send(body) }
        let received = try await blocking { try receiver.receive() }
        try await sent
        #expect(received == body)
    }

    @Test func messagesStayApart() async throws {
        let stream = FramedStream(socket: pair.near)
        for text in ["a", "bb", "ccc"] { pair.write(text) }
        pair.endWriting()
        for text in ["a", "bb", "ccc"] { #expect(try await blocking { try stream.receive()?.text } == text) }
        #expect(try await blocking { try stream.receive() } == nil)
    }

    @Test func endBetweenTwoMessagesIsANormalEnd() async throws {
        let stream = FramedStream(socket: pair.near)
        pair.endWriting()
        #expect(try await blocking { try stream.receive() } == nil)
    }

    @Test(arguments: [1, 2, 3])
    func endInsideTheHeaderIsAnError(count: Int) async {
        let stream = FramedStream(socket: pair.near)
        pair.write(Array(repeating: 1, count: count))
        pair.endWriting()
        await #expect(throws: FramedStream.Failure.self) { try await blocking { try stream.receive() } }
    }

    @Test(arguments: [(1, 0), (5, 4), (1_048_576, 100)] as [(UInt32, Int)])
    func endInsideTheBodyIsAnError(size: UInt32, sent: Int) async {
        let stream = FramedStream(socket: pair.near)
        pair.write(size: size, body: Array(repeating: 0x20, count: sent))
        pair.endWriting()
        await #expect(throws: FramedStream.Failure.self) { try await blocking { try stream.receive() } }
    }

    @Test(arguments: [0, 1_048_577, 0x7FFF_FFFF, 0xFFFF_FFFF] as [UInt32])
    func lengthOutOfBoundsIsAnError(size: UInt32) async {
        let stream = FramedStream(socket: pair.near)
        pair.write(size: size, body: [0x20])
        await #expect(throws: FramedStream.Failure.self) { try await blocking { try stream.receive() } }
    }

    @Test(arguments: [0, Frame.maximumSize + 1])
    func messageThatTheOtherSideWouldRefuseIsNotSent(size: Int) async throws {
        let (sender, receiver) = (FramedStream(socket: pair.near), FramedStream(socket: dup(pair.far)))
        #expect(throws: Frame.Failure.self) { try sender.send(SecretBytes(count: size)) }
        try sender.send(SecretBytes(utf8: "and on"))
        #expect(try await blocking { try receiver.receive()?.text } == "and on")
    }

    @Test func closeWakesTheReader() async throws {
        let stream = FramedStream(socket: pair.near)
        async let received = blocking { try stream.receive() }
        stream.close()
        #expect(try await received == nil)
    }

    @Test func closedStreamNeitherSendsNorReceives() throws {
        let stream = FramedStream(socket: pair.near)
        stream.close()
        stream.close()
        #expect(throws: FramedStream.Failure.self) { try stream.send(SecretBytes(utf8: "x")) }
        #expect(try stream.receive() == nil)
    }

    @Test func peerThatIsGoneIsAnErrorAndNoSignal() {
        let stream = FramedStream(socket: pair.near)
        shutdown(pair.far, Int32(SHUT_RDWR))
        #expect(throws: FramedStream.Failure.self) { try stream.send(SecretBytes(utf8: "x")) }
    }

    @Test func messageThatGotStuckHalfwayEndsTheConnection() async throws {
        let stream = FramedStream(socket: pair.near)
        pair.limitPatience(milliseconds: 20)
        await #expect(throws: FramedStream.Failure(reason: "the peer does not read")) {
            try await blocking { try stream.send(SecretBytes(count: Frame.maximumSize)) }
        }
        #expect(throws: FramedStream.Failure.self) { try stream.send(SecretBytes(utf8: "next")) }
        let receiver = FramedStream(socket: dup(pair.far))
        await #expect(throws: FramedStream.Failure.self) { try await blocking { try receiver.receive() } }
    }

    @Test("S57: posting never waits for the peer, and everything arrives in order")
    func postingDoesNotWait() async throws {
        let stream = FramedStream(socket: pair.near, terms: StreamTerms(departureLimit: .seconds(600)))
        let texts = (0..<200).map { String(repeating: "\($0) ", count: 5000) }
        // Nobody reads yet: this thread would wait for ever.
        for text in texts { try stream.post(SecretBytes(utf8: text)) }
        let receiver = FramedStream(socket: dup(pair.far))
        let received = try await blocking { try texts.map { _ in try receiver.receive()?.text } }
        #expect(received == texts)
        try stream.post(SecretBytes(utf8: "and on"))
        #expect(try await blocking { try receiver.receive()?.text } == "and on")
    }

    @Test("S57: a peer that does not read in time loses the connection")
    func postingEndsWithAPeerThatDoesNotRead() async throws {
        let stream = FramedStream(socket: pair.near, terms: StreamTerms(departureLimit: .milliseconds(20)))
        try stream.post(SecretBytes(count: Frame.maximumSize))
        #expect(try await blocking { try stream.receive() } == nil)
        #expect(throws: FramedStream.Failure.self) { try stream.post(SecretBytes(utf8: "next")) }
    }

    @Test("S57: what waits for one peer is bounded")
    func postingIsBounded() async throws {
        let terms = StreamTerms(departureLimit: .seconds(600), waitingLimit: 1 << 20)
        let stream = FramedStream(socket: pair.near, terms: terms)
        #expect(throws: FramedStream.Failure(reason: "the peer does not read")) {
            for _ in 0..<100 { try stream.post(SecretBytes(count: 100_000)) }
        }
        #expect(try await blocking { try stream.receive() } == nil)
    }

    @Test("S52: a message that does not arrive in time ends the connection", arguments: [1, 3, 4, 100])
    func slowMessageEnds(count: Int) async throws {
        let stream = FramedStream(socket: pair.near, terms: StreamTerms(arrivalLimit: .milliseconds(20)))
        pair.write("in time")
        #expect(try await blocking { try stream.receive()?.text } == "in time")
        pair.write(
            Array((withUnsafeBytes(of: UInt32(1000)) { Array($0) } + Array(repeating: 0x20, count: 999))[..<count]))
        await #expect(throws: FramedStream.Failure(reason: "a message did not arrive in time")) {
            try await blocking { try stream.receive() }
        }
    }

    @Test("S52: a connection may be bounded further than the wire is")
    func longMessageEnds() async throws {
        let stream = FramedStream(socket: pair.near, terms: StreamTerms(sizeLimit: 10))
        pair.write("0123456789")
        #expect(try await blocking { try stream.receive()?.text } == "0123456789")
        pair.write("0123456789A")
        await #expect(throws: FramedStream.Failure.self) { try await blocking { try stream.receive() } }
    }

    @Test func manySendersDoNotMixTheirMessages() async throws {
        let (sender, receiver) = (FramedStream(socket: pair.near), FramedStream(socket: dup(pair.far)))
        async let sending: Void = withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    try await blocking {
                        for _ in 0..<50 {
                            try sender.send(SecretBytes(utf8: String(repeating: "\(number)", count: 2000 + number)))
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let texts = try await blocking { try (0..<400).compactMap { _ in try receiver.receive()?.text } }
        try await sending
        #expect(texts.count == 400)
        #expect(
            texts.allSatisfy { text in Set(text).count == 1 && text.count == 2000 + (text.first?.wholeNumberValue ?? 0)
            })
    }

    @Test func pipesCarryFramesToo() async throws {
        var (there, back): ([Int32], [Int32]) = ([0, 0], [0, 0])
        try #require(pipe(&there) == 0 && pipe(&back) == 0)
        let near = FramedStream(input: back[0], output: there[1])
        let far = FramedStream(input: there[0], output: back[1])
        try near.send(SecretBytes(utf8: "there"))
        #expect(try await blocking { try far.receive()?.text } == "there")
        try far.send(SecretBytes(utf8: "back"))
        #expect(try await blocking { try near.receive()?.text } == "back")
        #expect(near.peer() == nil)
        far.close()
        #expect(try await blocking { try near.receive() } == nil)
    }
}
