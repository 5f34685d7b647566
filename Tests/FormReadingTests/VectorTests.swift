// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import FormAnalysis
import FormReading
import Testing

/// The corpus of this project. The floors are what the analysis reaches; a change that falls below one has to be argued.
@Suite struct VectorTests {
    struct Score {
        var roles = 0
        var rolesRight = 0
        var falseOffers: [String] = []
        var faults: [String] = []
        var cleanPages = 0
        var kindsRight = 0
    }

    static func score(_ pages: [VectorPage]) throws -> Score {
        var score = Score()
        for page in pages {
            let description = try HTMLPage(parsing: page.bytes).description
            let analysis = FormAnalyzer().analyze(description)
            let expected = page.expected
            var isClean = expected.count == description.fields.count
            if !isClean { score.faults.append("\(page): \(description.fields.count) controls of \(expected.count)") }
            for (index, wanted) in expected.enumerated() where wanted != "any" && index < analysis.fields.count {
                let role = analysis.fields[index].role?.rawValue
                if wanted != nil { score.roles += 1 }
                if role == wanted {
                    if wanted != nil { score.rolesRight += 1 }
                    continue
                }
                isClean = false
                score.faults.append("\(page): field \(index) is \(role ?? "nothing"), not \(wanted ?? "nothing")")
                if wanted == nil { score.falseOffers.append("\(page): field \(index)") }
            }
            if isClean { score.cleanPages += 1 }
            if page.kind == analysis.kind.rawValue {
                score.kindsRight += 1
            } else {
                score.faults.append("\(page): \(analysis.kind.rawValue), not \(page.kind ?? "nothing")")
            }
        }
        return score
    }

    @Test func readsTheCorpus() throws {
        let pages = VectorPage.all
        #expect(pages.count >= 615)
        let score = try Self.score(pages)
        let faults = Comment(rawValue: score.faults.joined(separator: "\n"))
        #expect(score.roles >= 1080)
        #expect(score.rolesRight * 1000 >= score.roles * 999, faults)
        #expect(score.cleanPages * 1000 >= pages.count * 998, faults)
        #expect(score.falseOffers.isEmpty, faults)
        #expect(score.kindsRight * 1000 >= pages.count * 995, faults)
    }

    /// A score that cannot fall is no score.
    @Test func noticesFaults() throws {
        let page = VectorPage(
            name: "wrong.html",
            bytes: Array(
                #"<html data-kind="none"><form><input name=q data-role="username"><input type=password></form></html>"#
                    .utf8
            ))
        let score = try Self.score([page])
        #expect(score.rolesRight == 0 && score.cleanPages == 0 && score.kindsRight == 0)
        #expect(score.falseOffers.count == 1 && score.faults.count == 3)
    }

    @Test func saysWhyForEveryField() throws {
        for page in VectorPage.all {
            let analysis = FormAnalyzer().analyze(try HTMLPage(parsing: page.bytes).description)
            #expect(analysis.fields.allSatisfy { !$0.reasons.isEmpty && $0.reasons.allSatisfy { !$0.isEmpty } })
        }
    }

    /// The marks are ours; taking them away changes nothing.
    @Test func doesNotReadTheMarks() throws {
        for page in VectorPage.all {
            let text = String(decoding: page.bytes, as: UTF8.self)
            let unmarked = text.replacing("data-role=", with: "data-x=").replacing("data-kind=", with: "data-y=")
            #expect(
                try HTMLPage(parsing: page.bytes).description == HTMLPage(parsing: Array(unmarked.utf8)).description)
        }
    }
}
