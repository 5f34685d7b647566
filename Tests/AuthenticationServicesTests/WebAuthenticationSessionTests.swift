// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices
import Foundation
import Testing

@MainActor
@Suite struct WebAuthenticationSessionTests {
    private typealias Callback = ASWebAuthenticationSession.Callback

    private func session(_ url: String, _ callback: ASWebAuthenticationSession.Callback = .customScheme("shiny")) throws
        -> ASWebAuthenticationSession
    {
        ASWebAuthenticationSession(url: try #require(URL(string: url)), callback: callback) { _, _ in }
    }

    @Test func rawValuesAreApples() {
        let codes: [ASWebAuthenticationSessionError.Code] = [
            .canceledLogin, .presentationContextNotProvided, .presentationContextInvalid,
        ]
        #expect(codes.map(\.rawValue) == [1, 2, 3])
        #expect(ASWebAuthenticationSessionErrorDomain == "com.apple.AuthenticationServices.WebAuthenticationSession")
        let error: any Error = ASWebAuthenticationSessionError(.canceledLogin)
        guard case ASWebAuthenticationSessionError.canceledLogin = error else {
            Issue.record("the error does not match its code")
            return
        }
    }

    @Test func startsForASecurePageAndACallbackOnly() throws {
        #expect(try session("https://shiny.example.com/authorize").canStart)
        #expect(try session("https://shiny.example.com/", .https(host: "shiny.example.com", path: "/back")).canStart)
        for url in ["http://shiny.example.com/", "shiny://x", "file:///etc/passwd", "https:///x", "about:blank"] {
            let session = try session(url)
            #expect(!session.canStart && !session.start(), "\(url)")
        }
        for callback in [
            ASWebAuthenticationSession.Callback.customScheme(""), .https(host: "", path: "/"),
            .https(host: "x.example", path: "back"),
        ] {
            #expect(try !session("https://shiny.example.com/", callback).canStart)
        }
        let withHeaders = try session("https://shiny.example.com/")
        withHeaders.additionalHeaderFields = ["X-Token": "1"]
        #expect(!withHeaders.canStart)
        let cancelled = try session("https://shiny.example.com/")
        cancelled.cancel()
        #expect(!cancelled.start())
        let url = try #require(URL(string: "https://shiny.example.com/"))
        #expect(!ASWebAuthenticationSession(url: url, callbackURLScheme: nil) { _, _ in }.canStart)
    }

    @Test(arguments: [
        ("shiny://back?code=1", true), ("SHINY:back", true), ("shinyy://back", false), ("https://shiny/", false),
        ("back", false),
    ])
    func matchesAScheme(address: String, matches: Bool) throws {
        #expect(
            ASWebAuthenticationSession.Callback.customScheme("Shiny").matchesURL(try #require(URL(string: address)))
                == matches)
    }

    @Test(arguments: [
        ("https://shiny.example.com/back?code=1", true), ("https://SHINY.example.com:443/back#x", true),
        ("http://shiny.example.com/back", false), ("https://shiny.example.com/back/", false),
        ("https://shiny.example.com/", false),
        ("https://shiny.example.com:8443/back", false), ("https://me@shiny.example.com/back", false),
        ("https://www.shiny.example.com/back", false), ("https://shiny.example.com.evil.example.net/back", false),
    ])
    func matchesAPlace(address: String, matches: Bool) throws {
        let callback = ASWebAuthenticationSession.Callback.https(host: "shiny.example.com", path: "/back")
        #expect(callback.matchesURL(try #require(URL(string: address))) == matches)
    }
}
