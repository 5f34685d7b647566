// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import ShownText

/// One line of a picture. Its text is escaped and fits the width.
package struct ScreenLine: Equatable {
    package enum Style: Equatable {
        case plain, header, heading, error, focused, faint
    }

    package var text: String
    package var style = Style.plain
}

extension InterfaceScreen {
    /// Precedes every line from the provider, so that none can be mistaken for one of Latchkey's.
    package static let margin = "| "

    /// The picture: Latchkey's header, the part of the interface around the focus that fits, and the keys.
    package func lines(columns: Int, rows: Int) -> [ScreenLine] {
        let width = max(20, columns)
        let (body, focused) = body(width - Self.margin.count)
        let room = max(1, rows - 3)
        // An interface that is too long is scrolled to keep the focus in the middle.
        let first = min(max(0, focused - room / 2), max(0, body.count - room))
        var lines = [ScreenLine(text: clip(header.line, width), style: .header)]
        lines += body[first..<min(body.count, first + room)].map { line in
            ScreenLine(text: clip(Self.margin + line.text, width), style: line.style)
        }
        let rest = body.count > room ? " (\(first + 1)-\(min(body.count, first + room)) of \(body.count))" : ""
        lines.append(ScreenLine(text: ""))
        lines.append(ScreenLine(text: clip("Esc cancels  Up/Down moves  Return chooses" + rest, width), style: .faint))
        return lines
    }

    private func clip(_ text: String, _ columns: Int) -> String {
        TerminalWidth.clipped(text, to: columns)
    }

    /// The lines of the interface, and the index of the focused one.
    private func body(_ width: Int) -> ([ScreenLine], Int) {
        guard let interface = form.interface else {
            return ([ScreenLine(text: "Waiting for \(header.provider.text) ...", style: .faint)], 0)
        }
        var lines = [ScreenLine(text: TerminalText.escaped(interface.title), style: .heading)]
        var focused = 0
        let numbers = Dictionary(form.targets.enumerated().map { ($1, $0 + 1) }) { first, _ in first }
        func add(_ target: InterfaceTarget, _ text: String) {
            if target == focus { focused = lines.count }
            let number = numbers[target].map { String($0) } ?? ""
            let mark = target == focus ? ">" : " "
            let padding = String(repeating: " ", count: max(0, 3 - number.count))
            lines.append(
                ScreenLine(text: "\(mark)\(padding)\(number)  \(text)", style: target == focus ? .focused : .plain))
        }
        for element in interface.elements {
            for part in InterfaceText.parts(of: element, in: form) {
                switch part {
                case .target(let target, let text): add(target, text)
                case .text(let text, let style):
                    for line in TerminalWidth.wrapped(text, to: width) {
                        lines.append(ScreenLine(text: line, style: style))
                    }
                }
            }
        }
        return (lines, focused)
    }
}
