// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import SecurityCodes

/// Reads what a CSV has for the set-up key of an authenticator: a link, or the bare key in base32.
enum ImportKey {
    /// The link that Latchkey keeps; nothing where the text is not a key, or one whose codes follow a counter.
    static func link(_ field: SecretBytes) -> SecretBytes? {
        let beginnings = ["otpauth://", "steam://"].map { Array($0.utf8) }
        return field.withUnsafeBytes { raw -> SecretBytes? in
            let text = raw.drop { $0 <= 0x20 }
            let isLink = beginnings.contains { beginning in
                text.count >= beginning.count
                    && zip(text, beginning).allSatisfy { byte, wanted in
                        // Letters in either case.
                        byte == wanted || (0x41...0x5A).contains(byte) && byte | 0x20 == wanted
                    }
            }
            let whole = SecretBytes.written { sink in
                if !isLink { "otpauth://totp/?secret=".utf8.forEach(sink) }
                // People write bare keys in groups.
                for byte in text where isLink || byte > 0x20 && byte != UInt8(ascii: "-") { sink(byte) }
            }
            return normalized(whole)
        }
    }

    /// The longest link that a provider keeps, in bytes.
    private static let limit = 4096

    private static func normalized(_ link: SecretBytes) -> SecretBytes? {
        var found: [SecretBytes?] = []
        do {
            try link.withUnsafeBytes { text throws(AuthenticatorLinkError) in
                _ = try AuthenticatorLink.read(text) { entry, key in
                    guard !key.isEmpty, var link = key.withUnsafeBytes({ AuthenticatorLink.write(entry, key: $0) })
                    else { return found.append(nil) }
                    found.append(SecretBytes(wiping: &link))
                }
            }
        } catch {
            return nil
        }
        guard found.count == 1, let link = found[0], link.count <= limit else { return nil }
        return link
    }
}
