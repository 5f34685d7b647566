// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import SecurityCodes

@testable import AutoFillDaemon
@testable import MailReading

extension Fuzzer {
    /// Mails that strangers send: at most a text and a subject come of one, never longer than a few times the mail; a mail
    /// that was cut off anywhere, as the daemon cuts long ones off, is read as well. What the daemon is told is within its bounds, and
    /// the same bytes as an answer are refused or are exactly three lines.
    static let mail = Fuzzer(
        "mail",
        words: [
            "Subject: ", "Content-Type: text/plain; charset=iso-8859-1", "Content-Type: text/html",
            "Content-Type: multipart/alternative; boundary=a", "Content-Type: multipart/mixed; boundary=\"b\"",
            "Content-Transfer-Encoding: base64", "Content-Transfer-Encoding: quoted-printable",
            "Content-Disposition: attachment", "\n--a\n", "\n--a--\n", "\n--b\n", "\r\n", "\n\n", "=?utf-8?Q?",
            "=?iso-8859-1?B?", "?=", "=\n", "=3D", "&#64;", "&nbsp;", "<script>", "</script>", "<p>", "<a href='",
            "\n ",
        ],
        seeds: {
            [
                "Subject: =?utf-8?Q?Your_c=C3=B3de?= =?utf-8?B?MTIz?=\r\n\r\nIt is 123456.\r\n\r\n@shop.test #123456\r\n",
                "Content-Type: text/html; charset=windows-1252\nContent-Transfer-Encoding: quoted-printable\n\n"
                    + "<html><head><style>p{}</style></head><p>Code&nbsp;<b>123=\n456</b><script>1<2</script>",
                "Content-Type: multipart/mixed; boundary=\"b\"\n\n--b\nContent-Disposition: attachment\n\n9\n--b\n"
                    + "Content-Type: multipart/alternative; boundary=a\n\n--a\nContent-Type: text/html\n\n<p>1\n--a\n"
                    + "Content-Transfer-Encoding: base64\n\nWW91ciBjb2RlIGlzIDEyMzQ1Ng==\n--a--\n--b--\n",
            ].map { Array($0.utf8) }
        },
        run: { bytes in
            let mail = Array(bytes)
            for mail in [mail, Array(mail.prefix(mail.count / 2))] {
                let texts = MailText(mail).texts
                precondition(texts.count <= 2, "more than a text and a subject")
                for text in texts {
                    // One byte of ISO 8859-1 becomes two, one of an entity at most one.
                    precondition(text.count > 0 && text.count <= 2 * mail.count, "an invented text")
                    text.withUnsafeBufferPointer { _ = SecurityCodeReading(utf8: $0) }
                }
                let answer = MailAnswer.answer(to: mail)
                precondition(answer.isEmpty || answer.filter { $0 == 0x0A }.count == 3, "an answer of other lines")
                for said in [answer, mail] {
                    guard let code = MailCode(said) else { continue }
                    precondition((1...64).contains(code.secret.count), "a code out of its bounds")
                    precondition(code.boundTo?.utf8.count ?? 1 <= 253 && code.embedded?.utf8.count ?? 1 <= 253)
                }
            }
        })
}
