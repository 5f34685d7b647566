// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC

/// A surface that draws an interface and reports the user's acts.
@MainActor
package protocol InterfaceSurface: AnyObject {
    /// Shows an interface, or that the provider is still being waited for.
    func show(_ interface: InterfaceStatement?)
    /// Called when the provider has acknowledged the last act. A new interface, if any, is shown separately.
    func actWasTaken()
    /// Restores the terminal. No input is read after this returns.
    func close()
}

/// An act of the user on a surface.
package enum SurfaceDeed: Sendable {
    case act(InterfaceAct)
    case cancel
}

/// The choice of a surface.
package enum SurfaceChoice {
    /// Whether the whole terminal can be used for drawing. Otherwise the interface is shown line by line.
    package static func isScreen(lines: Bool, inputIsTerminal: Bool, terminal: String?) -> Bool {
        guard !lines, inputIsTerminal, let terminal, !terminal.isEmpty else { return false }
        return terminal != "dumb"
    }
}
