// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import MailReading

@Suite struct MailTextTests {
    private func texts(_ mail: String) -> [String] {
        MailText(Array(mail.utf8)).texts.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func plainMail() {
        #expect(
            texts("From: a@shop.test\r\nSubject: Your\r\n code\r\n\r\nIt is 123456.\r\n\r\n@shop.test #123456\r\n\r\n")
                == ["It is 123456.\r\n\r\n@shop.test #123456", " Your code"])
        #expect(texts("\n123456\n") == ["123456"])
        #expect(texts("Subject: only this") == [" only this"])
        #expect(texts("") == [])
    }

    @Test(arguments: [
        ("quoted-printable", "C=C3=B3digo: 12=\r\n3456 =3D", "Código: 123456 ="),
        ("QUOTED-PRINTABLE", "a=\nb=zz=", "ab=zz="),
        ("base64", "WW91ciBjb2RlIGlz\r\nIDEyMzQ1Ng==\r\n", "Your code is 123456"), ("base64", "!!!!", ""),
        ("8bit", "as it is", "as it is"), ("unheard-of", "as it is", "as it is"),
    ])
    func transferEncodings(name: String, body: String, expected: String) {
        #expect(texts("Content-Transfer-Encoding: \(name)\r\n\r\n\(body)").first ?? "" == expected)
    }

    @Test func otherCharacterSets() {
        let header = Array("Content-Type: text/plain; charset=\"ISO-8859-1\"\n\n".utf8)
        #expect(
            MailText(header + [0x43, 0xF3, 0x64, 0x80, 0x31]).texts.map { String(decoding: $0, as: UTF8.self) } == [
                "Cód 1"
            ])
    }

    @Test func theFirstReadableTextOfManyParts() {
        let mail = """
            Subject: x
            Content-Type: multipart/mixed; boundary="outer; b"

            preamble
            --outer; b
            Content-Type: text/plain
            Content-Disposition: attachment; filename=a.txt

            999999
            --outer; b
            Content-Type: multipart/alternative; boundary=inner

            --inner
            Content-Type: text/html

            <p>no
            --inner
            Content-Type: text/plain

            Your code is 123456

            --inner--
            --outer; b--
            """
        #expect(texts(mail) == ["Your code is 123456", " x"])
    }

    @Test func htmlWhereThereIsNothingElse() {
        let html =
            "<html><head><title>t</title><style>p{content:'111111'}</style></head><body><p>Your&nbsp;code</p>"
            + "<script>var x = 222222 < 3</script><table><tr><td>is <b>12</b><b>3456</b></td></tr></table>"
            + "<a href='x>333333'>go</a>&#x40;shop.test &#35;1 &unheard; &amp"
        #expect(
            texts("Content-Type: text/html\n\n" + html)
                == ["Your code\nis 123456\ngo@shop.test #1 &unheard; &amp"])
    }

    @Test(arguments: [
        ("=?utf-8?Q?123456_is_your_c=C3=B3digo?=", "123456 is your código"),
        ("=?UTF-8?B?MTIzNDU2?= =?utf-8?q?_x?=", "123456 x"), ("a =?x?y? b", "a =?x?y? b"), ("=?", "=?"),
        ("=?iso-8859-1?Q?=F3?=", "ó"),
    ])
    func encodedWords(subject: String, expected: String) {
        #expect(texts("Subject: \(subject)\n\n") == [" " + expected].map { $0 })
    }

    @Test("whatever is in a file, reading it ends, and in no time", .timeLimit(.minutes(2)))
    func anyBytes() {
        var generator = SystemRandomNumberGenerator()
        let pieces = [
            "Content-Type: multipart/mixed; boundary=b\n\n", "--b\n", "--b--\n", "<", "&", "=?utf-8?Q?", "=", "\"", ";",
            "Content-Transfer-Encoding: base64\n", "\n\n", "Subject: ", "<p", "'", "\u{0}", "é",
        ]
        for _ in 0..<300 {
            let count = Int.random(in: 0..<60, using: &generator)
            _ = texts((0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined())
        }
        for piece in pieces {
            let header = ["", "Content-Type: text/html\n\n", "Content-Type: multipart/mixed; boundary=b\n\n"]
            for start in header { _ = texts(start + String(repeating: piece, count: 100_000 / piece.utf8.count)) }
        }
    }

    /// What grew with the square of a mail's size would take hours.
    @Test(
        .timeLimit(.minutes(2)),
        arguments: [
            ("Subject: ", "=?"), ("Subject: ", "="), ("Subject: ", "=?a"), ("Subject: ", "=?utf-8?Q?a?= "),
            ("", "a:\n"),
            ("", "Subject: a\n"), ("Subject: a\n", " folded\n"), ("\n", "a\n"), ("", " "), ("", "\n"),
            ("Content-Type: text/html\n\n", "<"), ("Content-Type: text/html\n\n", "<a '"),
            ("Content-Type: text/html\n\n", "&#"), ("Content-Type: text/html\n\n<script>", "</"),
            ("Content-Type: text/html\n\n", "<p>"),
            ("Content-Transfer-Encoding: quoted-printable\n\n", "="), ("Content-Transfer-Encoding: base64\n\n", "A"),
            ("Content-Type: multipart/mixed; boundary=a\n\n", "--a\n"),
            ("Content-Type: multipart/mixed; boundary=a\n\n--a\n", "a: b\n"),
            ("Content-Type: multipart/mixed; boundary=a\n\n", "--a\nContent-Type: multipart/mixed; boundary=a\n\n"),
            ("Content-Type: multipart/mixed; boundary=\"", "a;"), ("Content-Type: ", ";"), ("Content-Type: ", "\";"),
            ("Content-Type: text/plain; charset=iso-8859-1\n\n", "\u{E9}"),
        ])
    func aMegabyteIsReadInLinearTime(beginning: String, piece: String) {
        let mail = beginning + String(repeating: piece, count: (1 << 20) / piece.utf8.count)
        #expect(texts(mail).count <= 2)
    }
}
