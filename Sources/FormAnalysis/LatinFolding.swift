// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The Latin letters under their accents, as far as the languages of the lexicon need them.
enum LatinFolding {
    /// The small ASCII letter under an accented one; `nil` where `value` is none.
    static func baseLetter(of value: UInt32) -> UInt8? {
        switch value {
        case 0xC0...0xFF: latin1(value >= 0xE0 ? value - 32 : value)
        case 0x100...0x17F: extendedA(value)
        case 0x1A0, 0x1A1: UInt8(ascii: "o")
        case 0x1AF, 0x1B0: UInt8(ascii: "u")
        case 0x218, 0x219: UInt8(ascii: "s")
        case 0x21A, 0x21B: UInt8(ascii: "t")
        case 0x1EA0...0x1EF9: vietnamese(value)
        default: nil
        }
    }

    private static func latin1(_ capital: UInt32) -> UInt8? {
        switch capital {
        case 0xC0...0xC5: UInt8(ascii: "a")
        case 0xC7: UInt8(ascii: "c")
        case 0xC8...0xCB: UInt8(ascii: "e")
        case 0xCC...0xCF: UInt8(ascii: "i")
        case 0xD0: UInt8(ascii: "d")
        case 0xD1: UInt8(ascii: "n")
        case 0xD2...0xD6, 0xD8: UInt8(ascii: "o")
        case 0xD9...0xDC: UInt8(ascii: "u")
        case 0xDD, 0xDF: UInt8(ascii: "y")
        default: nil
        }
    }

    private static func extendedA(_ value: UInt32) -> UInt8 {
        switch value {
        case ..<0x106: UInt8(ascii: "a")
        case ..<0x10E: UInt8(ascii: "c")
        case ..<0x112: UInt8(ascii: "d")
        case ..<0x11C: UInt8(ascii: "e")
        case ..<0x124: UInt8(ascii: "g")
        case ..<0x128: UInt8(ascii: "h")
        case ..<0x134: UInt8(ascii: "i")
        case ..<0x136: UInt8(ascii: "j")
        case ..<0x139: UInt8(ascii: "k")
        case ..<0x143: UInt8(ascii: "l")
        case ..<0x14C: UInt8(ascii: "n")
        case ..<0x154: UInt8(ascii: "o")
        case ..<0x15A: UInt8(ascii: "r")
        case ..<0x162: UInt8(ascii: "s")
        case ..<0x168: UInt8(ascii: "t")
        case ..<0x174: UInt8(ascii: "u")
        case ..<0x176: UInt8(ascii: "w")
        case ..<0x179: UInt8(ascii: "y")
        case ..<0x17F: UInt8(ascii: "z")
        default: UInt8(ascii: "s")
        }
    }

    private static func vietnamese(_ value: UInt32) -> UInt8 {
        switch value {
        case ..<0x1EB8: UInt8(ascii: "a")
        case ..<0x1EC8: UInt8(ascii: "e")
        case ..<0x1ECC: UInt8(ascii: "i")
        case ..<0x1EE4: UInt8(ascii: "o")
        case ..<0x1EF2: UInt8(ascii: "u")
        default: UInt8(ascii: "y")
        }
    }
}
