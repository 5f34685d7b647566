// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillQuirks
import Foundation
import Testing

@testable import AutoFillFetching

@Suite struct FetchJobsTests {
    private func answer(_ text: String) async throws -> JSONValue {
        try JSONValue(readingText: await FetchJobs.answer(Array(text.utf8)).text)
    }

    @Test(arguments: [
        "", "[]", "{}", "nonsense", #"{"job":"quirks"}"#, #"{"job":1,"request":{},"configuration":{}}"#,
        #"{"job":"unknown","request":{},"configuration":{}}"#, #"{"job":"quirks","request":{},"configuration":{}}"#,
        #"{"job":"quirks","request":{"files":{"passwd":{"descriptor":0}}},"configuration":{}}"#,
        #"{"job":"quirks","request":{"files":{"public_suffix_list.dat":{"descriptor":0}}},"configuration":{}}"#,
        #"{"job":"suffixes","request":{"files":{"password-rules.json":{"descriptor":0}}},"configuration":{}}"#,
        #"{"job":"quirks","request":{"files":{"password-rules.json":{}}},"configuration":{}}"#,
        #"{"job":"quirks","request":{"files":{"password-rules.json":{"address":"https://a.example","descriptor":3}}},"configuration":{}}"#,
    ]) func answersBadRequestsWithAnError(_ text: String) async throws {
        let answer = try await answer(text)
        #expect(answer["error"]?["message"] != nil)
        #expect(answer["result"] == nil)
    }

    @Test func refusesARequestThatIsTooLong() async {
        let input = [UInt8](repeating: 0x20, count: FetchEnvelope.maximumSize + 1)
        #expect(await !FetchJobs.answer(input).isResult)
    }

    @Test func readsAFileThatIsOpen() async throws {
        let path = NSTemporaryDirectory() + "latchkey-job-\(UInt64.random(in: 0 ... .max))"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(#"["B.example"]"#.utf8).write(to: URL(fileURLWithPath: path))
        let file = try PlainFile.opened(path)
        defer { close(file) }
        let name = QuirksFile.appendedCodes.rawValue
        let result = try await answer(
            #"{"job":"quirks","request":{"files":{"\#(name)":{"descriptor":\#(file)}}},"configuration":{}}"#)
        #expect(result["result"]?["files"]?[name]?["text"] == .string(#"["b.example"]"#))
        #expect(result["result"]?["files"]?[name]?["outcome"] == .string("good"))
    }

    @Test func neverAsksForWhatIsNotHTTPS() async throws {
        let name = QuirksFile.appendedCodes.rawValue
        for address in ["http://127.0.0.1:1/", "file:///etc/passwd", "https://u@a.example/"] {
            let result = try await answer(
                #"{"job":"quirks","request":{"files":{"\#(name)":{"address":"\#(address)"}}},"configuration":{}}"#)
            #expect(
                result["result"]?["files"]?[name]?["reason"] == .string("no connection: this is not an https address"))
        }
    }

    @Test func refusesAProxyThatCannotBeSpokenTo() async throws {
        let name = QuirksFile.appendedCodes.rawValue
        let request =
            #"{"job":"quirks","request":{"files":{"\#(name)":{"address":"https://a.example/"}}},"configuration":{"proxy":"socks5://127.0.0.1:1"}}"#
        let result = try await answer(request)
        #expect(
            result["result"]?["files"]?[name]?["reason"]
                == .string("no connection: fetch.json names no proxy that is spoken to over http"))
    }

    @Test func refusesRootsThatAreNone() async throws {
        let name = QuirksFile.appendedCodes.rawValue
        let result = try await answer(
            #"{"job":"quirks","request":{"files":{"\#(name)":{"address":"https://a.example/"}}},"configuration":{"roots":"x"}}"#
        )
        #expect(
            result["result"]?["files"]?[name]?["reason"]
                == .string("no connection: the additional root certificates cannot be read"))
    }
}
