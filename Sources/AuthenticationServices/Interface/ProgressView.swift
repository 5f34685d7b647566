// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC

/// Something that takes its time.
@preconcurrency @MainActor
open class ProgressView: UIView {
    /// What takes its time.
    open var label = "" {
        didSet { interfaceDidChange() }
    }

    /// How much of it is done, from 0 to 1; `nil` where no end is known.
    open var fraction: Double? {
        didSet { interfaceDidChange() }
    }

    /// Something that takes its time.
    public convenience init(_ label: String, fraction: Double? = nil) {
        self.init(frame: .zero)
        self.label = label
        self.fraction = fraction
    }

    override func element(in room: InterfaceRoom) -> InterfaceElement? {
        let known = fraction.flatMap { $0.isNaN ? nil : min(max($0, 0), 1) }
        return InterfaceElement(kind: "progress", id: elementName, label: label.inInterface, fraction: known)
    }
}
