// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
package import AutoFillSecrets

/// An interface as questions and answers of one line each.
///
/// For terminals without cursor movement, screen readers and scripts. Only decides; it prints and reads nothing.
package struct LineDialog {
    /// The effect of a line.
    package enum Deed: Equatable {
        /// Print these lines and ask again.
        case say([String])
        case act(InterfaceAct)
        case cancel
    }

    /// The next question.
    package struct Question: Equatable {
        package var text: String
        /// Whether the typed text must not be echoed.
        package var isSilent = false
    }

    /// Maximum number of lines of an interface printed at once.
    package static let pageSize = 40

    package let header: InterfaceHeader
    package private(set) var form = InterfaceForm()
    private var filling: InterfaceTarget?
    private var page = 0

    package init(header: InterfaceHeader) {
        self.header = header
    }

    /// Shows another interface, and returns its lines.
    package mutating func show(_ interface: InterfaceStatement?) -> [String] {
        form.show(interface)
        if let filling, !form.targets.contains(filling) { self.filling = nil }
        page = 0
        return lines
    }

    package var question: Question {
        guard let filling else { return Question(text: "> ") }
        switch filling {
        case .field(let id):
            let element = form.element(id)
            let label = element.map(InterfaceText.label) ?? ""
            return Question(text: "\(label): ", isSilent: element?.kind == "secure")
        default: return Question(text: "Search: ")
        }
    }

    /// Takes a typed line, or `nil` at the end of input.
    package mutating func take(_ line: SecretBytes?) -> Deed {
        guard let line else { return .cancel }
        if let target = filling {
            filling = nil
            guard line.isText, line.count <= TypedText.limit else { return .say(["That is too long, or not text."]) }
            form.setText(TypedText(line), of: target)
            return form.act(on: target).map { .act($0) } ?? .say(["Entered. Press Return to continue."])
        }
        // A command is never a secret, so it may be a `String`. A line that is longer than any command is unknown.
        let text = line.count <= 128 ? line.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } : "?"
        return command(text.filter { !$0.isWhitespace || $0 == " " })
    }

    private mutating func command(_ text: String) -> Deed {
        let word = text.split(separator: " ").joined(separator: " ")
        switch word {
        case "": return form.defaultButton.flatMap(form.act).map { .act($0) } ?? .say(lines)
        case "q": return .cancel
        case "n", "p":
            page = min(max(0, page + (word == "n" ? 1 : -1)), (body.count - 1) / Self.pageSize)
            return .say(lines)
        case _ where word.hasPrefix("/"): return search(String(word.dropFirst()))
        default: break
        }
        let targets = form.targets
        guard let number = Int(word), (1...max(1, targets.count)).contains(number), !targets.isEmpty else {
            return .say(["Type a number of the list, /TEXT to search, or q to cancel."])
        }
        let target = targets[number - 1]
        if target.takesText {
            filling = target
            return .say([])
        }
        return form.act(on: target).map { .act($0) } ?? .say([])
    }

    private mutating func search(_ text: String) -> Deed {
        let search = form.targets.first { if case .search = $0 { true } else { false } }
        guard let search else { return .say(["There is nothing to search here."]) }
        form.setText(TypedText(text), of: search)
        return form.act(on: search).map { .act($0) } ?? .say([])
    }

    /// Latchkey's header, the current page of the interface, and the possible input.
    private var lines: [String] {
        guard let interface = form.interface else { return [header.line, "Waiting ..."] }
        let body = body
        let first = min(page * Self.pageSize, body.count)
        var lines = [header.line, InterfaceScreen.margin + TerminalText.escaped(interface.title)]
        lines += body[first..<min(body.count, first + Self.pageSize)].map { InterfaceScreen.margin + $0 }
        var keys = form.targets.isEmpty ? "q cancels" : "Type a number, or q to cancel"
        if form.defaultButton != nil { keys += "; press Return to continue" }
        if body.count > Self.pageSize {
            keys += "; n and p turn pages (\(page + 1) of \((body.count - 1) / Self.pageSize + 1))"
        }
        return lines + [keys + "."]
    }

    private var body: [String] {
        let numbers = Dictionary(form.targets.enumerated().map { ($1, $0 + 1) }) { first, _ in first }
        return form.elements.flatMap { InterfaceText.parts(of: $0, in: form) }.map { part in
            switch part {
            case .text(let text, _): text
            case .target(let target, let text): "\(numbers[target].map(String.init) ?? "-")  \(text)"
            }
        }
    }
}

/// Splits input into lines, in locked memory.
package struct LineSplitter {
    private var rest = SecretBytes(count: 0)

    /// The complete lines, without line ends. A line longer than any answer is truncated.
    package mutating func read(_ bytes: SecretBytes) -> [SecretBytes] {
        var lines: [SecretBytes] = []
        bytes.withUnsafeBytes { buffer in
            var start = 0
            for (index, byte) in buffer.enumerated() where byte == UInt8(ascii: "\n") {
                append(UnsafeRawBufferPointer(rebasing: buffer[start..<index]))
                lines.append(rest.trimmingOneFinalReturn())
                rest = SecretBytes(count: 0)
                start = index + 1
            }
            append(UnsafeRawBufferPointer(rebasing: buffer[start...]))
        }
        return lines
    }

    /// The incomplete last line at the end of input, or `nil` if there is none.
    package mutating func end() -> SecretBytes? {
        defer { rest = SecretBytes(count: 0) }
        return rest.count > 0 ? rest : nil
    }

    private mutating func append(_ bytes: UnsafeRawBufferPointer) {
        let old = rest
        guard !bytes.isEmpty, old.count <= 2 * TypedText.limit else { return }
        rest = SecretBytes.written { sink in
            old.withUnsafeBytes { for byte in $0 { sink(byte) } }
            for byte in bytes { sink(byte) }
        }
    }
}

extension SecretBytes {
    /// The bytes without a final carriage return.
    fileprivate func trimmingOneFinalReturn() -> SecretBytes {
        withUnsafeBytes { $0.last == UInt8(ascii: "\r") } ? prefix(count - 1) : self
    }
}
