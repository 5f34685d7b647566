// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
internal import AutoFillSecrets
internal import ShownText

/// A user name that an item may hold.
package enum SavedName {
    /// Maximum length in bytes, as in `ItemLimits`.
    package static let limit = 1_024

    /// The name the user entered, without surrounding white space. Empty means no user name.
    package static func reading(_ written: String) -> Result<String, WireError> {
        var name = written[...]
        while name.first?.isWhitespace == true { name.removeFirst() }
        while name.last?.isWhitespace == true { name.removeLast() }
        guard isValid(name) else {
            return .failure(
                WireError(
                    .invalidParams,
                    name.utf8.count > limit
                        ? "A user name has at most \(limit) bytes." : "A user name has no control characters."))
        }
        return .success(String(name).onHeap)
    }

    package static func isValid(_ name: some StringProtocol) -> Bool {
        name.utf8.count <= limit && !name.holdsControls
    }
}
