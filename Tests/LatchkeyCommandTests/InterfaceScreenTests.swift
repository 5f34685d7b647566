// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import ShownText
import Testing

@testable import TerminalRendering
@testable import latchkey

/// What keys do to an interface, without a terminal.
@Suite struct InterfaceScreenTests {
    private let start = ContinuousClock.now

    private func screen(_ interface: InterfaceStatement?) -> InterfaceScreen {
        var screen = InterfaceScreen(header: InterfaceHeader(provider: "Acme", site: "a.example"))
        screen.show(interface, now: start)
        return screen
    }

    private func type(_ text: String, into screen: inout InterfaceScreen) -> [InterfaceScreen.Deed] {
        text.unicodeScalars.compactMap { screen.take(.character($0), now: start) }
    }

    @Test func returnPressesTheDefaultButtonWithWhatWasTyped() throws {
        var screen = screen(FakeInterfaces.unlock)
        #expect(screen.focus == .field("user"))
        #expect(type("2", into: &screen) == [])
        #expect(screen.take(.tab, now: start) == nil)
        #expect(type("päss q/1", into: &screen) == [])
        #expect(screen.take(.backspace, now: start) == nil)
        guard case .act(let act) = screen.take(.enter, now: start) else {
            Issue.record("Return did not press")
            return
        }
        #expect(act.element == "go")
        #expect(act.action == "press")
        #expect(act.fields?.map(\.id) == ["user", "pass"])
        #expect(act.fields?.map(\.text.bytes.testText) == ["me2", "päss q/"])
    }

    @Test func aDisabledButtonAndAnUnknownKindAreNoTargets() {
        let screen = screen(FakeInterfaces.unlock)
        #expect(screen.form.targets == [.field("user"), .field("pass"), .toggle("stay"), .button("go")])
        let lines = screen.lines(columns: 80, rows: 24).map(\.text)
        #expect(!lines.contains { $0.contains("from the future") })
        #expect(lines.contains { $0.contains("[ Forget ] (cannot be undone)") })
    }

    @Test func whatIsTypedIntoASecureFieldIsNowhereInThePicture() {
        var screen = screen(FakeInterfaces.unlock)
        _ = screen.take(.down, now: start)
        _ = type("xyzzy", into: &screen)
        let short = screen.lines(columns: 80, rows: 24)
        _ = type("xyzzy", into: &screen)
        #expect(!short.contains { $0.text.contains("xyzzy") || $0.text.contains("x") && $0.text.contains("zz") })
        #expect(screen.lines(columns: 80, rows: 24) == short)
    }

    @Test func providerTextIsHarmlessAndBehindTheMargin() {
        let lines = screen(FakeInterfaces.unlock).lines(columns: 80, rows: 24)
        #expect(lines[0] == ScreenLine(text: "Latchkey: Acme asks, for a.example", style: .header))
        #expect(lines.contains { $0.text == "| ! It is\\u{202E} locked." && $0.style == .error })
        #expect(lines.contains { $0.text.contains("Master\\u{1B}[31m password: (empty)") })
        #expect(lines[1..<(lines.count - 2)].allSatisfy { $0.text.hasPrefix("| ") })
        #expect(
            lines.allSatisfy { line in line.text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value < 0x7F } })
    }

    @Test func numbersChooseRows() {
        var screen = screen(FakeInterfaces.list(rows: 12))
        #expect(screen.focus == .search("l"))
        _ = screen.take(.down, now: start)
        #expect(type("12", into: &screen) == [])
        #expect(screen.focus == .row(list: "l", row: "r10"))
        #expect(
            screen.take(.enter, now: start)
                == .act(InterfaceAct(element: "l", action: "select", row: "r10", fields: [])))
        // There is no 99: the focus stays.
        #expect(type("99", into: &screen) == [])
        #expect(screen.focus == .row(list: "l", row: "r7"))
    }

    @Test func searchAndMoreAreTheProvidersToAnswer() {
        var screen = screen(FakeInterfaces.list(more: true))
        _ = screen.take(.end, now: start)
        #expect(screen.take(.enter, now: start) == .act(InterfaceAct(element: "l", action: "more")))
        _ = screen.take(.up, now: start)
        #expect(type("/", into: &screen) == [])
        _ = type("qu", into: &screen)
        #expect(
            screen.take(.enter, now: start)
                == .act(InterfaceAct(element: "l", action: "search", text: WireSecret(SecretBytes(utf8: "qu")))))
    }

    @Test func aToggleSaysWhatItIsToBe() {
        var screen = screen(FakeInterfaces.unlock)
        _ = type("", into: &screen)
        for _ in 0..<2 { _ = screen.take(.down, now: start) }
        #expect(
            type(" ", into: &screen) == [
                .act(InterfaceAct(element: "stay", action: "change", text: WireSecret(SecretBytes(utf8: "off"))))
            ])
    }

    @Test(arguments: [TerminalKey.escape, .interrupt]) func cancelIsAlwaysThere(key: TerminalKey) {
        var field = screen(FakeInterfaces.unlock)
        #expect(field.take(key, now: start) == .cancel)
        var waiting = screen(nil)
        #expect(waiting.take(key, now: start) == .cancel)
    }

    @Test func qCancelsExceptWhereItIsText() {
        var screen = screen(FakeInterfaces.unlock)
        #expect(type("q", into: &screen) == [])
        for _ in 0..<2 { _ = screen.take(.down, now: start) }
        #expect(type("q", into: &screen) == [.cancel])
    }

    @Test func aKeyMeantForWhatStoodThereBeforeDoesNothing() {
        var screen = screen(FakeInterfaces.list())
        _ = screen.take(.down, now: start)
        let other = InterfaceStatement(
            title: "Sure?", elements: [InterfaceElement(kind: "button", id: "yes", label: "Delete all")])
        screen.show(other, now: start)
        #expect(screen.focus == .button("yes"))
        #expect(screen.take(.enter, now: start + .milliseconds(299)) == nil)
        #expect(screen.take(.enter, now: start + .milliseconds(300)) != nil)
    }

    @Test func whatWasTypedStaysForTheSameElementOnly() {
        var screen = screen(FakeInterfaces.unlock)
        _ = type("2", into: &screen)
        screen.show(FakeInterfaces.unlock, now: start)
        #expect(screen.form.text(of: .field("user")).shown == "me2")
        var other = FakeInterfaces.unlock
        other.elements[2].kind = "secure"
        screen.show(other, now: start)
        #expect(screen.form.text(of: .field("user")).isEmpty)
    }

    @Test func aLongListKeepsTheFocusInThePicture() {
        var screen = screen(FakeInterfaces.list(rows: 200))
        for key in [TerminalKey.end, .home, .pageDown, .pageDown] {
            _ = screen.take(key, now: start, rows: 15)
            let lines = screen.lines(columns: 30, rows: 12)
            #expect(lines.count == 12)
            #expect(lines.filter { $0.style == .focused }.count == 1)
            #expect(lines.allSatisfy { TerminalWidth.of($0.text) <= 30 })
        }
    }

    @Test func nothingToDoIsNoCrash() {
        var screen = screen(InterfaceStatement(title: "", elements: []))
        for key in [TerminalKey.up, .down, .enter, .home, .end, .pageUp, .backspace, .clearLine, .character("1")] {
            #expect(screen.take(key, now: start) == nil)
        }
        #expect(screen.lines(columns: 0, rows: 0).count == 4)
    }

    @Test func widthsCountColumns() {
        #expect(TerminalWidth.of("a漢e\u{301}") == 4)
        #expect(TerminalWidth.clipped("漢字漢字", to: 5) == "漢字~")
        #expect(TerminalWidth.wrapped("one two three", to: 7) == ["one two", "three"])
        #expect(TerminalWidth.wrapped("abcdefgh", to: 3) == ["abc", "def", "gh"])
        #expect(TerminalWidth.wrapped("", to: 3) == [""])
    }
}

/// Bytes of a terminal and the keys they are.
@Suite struct TerminalKeyReaderTests {
    @Test(arguments: [
        ("\u{1B}[A\u{1B}OB", [TerminalKey.up, .down]), ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]),
        ("\u{1B}[1~\u{1B}[F", [.home, .end]), ("\r\t\u{7F}\u{3}", [.enter, .tab, .backspace, .interrupt]),
        ("aß漢", [.character("a"), .character("ß"), .character("漢")]), ("\u{1B}[Z\u{15}", [.backTab, .clearLine]),
        ("\u{1B}x", [.escape]), ("\u{1B}[200~", []), ("\u{1}\u{9B}", []),
    ])
    func reads(text: String, keys: [TerminalKey]) {
        var whole = TerminalKeyReader()
        #expect(whole.read(text.utf8) == keys)
        var parts = TerminalKeyReader()
        #expect(text.utf8.flatMap { parts.read([$0]) } == keys)
    }

    @Test func anEscapeOnItsOwnIsAKeyAndHalfASequenceIsNone() {
        var reader = TerminalKeyReader()
        #expect(reader.read([0x1B]) == [])
        #expect(reader.isWaiting)
        #expect(reader.pause() == [.escape])
        #expect(reader.read(Array("\u{1B}[1".utf8)) == [])
        #expect(reader.pause() == [])
        #expect(reader.read([0x61]) == [.character("a")])
    }

    @Test func survivesAnything() {
        var generator = SystemRandomNumberGenerator()
        var reader = TerminalKeyReader()
        for _ in 0..<20_000 { _ = reader.read([UInt8.random(in: 0...255, using: &generator)]) }
    }
}
