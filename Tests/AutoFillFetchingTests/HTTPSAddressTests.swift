// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AutoFillFetching

@Suite struct HTTPSAddressTests {
    @Test(arguments: [
        "http://a.example/", "ftp://a.example/", "a.example", "https://", "https:///x", "https://user@a.example/",
        "https://user:pass@a.example/", "https://a.example\\@b.example/", "https://a.example/\u{E9}",
        "https://a.example/ x",
        "https://a.example:0/", "https://a.example:99999/", "https://a.example/\r\nHost: b", "//a.example/",
        "https://a.example/" + String(repeating: "x", count: 2_048),
    ]) func refusesWhatIsNoPlainHTTPSAddress(_ text: String) {
        #expect(HTTPSAddress(text) == nil)
    }

    @Test(arguments: [
        ("https://a.example", "https://a.example/", "a.example"),
        ("HTTPS://A.Example:443/x?y#z", "https://a.example/x?y", "a.example"),
        ("https://a.example:8443?q", "https://a.example:8443/?q", "a.example:8443"),
        ("https://[::1]:8443/x", "https://[::1]:8443/x", "[::1]:8443"),
    ]) func keepsWhatIsAskedFor(_ text: String, _ expected: String, _ authority: String) {
        #expect(HTTPSAddress(text)?.description == expected)
        #expect(HTTPSAddress(text)?.authority == authority)
    }

    @Test(arguments: [
        ("/y", "https://a.example/y"), ("y", "https://a.example/x/y"), ("//b.example/y", "https://b.example/y"),
        ("https://b.example", "https://b.example/"), ("http://a.example/y", nil), ("javascript:0", nil),
        ("", "https://a.example/x/"),
        ("https://u@b.example/", nil),
    ]) func resolvesLocations(_ location: String, _ expected: String?) {
        #expect(HTTPSAddress("https://a.example/x/")?.resolving(location)?.description == expected)
    }
}
