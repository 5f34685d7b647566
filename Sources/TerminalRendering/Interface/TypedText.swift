// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
package import AutoFillSecrets

/// Text that the user types into a field. It is kept in locked memory, whatever the field is for.
package struct TypedText: Equatable {
    /// Maximum length in bytes; further input is ignored. A terminal may have cut a longer line.
    package static let limit = SilentPrompt.limit - 2

    package private(set) var bytes: SecretBytes

    package init(_ text: String = "") {
        bytes = SecretBytes(utf8: text)
    }

    package init(_ bytes: SecretBytes) {
        self.bytes = bytes
    }

    package var isEmpty: Bool { bytes.count == 0 }

    package mutating func append(_ scalar: Unicode.Scalar) {
        let added = Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        guard bytes.count + added.count <= Self.limit else { return }
        let old = bytes
        bytes = SecretBytes.written { sink in
            old.withUnsafeBytes { for byte in $0 { sink(byte) } }
            for byte in added { sink(byte) }
        }
    }

    /// Removes the last scalar.
    package mutating func removeLast() {
        let end = bytes.withUnsafeBytes { bytes in
            var end = bytes.count
            // Continuation bytes of UTF-8 are 10xxxxxx.
            while end > 0, bytes[end - 1] & 0xC0 == 0x80 { end -= 1 }
            return max(0, end - 1)
        }
        bytes = bytes.prefix(end)
    }

    /// The text of a field whose content is shown.
    package var shown: String {
        bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
}
