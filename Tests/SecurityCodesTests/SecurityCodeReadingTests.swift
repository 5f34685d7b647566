// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import SecurityCodes
import Testing

/// Forms of codes, and what stands beside them.
@Suite struct SecurityCodeReadingTests {
    @Test(arguments: [
        ("Your code is G-123456", "123456"), ("Your code is g-123456.", "123456"), ("Code: 123-456", "123456"),
        ("Code: 123 456", "123456"),
        ("Code: 1 2 3 4 5 6", "123456"), ("Code: 12 34 56", "123456"), ("Code: 1234-5678", "12345678"),
        ("Your code is *123456*!", "123456"),
        ("Your code is \u{2068}123456\u{2069}", "123456"), ("Your code is 123\u{A0}456", "123456"),
        ("Your code is 123\u{2013}456", "123456"),
        ("Your code is \u{200B}12\u{200B}3456", "123456"), ("Your code is １２３４５６", "123456"),
        ("Your code is ١٢٣٤٥٦", "123456"),
        ("Your code is ۱۲۳۴۵۶", "123456"), ("Your code is १२३४५६", "123456"), ("Your code is ১২৩৪৫৬", "123456"),
        ("Your code is ๑๒๓๔๕๖", "123456"),
        ("Your code is 1️⃣2️⃣3️⃣4️⃣5️⃣6️⃣", "123456"), ("Your code is 𝟭𝟮𝟯𝟰𝟱𝟲", "123456"), ("Ｙｏｕｒ ｃｏｄｅ：１２３４５６", "123456"),
        ("YOUR CODE IS 123456", "123456"), ("Vo\u{301}s: co\u{301}digo 123456", "123456"),
        ("Your code is AB12-CD34", "AB12-CD34"),
        ("Your code: 7f3k-22pd", "7f3k-22pd"), ("OTP-123456 to log in", "123456"), ("otp=123456", "123456"),
        ("PIN:1234", "1234"),
        ("Your code is #123456", "123456"), ("<#> 123456 is your code\nFA+9qCX9VSu", "123456"),
        ("[1234] is your login code", "1234"),
        ("Your code is 123456.Do not share it", "123456"), ("Your code is 123456,valid for 5 minutes", "123456"),
        ("Your code is 000000", "000000"), ("Your code is 2025", "2025"), ("123456", "123456"), ("482 193", "482193"),
        ("验证码482193,5分钟内有效", "482193"), ("验证码为482193，5分钟内有效", "482193"),
        ("Shiny: ABCD is your name, code: 482193", "482193"),
        ("Your security code is KXQW", "KXQW"), ("[Delivery Hero] 482193 is your code", "482193"),
        ("Hotels.com: your code is 482193", "482193"), ("Your Rides code is 482193. Enjoy the ride!", "482193"),
        ("482193 to log in", "482193"), ("Never share this code. It's 482193, enter it in the app.", "482193"),
    ])
    func readsForms(message: String, code: String) {
        #expect(SecurityCodeReading(message).code == SecurityCode(text: code))
    }

    /// Digits of one script run into a broken character of another here, so that two words overlap.
    @Test func wordsThatOverlapAreRead() {
        let message: [UInt8] = [
            0x59, 0x6F, 0x75, 0x72, 0x20, 0x6C, 0x47, 0x2D, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x20, 0xE9, 0xAA,
            0x8C, 0xE8, 0xAF, 0xD9, 0xA3, 0xD9, 0xA4, 0xD9, 0xBC, 0x9A, 0xD9, 0xA1, 0xD9, 0xA2, 0xD9, 0xA3, 0xD9,
            0xA4, 0xD9, 0xA5, 0xD9, 0xA6, 0x72, 0x20, 0x73, 0x68, 0x61, 0x72, 0x57, 0x32, 0x33, 0x75, 0x72, 0x20,
            0x63, 0x47, 0x2D, 0x6F, 0x99, 0x65, 0x0A, 0x60, 0x40, 0x6F, 0x64, 0x65, 0x20, 0x69, 0x73, 0x20, 0x6C,
            0x6F, 0x67, 0x2D, 0x69, 0x6E, 0x35, 0x41, 0x2E, 0x20, 0x4E, 0x65, 0x76, 0x65, 0x72, 0x20, 0x73, 0x68,
            0x61, 0x72, 0x57, 0x32, 0x33, 0x74, 0x2E,
        ]
        let reading = message.withUnsafeBufferPointer { SecurityCodeReading(utf8: $0) }
        #expect(reading == message.withUnsafeBufferPointer { SecurityCodeReading(utf8: $0) })
    }

    @Test(arguments: [
        "Your code was sent to card *1234", "Your code was sent to +1 415 555 0134",
        "Your code was sent to (415) 555-0134",
        "Your code expires at 12:34:56", "Your code expires on 2025-12-31", "Your code costs $1234",
        "Your code costs 1,234.56", "Your code costs 1234 EUR",
        "Your code is at https://example.com/code/123456", "Your code was mailed to code123456@example.com",
        "Your code is valid for 1440 minutes",
        "Your code for order 123456", "Your code for card ending in 1234",
        "Your codes: never share them, 123456 people did", "Your code is 12", "12345678", "2025", "1930",
        "Your code is 12345678901", "Your code is 12.34.56", "Your code is 50% off", "www.code.example/123456",
        "code.example/123456", "Get 20% off with code SUMMER25", "20% off, code: 482193", "Code BF2025 at checkout",
        "YOUR VERIFICATION CODE IS EXPIRED.", "Your security code is INVALID", "Never use 123456 as your PIN",
        "Code orange until 1800", "Txt code 4821 to 85555 now", "Your claim code is 482193, call to get your prize",
        "Your courier is here. Give them code 4821.", "Your code is 4821,50",
    ])
    func readsNoOtherNumbers(message: String) {
        let reading = SecurityCodeReading(message)
        #expect(reading.code == nil, "\(reading.reason)")
    }

    @Test func printsNoCode() {
        let code = SecurityCode(text: "123456")
        #expect("\(code) \(String(reflecting: code))".contains("123456") == false)
        var dumped = ""
        dump(SecurityCodeReading("Your code is 123456"), to: &dumped)
        #expect(!dumped.contains("123456"))
    }

    @Test func everyReasonHasItsWords() {
        #expect(Set(CodeReason.allCases.map(\.description)).count == CodeReason.allCases.count)
    }

    /// Long messages of any kind take as long as they are; what grew with the square would take hours. `test_codes.py`
    /// reads a megabyte.
    @Test(
        .timeLimit(.minutes(2)),
        arguments: [
            "1", "a", "1 ", "12 34 ", "a1-", "pin1-", "otp-", "code ", "your code is 123456 ", "*", "@", "@a ",
            "code:\n", "a.b/", "1.", "1-", "://", "é", "验证码", "код ",
            "+1 ", "(1) ", "123 ", "never share code 123456. ", "\n", "\u{200B}", "一", "1一", "#1 ", "order 123456 ",
            "www.", "a@b.c,", "A", "AB-", "is ", "1️⃣",
        ])
    func readsLongMessagesInLinearTime(piece: String) {
        let message = String(repeating: piece, count: 200_000 / piece.utf8.count)
        #expect(SecurityCodeReading(message).code?.boundTo == nil)
    }
}
