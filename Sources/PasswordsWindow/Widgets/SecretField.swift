// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets
internal import CAdwaita
internal import Glibc
internal import MainLoop

/// A row in which a secret is typed. It is not on the accessibility bus, and stands in locked memory.
@DesktopActor final class SecretField {
    let row: Widget
    private let text: Widget

    init(_ title: String) {
        text = latchkey_secret_text(title)
        let frame: Widget = latchkey_entry_frame()
        gtk_box_append(cast(frame), text)
        row = Widgets.fieldRow(title, frame)
    }

    /// What stands in it now.
    var secret: WireSecret {
        guard let text = gtk_editable_get_text(cast(text)) else { return WireSecret(SecretBytes(utf8: "")) }
        return WireSecret(SecretBytes(copying: UnsafeRawBufferPointer(start: text, count: strlen(text))))
    }

    /// What stands in it, or `nil` if nothing does.
    var filled: WireSecret? {
        let secret = secret
        return secret.bytes.count > 0 ? secret : nil
    }

    func clear() { gtk_editable_set_text(cast(text), "") }

    func put(_ made: String) { gtk_editable_set_text(cast(text), made) }

    /// Puts a secret into it, with the cursor behind it.
    func put(_ secret: SecretBytes) {
        // C wants the text to end with a zero; the copy is in locked memory, too.
        let terminated = SecretBytes(count: secret.count + 1)
        terminated.withUnsafeMutableBytes { target in
            secret.withUnsafeBytes { source in target.copyMemory(from: source) }
            target[secret.count] = 0
        }
        terminated.withUnsafeBytes { bytes in
            gtk_editable_set_text(cast(text), bytes.baseAddress?.assumingMemoryBound(to: CChar.self))
        }
        gtk_editable_set_position(cast(text), -1)
    }

    /// Whether it is what has the keyboard.
    func has(_ focus: Widget?) -> Bool { focus == text }

    func takeFocus() { gtk_widget_grab_focus(text) }

    /// What a screen reader says of it after its name.
    func describe(_ sentence: String) { latchkey_set_accessible_description(text, sentence) }

    /// Runs a closure when the user presses Return in it.
    func onReturn(_ run: @escaping @DesktopActor () -> Void) { text.on("activate", run) }

    /// Runs a closure at each change.
    func onChange(_ run: @escaping @DesktopActor () -> Void) { text.on("changed", run) }
}
