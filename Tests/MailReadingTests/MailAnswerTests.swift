// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MailReading

@Suite struct MailAnswerTests {
    private func answer(_ mail: String) -> String {
        String(decoding: MailAnswer.answer(to: Array(mail.utf8)), as: UTF8.self)
    }

    @Test("S58: of a mail its code and the code's hosts are said")
    func saysTheCode() {
        #expect(answer("Subject: x\n\nYour code.\n\n@shop.example #747723\n") == "747723\nshop.example\n\n")
        #expect(answer("Subject: 654321 is your Shop login code\n\nHello!\n") == "654321\n\n\n")
    }

    @Test(arguments: ["", "\n", "Subject: Hello\n\nSee you on 12.05.2026.\n", "Subject: 12\n\n", "\u{0}\u{0}"])
    func saysNothingOfOtherMail(_ mail: String) {
        #expect(answer(mail) == "")
    }
}
