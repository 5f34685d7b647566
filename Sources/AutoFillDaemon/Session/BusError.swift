// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A bus that is missing, went away or answered with an error. This is a normal state and never concerns the user.
struct BusError: Error, CustomStringConvertible {
    /// As in `errno`; sd-bus puts the errors of D-Bus into its numbers (sd-bus-errors(3)).
    let code: Int32

    var description: String { String(cString: strerror(code)) }

    /// A result of sd-bus, which is an error when it is negative.
    ///
    /// - Throws: a `BusError`.
    @discardableResult
    static func check(_ result: Int32) throws(BusError) -> Int32 {
        guard result >= 0 else { throw BusError(code: -result) }
        return result
    }
}
