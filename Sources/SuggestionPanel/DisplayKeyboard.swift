// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CGTK
package import DesktopFields
package import MainLoop

/// Presses keys on an X11 display by its XTEST extension.
///
/// The accessibility bus has a service for it, too. It takes a whole text, which could not be stopped in the middle, and it is one more
/// program that a password goes through.
@DesktopActor package final class DisplayKeyboard: KeyPressing {
    /// Keys without a symbol that have one until `end`.
    private var spares: [UInt8] = []
    private static let spareLimit = 16
    private static let backSpace: UInt32 = 0xff08

    package init() {}

    package func frontWindow(of process: Int32) -> UInt? {
        let window = latchkey_window_to_type_into(process)
        return window == 0 ? nil : UInt(window)
    }

    package var isHeld: Bool { latchkey_is_any_key_held() != 0 }

    package func provide(_ character: Unicode.Scalar) -> Bool {
        guard let symbol = Self.symbol(of: character) else { return false }
        var spare: UInt8 = 0
        let isThere = latchkey_provide_key(symbol, &spare) != 0
        if spare != 0 { spares.append(spare) }
        return isThere && spares.count <= Self.spareLimit
    }

    package func press(_ character: Unicode.Scalar, into window: UInt, of process: Int32) throws(KeyRefusal) {
        guard let symbol = Self.symbol(of: character) else { throw .noKey }
        try press(symbol, window, process)
    }

    package func pressDelete(into window: UInt, of process: Int32) throws(KeyRefusal) {
        try press(Self.backSpace, window, process)
    }

    package func end() {
        for spare in spares { latchkey_clear_key(spare) }
        spares = []
    }

    private func press(_ symbol: UInt32, _ window: UInt, _ process: Int32) throws(KeyRefusal) {
        switch latchkey_press(symbol, window, process) {
        case LATCHKEY_PRESSED: return
        case LATCHKEY_NOT_IN_FRONT: throw .notInFront
        case LATCHKEY_HELD: throw .held
        case LATCHKEY_NO_KEY: throw .noKey
        default: throw .noDisplay
        }
    }

    /// The symbol of a character, by X11's numbers; `nil` for what no key types as text.
    private static func symbol(of character: Unicode.Scalar) -> UInt32? {
        gdk_unicode_to_keyval(character.value)
    }
}
