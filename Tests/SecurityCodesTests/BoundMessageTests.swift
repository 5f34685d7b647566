// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import SecurityCodes
import Testing

/// Messages whose last line binds the code, as "Origin-bound one-time codes delivered via SMS" has them.
@Suite struct BoundMessageTests {
    static let bound: [(String, SecurityCode)] = [
        ("@example.com #747723", SecurityCode(text: "747723", boundTo: "example.com")),
        (
            "747723 is your ExampleCo authentication code.\n\n@example.com #747723",
            SecurityCode(text: "747723", boundTo: "example.com")
        ),
        ("text\r\n@example.com #747723", SecurityCode(text: "747723", boundTo: "example.com")),
        ("text\r@example.com #747723", SecurityCode(text: "747723", boundTo: "example.com")),
        (
            "@example.com #747723 %ecommerce.example",
            SecurityCode(text: "747723", boundTo: "example.com", embedded: "ecommerce.example")
        ),
        (
            "@example.com #747723 @ecommerce.example",
            SecurityCode(text: "747723", boundTo: "example.com", embedded: "ecommerce.example")
        ),
        (
            "@example.com #747723 %ecommerce.example $future",
            SecurityCode(text: "747723", boundTo: "example.com", embedded: "ecommerce.example")
        ),
        // A bad embedded part is as if it were not there.
        ("@example.com #747723 %", SecurityCode(text: "747723", boundTo: "example.com")),
        ("@example.com #747723 ecommerce.example", SecurityCode(text: "747723", boundTo: "example.com")),
        ("@example.com #747723  %ecommerce.example", SecurityCode(text: "747723", boundTo: "example.com")),
        ("@example.com #747723\t%ecommerce.example", SecurityCode(text: "747723", boundTo: "example.com")),
        ("@example.com #747723 ", SecurityCode(text: "747723", boundTo: "example.com")),
        // Tokens go on to the next white space, whatever is in them.
        ("@example.com: #747-723,", SecurityCode(text: "747-723,", boundTo: "example.com:")),
        ("@@ ##", SecurityCode(text: "#", boundTo: "@")),
        (
            "@example.com #747723%ecommerce.example",
            SecurityCode(text: "747723%ecommerce.example", boundTo: "example.com")
        ),
        ("@b.test #1\r\n@a.test #2\r\n", SecurityCode(text: "2", boundTo: "a.test")),
        ("@b.test #1\n@a.test #2", SecurityCode(text: "2", boundTo: "a.test")),
    ]

    @Test("S32: The last line binds a code.", arguments: bound)
    func binds(message: String, code: SecurityCode) {
        let reading = SecurityCodeReading(message)
        #expect(reading.code == code)
        #expect(reading.reason == .bound)
    }

    @Test(
        "S54 White space at the end of a message is passed over.",
        arguments: ["\n", "\r\n", "\r", "\r\n\r\n", "\n\n", " \r\n", "\t\r\n", "\u{C}\r\n", "\r\n \r\n", " \n \n"])
    func passesOverEnds(end: String) {
        let reading = SecurityCodeReading("747723 is your code.\r\n\r\n@example.com #747723\(end)")
        #expect(reading.code == SecurityCode(text: "747723", boundTo: "example.com"))
        #expect(reading.reason == .bound)
        let embedded = SecurityCodeReading("text\r\n@example.com #747723 %shop.example\(end)")
        #expect(embedded.code == SecurityCode(text: "747723", boundTo: "example.com", embedded: "shop.example"))
        // One that is bound to nothing is read with any end, too.
        let unbound = SecurityCodeReading("Your security code is 747723.\(end)")
        #expect(unbound.code == SecurityCode(text: "747723"))
    }

    @Test(
        "S32: A last line of another form binds nothing.",
        arguments: [
            "something @example.com #747723", "#747723 %ecommerce.example @example.com", "@example.com code #747723",
            "@example.com  #747723",
            "@example.com\t#747723", "@example.com #", "@ #747723", "@example.com", "@example.com ", "@", "",
            " @example.com #747723",
            "@example.com #747723\ntext", "@example.com #747723\r\ntext\r\n", "@example.com #747723\r\n\u{A0}",
            "@example.com #\r\n", "@example.com\r\n#747723\r\n", "\r\n",
            "@example.com\u{A0}#747723", "example.com #747723",
            "@a.com @b.com #123456",
        ])
    func bindsNothing(message: String) {
        let reading = SecurityCodeReading(message)
        #expect(reading.code?.boundTo == nil)
        #expect(reading.reason != .bound)
    }
}
