// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import CAdwaita
internal import MainLoop

/// Asks for the passphrase, in a dialog before the window.
@DesktopActor enum PassphraseDialog {
    /// - Parameters:
    ///   - purpose: What it is asked for, as in "Enter your passphrase to …".
    ///   - takesPIN: Whether the PIN does as well.
    ///   - problem: Why it is asked for again.
    /// - Returns: What was typed, or `nil` if the user closed the dialog.
    static func ask(
        before parent: UnsafeMutablePointer<GtkWindow>?, to purpose: String, takesPIN: Bool = false, problem: String?
    ) async -> WireSecret? {
        let body = "Enter your \(takesPIN ? "PIN or passphrase" : "passphrase") to \(purpose)."
        return await ask(
            before: parent, title: takesPIN ? "PIN or Passphrase Needed" : "Passphrase Needed",
            field: takesPIN ? "PIN or Passphrase" : "Passphrase", problem.map { "\($0) \(body)" } ?? body)
    }

    /// Asks for another secret in the same way.
    static func ask(
        before parent: UnsafeMutablePointer<GtkWindow>?, title: String, field name: String, _ body: String
    ) async -> WireSecret? {
        await withCheckedContinuation { continuation in
            guard let dialog = latchkey_message_dialog(parent, title, body) else {
                return continuation.resume(returning: nil)
            }
            let group = Widgets.group()
            let field = SecretField(name)
            Widgets.add(field.row, to: group)
            adw_message_dialog_set_extra_child(cast(dialog), group)
            adw_message_dialog_add_response(cast(dialog), "cancel", "Cancel")
            adw_message_dialog_add_response(cast(dialog), "confirm", "Continue")
            adw_message_dialog_set_response_appearance(cast(dialog), "confirm", ADW_RESPONSE_SUGGESTED)
            adw_message_dialog_set_default_response(cast(dialog), "confirm")
            adw_message_dialog_set_close_response(cast(dialog), "cancel")
            let once = Once(continuation)
            dialog.onArgument("response") { response in
                let isConfirmed = response.map { String(cString: $0.assumingMemoryBound(to: CChar.self)) } == "confirm"
                let secret = field.filled
                field.clear()
                once.resume(isConfirmed ? secret : nil)
            }
            field.onReturn {
                adw_message_dialog_response(cast(dialog), "confirm")
                gtk_window_destroy(cast(dialog))
            }
            gtk_window_present(cast(dialog))
            field.takeFocus()
        }
    }
}

/// Resumes a continuation the first time alone.
@DesktopActor final class Once<Value: Sendable> {
    private var continuation: CheckedContinuation<Value, Never>?

    init(_ continuation: CheckedContinuation<Value, Never>) {
        self.continuation = continuation
    }

    func resume(_ value: Value) {
        continuation?.resume(returning: value)
        continuation = nil
    }
}
