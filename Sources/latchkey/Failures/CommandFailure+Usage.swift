// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import TerminalRendering

extension CommandFailure {
    /// What the argument parser has to say, in the same form as everything else.
    ///
    /// - Parameter helpLine: its whole text, whose last line says which help to look at: `See 'latchkey show --help' …`.
    init(usage message: String, helpLine: String) {
        let sentence = message.split(separator: "\n").first.map(String.init) ?? "The arguments are not right"
        let quoted = helpLine.split(separator: "\n").last?.split(separator: "'") ?? []
        let help = quoted.count == 3 ? quoted[1] : "latchkey --help"
        let isClosed = sentence.hasSuffix(".") || sentence.hasSuffix("?")
        let guess = CommandGuess.guess(for: sentence, below: String(help)).map { " Did you mean `\($0)`?" }
        self.init(.usage, (isClosed ? sentence : sentence + ".") + (guess ?? ""), hint: "See `\(help)`.")
    }
}
