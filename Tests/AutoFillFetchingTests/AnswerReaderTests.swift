// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import AutoFillFetching

/// What becomes of an answer, line by line, without a connection.
@Suite struct AnswerReaderTests {
    private static let gzip = "H4sIAAAAAAACA6tWyk6tLFayio6tBQDvZ4gqCwAAAA=="

    private static func read(
        _ head: [String], _ body: [[UInt8]] = [], limit: Int = 100,
        encodings: Set<Download.ContentEncoding> = [.gzip, .deflate]
    ) -> DownloadOutcome {
        var reader = AnswerReader(
            Download("https://a.example/", limit: limit, deadline: .seconds(1), contentEncodings: encodings))
        for line in head where !reader.readHeader(Array((line + "\r\n").utf8)) { break }
        for part in body where reader.outcome == nil {
            _ = part.withUnsafeBytes { reader.readBody($0) }
        }
        return reader.complete()
    }

    private static func answer(_ body: String, headers: [String: String] = [:], status: Int = 200) -> DownloadOutcome {
        .answered(status: status, headers: headers, body: Array(body.utf8))
    }

    // MARK: Taken

    @Test(arguments: [
        ["HTTP/1.1 200 OK", "Content-Length: 2", ""], ["HTTP/1.0 200", "content-length:2 ", ""],
        ["HTTP/1.1 200 OK", "Transfer-Encoding: Chunked", ""], ["HTTP/1.1 200 ", "X:", "Content-Length: 2", ""],
        ["HTTP/1.1 200 OK", "Content-Encoding: identity", "Content-Length: 2", ""],
        ["HTTP/1.1 103 Early Hints", "Link: x", "", "HTTP/1.1 200 OK", "Content-Length: 2", ""],
        ["HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "", "X-Trailer: 1", ""],
    ]) func takesABodyOfStatedLength(head: [String]) {
        #expect(Self.read(head, [[0x7B], [0x7D]]) == Self.answer("{}"))
    }

    @Test func keepsTheFirstOfAHeaderAndBoundsIt() {
        let head = [
            "HTTP/1.1 200 OK", "ETag: \u{7}a", "etag: b", "Set-Cookie: x=y", "Content-Length: 0",
            "Content-Type: " + String(repeating: "t", count: 300), "",
        ]
        let kept = ["etag": "a", "content-type": String(repeating: "t", count: 256)]
        #expect(Self.read(head) == Self.answer("", headers: kept))
    }

    @Test(arguments: [404, 500, 204, 304, 999]) func readsNoBodyThatIsNotForIt(status: Int) {
        let head = ["HTTP/1.1 \(status) X", "Content-Length: 2", "Date: now", ""]
        #expect(Self.read(head, [[0x7B, 0x7D]]) == Self.answer("", headers: ["date": "now"], status: status))
    }

    @Test func reportsARedirectWithoutReadingOn() {
        let head = ["HTTP/1.1 302 Found", "Location: https://b.example/\u{1}x", "Content-Length: nonsense", ""]
        #expect(Self.read(head) == .redirected(status: 302, to: "https://b.example/x"))
    }

    @Test(arguments: [("gzip", gzip), ("GZIP", gzip), ("deflate", "eJyrVspOrSxWsoqOrQUAF24D6w==")])
    func uncompresses(encoding: String, base64: String) throws {
        let bytes = Array(try #require(Data(base64Encoded: base64)))
        let head = ["HTTP/1.1 200 OK", "Content-Encoding: \(encoding)", "Content-Length: \(bytes.count)", ""]
        #expect(Self.read(head, [bytes]) == Self.answer(#"{"keys":[]}"#))
        // Byte by byte it is the same.
        #expect(Self.read(head, bytes.map { [$0] }) == Self.answer(#"{"keys":[]}"#))
        #expect(Self.read(head, [bytes], limit: 11) == Self.answer(#"{"keys":[]}"#))
        #expect(Self.read(head, [bytes], limit: 10) == .tooLarge)
    }

    // MARK: Refused

    @Test(arguments: [
        [], [""], ["nonsense"], ["HTTP/2 200", ""], ["HTTP/0.9 200 OK", ""], ["HTTP/1.1 20 OK", ""],
        ["HTTP/1.1 +20 OK", ""],
        ["HTTP/1.1 2000 OK", ""], ["HTTP/1.1 099 X", ""], ["HTTP/1.1"], ["ICY 200 OK", ""], ["HTTP/1.1 200 OK"],
        ["HTTP/1.1 101 Switching Protocols", "Upgrade: x", ""],
        ["HTTP/1.1 200 OK", "no colon", ""], ["HTTP/1.1 200 OK", ": x", ""], ["HTTP/1.1 200 OK", "X : y", ""],
        ["HTTP/1.1 200 OK", "Content-Length: 2", " 3", ""], ["HTTP/1.1 200 OK", "X: a\rContent-Length: 2", ""],
        ["HTTP/1.1 200 OK", "X: a\0b", "Content-Length: 2", ""], ["HTTP/1.1 200 OK", "É: x", ""],
        ["HTTP/1.1 200 OK", "Content-Length: -1", ""], ["HTTP/1.1 200 OK", "Content-Length: +2", ""],
        ["HTTP/1.1 200 OK", "Content-Length: 2, 2", ""], ["HTTP/1.1 200 OK", "Content-Length: 0x2", ""],
        ["HTTP/1.1 200 OK", "Content-Length: 99999999999999999999999", ""],
        ["HTTP/1.1 200 OK", "Content-Length: 2", "Content-Length: 2", ""],
        ["HTTP/1.1 200 OK", "Content-Length: 2", "Transfer-Encoding: chunked", ""],
        ["HTTP/1.1 200 OK", "Transfer-Encoding: gzip, chunked", ""], ["HTTP/1.1 200 OK", "Transfer-Encoding: x", ""],
        ["HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "Transfer-Encoding: chunked", ""],
    ]) func refusesWhatIsNoHTTP(head: [String]) {
        #expect(
            Self.read(head, [[0x7B, 0x7D]]) == .brokenBody(reason: "this is not HTTP, or was cut off"), "\(head)")
    }

    @Test func refusesABodyOfUnknownLength() {
        let outcome = Self.read(["HTTP/1.1 200 OK", ""], [[0x7B, 0x7D]])
        #expect(outcome == .brokenBody(reason: "it does not say how long it is"))
    }

    @Test(arguments: ["br", "zstd", "gzip, gzip", "gzip, identity", "x-gzip", "compress", "none"])
    func refusesAnEncodingThatWasNotAskedFor(coding: String) {
        let head = ["HTTP/1.1 200 OK", "Content-Encoding: \(coding)", "Content-Length: 2", ""]
        #expect(Self.read(head) == .brokenBody(reason: "an encoding that was not asked for"))
    }

    @Test func refusesCompressionWhereNoneWasAskedFor() {
        let head = ["HTTP/1.1 200 OK", "Content-Encoding: gzip", "Content-Length: 2", ""]
        #expect(Self.read(head, encodings: []) == .brokenBody(reason: "an encoding that was not asked for"))
        #expect(Self.read(head, encodings: [.deflate]) == .brokenBody(reason: "an encoding that was not asked for"))
    }

    @Test func refusesWhatIsLongerThanTheLimit() {
        let stated = ["HTTP/1.1 200 OK", "Content-Length: 101", ""]
        #expect(Self.read(stated) == .tooLarge)
        let chunked = ["HTTP/1.1 200 OK", "Transfer-Encoding: chunked", ""]
        let ten = [UInt8](repeating: 0x20, count: 10)
        #expect(Self.read(chunked, Array(repeating: ten, count: 10)) == Self.answer(String(repeating: " ", count: 100)))
        #expect(Self.read(chunked, Array(repeating: ten, count: 11)) == .tooLarge)
        #expect(Self.read(chunked, [[UInt8](repeating: 0x20, count: 101)]) == .tooLarge)
    }

    @Test func refusesABombBeforeItIsUncompressed() throws {
        // 100,000 spaces.
        let bomb = Array(
            try #require(
                Data(
                    base64Encoded:
                        "H4sIAAAAAAACA+3BMQEAAADCoCrrn9IaHkAB" + String(repeating: "A", count: 128) + "rwYt8HnKoIYBAA=="
                )))
        let head = ["HTTP/1.1 200 OK", "Content-Encoding: gzip", "Transfer-Encoding: chunked", ""]
        #expect(Self.read(head, [bomb], limit: 99_999) == .tooLarge)
        #expect(Self.read(head, [bomb], limit: 100_000) == Self.answer(String(repeating: " ", count: 100_000)))
    }

    @Test func refusesADamagedCompression() throws {
        let good = Array(try #require(Data(base64Encoded: Self.gzip)))
        var changed = good
        changed[good.count - 6] ^= 1
        let deflate = Array(try #require(Data(base64Encoded: "q1bKTq0sVrKKjq0FAA==")))
        let head = ["HTTP/1.1 200 OK", "Content-Encoding: gzip", "Transfer-Encoding: chunked", ""]
        let bodies: [[[UInt8]]] = [
            [], [good.dropLast()], [Array(good.prefix(12))], [changed], [good + [0]], [good, [0]], [good + good],
            [good, good], [[0x7B, 0x7D]], [deflate],
        ]
        for body in bodies {
            #expect(Self.read(head, body) == .brokenBody(reason: "the compressed body is damaged"), "\(body)")
        }
        // A stream without the header that the RFC demands (RFC 9110, section 8.4.1.2).
        let raw = ["HTTP/1.1 200 OK", "Content-Encoding: deflate", "Transfer-Encoding: chunked", ""]
        #expect(Self.read(raw, [deflate]) == .brokenBody(reason: "the compressed body is damaged"))
    }

    @Test func countsTheBytesOfAllHeaders() {
        let line = "X: " + String(repeating: "y", count: 1_019)
        let fits = Array(repeating: line, count: 79)
        let end = ["Content-Length: 0", ""]
        #expect(Self.read(["HTTP/1.1 200 OK"] + fits + end) == Self.answer(""))
        let tooMany = fits + [line, line]
        #expect(
            Self.read(["HTTP/1.1 200 OK"] + tooMany + end) == .brokenBody(reason: "this is not HTTP, or was cut off"))
        // Interim answers do not begin the count anew.
        let hints = Array(repeating: ["HTTP/1.1 103 X", line, ""], count: 90).flatMap { $0 }
        #expect(
            Self.read(hints + ["HTTP/1.1 200 OK"] + end) == .brokenBody(reason: "this is not HTTP, or was cut off"))
    }
}
