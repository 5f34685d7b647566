// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import Testing

@testable import AutoFillFetching

@Suite struct RangeJobTests {
    private static let suffix = "1E4C9B93F3F0682250B6CF8331B7EE68FD8"

    private func answer(_ text: String, status: Int = 200) -> RangeFetch.Answer {
        RangeJob.answer(.answered(status: status, headers: [:], body: Array(text.utf8)))
    }

    @Test(arguments: ["", "5BAA", "5BAA61", "5baa6", "../..", "5BAA?", "5BAAé"])
    func hasRoomForFiveDigitsOnly(prefix: String) throws {
        let request = JSONValue.object(["prefix": .string(prefix)])
        #expect(throws: WireError.self) { try RangeJob(request) }
    }

    @Test func leavesPaddingAndNonsenseOut() {
        let text = "\(Self.suffix.lowercased()):12\r\n\(Self.suffix):0\r\nnonsense\r\n<b>\(Self.suffix):3\r\n"
        #expect(answer(text) == .init(lines: "\(Self.suffix):12\n"))
    }

    @Test func paddingAloneIsAnAnswer() {
        #expect(answer("\(Self.suffix):0\r\n").lines?.hasSuffix(":0\n") == true)
    }

    @Test(arguments: ["", "<html></html>", "1E4C:1"])
    func saysWhatIsNoRange(text: String) {
        #expect(answer(text) == .init(trouble: "the server sent something that is not a range"))
    }

    @Test func saysWhatTheServerSaid() {
        #expect(answer("", status: 429).trouble?.hasPrefix("429") == true)
        #expect(RangeJob.answer(.timedOut).trouble != nil)
    }
}
