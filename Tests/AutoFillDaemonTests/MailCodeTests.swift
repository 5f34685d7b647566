// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import Testing

@testable import AutoFillDaemon
@testable import DaemonTesting

@Suite struct MailCodeTests {
    @Test func readsThreeLines() throws {
        let code = try #require(MailCode(Array("747723\nshop.example\npay.example\n".utf8)))
        #expect(code.secret.text == "747723" && code.boundTo == "shop.example" && code.embedded == "pay.example")
        let unbound = try #require(MailCode(Array("G-747 723\n\n\n".utf8)))
        #expect(unbound.secret.text == "G-747 723" && unbound.boundTo == nil && unbound.embedded == nil)
    }

    @Test(
        "S58: what reads mails is believed in nothing but three plain lines",
        arguments: [
            "", "\n", "747723", "747723\n", "747723\nshop.example\n", "747723\nshop.example\n\n\n",
            "747723\nshop.example\n\nx",
            "\nshop.example\n\n", "747723\n\npay.example\n", "747\u{7F}723\n\n\n", "747\u{1B}[2J\n\n\n",
            "747\u{202E}723\n\n\n",
            "747\r\n\n\n", "747\u{2028}\n\n\n", "747\u{200B}723\n\n\n", "747723\nshop example\n\n",
            "747723\nshop.example\u{2066}\n\n",
            "747723\nshop.example\np\tay\n", "747723\n\u{E000}\n\n",
            String(repeating: "1", count: 65) + "\n\n\n", "747723\n" + String(repeating: "a", count: 254) + "\n\n",
        ])
    func refuses(_ answer: String) {
        #expect(MailCode(Array(answer.utf8)) == nil)
    }

    @Test func refusesWhatIsNoUTF8() {
        #expect(MailCode([0x31, 0xFF, 0x0A, 0x0A, 0x0A]) == nil)
        #expect(MailCode([0x31, 0x0A, 0xC3, 0x0A, 0x0A]) == nil)
    }
}
