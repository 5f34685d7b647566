// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AutoFillMatching

@Suite struct OriginTests {
    @Test(arguments: [
        ("https://shiny.example.com", "https://shiny.example.com"),
        ("https://shiny.example.com/", "https://shiny.example.com"),
        ("https://shiny.example.com/login?next=//evil.com#@evil.com", "https://shiny.example.com"),
        ("https://shiny.example.com?x@y", "https://shiny.example.com"),
        ("https://shiny.example.com#x:y@z", "https://shiny.example.com"),
        ("HTTPS://Shiny.EXAMPLE.com", "https://shiny.example.com"),
        ("https://shiny.example.com.", "https://shiny.example.com"),
        ("https://shiny.example.com:443", "https://shiny.example.com"),
        ("https://shiny.example.com:", "https://shiny.example.com"),
        ("https://shiny.example.com:8443/x", "https://shiny.example.com:8443"),
        ("https://shiny.example.com:00443", "https://shiny.example.com"),
        ("https://shiny.example.com:65535", "https://shiny.example.com:65535"),
        ("https://shiny.example.com:80", "https://shiny.example.com:80"),
        ("http://shiny.example.com", "http://shiny.example.com"),
        ("http://shiny.example.com:80", "http://shiny.example.com"),
        ("http://shiny.example.com:443", "http://shiny.example.com:443"),
        ("https://localhost:8080", "https://localhost:8080"),
        ("https://xn--bcher-kva.example", "https://xn--bcher-kva.example"),
        ("https://a_b.example.com", "https://a_b.example.com"), ("https://-a-.example", "https://-a-.example"),
        ("https://1.example", "https://1.example"), ("https://127.0.0.1:8080", "https://127.0.0.1:8080"),
        ("https://192.168.1.1.", "https://192.168.1.1"), ("https://0.0.0.0", "https://0.0.0.0"),
        ("https://[::1]:8080", "https://[::1]:8080"), ("https://[::1]", "https://[::1]"),
        ("https://[2001:DB8::1]", "https://[2001:db8::1]"),
    ])
    func readsTheOriginOfAURL(url: String, expected: String) {
        #expect(Origin(url: url)?.description == expected)
    }

    @Test(
        "S20: other spellings of an IPv6 address are the same host",
        arguments: [
            ("[0:0:0:0:0:0:0:1]", "[::1]"), ("[0000::0001]", "[::1]"), ("[::]", "[::]"), ("[::0.0.0.1]", "[::1]"),
            ("[2001:db8:0:0:1:0:0:1]", "[2001:db8::1:0:0:1]"), ("[2001:db8:0:1:1:1:1:1]", "[2001:db8:0:1:1:1:1:1]"),
            ("[1:0:0:2:0:0:0:3]", "[1:0:0:2::3]"), ("[1::]", "[1::]"), ("[::ffff:127.0.0.1]", "[::ffff:7f00:1]"),
            ("[1:2:3:4:5:6:7:8]", "[1:2:3:4:5:6:7:8]"), ("[A::B]", "[a::b]"),
        ])
    func spellingsOfIPv6AreOneHost(host: String, expected: String) {
        #expect(Origin(scheme: .https, host: host)?.host == expected)
    }

    @Test(
        "S20: a host is what a browser would load, in whatever spelling",
        arguments: [
            // User information.
            ("https://shiny.example.com@evil.com", "https://evil.com"), ("https://a@b@c", "https://c"),
            ("https://user:password@shiny.example.com", "https://shiny.example.com"),
            ("https://@shiny.example.com", "https://shiny.example.com"),
            ("https://shiny.example.com:443@evil.com", "https://evil.com"),
            // Backslashes, and slashes more or less.
            ("https:\\\\shiny.example.com", "https://shiny.example.com"),
            ("https:shiny.example.com", "https://shiny.example.com"),
            ("https:/shiny.example.com", "https://shiny.example.com"),
            ("https:///shiny.example.com", "https://shiny.example.com"),
            ("https://shiny.example.com\\@evil.com", "https://shiny.example.com"),
            ("https://evil.com\\.shiny.example.com", "https://evil.com"),
            ("https:/\\shiny.example.com", "https://shiny.example.com"),
            // Every spelling of an IPv4 address.
            ("https://2130706433", "https://127.0.0.1"), ("https://0x7f000001", "https://127.0.0.1"),
            ("https://0x7f.0.0.1", "https://127.0.0.1"), ("https://0177.0.0.1", "https://127.0.0.1"),
            ("https://127.1", "https://127.0.0.1"), ("https://127.0.1", "https://127.0.0.1"),
            ("https://127.0.0.01", "https://127.0.0.1"),
            ("https://1.2.3", "https://1.2.0.3"), ("https://1.2.3.0x", "https://1.2.3.0"),
            ("https://0", "https://0.0.0.0"),
            ("https://4294967295", "https://255.255.255.255"), ("https://1.2.3.4.", "https://1.2.3.4"),
            // White space and control characters that browsers drop.
            (" https://shiny.example.com", "https://shiny.example.com"),
            ("https://shiny.example.com ", "https://shiny.example.com"),
            ("https://shiny.\texample.com", "https://shiny.example.com"),
            ("https://shiny.example.com\r\n", "https://shiny.example.com"),
            ("https://shiny.example.com\u{0}", "https://shiny.example.com"),
            ("ht\ntps://shiny.example.com", "https://shiny.example.com"),
            // Percent-encoding, and what is not ASCII.
            ("https://shiny%2eexample.com", "https://shiny.example.com"),
            ("https://%62ücher.example", "https://xn--bcher-kva.example"),
            ("https://b%C3%BCcher.example", "https://xn--bcher-kva.example"),
            ("https://shiny。example.com", "https://shiny.example.com"),
            ("https://\u{212A}aggle.com", "https://kaggle.com"),
            ("https://ｓhiny.example.com", "https://shiny.example.com"),
            ("https://shiny.\u{AD}example.com", "https://shiny.example.com"),
            ("https://shiny.example.com\u{200B}", "https://shiny.example.com"),
            ("https://shіny.example.com", "https://xn--shny-m9d.example.com"),
            ("https://faß.example", "https://xn--fa-hia.example"),
            ("https://shiny.example.com/\u{338}evil", "https://shiny.example.com"),
            ("https://XN--BCHER-KVA.example", "https://xn--bcher-kva.example"),
            ("https://ab--c.example", "https://ab--c.example"), ("https://☕.example", "https://xn--53h.example"),
        ])
    func readsWhatABrowserWouldLoad(url: String, expected: String) {
        #expect(Origin(url: url)?.description == expected)
    }

    @Test(
        "S20: what no browser would load is read as nothing",
        arguments: [
            "https://shiny.example.com%40evil.com",
            // Ports.
            "https://shiny.example.com:0", "https://shiny.example.com:65536", "https://shiny.example.com:-1",
            "https://shiny.example.com:+443", "https://shiny.example.com:443x", "https://shiny.example.com: 443",
            "https://shiny.example.com:4 43", "https://shiny.example.com:٤٤٣", "https://shiny.example.com:443:443",
            "https://shiny.example.com:99999999999999999999",
            // IPv4 that is none.
            "https://127.0.0.256", "https://1.2.3.4.5", "https://example.1", "https://example.0x1",
            "https://-0.0.0.1.0",
            "https://1.2.-3.4", "https://1.2.3.4..", "https://4294967296", "https://0x100000000", "https://08.0.0.1",
            "https://0x1g.0.0.1", "https://256.1", "https://1.16777216", "https://99999999999999999999999999999999",
            // IPv6 that is none.
            "https://[::1\0]", "https://[::1\0.evil]", "https://[", "https://]", "https://[]", "https://[::1",
            "https://::1", "https://[::1]x", "https://[::1]:x",
            "https://[:::1]", "https://[1]", "https://[fe80]", "https://[::g]", "https://[1:2:3:4:5:6:7:8:9]",
            "https://[::1%25lo]", "https://[::1%lo]", "https://[::1.2.3]", "https://[::12345]", "https://[::1]]",
            "https://[[::1]]", "https://[::1].", "https://[ ::1]", "https://x[::1]", "https://[::01.2.3.4]",
            // Empty labels.
            "https://", "https:///", "https://.", "https://..", "https://.com", "https://a..b", "https://a.b..",
            "https://:443", "https://?x", "https://#x", "https://user@", "https://user@:443", "https://\u{AD}",
            // White space and control characters inside.
            "https:// shiny.example.com", "https://shiny.example .com", "https://shiny.example.com\u{7F}",
            "https://shiny.example.com\u{1}.x", "https://shiny\u{2028}.example",
            // What has no ASCII form.
            "https://xn--.example", "https://xn--a.example", "https://xn--ü.example", "https://\u{200D}a.example",
            "https://a\u{200C}b.example", "https://\u{301}a.example", "https://\u{FFFD}.example", "https://%FF.example",
            "https://\u{5D0}a.example", "https://xn--shiny-.example", "https://a。。b",
            // Characters that no host has.
            "https://shiny.example.com%00", "https://a,b.example", "https://a<b.example", "https://a%2Fb", "https://a%",
            "https://a%2",
            "https://a*b.example", "https://a|b", "https://a^b", "https://a`b", "https://{a}", "https://a\"b",
            "https://a!b", "https://a%25b",
            "https:/\u{338}/shiny.example.com",
            // Other schemes, and none.
            "", "://", "://shiny.example.com", "//shiny.example.com", "shiny.example.com", "https", "https:",
            "ftp://shiny.example.com", "ws://shiny.example.com",
            "wss://shiny.example.com", "file:///etc/passwd", "data:text/html,x", "blob:https://shiny.example.com/x",
            "javascript://shiny.example.com/%0aalert(1)", "about:blank", "about:srcdoc", "null", "opaque",
            "chrome-extension://malldjagemimmcmdgodgcdpnfmccpage", "view-source:https://shiny.example.com",
            "httpsx://shiny.example.com", "xhttps://shiny.example.com", "http s://shiny.example.com",
            "ħttps://shiny.example.com",
        ])
    func readsNothing(url: String) {
        #expect(Origin(url: url) == nil)
    }

    @Test func labelsHaveAtMost63AndHostsAtMost253Bytes() {
        let label = String(repeating: "a", count: 63)
        #expect(Origin(url: "https://\(label).example") != nil)
        #expect(Origin(url: "https://\(label)a.example") == nil)
        let host = [label, label, label, String(repeating: "a", count: 61)].joined(separator: ".")
        #expect(host.utf8.count == 253)
        #expect(Origin(url: "https://\(host)") != nil)
        #expect(Origin(url: "https://\(host).") != nil)
        #expect(Origin(url: "https://\(host)a") == nil)
    }

    @Test(arguments: [
        ("shiny.example.com", "https://shiny.example.com"), ("Shiny.Example.COM.", "https://shiny.example.com"),
        ("shiny.example.com:8443", "https://shiny.example.com:8443"),
        ("shiny.example.com/login", "https://shiny.example.com"),
        ("http://shiny.example.com", "http://shiny.example.com"), ("[::1]:8080", "https://[::1]:8080"),
        ("localhost", "https://localhost"), ("localhost:8443", "https://localhost:8443"),
        ("bücher.example", "https://xn--bcher-kva.example"), ("shiny.example.com/a@b", "https://shiny.example.com"),
        ("https:shiny.example.com", "https://shiny.example.com"), (" shiny.example.com\n", "https://shiny.example.com"),
        ("http:shiny.example.com", "http://shiny.example.com"), ("about.example:443", "https://about.example"),
    ])
    func hostByItselfIsHTTPS(text: String, expected: String) {
        #expect(Origin(written: text)?.description == expected)
    }

    @Test(arguments: [
        "", " ", "a b", "user@shiny.example.com", "mailto:a@b.example", "about:blank", "data:text/html,x",
        "javascript:alert(1)", "javascript:1", "data:80", "file:///x", "ftp://shiny.example.com", "a..b", "/login",
        "//shiny.example.com", "\\\\shiny.example.com", "?x", ":443", "android://hash@com.example",
        "com.example.app://x",
        "a@shiny.example.com/", "user:password@shiny.example.com", "shiny.example.com:x", "shiny.example.com://",
    ])
    func whatIsWrittenAndNoHostIsNothing(text: String) {
        #expect(Origin(written: text) == nil)
    }

    @Test(arguments: [
        "https://shiny.example.com", "https://shiny.example.com:8443", "http://shiny.example.com",
        "http://shiny.example.com:8080", "https://[::1]:8080", "http://127.0.0.1", "https://shiny.example.com:80",
        "https://http", "https://http:2", "https://https:444", "https://data:8080", "http://http",
    ])
    func whatIsWrittenShortestReadsBackTheSame(url: String) throws {
        let origin = try #require(Origin(url: url))
        #expect(Origin(written: origin.written) == origin)
        #expect(Origin(url: origin.description) == origin)
    }

    @Test(arguments: [
        "https://shiny.example.com", "https://127.evil.com", "http://localhost", "http://localhost:8080",
        "http://a.localhost", "http://127.0.0.1", "http://127.255.255.254:8080", "http://[::1]", "http://localhost.",
    ])
    func secureContextsAreTrustworthy(url: String) {
        #expect(Origin(url: url)?.isPotentiallyTrustworthy == true)
    }

    @Test(
        "S14: what merely looks local is not a secure context",
        arguments: [
            "http://shiny.example.com", "http://127.evil.com", "http://127.0.0.1.evil.com", "http://localhost.evil.com",
            "http://notlocalhost", "http://128.0.0.1", "http://10.0.0.1", "http://[::2]", "http://[::ffff:127.0.0.1]",
            "http://printer.local", "http://0.0.0.0",
        ])
    func whatLooksLocalIsNotTrustworthy(url: String) {
        #expect(Origin(url: url)?.isPotentiallyTrustworthy == false)
    }
}
