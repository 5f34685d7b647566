// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC

/// A line or a paragraph for the user to read.
@preconcurrency @MainActor
open class MessageView: UIView {
    /// What the text is.
    @nonexhaustive(warn)
    public enum Style: Sendable {
        /// Stands above what follows.
        case heading
        /// An ordinary text.
        case message
        /// Says what went wrong.
        case error
    }

    /// The text; nothing is drawn for an empty one.
    open var text = "" {
        didSet { interfaceDidChange() }
    }

    /// What the text is.
    open var style = Style.message {
        didSet { interfaceDidChange() }
    }

    /// A text.
    public convenience init(_ text: String, style: Style = .message) {
        self.init(frame: .zero)
        self.text = text
        self.style = style
    }

    override func element(in room: InterfaceRoom) -> InterfaceElement? {
        guard !text.isEmpty else { return nil }
        return InterfaceElement(
            kind: style == .heading ? "heading" : "message",
            id: elementName,
            text: text.inInterface,
            style: style == .error ? "error" : nil
        )
    }
}
