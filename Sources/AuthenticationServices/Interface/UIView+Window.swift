// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension UIView {
    /// The window that holds this view; nothing for one that no window holds.
    public var window: UIWindow? {
        var next: UIView? = self
        while let view = next {
            if let window = view as? UIWindow { return window }
            next = view.superview
        }
        return nil
    }
}
