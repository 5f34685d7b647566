// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import MainLoop

/// Why a key was not pressed.
package enum KeyRefusal: Error, Sendable {
    /// Another window is in front, or has the keyboard.
    case notInFront
    /// A key is held down, or Caps Lock is on.
    case held
    /// The keyboard has no key for the character.
    case noKey
    /// The display does not answer as it should.
    case noDisplay

    var reason: String {
        switch self {
        case .notInFront: "another window came to the front"
        case .held: "a key was held down, or Caps Lock is on"
        case .noKey: "the keyboard has no key for a character in it"
        case .noDisplay: "the display takes no keys"
        }
    }
}

/// The keyboard of a display.
@DesktopActor package protocol KeyPressing: AnyObject {
    /// The window in front, if it belongs to a process and has the keyboard.
    func frontWindow(of process: Int32) -> UInt?

    /// Whether a key is held down, or Caps Lock is on.
    var isHeld: Bool { get }

    /// Has a key for a character until `end`. Returns whether there is one.
    func provide(_ character: Unicode.Scalar) -> Bool

    /// Presses the key for a character, if the window is still in front then, of the process, and nothing is held down.
    func press(_ character: Unicode.Scalar, into window: UInt, of process: Int32) throws(KeyRefusal)

    /// Presses the key that deletes what is selected, on the same conditions.
    func pressDelete(into window: UInt, of process: Int32) throws(KeyRefusal)

    /// Takes back what `provide` has changed of the keyboard.
    func end()
}
