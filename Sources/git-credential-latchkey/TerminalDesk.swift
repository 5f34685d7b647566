// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets
internal import ShownText

/// Puts the daemon's questions to the person at the terminal.
final class TerminalDesk: Sendable {
    private let terminal: Terminal?

    init(terminal: Terminal?) {
        self.terminal = terminal
    }

    func answer(_ method: String, _ params: JSONValue) async throws -> JSONValue {
        guard method == Git.Ask.name else {
            throw WireError(.methodNotFound, "The credential helper answers no \(method).")
        }
        guard let terminal else { throw WireError(.userCanceled, "There is no terminal here.") }
        let question: Git.Ask.Params = try params.decoded()
        let answer = try await withCheckedThrowingContinuation { continuation in
            // Blocks for minutes while a person answers: run it off the cooperative pool.
            let isRunning = DetachedThread.start {
                continuation.resume(returning: Self.ask(question, on: terminal))
            }
            if !isRunning { continuation.resume(throwing: WireError(.userCanceled, "The terminal cannot be read.")) }
        }
        return try JSONValue(encoding: answer)
    }

    private static func ask(_ question: Git.Ask.Params, on terminal: Terminal) -> Git.Ask.Answer {
        terminal.say(GitQuestion.lines(question).map { $0.text + "\n" }.joined())
        switch question.kind {
        case "unlock", "authenticate":
            guard let passphrase = terminal.secret(GitQuestion.secretPrompt(question)), passphrase.count > 0 else {
                return .init()
            }
            return .init(choice: 0, passphrase: WireSecret(passphrase))
        default:
            while let typed = terminal.line(GitQuestion.prompt(question)) {
                if let answer = GitQuestion.answer(typed, to: question) { return answer }
                terminal.say("That is none of the answers.\n")
            }
            return .init()
        }
    }
}

/// The words of a question, and of its answer.
enum GitQuestion {
    static func lines(_ question: Git.Ask.Params) -> [DisplayText] {
        let site = question.site ?? "a server"
        let asked: DisplayText =
            switch question.kind {
            case "unlock": "\(question.requester) asks for a login for \(site); Latchkey is locked."
            case "save": "Save the login that git just used for \(site)?"
            case "update": "Save the new password that git just used for \(site)?"
            default: "\(question.requester) asks for the login for \(site)."
            }
        var lines: [DisplayText] = ["Latchkey: \(asked)"]
        if let message = question.message { lines.append(DisplayText(message, .sentence)) }
        for (index, account) in question.accounts.enumerated() {
            let number: DisplayText = question.accounts.count > 1 ? "\(index + 1). " : ""
            let note: DisplayText = account.note.map { ", \($0)" } ?? ""
            lines.append("  \(number)\(account.user) (saved for \(account.service)\(note))")
        }
        return lines
    }

    static func prompt(_ question: Git.Ask.Params) -> String {
        guard question.kind == "use" else { return "Save it? [y/N]: " }
        let takesFirst = hasExact(question)
        guard question.accounts.count > 1 else {
            return takesFirst ? "Use it? [Y]es, [n]o, [q]uit git: " : "Use it? [y]es, [N]o, [q]uit git: "
        }
        let numbers = "1-\(question.accounts.count)"
        return takesFirst
            ? "Which one? [\(numbers), Return for 1], [n]one, [q]uit git: "
            : "None fits without a doubt. Which one? [\(numbers)], [N]one, [q]uit git: "
    }

    static func secretPrompt(_ question: Git.Ask.Params) -> String {
        "Latchkey \(question.takesPIN == true ? "PIN or passphrase" : "passphrase") (empty for no)"
    }

    /// The answer that was typed, or `nil` if it is none of the choices. Nothing typed is the first login where that is for this very
    /// place, and otherwise a no.
    static func answer(_ typed: String, to question: Git.Ask.Params) -> Git.Ask.Answer? {
        switch typed.filter({ !$0.isWhitespace }).lowercased() {
        case "": return question.kind == "use" && hasExact(question) ? .init(choice: 0) : .init()
        case "n", "no", "none": return .init()
        case "q", "quit": return .init(quit: true)
        case "y", "yes": return question.accounts.count == 1 ? .init(choice: 0) : nil
        case let word:
            guard let number = Int(word), (1...max(1, question.accounts.count)).contains(number) else { return nil }
            return .init(choice: number - 1)
        }
    }

    /// Whether the first login, which is the best, is for the very place that git asks for and was not rejected there.
    private static func hasExact(_ question: Git.Ask.Params) -> Bool {
        question.accounts.first.map { $0.note == nil } ?? false
    }
}
