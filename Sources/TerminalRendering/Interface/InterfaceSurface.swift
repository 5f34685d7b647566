// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC

/// Where an interface is drawn, and where what the person does comes from.
@MainActor
package protocol InterfaceSurface: AnyObject {
    /// Shows an interface, or that one is waited for.
    func show(_ interface: InterfaceStatement?)
    /// The provider has heard of the last act; what it shows next, if anything, comes by itself.
    func actWasTaken()
    /// Gives the terminal back. Nothing is read any more when this returns.
    func close()
}

/// What a person did at a surface.
package enum SurfaceDeed: Sendable {
    case act(InterfaceAct)
    case cancel
}

/// Which surface there is.
package enum SurfaceChoice {
    /// Whether a whole terminal can be drawn on; otherwise it goes line by line.
    package static func isScreen(lines: Bool, inputIsTerminal: Bool, terminal: String?) -> Bool {
        guard !lines, inputIsTerminal, let terminal, !terminal.isEmpty else { return false }
        return terminal != "dumb"
    }
}
