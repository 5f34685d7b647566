// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import Glibc
import TerminalRendering

/// Owns the selection CLIPBOARD as the Inter-Client Communication Conventions (section 2) describe, and says of what it
/// offers that it is a password.
final class X11Clipboard: ClipboardHolding {
    /// KDE's name for "this is a password", and what it says.
    static let hint = "x-kde-passwordManagerHint"
    static let hintValue = "secret"

    /// The names of text; the last is Latin-1 by definition and is offered for ASCII only.
    private static let textNames = ["UTF8_STRING", "text/plain;charset=utf-8", "text/plain", "TEXT", "STRING"]

    /// Numbers that the protocol itself fixes (appendix B).
    private enum Fixed {
        static let atom: UInt32 = 4
        static let integer: UInt32 = 19
    }

    private struct Owned {
        let connection: X11Connection
        let window: UInt32
        let clipboard: UInt32
        let targets: UInt32
        let timestamp: UInt32
        let hint: UInt32
        /// In the order of `textNames`.
        let texts: [UInt32]
        /// For our own questions and for the time.
        let property: UInt32
        let time: UInt32
        let secret: SecretBytes
    }

    private let display: X11Display
    private var owned: Owned?

    init(_ display: X11Display) {
        self.display = display
    }

    func offer(_ secret: SecretBytes) throws(CommandFailure) {
        do {
            let owned = try own(secret)
            self.owned = owned
            // The server has the last word on who owns it.
            guard try owner(owned) == owned.window else { throw X11Connection.Failure() }
        } catch {
            throw CommandFailure(
                .unavailable, "The clipboard of the display :\(display.number) cannot be reached.",
                hint: "--password shows the password instead.")
        }
    }

    func serve(until deadline: ContinuousClock.Instant, isOver: () -> Bool) {
        while let owned, ContinuousClock.now < deadline, !isOver() {
            guard let event = try? owned.connection.nextEvent(milliseconds: 100) else {
                // Nothing for a tenth of a second; a broken connection shows in the next question.
                if (try? owner(owned)) != owned.window { return }
                continue
            }
            if event.kind == X11Connection.Kind.selectionClear { return }
            if event.kind == X11Connection.Kind.selectionRequest { try? answer(event, owned) }
        }
    }

    func takeBack(_ secret: SecretBytes) -> Bool {
        guard let owned else { return true }
        defer { self.owned = nil }
        do {
            for _ in 0..<4 {
                let current = try owner(owned)
                if current == owned.window {
                    try owned.connection.request(22, 0, [0, owned.clipboard, 0])
                } else if current == 0 {
                    return true
                } else if try text(owned) != secret {
                    return true
                } else {
                    // A clipboard manager has put the password back: what it has is taken from it.
                    try owned.connection.request(22, 0, [owned.window, owned.clipboard, 0])
                }
                poll(nil, 0, 100)
            }
            return try owner(owned) == 0
        } catch {
            // Without the connection the window is gone, and the selection with it.
            return true
        }
    }

    private func own(_ secret: SecretBytes) throws -> Owned {
        let connection = try X11Connection(display)
        let window = connection.firstIdentifier | 1
        // CreateWindow: never shown (InputOnly), told of changes of its properties.
        let size = withUnsafeBytes(of: (UInt16(1), UInt16(1))) { $0.loadUnaligned(as: UInt32.self) }
        let border = withUnsafeBytes(of: (UInt16(0), UInt16(2))) { $0.loadUnaligned(as: UInt32.self) }
        try connection.request(1, 0, [window, connection.root, 0, size, border, 0, 0x800, 0x40_0000])
        let property = try connection.atom("LATCHKEY")
        // An empty change of a property makes the server say what time it is, which owning takes.
        try connection.request(18, 0, [window, property, Fixed.integer, UInt32(8).littleEndian, 0])
        var time: UInt32 = 0
        for _ in 0..<20 where time == 0 {
            guard let event = try connection.nextEvent(milliseconds: 250) else { continue }
            if event.kind == X11Connection.Kind.propertyNotify { time = event.word(at: 12) }
        }
        let owned = Owned(
            connection: connection, window: window, clipboard: try connection.atom("CLIPBOARD"),
            targets: try connection.atom("TARGETS"), timestamp: try connection.atom("TIMESTAMP"),
            hint: try connection.atom(Self.hint), texts: try Self.textNames.map { try connection.atom($0) },
            property: property, time: time, secret: secret)
        try connection.request(22, 0, [window, owned.clipboard, time])
        return owned
    }

    /// The window that owns the selection (GetSelectionOwner), or 0.
    private func owner(_ owned: Owned) throws -> UInt32 {
        try owned.connection.request(23, 0, [owned.clipboard])
        return try owned.connection.reply().word(at: 8)
    }

    /// Answers a SelectionRequest: the value into the requestor's property, then word of it (ICCCM 2.2).
    private func answer(_ event: X11Connection.Packet, _ owned: Owned) throws {
        let requestor = event.word(at: 12)
        let target = event.word(at: 20)
        // Clients from before 1994 name no property; the target serves.
        let property = event.word(at: 24) == 0 ? target : event.word(at: 24)
        var isAnswered = event.word(at: 16) == owned.clipboard
        let isASCII = owned.secret.withUnsafeBytes { $0.allSatisfy { $0 < 0x80 } }
        let texts = isASCII ? owned.texts : Array(owned.texts.dropLast())
        if !isAnswered {
            // Another selection was never ours.
        } else if target == owned.targets {
            let list = [owned.targets, owned.timestamp, owned.hint] + texts
            try put(Self.bytes(list), count: list.count, as: Fixed.atom, format: 32, requestor, property, owned)
        } else if target == owned.timestamp {
            try put(Self.bytes([owned.time]), count: 1, as: Fixed.integer, format: 32, requestor, property, owned)
        } else if target == owned.hint {
            let value = SecretBytes(utf8: Self.hintValue)
            try put(value, count: value.count, as: target, format: 8, requestor, property, owned)
        } else if texts.contains(target) {
            // TEXT means "as you like it", so the answer names the type that it has.
            let type = target == owned.texts[3] ? owned.texts[0] : target
            let secret = owned.secret
            try put(secret, count: secret.count, as: type, format: 8, requestor, property, owned)
        } else {
            isAnswered = false
        }
        // SendEvent of a SelectionNotify. A number that is a byte and padding is one in every byte order when it is
        // written as little endian.
        var words: [UInt32] = [requestor, 0, UInt32(X11Connection.Kind.selectionNotify).littleEndian]
        words += [event.word(at: 4), requestor, event.word(at: 16), target, isAnswered ? property : 0, 0, 0]
        try owned.connection.request(25, 0, words)
    }

    /// ChangeProperty, replacing.
    private func put(
        _ value: SecretBytes,
        count: Int,
        as type: UInt32,
        format: UInt32,
        _ window: UInt32,
        _ property: UInt32,
        _ owned: Owned
    ) throws {
        try owned.connection.request(18, 0, [window, property, type, format.littleEndian, UInt32(count)], value)
    }

    /// What another owner has for UTF8_STRING (ConvertSelection, GetProperty), or nothing.
    private func text(_ owned: Owned) throws -> SecretBytes? {
        try owned.connection.request(24, 0, [owned.window, owned.clipboard, owned.texts[0], owned.property, 0])
        for _ in 0..<10 {
            guard let event = try owned.connection.nextEvent(milliseconds: 200) else { continue }
            guard event.kind == X11Connection.Kind.selectionNotify else { continue }
            guard event.word(at: 20) != 0 else { return nil }
            try owned.connection.request(20, 1, [owned.window, owned.property, 0, 0, 0x1_0000])
            var bytes = try owned.connection.reply().bytes
            let count = Int(bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 16, as: UInt32.self) })
            guard bytes[1] == 8, 32 + count <= bytes.count else { return nil }
            return SecretBytes(wiping: &bytes).withUnsafeBytes { whole in
                SecretBytes(copying: UnsafeRawBufferPointer(rebasing: whole[32..<(32 + count)]))
            }
        }
        return nil
    }

    private static func bytes(_ words: [UInt32]) -> SecretBytes {
        words.withUnsafeBytes { SecretBytes(copying: $0) }
    }
}
