// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets

/// Files of password managers that are no CSV, by how they begin, and what to do with them.
enum ImportFile: CaseIterable {
    case keepass, archive, xml, json

    /// What a file is; nothing where it may be a CSV.
    static func kind(_ bytes: SecretBytes) -> ImportFile? {
        bytes.withUnsafeBytes { raw in
            let start = raw.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
            let text = raw[min(start, raw.count)...].drop { $0 <= 0x20 }
            return allCases.first { kind in
                // Bytes count from the first on, text from the first character that is no space.
                (kind.isBinary ? raw[...] : text).starts(with: kind.beginning)
            }
        }
    }

    /// The bytes as UTF-8 where a mark at the beginning says that they are UTF-16; otherwise, or where they are no UTF-16, as they are.
    static func utf8(_ bytes: SecretBytes) -> SecretBytes {
        bytes.withUnsafeBytes { raw in
            let isLittle = raw.starts(with: [0xFF, 0xFE])
            guard isLittle || raw.starts(with: [0xFE, 0xFF]), raw.count % 2 == 0 else { return bytes }
            let units = stride(from: 2, to: raw.count, by: 2).lazy.map { place in
                let (first, second) = (UInt16(raw[place]), UInt16(raw[place + 1]))
                return isLittle ? second << 8 | first : first << 8 | second
            }
            var isSound = true
            let text = SecretBytes.written { sink in
                var (decoder, rest) = (UTF16(), units.makeIterator())
                while isSound {
                    switch decoder.decode(&rest) {
                    case .scalarValue(let scalar): String(scalar).utf8.forEach(sink)
                    case .emptyInput: return
                    case .error: isSound = false
                    }
                }
            }
            return isSound ? text : bytes
        }
    }

    private var isBinary: Bool { self == .keepass || self == .archive }

    private var beginning: [UInt8] {
        switch self {
        case .keepass: [0x03, 0xD9, 0xA2, 0x9A]
        case .archive: [0x50, 0x4B, 0x03, 0x04]
        case .xml: Array("<?xml".utf8)
        case .json: Array("{".utf8)
        }
    }

    /// What it is called.
    var name: String {
        switch self {
        case .keepass: "a KeePass database (KDBX)"
        case .archive: "a ZIP archive, such as 1Password's 1PUX or Proton Pass's export"
        case .xml: "XML"
        case .json: "JSON"
        }
    }

    /// What to do instead.
    var hint: String {
        switch self {
        case .keepass: "In KeePassXC: Database > Export > CSV File."
        case .archive: "Export again and choose CSV as the format."
        case .xml, .json: "Export again and choose CSV as the format, without encryption."
        }
    }
}
