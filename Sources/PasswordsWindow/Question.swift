// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CAdwaita
internal import MainLoop

/// A question before something is done.
@DesktopActor enum Question {
    /// - Parameter window: What the question stands before; `nil` for the app's own window.
    static func ask(
        _ context: PageContext, _ title: String, _ text: String, _ yes: String, before window: Widget? = nil
    ) async -> Bool {
        await withCheckedContinuation { continuation in
            guard let dialog = latchkey_message_dialog(window.map { cast($0) } ?? context.parent, title, text) else {
                return continuation.resume(returning: false)
            }
            adw_message_dialog_add_response(cast(dialog), "cancel", "Cancel")
            adw_message_dialog_add_response(cast(dialog), "confirm", yes)
            adw_message_dialog_set_default_response(cast(dialog), "cancel")
            adw_message_dialog_set_close_response(cast(dialog), "cancel")
            let once = Once(continuation)
            dialog.onArgument("response") { response in
                once.resume(response.map { String(cString: $0.assumingMemoryBound(to: CChar.self)) } == "confirm")
            }
            gtk_window_present(cast(dialog))
        }
    }

    /// Asks which of several things is wanted; `nil` for none of them.
    static func choose(_ context: PageContext, _ title: String, _ text: String, _ choices: [String]) async -> Int? {
        await withCheckedContinuation { continuation in
            guard let dialog = latchkey_message_dialog(context.parent, title, text) else {
                return continuation.resume(returning: nil)
            }
            adw_message_dialog_add_response(cast(dialog), "cancel", "Cancel")
            for (index, choice) in choices.enumerated() {
                // One underscore would mark a letter as the choice's key.
                let label = choice.split(separator: "_", omittingEmptySubsequences: false).joined(separator: "__")
                adw_message_dialog_add_response(cast(dialog), "\(index)", label)
            }
            adw_message_dialog_set_default_response(cast(dialog), "cancel")
            adw_message_dialog_set_close_response(cast(dialog), "cancel")
            let once = Once(continuation)
            dialog.onArgument("response") { response in
                let name = response.map { String(cString: $0.assumingMemoryBound(to: CChar.self)) }
                once.resume(name.flatMap { Int($0) })
            }
            gtk_window_present(cast(dialog))
        }
    }
}

/// Something that the user is told, until it is put away.
@DesktopActor enum Notice {
    /// - Parameter copied: A place that the text names, which the user may copy.
    static func show(_ context: PageContext, _ title: String, _ text: String, copied: String? = nil) {
        guard let dialog = latchkey_message_dialog(context.parent, title, text) else { return }
        if let copied {
            adw_message_dialog_add_response(cast(dialog), "copy", "Copy the Folder's Place")
            dialog.onArgument("response") { response in
                guard response.map({ String(cString: $0.assumingMemoryBound(to: CChar.self)) }) == "copy" else {
                    return
                }
                context.copy(text: copied, "place of the folder")
            }
        }
        adw_message_dialog_add_response(cast(dialog), "close", "Close")
        adw_message_dialog_set_default_response(cast(dialog), "close")
        adw_message_dialog_set_close_response(cast(dialog), "close")
        gtk_window_present(cast(dialog))
    }
}

/// What is being done, as long as it takes.
@DesktopActor final class ProgressNotice {
    private let dialog: Widget?
    private var isClosed = false

    /// - Parameter stop: Called when the user wants what has not begun yet left alone.
    init(_ context: PageContext, _ title: String, stop: @escaping @DesktopActor () -> Void) {
        dialog = latchkey_message_dialog(context.parent, title, "")
        guard let dialog else { return }
        adw_message_dialog_add_response(cast(dialog), "stop", "Stop")
        adw_message_dialog_set_close_response(cast(dialog), "stop")
        dialog.onArgument("response") { [weak self] _ in
            self?.isClosed = true
            stop()
        }
        gtk_window_present(cast(dialog))
    }

    func say(_ text: String) {
        if !isClosed, let dialog { adw_message_dialog_set_body(cast(dialog), text) }
    }

    func close() {
        guard !isClosed, let dialog else { return }
        isClosed = true
        gtk_window_destroy(cast(dialog))
    }
}
