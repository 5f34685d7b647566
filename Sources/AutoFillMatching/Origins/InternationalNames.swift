// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CICU

/// Names in other letters than ASCII (UTS #46) and what they can be mistaken for (UTS #39), by ICU.
enum InternationalNames {
    /// The ASCII form of a name in UTF-8, not transitional; nothing where it has none.
    static func ascii(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count <= 4 * 253 else { return nil }
        return converted(bytes, capacity: 1_024) { latchkey_idna_to_ascii(ICU.shared.idna, $0, $1, $2, $3) }
    }

    /// A name as its readers write it; nothing where a label of it has no such form.
    static func unicode(_ name: String) -> String? {
        guard name.utf8.count <= 253 else { return nil }
        return converted(Array(name.utf8), capacity: 2_048) {
            latchkey_idna_to_unicode(ICU.shared.idna, $0, $1, $2, $3)
        }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// What every text that looks like this one has in common; in lower case and without marks above or below letters, which
    /// are easily overlooked.
    static func skeleton(_ text: String) -> String? {
        converted(Array(text.utf8), capacity: 4_096) {
            latchkey_spoof_skeleton(ICU.shared.checker, $0, $1, $2, $3)
        }.map { bytes in
            if bytes.allSatisfy({ $0 < 0x80 }) {
                return String(decoding: bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
            }
            return String(
                String.UnicodeScalarView(
                    String(decoding: bytes, as: UTF8.self).lowercased().unicodeScalars.filter {
                        $0.properties.generalCategory != .nonspacingMark
                    }))
        }
    }

    /// Whether a label mixes scripts, hides characters or has some that names do not have.
    static func isSuspicious(_ label: String) -> Bool {
        guard let checker = ICU.shared.checker else { return true }
        return Array(label.utf8).withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) {
                latchkey_spoof_is_suspicious(checker, $0.baseAddress, Int32($0.count)) != 0
            }
        }
    }

    private typealias Conversion = (UnsafePointer<CChar>?, Int32, UnsafeMutablePointer<CChar>?, Int32) -> Int32

    private static func converted(_ bytes: [UInt8], capacity: Int, _ conversion: Conversion) -> [UInt8]? {
        // Without its data ICU converts nothing, and what cannot be converted is nothing.
        guard !bytes.isEmpty, ICU.shared.idna != nil, ICU.shared.checker != nil else { return nil }
        return bytes.withUnsafeBufferPointer { input in
            input.withMemoryRebound(to: CChar.self) { input in
                withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { output in
                    let count = conversion(
                        input.baseAddress, Int32(input.count), output.baseAddress, Int32(output.count))
                    guard count >= 0, count <= capacity else { return nil }
                    return output[..<Int(count)].map { UInt8(bitPattern: $0) }
                }
            }
        }
    }

    /// Sendable unchecked: both objects are used for reading only once made, which ICU allows from any thread, and are never freed.
    private final class ICU: @unchecked Sendable {
        static let shared = ICU()
        let idna = latchkey_idna_open()
        let checker = latchkey_spoof_open()
    }
}
