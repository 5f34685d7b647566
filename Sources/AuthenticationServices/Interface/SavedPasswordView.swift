// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC

/// Stands for the password of an item that the built-in provider keeps. The window draws it hidden, and asks the daemon for it when the
/// user wants to see it; it never passes through the interface.
@MainActor package final class SavedPasswordView: UIView {
    private var label = ""
    private var record = ""

    /// - Parameter record: The identifier of the item.
    package convenience init(_ label: String, record: String) {
        self.init(frame: .zero)
        self.label = label
        self.record = record
    }

    override func element(in room: InterfaceRoom) -> InterfaceElement? {
        InterfaceElement(kind: "saved", id: elementName, label: label.inInterface, record: record)
    }
}
