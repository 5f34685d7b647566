// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import Testing

@testable import AutoFillProviders
@testable import DaemonTesting

@Suite struct WebCallbackTests {
    private static func both(_ host: String, _ path: String, _ scheme: String) -> WebAuthentication.Callback {
        var callback = WebAuthentication.Callback(host: host, path: path)
        callback.scheme = scheme
        return callback
    }

    @Test(arguments: ["shiny", "com.example.shiny", "Shiny+1.0-x"])
    func takesASchemeOfAnApps(scheme: String) {
        #expect(WebCallback(.init(scheme: scheme)) == .some(.scheme(scheme.lowercased())))
    }

    @Test(arguments: [
        "", "http", "HTTPS", "javascript", "data", "blob", "file", "about", "chrome-extension", "moz-extension",
        "1shiny", "-x", "a b", "a:",
        "é", "a/b", String(repeating: "a", count: 129),
    ])
    func refusesOtherSchemes(scheme: String) {
        #expect(WebCallback(.init(scheme: scheme)) == nil)
    }

    @Test(arguments: [
        ("shiny.example.com:8443", "/back"), ("shiny.example.com/x", "/back"), ("me@shiny.example.com", "/back"),
        ("", "/back"),
        ("shiny.example.com", ""), ("shiny.example.com", "back"), ("shiny.example.com", "/back?x"),
        ("shiny.example.com", "/back#x"),
        ("shiny.example.com", "/ba ck"), ("shiny.example.com", "/b\u{E9}"), ("shiny.example.com?x", "/"),
        ("http://shiny.example.com", "/"),
    ])
    func refusesWhatIsNoPlace(host: String, path: String) {
        #expect(WebCallback(.init(host: host, path: path)) == nil)
    }

    @Test func refusesBothAtOnce() {
        #expect(WebCallback(Self.both("shiny.example.com", "/back", "shiny")) == nil)
    }

    @Test(arguments: [
        ("shiny://back?code=1&state=2", true), ("SHINY:x", true), ("shiny2://back", false), ("https://shiny/", false),
        ("", false),
        ("shiny", false), ("shiny://a b", false), ("shiny://\u{7}", false),
        ("shiny:" + String(repeating: "x", count: 32_768), false),
    ])
    func comparesASchemeWhole(address: String, matches: Bool) throws {
        #expect(try #require(WebCallback(.init(scheme: "shiny"))).matches(address) == matches)
    }

    @Test(arguments: [
        ("https://shiny.example.com/back", true), ("https://shiny.example.com/back?code=1", true),
        ("https://shiny.example.com/back#t=1", true),
        ("https://shiny.example.com:443/back", true), ("http://shiny.example.com/back", false),
        ("https://shiny.example.com/back/x", false),
        ("https://shiny.example.com/backx", false), ("https://shiny.example.com:8443/back", false),
        ("https://me@shiny.example.com/back", false), ("https://shiny.example.com\\@evil.example.net/back", false),
        ("https://evil.example.net/back?https://shiny.example.com/back", false),
        ("https://shiny.example.com.evil.example.net/back", false),
    ])
    func comparesAPlaceLetterForLetter(address: String, matches: Bool) throws {
        let callback = try #require(WebCallback(.init(host: "Shiny.example.com", path: "/back")))
        #expect(callback.matches(address) == matches)
    }
}
