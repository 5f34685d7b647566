// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillMatching
import FoundationEssentials
import TerminalRendering

/// `latchkey match SAVED PAGE`
struct MatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "match", abstract: "Decide whether what was saved for one host may be offered on a page.",
        discussion: """
            Neither the daemon nor a vault is asked, only the rules: the public suffix list, and the quirks that say \
            which sites share their accounts. With `-` for both URLs a question a line is read from standard input, \
            SAVED, PAGE and the frames with tabs between them and spaces between frames, and answered with a line of \
            JSON. See docs/matching.md for the rules.
            """)

    @Argument(help: "The URL or host that a password was saved for; without a scheme it is https.") var saved: String
    @Argument(help: "The URL of the top document.") var page: String
    @Option(
        name: .customLong("frame"), parsing: .singleValue,
        help: "The URL of a frame in it, of one in that frame, and so on: the last one holds the form.")
    var frames: [String] = []
    @Flag(help: "As if the item were marked to be for its exact host only.") var strict = false
    @Option(help: "Read shared credentials, and a suffix list if there is one, from this folder and no other.")
    var quirks: String?
    @Flag(help: "Print {decision, requiresConsent, reason} as JSON.") var json = false
    @Option(help: .hidden) var timed: Int?

    func run() throws {
        let rules = try QuirksSource.load(named: quirks)
        let policy = MatchPolicy(rules)
        if saved == "-", page == "-" { return try answerLines(policy) }
        let question = MatchQuestion(saved: saved, page: page, frames: frames, isStrict: strict)
        if let timed { return time(question, policy, count: timed) }
        let answer = question.answer(policy)
        if json { return Output.json(answer.json) }
        Output.line(TerminalText.escaped(answer.line))
    }

    /// One answer for each line, in their order and at once; what is no question is answered, too, and counted.
    private func answerLines(_ policy: MatchPolicy) throws {
        guard frames.isEmpty else { throw ValidationError("Frames stand in the lines where the URLs do.") }
        var malformed = 0
        while let line = readLine() {
            if let question = MatchQuestion(line: line, isStrict: strict) {
                Output.json(question.answer(policy).json)
            } else {
                malformed += 1
                Output.json(.object([("error", .string(MatchQuestion.form))]))
            }
        }
        guard malformed == 0 else {
            throw CommandFailure(
                .invalidInput, malformed == 1 ? "One line was no question." : "\(malformed) lines were no questions.",
                hint: "A line is \(MatchQuestion.form).")
        }
    }

    /// For `make bench`: how many nanoseconds one decision takes, from the verified chain on.
    private func time(_ question: MatchQuestion, _ policy: MatchPolicy, count: Int) {
        guard count > 0, case .success(let verified) = question.verified else { return }
        let saved = question.service
        var offered = 0
        let took = ContinuousClock().measure {
            for _ in 0..<count where policy.match(saved, for: verified.chain).isOffered { offered += 1 }
        }
        let (seconds, attoseconds) = took.components
        let nanoseconds = (seconds * 1_000_000_000 + attoseconds / 1_000_000_000) / Int64(count)
        Output.json(.object([("nanoseconds", .integer(nanoseconds)), ("offered", .integer(Int64(offered)))]))
    }
}
