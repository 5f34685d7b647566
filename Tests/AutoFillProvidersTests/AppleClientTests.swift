// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ShownText
import Testing

@testable import AutoFillProviders
@testable import DaemonTesting

/// How Apple knows an app, as an `Info.plist` says it.
@Suite struct AppleClientTests {
    private static let returnURL = "https://shiny.example.com/auth/return"

    private func reason(
        _ identifier: String? = "com.example.shiny", _ returnURL: String? = returnURL, issuer: String? = nil
    ) -> String? {
        do throws(AppleClient.Refusal) {
            _ = try AppleClient(identifier: identifier, returnURL: returnURL, issuer: issuer)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test func appleIsAskedWhereNobodyElseIsNamed() throws {
        let client = try AppleClient(identifier: "com.example.shiny", returnURL: Self.returnURL, issuer: nil)
        #expect(client.issuer == "https://appleid.apple.com" && client.isOfApple)
        #expect(client.callback == .https(host: "shiny.example.com", path: "/auth/return"))
        let test = try AppleClient(
            identifier: "a-b_c.D9", returnURL: "https://shiny.example.com/", issuer: "https://id.example.com")
        #expect(!test.isOfApple && test.issuer == "https://id.example.com" && test.host == "shiny.example.com")
    }

    @Test(arguments: [
        "", "com.example shiny", "com.example/shiny", "a&b", "com.exämple", "a\n", String(repeating: "a", count: 256),
    ])
    func refusesIdentifiers(identifier: String) {
        #expect(reason(identifier)?.contains("client identifier") == true)
    }

    @Test(arguments: [
        "", "shiny.example.com/return", "http://shiny.example.com/return", "https://shiny.example.com",
        "https://shiny.example.com:8443/return", "https://shiny.example.com:443/return",
        "https://Shiny.example.com/return", "HTTPS://shiny.example.com/return", "https://u@shiny.example.com/return",
        "https://shiny.example.com/return?x=1", "https://shiny.example.com/return#x", "https:///return",
        "https://shiny.example.com/a b", "https://shiny.example.com./return", "shiny://return",
        "https://shiny.example.com\\return",
    ])
    func refusesReturnURLs(url: String) {
        #expect(reason("com.example.shiny", url)?.contains("return URL") == true, "\(url)")
    }

    @Test(arguments: [
        "", "appleid.apple.com", "http://appleid.apple.com", "https://appleid.apple.com/",
        "https://appleid.apple.com/x",
        "https://appleid.apple.com?x", "https://u:p@appleid.apple.com", "https://Appleid.apple.com", "https://",
    ])
    func refusesIssuers(issuer: String) {
        #expect(reason(issuer: issuer)?.contains("issuer") == true, "\(issuer)")
    }

    @Test func refusesHalfOfIt() {
        #expect(reason(nil) != nil)
        #expect(reason("com.example.shiny", nil) != nil)
        #expect(reason(nil, nil, issuer: "https://id.example.com") != nil)
    }
}
