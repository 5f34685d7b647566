// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillSecrets
import Glibc
import Synchronization

/// Fails one kind of the calls by which files are written: a given one, counted from 1, or from that one on.
package final class FileFaults: Sendable {
    private let call: FileCalls.Call
    private let number: Int
    private let goesOn: Bool
    private let counted = Mutex(0)

    package init(_ call: FileCalls.Call, _ number: Int, goesOn: Bool = false) {
        (self.call, self.number, self.goesOn) = (call, number, goesOn)
    }

    /// How many calls of the kind came.
    package var count: Int { counted.withLock { $0 } }

    /// The errno that a call fails with.
    @Sendable package func next(_ call: FileCalls.Call, _: String) -> Int32? {
        guard call == self.call else { return nil }
        return counted.withLock { counted in
            counted += 1
            return counted == number || goesOn && counted > number ? EIO : nil
        }
    }
}
