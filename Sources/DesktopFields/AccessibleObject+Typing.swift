// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CGIO
internal import MainLoop

/// What is asked of fields that take keys only.
@DesktopActor extension AccessibleObject {
    private static let textInterface = "org.a11y.atspi.Text"

    /// Whether Chromium draws its program's windows. The program says so itself.
    package var isOfChromium: Bool {
        property("ToolkitName", of: Self.application, at: Self.root)?.text()?.lowercased() == "chromium"
    }

    /// Has Chromium describe what is in its windows, which it does once somebody has asked for attributes.
    package func wake() {
        for window in program.children(atMost: 16) where window.busName == busName { _ = window.attribute("class") }
    }

    /// How many characters stand in it.
    var characterCount: Int? {
        property("CharacterCount", of: Self.textInterface)?.signed.map(Int.init)
    }

    /// The text in it, as it is shown: dots where it hides what is typed.
    func text(count: Int) -> String? {
        ask(
            "GetText", of: Self.textInterface,
            [g_variant_new_int32(0), g_variant_new_int32(Int32(clamping: count))])?[0]?
            .text(atMost: 4_096)
    }

    /// Selects all of its text. Returns whether the whole of it is selected then.
    func selectAll(count: Int) -> Bool {
        let (start, end) = (g_variant_new_int32(0), g_variant_new_int32(Int32(clamping: count)))
        if ask("GetNSelections", of: Self.textInterface)?[0]?.signed ?? 0 > 0 {
            _ = ask("SetSelection", of: Self.textInterface, [g_variant_new_int32(0), start, end])
        } else {
            _ = ask("AddSelection", of: Self.textInterface, [start, end])
        }
        return isSelected(count: count)
    }

    /// Whether the whole of its text is selected.
    func isSelected(count: Int) -> Bool {
        guard let answer = ask("GetSelection", of: Self.textInterface, [g_variant_new_int32(0)]),
            let start = answer[0]?.signed, let end = answer[1]?.signed
        else { return false }
        return min(start, end) == 0 && Int(max(start, end)) == count
    }

    /// Asks its program to move the focus there.
    func grabFocus() {
        _ = ask("GrabFocus", of: Self.component)
    }
}
