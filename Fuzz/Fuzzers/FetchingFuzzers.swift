// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

// The fuzzing package compiles the files that read without those that download.
#if canImport(Answers)
    @testable import Answers
    @testable import IdentityTokens
#else
    @testable import AutoFillFetching
#endif

/// What servers and issuers send to `latchkey-fetch`.
extension Fuzzer {
    /// An answer is the same however the network cuts it, and keeps every bound.
    static let answer = Fuzzer(
        "answer",
        words: [
            "HTTP/1.1 200 OK\r\n", "HTTP/1.1 103 \r\n", "Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n",
            "Content-Encoding: gzip\r\n", "Content-Encoding: deflate\r\n", "Location: ", "\r\n\r\n", "\u{1F}",
        ],
        seeds: {
            let gzip = Data(base64Encoded: "H4sIAAAAAAACA6tWyk6tLFayio6tBQDvZ4gqCwAAAA==") ?? Data()
            let deflate = Data(base64Encoded: "eJyrVspOrSxWsoqOrQUAF24D6w==") ?? Data()
            let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: "
            return [
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nETag: \"x\"\r\n\r\n{}",
                "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 404 Not Found\r\nDate: now\r\n\r\n",
                "HTTP/1.1 301 Moved Permanently\r\nLocation: https://b.example/\r\n\r\n",
            ].map { Array($0.utf8) } + [
                Array("\(chunked)gzip\r\n\r\n".utf8) + gzip, Array("\(chunked)deflate\r\n\r\n".utf8) + deflate,
            ]
        },
        run: { bytes in
            let limit = 4_096
            func read(by size: Int) -> DownloadOutcome {
                var reader = AnswerReader(
                    Download(
                        "https://a.example/", limit: limit, deadline: .seconds(1),
                        contentEncodings: [.gzip, .deflate]))
                var rest = bytes[...]
                while !rest.isEmpty, !reader.isReadingBody, reader.outcome == nil {
                    let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
                    _ = reader.readHeader(Array(rest[..<end]))
                    rest = rest[end...]
                }
                while !rest.isEmpty, reader.outcome == nil {
                    let part = rest.prefix(size)
                    _ = reader.readBody(UnsafeRawBufferPointer(rebasing: part))
                    rest = rest.dropFirst(part.count)
                }
                return reader.complete()
            }
            let outcome = read(by: .max)
            switch outcome {
            case .answered(let status, let headers, let body):
                precondition((100..<1_000).contains(status), "no status")
                precondition(body.count <= limit, "a body beyond its limit")
                precondition(Set(headers.keys).isSubset(of: AnswerReader.keptHeaders), "a header that is not kept")
                precondition(
                    headers.values.allSatisfy {
                        $0.utf8.count <= AnswerReader.maximumHeader && $0.utf8.allSatisfy { (0x20...0x7E).contains($0) }
                    }, "a header beyond its bounds")
                precondition(read(by: 3) == outcome, "an answer that depends on how it is cut")
            case .redirected(_, let address):
                precondition(address.utf8.count <= HTTPSAddress.maximumLength, "an address beyond its bounds")
            default:
                if case .answered = read(by: 3) { preconditionFailure("an answer that depends on how it is cut") }
            }
        })

    /// No bytes make a token that is believed; what is base64url is so in one way.
    static let token = Fuzzer(
        "token",
        words: ["eyJhbGciOiJFUzI1NiIsImtpZCI6ImVjIn0", "eyJhbGciOiJub25lIiwia2lkIjoiZWMifQ", ".", "e30", "==", "-_"],
        seeds: {
            [
                "eyJhbGciOiJFUzI1NiIsImtpZCI6ImVjIn0.e30." + String(repeating: "A", count: 86), "e30.e30.",
                "-_8", #"{"keys":[{"kty":"RSA","kid":"a","n":"AQAB","e":"AQAB"}]}"#,
                """
                {"keys":[{"kty":"EC","crv":"P-256","kid":"ec","x":"axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY",\
                "y":"T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU"}]}
                """,
            ].map { Array($0.utf8) }
        },
        run: { bytes in
            if let decoded = Base64URL.decode(Array(bytes)) {
                precondition(Base64URL.encode(decoded).utf8.elementsEqual(bytes), "two texts for the same bytes")
            }
            _ = try? IssuerKeys(Array(bytes))
            guard let token = try? IdentityToken(String(decoding: bytes, as: UTF8.self)), let keys = known else {
                return
            }
            let expected = IdentityToken.Expectation(issuer: "https://a.example", client: "c", nonce: "n", now: 0)
            precondition((try? token.verify(expected, keys: keys)) == nil, "a token that nobody signed")
        })

    /// The generator of the curve as a public key, whose private key is 1; no claims of any token are those that are expected.
    private static let known = try? IssuerKeys(
        Array(
            """
            {"keys":[{"kty":"EC","crv":"P-256","kid":"ec","x":"axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY",\
            "y":"T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU"}]}
            """.utf8))
}
