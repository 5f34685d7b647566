// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillSecrets
package import MainLoop

/// Types into fields that take no text through the accessibility bus.
///
/// A key goes to whatever has the keyboard when it is pressed. So each one is pressed alone: after a look at the field and the window, and
/// after the field has shown the character before.
@DesktopActor package struct KeyTyper {
    private let reader: WindowReader
    private let writer: FieldWriter
    private let keyboard: any KeyPressing
    /// How long the window may take to come to the front again, after a question of the user.
    private static let frontPatience = Duration.seconds(5)
    /// How long a field may take to get the focus, or to show a character.
    private static let fieldPatience = Duration.seconds(5)
    private static let pause = Duration.milliseconds(4)
    private static let lengthLimit = 1_000

    package init(reader: WindowReader, keyboard: any KeyPressing) {
        self.reader = reader
        writer = FieldWriter(reader: reader)
        self.keyboard = keyboard
    }

    /// What is to be typed into one field.
    private struct Entry {
        let field: WindowField
        let value: SecretBytes
    }

    /// Looks at the form again, then types.
    ///
    /// - Parameters:
    ///   - values: What to type, by the field's `ref`.
    ///   - process: The process that the form belonged to when it was found.
    package func write(
        _ values: [(ref: Int, value: SecretBytes)], into form: WindowForm, of process: Int32
    ) async throws(WriteFailure) {
        let entries = values.compactMap { value in
            form.fields.first { $0.ref == value.ref }.map { Entry(field: $0, value: value.value) }
        }
        guard entries.count == values.count, !entries.isEmpty else { throw .refused("the form has other fields now") }
        defer { keyboard.end() }
        // Before the first key, so that nothing is left half filled for a reason that can be seen now.
        for entry in entries {
            guard isTypable(entry.value) else {
                throw .refused("a character in it cannot be typed")
            }
        }
        let window = try await front(of: process)
        try asking(form) { () throws(WriteFailure) in
            try writer.look(at: form, of: process)
        }
        var typing = Typing(form: form, process: process, window: window)
        for entry in entries {
            do throws(WriteFailure) {
                try await type(entry, &typing)
            } catch {
                guard typing.hasTyped, case .refused(let reason) = error else { throw error }
                throw .partly(reason)
            }
        }
    }

    /// What one fill goes by.
    private struct Typing {
        let form: WindowForm
        let process: Int32
        let window: UInt
        /// Whether a key was pressed.
        var hasTyped = false
    }

    // MARK: Before the first key

    /// Whether each character is a text's and has a key, or gets one.
    private func isTypable(_ value: SecretBytes) -> Bool {
        var count = 0
        var isTypable = true
        Self.forEachCharacter(of: value) { character in
            count += 1
            guard let character, count <= Self.lengthLimit, Self.isText(character), keyboard.provide(character) else {
                isTypable = false
                return
            }
        }
        return isTypable
    }

    /// Whether a character is of a text: no control, nothing that only changes how others are shown, and in one unit of UTF-16, because
    /// programs count those.
    nonisolated static func isText(_ character: Unicode.Scalar) -> Bool {
        guard character.value <= 0xffff else { return false }
        switch character.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return false
        default: return true
        }
    }

    /// Takes UTF-8 apart; `nil` for what is none.
    private static func forEachCharacter(of value: SecretBytes, _ body: (Unicode.Scalar?) -> Void) {
        value.withUnsafeBytes { bytes in
            var decoder = UTF8()
            var iterator = bytes.makeIterator()
            while true {
                switch decoder.decode(&iterator) {
                case .scalarValue(let character): body(character)
                case .error: return body(nil)
                case .emptyInput: return
                }
            }
        }
    }

    /// The window to type into, once it is in front and nothing is held down: the user has just answered a question, or pressed a key.
    private func front(of process: Int32) async throws(WriteFailure) -> UInt {
        var window: UInt?
        let isReady = await wait(Self.frontPatience) {
            window = keyboard.frontWindow(of: process)
            return window != nil && !keyboard.isHeld
        }
        guard isReady, let window else {
            throw .refused(window == nil ? "its window did not come to the front" : KeyRefusal.held.reason)
        }
        return window
    }

    // MARK: Typing

    private func type(_ entry: Entry, _ typing: inout Typing) async throws(WriteFailure) {
        let object = entry.field.object
        if !object.hasFocus {
            asking(typing.form) { object.grabFocus() }
            guard await wait(Self.fieldPatience, { object.hasFocus }) else {
                throw .refused("the field did not get the focus")
            }
        }
        try await empty(entry.field, &typing)
        var count = 0
        // One after the other, so that no copy of the text is made.
        for index in 0..<Self.count(of: entry.value) {
            guard let character = Self.character(index, of: entry.value) else {
                throw .refused("a character in it cannot be typed")
            }
            try look(at: entry.field, typing)
            try press(&typing) { (keyboard, window, process) throws(KeyRefusal) in
                try keyboard.press(character, into: window, of: process)
            }
            count += 1
            try await shown(count, in: entry.field, typing)
        }
        if !entry.field.isSecure { try readBack(entry) }
    }

    private static func count(of value: SecretBytes) -> Int {
        var count = 0
        forEachCharacter(of: value) { _ in count += 1 }
        return count
    }

    private static func character(_ index: Int, of value: SecretBytes) -> Unicode.Scalar? {
        var (place, found): (Int, Unicode.Scalar?) = (0, nil)
        forEachCharacter(of: value) { character in
            if place == index { found = character }
            place += 1
        }
        return found
    }

    /// Deletes what stands in a field.
    private func empty(_ field: WindowField, _ typing: inout Typing) async throws(WriteFailure) {
        let object = field.object
        guard let count = object.characterCount else { throw .refused("the field does not say what stands in it") }
        guard count > 0 else { return }
        _ = asking(typing.form) { object.selectAll(count: count) }
        guard await wait(Self.fieldPatience, { object.isSelected(count: count) }) else {
            throw .refused("what stood in the field could not be replaced")
        }
        try look(at: field, typing)
        try press(&typing) { (keyboard, window, process) throws(KeyRefusal) in
            try keyboard.pressDelete(into: window, of: process)
        }
        try await shown(0, in: field, typing)
    }

    /// Whether a field is still what it was, and has the focus.
    private func look(at field: WindowField, _ typing: Typing) throws(WriteFailure) {
        try asking(typing.form) { () throws(WriteFailure) in
            try writer.check(field, in: typing.form, of: typing.process)
            guard field.object.hasFocus else { throw .refused("the focus moved to another field") }
            // Another window of the same program may be in front now.
            guard typing.form.window.states?.contains(.active) == true else {
                throw .refused(KeyRefusal.notInFront.reason)
            }
        }
    }

    private func press(
        _ typing: inout Typing, _ body: @DesktopActor (any KeyPressing, UInt, Int32) throws(KeyRefusal) -> Void
    ) throws(WriteFailure) {
        do throws(KeyRefusal) {
            try body(keyboard, typing.window, typing.process)
            typing.hasTyped = true
        } catch {
            throw .refused(error.reason)
        }
    }

    /// Waits until as many characters stand in a field as were typed.
    private func shown(_ count: Int, in field: WindowField, _ typing: Typing) async throws(WriteFailure) {
        let isShown = await wait(Self.fieldPatience) { field.object.characterCount == count }
        guard isShown else {
            // Where the key went says more than that it is missing here.
            try look(at: field, typing)
            throw .refused("the field did not show what was typed")
        }
    }

    private func readBack(_ entry: Entry) throws(WriteFailure) {
        let text = entry.field.object.text(count: Self.lengthLimit) ?? ""
        let isSame = SecretBytes(utf8: text) == entry.value
        guard isSame else { throw .refused("the field shows another text than was typed") }
    }

    // MARK: Waiting

    /// Asks the form's program, which has a limited time for all answers.
    private func asking<Answer, Failure: Error>(
        _ form: WindowForm, _ body: () throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        reader.begin(on: form.focused)
        defer { reader.end(on: form.focused) }
        return try body()
    }

    private func wait(_ patience: Duration, _ isThere: () -> Bool) async -> Bool {
        let end = ContinuousClock.now + patience
        while !isThere() {
            guard ContinuousClock.now < end else { return false }
            try? await Task.sleep(for: Self.pause)
        }
        return true
    }
}
