// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillNetwork

/// What `latchkey-net` reads.
extension Fuzzer {
    /// A request of a sandboxed program to its proxy. The server gets one request, without the proxy's own headers.
    static let tunnel = Fuzzer(
        "tunnel",
        words: [
            "CONNECT ", " HTTP/1.1\r\n", "GET http://", "Host: ", "\r\n\r\n", "Connection: close\r\n",
            "Proxy-Authorization: ",
            "[::1]:", "Content-Length: 1\r\n",
        ],
        seeds: {
            [
                "CONNECT shiny.example.com:443 HTTP/1.1\r\nHost: shiny.example.com:443\r\n\r\n",
                "CONNECT [2600::1]:443 HTTP/1.0\r\n\r\n",
                "POST http://a.example:8080/x?y HTTP/1.1\r\nHost: b\r\nConnection: keep-alive\r\nContent-Length: 3\r\n\r\nabc",
            ].map { Array($0.utf8) }
        },
        run: { bytes in
            let bytes = Array(bytes)
            guard let end = TunnelRequest.end(of: bytes), let request = try? TunnelRequest(head: bytes[..<end]) else {
                return
            }
            precondition(HostAndPort(request.target.description) == request.target, "a target that reads as another")
            guard !request.isConnect else {
                precondition(request.opening.isEmpty, "CONNECT says nothing to the server")
                return
            }
            precondition(TunnelRequest.end(of: request.opening) == request.opening.count, "more than one request")
            let text = String(decoding: request.opening, as: UTF8.self).lowercased()
            precondition(!text.contains("\r\nproxy-"), "the server is told of the proxy")
            precondition(text.contains("\r\nconnection: close\r\n"), "the connection goes on")
        })

    /// A policy reads as itself when it is written again.
    static let networkPolicy = Fuzzer(
        "network-policy",
        words: ["internet\n", "host ", "resolve ", "proxy ", "direct ", "names\n", ":443"],
        seeds: {
            ["internet\nhost nas.local:5001\nresolve a.example:443 [::1]:1\nproxy p:3128 YTpi\nnames\ndirect *\n"]
                .map { Array($0.utf8) }
        },
        run: { bytes in
            guard let text = String(validating: bytes, as: UTF8.self), let policy = NetworkPolicy(text: text) else {
                return
            }
            precondition(NetworkPolicy(text: policy.text) == policy, "a policy changed on its way")
        })
}
