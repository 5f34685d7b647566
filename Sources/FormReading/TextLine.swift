// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The line of text that is being read, and what it stands in.
struct TextLine {
    /// How many bytes of a line are kept; more is prose.
    private static let limit = 480

    private struct Level {
        var isSilent: Bool
        var isButton: Bool
        var isHeading: Bool
        var isLink: Bool
        var startsButton: Bool
        var hasRole: Bool
    }

    private var levels: [Level] = []
    private var bytes: [UInt8] = []

    /// Whether text here is none of the page's.
    var isSilent: Bool { levels.last?.isSilent ?? false }

    /// What text here is.
    var kind: Outline.Event.Kind {
        guard let level = levels.last else { return .text }
        if level.isButton { return .button }
        if level.isLink { return .link }
        return level.isHeading ? .heading : .text
    }

    /// Whether the element that is left next ends a line whatever its name is.
    var isSpecial: Bool { levels.last?.hasRole ?? false }

    /// Whether the element that is left next is a button.
    var leavesButton: Bool { levels.last?.startsButton ?? false }

    mutating func enter(name: String, role: String) {
        var level =
            levels.last
            ?? Level(
                isSilent: false, isButton: false, isHeading: false, isLink: false, startsButton: false, hasRole: false)
        level.isSilent = level.isSilent || ElementNames.silent.contains(name)
        level.startsButton = name == "button" || role == "button"
        level.isButton = level.isButton || level.startsButton
        level.isHeading = level.isHeading || ElementNames.headings.contains(name) || role == "heading"
        level.isLink = level.isLink || name == "a" || role == "link"
        level.hasRole = !role.isEmpty
        levels.append(level)
    }

    mutating func leave() {
        levels.removeLast()
    }

    mutating func append(_ text: UnsafePointer<UInt8>) {
        var pointer = text
        while pointer.pointee != 0, bytes.count < Self.limit {
            bytes.append(pointer.pointee)
            pointer += 1
        }
    }

    mutating func append(_ text: String) {
        bytes.append(UInt8(ascii: " "))
        bytes.append(contentsOf: text.utf8.prefix(max(0, Self.limit - bytes.count)))
    }

    var length: Int { bytes.count }

    /// What the line has so far, behind its first bytes.
    func text(from start: Int) -> String {
        Self.cleaned(String(decoding: bytes[min(start, bytes.count)...], as: UTF8.self))
    }

    /// The line, which ends here; `nil` where nothing but space was in it.
    mutating func take() -> String? {
        guard !bytes.isEmpty else { return nil }
        defer { bytes.removeAll(keepingCapacity: true) }
        let text = Self.cleaned(String(decoding: bytes, as: UTF8.self))
        return text.isEmpty ? nil : text
    }

    /// Text without space at its ends, and with one space for every run of space.
    static func cleaned(_ text: String, limit: Int = 160) -> String {
        var scalars = String.UnicodeScalarView()
        var count = 0
        var wantsSpace = false
        for scalar in text.unicodeScalars {
            if scalar.properties.isWhitespace {
                wantsSpace = count > 0
                continue
            }
            if count >= limit { break }
            if wantsSpace { scalars.append(" ") }
            wantsSpace = false
            scalars.append(scalar)
            count += 1
        }
        return String(scalars)
    }
}
