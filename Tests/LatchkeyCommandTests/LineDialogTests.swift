// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import ShownText
import Testing

@testable import TerminalRendering
@testable import latchkey

/// An interface as questions and answers, without a terminal.
@Suite struct LineDialogTests {
    private func dialog(_ interface: InterfaceStatement) -> (LineDialog, [String]) {
        var dialog = LineDialog(header: InterfaceHeader(provider: "Acme", site: nil))
        let lines = dialog.show(interface)
        return (dialog, lines)
    }

    private func line(_ text: String) -> SecretBytes { SecretBytes(utf8: text) }

    @Test func everyTargetHasANumber() {
        let (_, lines) = dialog(FakeInterfaces.unlock)
        #expect(
            lines == [
                "Latchkey: Acme asks", "| Unlock", "| Your vault", "| ! It is\\u{202E} locked.", "| 1  Account: me",
                "| 2  Master\\u{1B}[31m password: (empty)", "| 3  [x] Stay unlocked", "| 4  [ Unlock ]",
                "|        [ Forget ] (cannot be undone)",
                "Type a number, or q to cancel; press Return to continue.",
            ])
    }

    @Test func aSecureFieldIsAskedForSilently() throws {
        var (dialog, _) = dialog(FakeInterfaces.unlock)
        #expect(dialog.take(line("2")) == .say([]))
        #expect(dialog.question == .init(text: "Master\\u{1B}[31m password: ", isSilent: true))
        // Whatever it is: here it is a secret, not a command.
        #expect(dialog.take(line("q")) == .say(["Entered. Press Return to continue."]))
        #expect(dialog.question == .init(text: "> "))
        guard case .act(let act) = dialog.take(line("")) else {
            Issue.record("an empty line did not go on")
            return
        }
        #expect(act.element == "go")
        #expect(act.fields?.map(\.text.bytes.testText) == ["me", "q"])
    }

    @Test(arguments: [
        "0", "5", "-1", "99999999999999999999", "x", "1 2", "\u{1B}[A", String(repeating: "1", count: 300),
    ])
    func whatIsNotKnownDoesNothing(text: String) {
        var (dialog, _) = dialog(FakeInterfaces.unlock)
        #expect(dialog.take(line(text)) == .say(["Type a number of the list, /TEXT to search, or q to cancel."]))
    }

    @Test func theEndOfInputIsACancel() {
        var (dialog, _) = dialog(FakeInterfaces.unlock)
        #expect(dialog.take(nil) == .cancel)
        #expect(dialog.take(line("q")) == .cancel)
        _ = dialog.take(line("2"))
        #expect(dialog.take(nil) == .cancel)
    }

    @Test func searchesSelectsAndAsksForMore() {
        var (dialog, _) = dialog(FakeInterfaces.list(more: true))
        #expect(
            dialog.take(line("/two words"))
                == .act(InterfaceAct(element: "l", action: "search", text: WireSecret(line("two words")))))
        #expect(dialog.take(line("3")) == .act(InterfaceAct(element: "l", action: "select", row: "r1", fields: [])))
        #expect(dialog.take(line("5")) == .act(InterfaceAct(element: "l", action: "more")))
        var (other, _) = self.dialog(FakeInterfaces.unlock)
        #expect(other.take(line("/x")) == .say(["There is nothing to search here."]))
    }

    @Test func longListsHavePages() {
        var (dialog, lines) = dialog(FakeInterfaces.list(rows: 100))
        #expect(lines.count == LineDialog.pageSize + 3)
        #expect(lines.last == "Type a number, or q to cancel; n and p turn pages (1 of 3).")
        for _ in 0..<9 { _ = dialog.take(line("n")) }
        guard case .say(let last) = dialog.take(line("n")) else { return }
        #expect(last.contains("| 101  user 99  (a.example)"))
        #expect(dialog.take(line("101")) == .act(InterfaceAct(element: "l", action: "select", row: "r99", fields: [])))
    }

    @Test func aFieldThatIsGoneIsNotAskedForAnyMore() {
        var (dialog, _) = dialog(FakeInterfaces.unlock)
        _ = dialog.take(line("2"))
        _ = dialog.show(FakeInterfaces.list())
        #expect(dialog.question.text == "> ")
    }

    @Test func refusesWhatIsNoText() {
        var (dialog, _) = dialog(FakeInterfaces.unlock)
        _ = dialog.take(line("2"))
        var bytes: [UInt8] = [0xFF, 0xFE]
        #expect(dialog.take(SecretBytes(wiping: &bytes)) == .say(["That is too long, or not text."]))
        _ = dialog.take(line("2"))
        #expect(dialog.take(line(String(repeating: "a", count: 4095))) == .say(["That is too long, or not text."]))
    }

    @Test func splitsLinesWhereverTheyAreCut() {
        let text = "one\r\n\ntwo\nrest"
        for cut in 0...text.utf8.count {
            var splitter = LineSplitter()
            let bytes = Array(text.utf8)
            let parts = [bytes[..<cut], bytes[cut...]].map { SecretBytes(utf8: String(decoding: $0, as: UTF8.self)) }
            #expect(parts.flatMap { splitter.read($0) }.map(\.testText) == ["one", "", "two"])
            #expect(splitter.end()?.testText == "rest")
            #expect(splitter.end() == nil)
        }
    }
}
