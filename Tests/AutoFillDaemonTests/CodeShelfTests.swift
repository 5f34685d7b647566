// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillRelease
import AutoFillSecrets
import SecurityCodes
import Testing

@testable import AutoFillDaemon
@testable import DaemonTesting

/// A code that came some seconds after the beginning of the test.
func received(
    _ text: String, at seconds: Int = 0, boundTo: String? = nil, embedded: String? = nil,
    from origin: CodeOrigin = .modem
) -> ReceivedCode {
    ReceivedCode(
        id: "\(text) \(boundTo ?? "") \(seconds)", secret: HeldSecret(WireSecret(SecretBytes(utf8: text))),
        origin: origin, boundTo: boundTo, embedded: embedded, received: start + .seconds(seconds))
}

@Suite struct CodeShelfTests {
    private var shelf = CodeShelf()
    private let lifetime = Duration.seconds(180)

    private mutating func ids(at seconds: Int) -> [String] {
        shelf.codes(at: start + .seconds(seconds), lifetime: lifetime).map(\.id)
    }

    @Test mutating func nextToEndIsTheOldest() {
        let next = { (shelf: inout CodeShelf, seconds: Int) in
            shelf.nextExpiry(after: start + .seconds(seconds), lifetime: .seconds(180))
        }
        #expect(next(&shelf, 0) == nil)
        for seconds in [10, 20, 30] {
            _ = shelf.add(received("12345\(seconds)", at: seconds), lifetime: lifetime)
        }
        #expect(next(&shelf, 40) == start + .seconds(190))
        // What has ended is not waited for: a time that is past would be waited for again and again.
        #expect(next(&shelf, 190) == start + .seconds(200))
        #expect(next(&shelf, 210) == nil)
    }

    @Test("S33: a code is good for three minutes and not a moment longer")
    mutating func codesEnd() {
        let code = received("123456")
        let kept = shelf.add(code, lifetime: lifetime)
        #expect(kept == .new)
        #expect(ids(at: 179) == [code.id])
        let isThere = shelf.code(code.id, at: start + .seconds(179), lifetime: lifetime) != nil
        #expect(isThere)
        #expect(ids(at: 180) == [])
        let isLeft = shelf.code(code.id, at: start + .seconds(180), lifetime: lifetime) != nil
        #expect(!isLeft)
        // What is gone does not come back, whatever the clock says then.
        #expect(ids(at: 0) == [])
    }

    @Test("S33: a code that was used is dropped, and is not kept when it comes by a second way")
    mutating func usedCodesStayGone() {
        let code = received("123456", boundTo: "shop.test")
        _ = shelf.add(code, lifetime: lifetime)
        _ = shelf.add(received("123456", at: 1), lifetime: lifetime)
        shelf.use(code, at: start + .seconds(2))
        #expect(ids(at: 2) == [])
        let kept = shelf.add(received("123456", at: 3, from: .kdeConnect), lifetime: lifetime)
        #expect(kept == .used)
        let other = shelf.add(received("654321", at: 3), lifetime: lifetime)
        #expect(other == .new)
    }

    @Test mutating func theNewestIsFirst() {
        for (text, seconds) in [("1111", 5), ("2222", 7), ("3333", 9)] {
            _ = shelf.add(received(text, at: seconds), lifetime: lifetime)
        }
        #expect(ids(at: 10).map { $0.prefix(4) } == ["3333", "2222", "1111"])
    }

    @Test mutating func theSameMessageByTwoWaysIsOneCode() {
        _ = shelf.add(received("123456", at: 1), lifetime: lifetime)
        let second = shelf.add(received("123456", at: 2, from: .kdeConnect), lifetime: lifetime)
        #expect(second == .known)
        // The one that says where the code belongs is the better one.
        let bound = shelf.add(received("123456", at: 3, boundTo: "shop.test"), lifetime: lifetime)
        #expect(bound == .new)
        let unbound = shelf.add(received("123456", at: 4), lifetime: lifetime)
        #expect(unbound == .known)
        #expect(ids(at: 5) == ["123456 shop.test 3"])
        // The same digits for two hosts are two codes.
        let other = shelf.add(received("123456", at: 5, boundTo: "bank.test"), lifetime: lifetime)
        #expect(other == .new)
        #expect(ids(at: 6).count == 2)
    }

    @Test mutating func aFloodLeavesTheNewest() {
        for number in 0..<100 { _ = shelf.add(received("code\(number)", at: number / 10), lifetime: lifetime) }
        #expect(ids(at: 10).count == CodeShelf.limit)
        #expect(ids(at: 10).first?.hasPrefix("code9") == true)
    }

    @Test("S33: mails by the hundred take no code of another source", arguments: [nil, "evil.test"])
    mutating func aFloodLeavesOtherSources(boundTo: String?) {
        let share = CodeShelf.limit / CodeOrigin.allCases.count
        let others = CodeOrigin.allCases.filter { $0 != .maildir }
        for origin in others {
            for number in 0..<share {
                _ = shelf.add(received("\(origin)-\(number)", from: origin), lifetime: lifetime)
            }
        }
        for number in 0..<100 {
            _ = shelf.add(received("mail\(number)", at: 1, boundTo: boundTo, from: .maildir), lifetime: lifetime)
        }
        let kept = shelf.codes(at: start + .seconds(2), lifetime: lifetime)
        #expect(kept.count == CodeShelf.limit)
        for origin in others { #expect(kept.count { $0.origin == origin } == share) }
        // The newest one is always offered.
        #expect(kept.contains { $0.id.hasPrefix("mail99 ") })
    }

    @Test("S33: a source that has filled the shelf makes room for another one, up to its share")
    mutating func aFullShelfTakesOtherSources() {
        for number in 0..<100 { _ = shelf.add(received("mail\(number)", from: .maildir), lifetime: lifetime) }
        for number in 0..<CodeShelf.limit / 2 { _ = shelf.add(received("sms\(number)", at: 1), lifetime: lifetime) }
        for number in 0..<100 { _ = shelf.add(received("more\(number)", at: 2, from: .maildir), lifetime: lifetime) }
        let kept = shelf.codes(at: start + .seconds(3), lifetime: lifetime)
        #expect(kept.count { $0.origin == .modem } == CodeShelf.limit / 2)
    }

    @Test("S33: a code that is bound to a site outlasts those of its source that are bound to none")
    mutating func boundCodesGoLast() {
        _ = shelf.add(received("123456", boundTo: "shop.test", from: .maildir), lifetime: lifetime)
        for number in 0..<100 {
            _ = shelf.add(received("mail\(number)", at: 1, from: .maildir), lifetime: lifetime)
        }
        #expect(ids(at: 2).contains("123456 shop.test 0"))
        #expect(ids(at: 2).count == CodeShelf.limit)
    }

    @Test mutating func aCodeFromTheFutureIsNone() {
        _ = shelf.add(received("123456", at: 60), lifetime: lifetime)
        #expect(ids(at: 59) == [])
    }

    @Test mutating func aLockLeavesNothing() {
        let code = received("123456")
        _ = shelf.add(code, lifetime: lifetime)
        shelf.wipe()
        #expect(ids(at: 1) == [])
    }

    @Test func readingAMessageKeepsItsCodeAlone() throws {
        let message = SecretBytes(utf8: "Your code is 747723.\n\n@shop.test #747723 %pay.test")
        let (code, reason) = ReceivedCode.read(message, from: .maildir, at: start)
        let read = try #require(code)
        #expect(read.secret.isSame(as: SecretBytes(utf8: "747723")))
        #expect((read.boundTo, read.embedded) == ("shop.test", "pay.test"))
        #expect(reason == .bound)
        for text in ["\(read.identity)", "\(read.kind)", "\(read.binding)", read.id] {
            #expect(!text.contains("747723"))
        }
        let nothing = ReceivedCode.read(SecretBytes(utf8: "Your order 4821 has shipped"), from: .modem, at: start)
        #expect(nothing.code == nil)
        #expect(ReceivedCode.read(SecretBytes(count: 0), from: .modem, at: start).code == nil)
    }
}
