// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AutoFillNetwork

@Suite struct TunnelRequestTests {
    private func refusal(_ text: String) -> TunnelRequest.Refusal? {
        do {
            _ = try TunnelRequest(head: Array(text.utf8))
            return nil
        } catch {
            return error
        }
    }

    @Test func readsConnect() throws {
        let request = try TunnelRequest(head: Array("CONNECT Shiny.Example.COM.:443 HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
        #expect(request.isConnect && request.opening.isEmpty && request.target.description == "shiny.example.com:443")
    }

    @Test("an http request goes on as the server reads it, once, and without what was said to the proxy")
    func rewritesAnAbsoluteAddress() throws {
        let head =
            "POST http://a.example:8080?q=1 HTTP/1.1\r\nHost: other\r\nProxy-Authorization: x\r\nPROXY-Anything: x\r\n"
            + "Connection: keep-alive\r\nContent-Length: 3\r\n\r\n"
        let request = try TunnelRequest(head: Array(head.utf8))
        #expect(request.target.description == "a.example:8080" && !request.isConnect)
        #expect(
            String(decoding: request.opening, as: UTF8.self)
                == "POST /?q=1 HTTP/1.1\r\nHost: a.example:8080\r\nContent-Length: 3\r\nConnection: close\r\n\r\n")
        let plain = try TunnelRequest(head: Array("GET http://a.example/ HTTP/1.0\r\n\r\n".utf8))
        #expect(String(decoding: plain.opening, as: UTF8.self).hasPrefix("GET / HTTP/1.1\r\nHost: a.example\r\n"))
    }

    @Test(arguments: [
        "", "\r\n\r\n", "CONNECT\r\n\r\n", "CONNECT a:443\r\n\r\n", "CONNECT a:443 HTTP/2\r\n\r\n",
        "CONNECT a HTTP/1.1\r\n\r\n",
        "CONNECT a:0 HTTP/1.1\r\n\r\n", "CONNECT a:65536 HTTP/1.1\r\n\r\n", "CONNECT a:+1 HTTP/1.1\r\n\r\n",
        "CONNECT a:443:1 HTTP/1.1\r\n\r\n", "CONNECT [::1:443 HTTP/1.1\r\n\r\n", "CONNECT [::1]443 HTTP/1.1\r\n\r\n",
        "CONNECT u@a:443 HTTP/1.1\r\n\r\n", "CONNECT a%2e:443 HTTP/1.1\r\n\r\n",
        "CONNECT [fe80::1%eth0]:443 HTTP/1.1\r\n\r\n",
        "CONNECT a:443 HTTP/1.1\r\n b\r\n\r\n", "CONNECT a:443 HTTP/1.1\nHost: x\r\n\r\n",
        "CONNECT  a:443 HTTP/1.1\r\n\r\n",
        "CONNECT a:443 HTTP/1.1\r\nA: \u{0}\r\n\r\n", "CONNECT :443 HTTP/1.1\r\n\r\n",
        "CONNECT a:443 HTTP/1.1\r\n\r\n\r\n",
        "GET http://a/ HTTP/1.1\r\nProxy-Authorization : x\r\n\r\n",
        "GET http://a/ HTTP/1.1\r\nConnection\t: x\r\n\r\n",
        "GET http://a/ HTTP/1.1\r\nno header\r\n\r\n", "GET http://a/ HTTP/1.1\r\n: x\r\n\r\n",
        "GET http://u@a/ HTTP/1.1\r\n\r\n", "GET http:/// HTTP/1.1\r\n\r\n", "C T a:1 HTTP/1.1\r\n\r\n",
    ])
    func refusesWhatIsNoRequest(_ text: String) {
        #expect(refusal(text) == .malformed)
    }

    @Test(arguments: ["GET / HTTP/1.1\r\n\r\n", "GET https://a/ HTTP/1.1\r\n\r\n", "GET ftp://a/ HTTP/1.1\r\n\r\n"])
    func refusesOtherSchemes(_ text: String) {
        #expect(refusal(text) == .unsupported)
    }

    @Test func findsTheEndOfAHead() {
        #expect(TunnelRequest.end(of: Array("a\r\n\r\nb".utf8)) == 5)
        #expect(TunnelRequest.end(of: Array("a\r\n\r".utf8)) == nil && TunnelRequest.end(of: []) == nil)
    }
}
