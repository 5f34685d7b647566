// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Makes one harmless line of a stranger's text.
public enum TextCleaner {
    /// How long a text may be when it is shown.
    public struct Limit: Hashable, Sendable {
        public let characters: Int
        public let bytes: Int

        public init(characters: Int, bytes: Int) {
            self.characters = characters
            self.bytes = bytes
        }

        /// For names of users, providers and programs, and for origins, which are whole in it: the end of a host is what counts.
        public static let name = Limit(characters: 320, bytes: 1_280)
        /// For sentences of others.
        public static let sentence = Limit(characters: 1_000, bytes: 1_024)
    }

    /// Which end of a text that is too long is kept: of a path the last part tells.
    public enum Kept: Sendable {
        case beginning, end
    }

    /// Marks that one letter may carry; more would be drawn over the lines around it.
    private static let markLimit = 4
    private static let replacement: Unicode.Scalar = "\u{FFFD}"

    /// One line without controls, without directional and invisible characters; empty where nothing is left.
    ///
    /// A control becomes U+FFFD, so that the reader sees that something was there. Cleaning a clean text changes nothing.
    public static func cleaned(_ text: some StringProtocol, _ limit: Limit = .name, keeping kept: Kept = .beginning)
        -> String
    {
        bounded(String(line(of: text)), limit, kept)
    }

    private static func line(of text: some StringProtocol) -> String.UnicodeScalarView {
        let scalars = Array(text.unicodeScalars)
        // It may be a user's name: where its bytes are on the heap, they are wiped with it.
        var line = String().onHeap.unicodeScalars
        var last: Unicode.Scalar?
        var waitingSpace = false
        var marks = 0
        func append(_ scalar: Unicode.Scalar) {
            if waitingSpace, last != nil { line.append(" ") }
            waitingSpace = false
            line.append(scalar)
            last = scalar
        }
        for (index, scalar) in scalars.enumerated() {
            switch ShownScalar(scalar) {
            case .space: waitingSpace = true
            case .control, .unknown:
                marks = 0
                if last != replacement || waitingSpace { append(replacement) }
            case .invisible:
                guard !waitingSpace, let last else { continue }
                let next = index + 1 < scalars.count ? scalars[index + 1] : nil
                if isNeeded(scalar, after: last, before: next) { append(scalar) }
            case .plain:
                switch scalar.properties.generalCategory {
                case .nonspacingMark, .enclosingMark:
                    // The first one of a line would be drawn over what stands before it.
                    marks += 1
                    if last != nil, !waitingSpace, marks <= markLimit { append(scalar) }
                default:
                    marks = 0
                    append(scalar)
                }
            }
        }
        return line
    }

    /// Joiners that change how letters or pictures beside them look, and so can be seen.
    private static func isNeeded(
        _ scalar: Unicode.Scalar, after last: Unicode.Scalar, before next: Unicode.Scalar?
    ) -> Bool {
        switch scalar.value {
        case 0x200C, 0x200D:
            guard let next else { return false }
            if isJoining(last), isJoining(next) { return true }
            return scalar.value == 0x200D && (isPicture(last) || last.value == 0xFE0F) && isPicture(next)
        case 0xFE0F: return isPicture(last)
        default: return false
        }
    }

    /// Letters of the scripts from Arabic to Sinhala.
    private static func isJoining(_ scalar: Unicode.Scalar) -> Bool {
        (0x0620...0x0DFF).contains(scalar.value)
    }

    private static func isPicture(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value > 0xFF && (scalar.properties.isEmoji || scalar.properties.isEmojiModifier)
    }

    private static func bounded(_ line: String, _ limit: Limit, _ kept: Kept) -> String {
        if line.utf8.count <= limit.bytes, line.count <= limit.characters { return line }
        // Room for the sign that something is left out.
        let (characters, bytes) = (limit.characters - 1, limit.bytes - 3)
        var rest: [Character] = []
        var used = 0
        func take(_ character: Character) -> Bool {
            let size = character.utf8.count
            guard rest.count < characters, used + size <= bytes else { return false }
            rest.append(character)
            used += size
            return true
        }
        switch kept {
        case .beginning:
            for character in line where !take(character) { break }
            while rest.last == " " { rest.removeLast() }
            return (String(rest) + "…").onHeap
        case .end:
            for character in line.reversed() where !take(character) { break }
            while rest.last == " " { rest.removeLast() }
            return ("…" + String(rest.reversed())).onHeap
        }
    }
}
