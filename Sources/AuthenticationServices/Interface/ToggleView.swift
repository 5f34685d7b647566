// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets

/// Something that is on or off.
@preconcurrency @MainActor
open class ToggleView: UIView {
    /// What is on or off.
    open var label = "" {
        didSet { interfaceDidChange() }
    }

    /// Whether it is on.
    open var isOn = false {
        didSet { interfaceDidChange() }
    }

    /// Called when the user has changed it.
    open var onChange: ((Bool) -> Void)?

    /// A toggle.
    public convenience init(_ label: String, isOn: Bool = false, onChange: ((Bool) -> Void)? = nil) {
        self.init(frame: .zero)
        self.label = label
        self.isOn = isOn
        self.onChange = onChange
    }

    override func element(in room: InterfaceRoom) -> InterfaceElement? {
        InterfaceElement(kind: "toggle", id: elementName, label: label.inInterface, on: isOn)
    }

    override func response(to act: InterfaceAct) throws(WireError) -> (() -> Void) {
        guard act.action == "change" else { return try super.response(to: act) }
        let isOn: Bool
        switch act.text?.bytes {
        case SecretBytes(utf8: "on"): isOn = true
        case SecretBytes(utf8: "off"): isOn = false
        default: throw WireError(.invalidParams, "A toggle is on or off.")
        }
        return { [self] in
            self.isOn = isOn
            onChange?(isOn)
        }
    }
}
