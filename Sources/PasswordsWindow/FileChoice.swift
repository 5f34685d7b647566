// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CAdwaita
internal import MainLoop

/// The desktop's own window in which the user chooses a file.
@DesktopActor enum FileChoice {
    /// - Parameters:
    ///   - yes: What the button says.
    ///   - name: The proposed name of a file that is to be written; `nil` for a table that is read.
    /// - Returns: The file's path, or `nil` if the user has chosen none.
    static func ask(
        before parent: UnsafeMutablePointer<GtkWindow>?, _ title: String, _ yes: String, saves name: String? = nil
    ) async -> String? {
        await withCheckedContinuation { (continuation: CheckedContinuation<String?, Never>) in
            let action = name == nil ? GTK_FILE_CHOOSER_ACTION_OPEN : GTK_FILE_CHOOSER_ACTION_SAVE
            guard let chooser = gtk_file_chooser_native_new(title, parent, action, yes, "Cancel") else {
                return continuation.resume(returning: nil)
            }
            let object = UnsafeMutableRawPointer(chooser)
            if let name {
                gtk_file_chooser_set_current_name(OpaquePointer(object), name)
            } else if let filter = gtk_file_filter_new() {
                gtk_file_filter_set_name(filter, "Tables (CSV)")
                gtk_file_filter_add_suffix(filter, "csv")
                gtk_file_chooser_add_filter(OpaquePointer(object), filter)
            }
            gtk_native_dialog_set_modal(object.assumingMemoryBound(to: GtkNativeDialog.self), 1)
            let once = Once<String?>(continuation)
            Signal.connect(object, "response", .withNumber) { response in
                // GTK's numbers of answers are negative.
                let number = Int32(truncatingIfNeeded: Int(bitPattern: response))
                var path: String?
                if number == GTK_RESPONSE_ACCEPT.rawValue, let file = gtk_file_chooser_get_file(OpaquePointer(object)) {
                    if let name = g_file_get_path(file) {
                        path = String(cString: name)
                        g_free(name)
                    }
                    g_object_unref(UnsafeMutableRawPointer(file))
                }
                once.resume(path)
                g_object_unref(object)
                return false
            }
            gtk_native_dialog_show(object.assumingMemoryBound(to: GtkNativeDialog.self))
        }
    }
}
