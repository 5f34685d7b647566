// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC

/// A button.
@preconcurrency @MainActor
open class ButtonView: UIView {
    /// What pressing it means.
    @nonexhaustive(warn)
    public enum Style: Sendable {
        /// Something among other things.
        case plain
        /// What the user most likely wants; Return presses it.
        case `default`
        /// Something that cannot be undone.
        case destructive
    }

    /// What stands on it.
    open var title = "" {
        didSet { interfaceDidChange() }
    }

    /// What pressing it means.
    open var style = Style.plain {
        didSet { interfaceDidChange() }
    }

    /// Whether it can be pressed.
    open var isEnabled = true {
        didSet { interfaceDidChange() }
    }

    /// Called when the user has pressed it; by then every `TextField` that is shown has what was typed into it.
    open var onPress: (() -> Void)?

    /// A button that does something.
    public convenience init(_ title: String, style: Style = .plain, onPress: (() -> Void)? = nil) {
        self.init(frame: .zero)
        self.title = title
        self.style = style
        self.onPress = onPress
    }

    override func element(in room: InterfaceRoom) -> InterfaceElement? {
        let style: String? =
            switch style {
            case .plain: nil
            case .default: "default"
            case .destructive: "destructive"
            }
        return InterfaceElement(
            kind: "button",
            id: elementName,
            label: title.inInterface,
            style: style,
            enabled: isEnabled
        )
    }

    override func response(to act: InterfaceAct) throws(WireError) -> (() -> Void) {
        guard act.action == "press" else { return try super.response(to: act) }
        guard isEnabled else { throw WireError(.invalidParams, "This button cannot be pressed now.") }
        return { [self] in onPress?() }
    }
}
