// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Addresses of the web and of mail, and names that look like one: what is in them is neither a code nor a word for one.
extension MessageLexer {
    /// Looks over the characters up to the next white space for an address of the web or of mail.
    mutating func startRun() {
        var end = position
        var (at, dot, slash) = (-1, -1, -1)
        var scheme = -1
        while end < folded.count {
            let scalar = folded[end]
            if scalar == 0x20 || scalar == 0x0A || scalar >= 0x80 { break }
            switch scalar {
            case 0x40: if at < 0 { at = end }
            case 0x2E: if dot < 0, end > position, Scalars.isAlphanumeric(folded[end - 1]) { dot = end }
            case 0x2F:
                if scheme < 0, end + 1 < folded.count, folded[end + 1] == 0x2F, end > position, folded[end - 1] == 0x3A
                {
                    scheme = end
                }
                if slash < 0, dot > 0 { slash = end }
            default: break
            }
            end += 1
        }
        runEnd = max(end, position + 1)
        skipped = nil
        if scheme > 0 {
            var start = scheme - 1
            while start > position, Scalars.isLatin(folded[start - 1]) { start -= 1 }
            skipped = start..<end
        } else if at >= 0, at + 1 < end, Scalars.isAlphanumeric(folded[at + 1]) {
            var start = at
            while start > position, isAddress(folded[start - 1]) { start -= 1 }
            var last = at + 1
            while last < end, isAddress(folded[last]) { last += 1 }
            skipped = start..<last
        } else if dot > 0, let last = endOfName(at: dot) {
            var start = dot
            while start > position, isAddress(folded[start - 1]) { start -= 1 }
            skipped = start..<last
        } else if dot > 0, slash > dot || startsWithWWW(position), isHost(upTo: dot) {
            var start = dot
            while start > position, isAddress(folded[start - 1]) { start -= 1 }
            skipped = start..<end
        }
    }

    private func isAddress(_ scalar: UInt32) -> Bool {
        Scalars.isAlphanumeric(scalar) || scalar == 0x2E || scalar == 0x2D || scalar == 0x5F || scalar == 0x2B
    }

    private func startsWithWWW(_ start: Int) -> Bool {
        start + 4 < folded.count && folded[start] == 0x77 && folded[start + 1] == 0x77 && folded[start + 2] == 0x77
            && folded[start + 3] == 0x2E
    }

    /// Domains that nobody would take for the first word of a sentence.
    private static let endings: [[UInt32]] = [
        "com", "org", "net", "io", "app", "gov", "edu", "info", "shop", "ru", "uk", "fr", "pl", "cz", "jp", "cn", "br",
    ].map { $0.unicodeScalars.map(\.value) }

    /// Where `Shiny.com` ends, which is somebody's name; nothing if what is behind the full stop is no such domain.
    private func endOfName(at dot: Int) -> Int? {
        guard Scalars.isLatin(folded[dot - 1]) else { return nil }
        var end = dot + 1
        while end < folded.count, end - dot <= 5, Scalars.isLatin(folded[end]) { end += 1 }
        let isEnd = end == folded.count || !Scalars.isAlphanumeric(folded[end]) && folded[end] != 0x2F
        guard isEnd, Self.endings.contains(where: { $0.elementsEqual(folded[(dot + 1)..<end]) }) else { return nil }
        return end
    }

    /// Whether letters stand on both sides of a full stop.
    private func isHost(upTo dot: Int) -> Bool {
        dot + 2 < folded.count && Scalars.isAlphanumeric(folded[dot - 1]) && Scalars.isLatin(folded[dot + 1])
            && Scalars.isLatin(folded[dot + 2])
    }
}
