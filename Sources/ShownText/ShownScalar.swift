// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What a scalar would do to the text around it, if it were shown.
public enum ShownScalar: Sendable {
    /// It is drawn as itself.
    case plain
    /// White space that stays on the line.
    case space
    /// A control (C0, DEL, C1) or a separator of lines or paragraphs.
    case control
    /// Nothing is drawn for it, or it turns the direction of what is drawn: Unicode's default-ignorable scalars.
    case invisible
    /// Private use or unassigned: nobody knows what is drawn for it.
    case unknown

    /// Sorts a scalar by Unicode's properties.
    public init(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x20: self = .space
        case 0x21...0x7E: self = .plain
        case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029: self = .control
        // The blank of Braille is drawn as a space; annotations hide what stands between them.
        case 0x2800: self = .space
        case 0xFFF9...0xFFFB: self = .invisible
        default:
            switch scalar.properties.generalCategory {
            case .spaceSeparator: self = .space
            case .control, .lineSeparator, .paragraphSeparator: self = .control
            case _ where scalar.properties.isDefaultIgnorableCodePoint: self = .invisible
            case .privateUse, .unassigned, .surrogate: self = .unknown
            default: self = .plain
            }
        }
    }
}

extension StringProtocol {
    /// Whether it holds a control, or a separator of lines or paragraphs: no field of one line can take it as it is.
    public var holdsControls: Bool {
        unicodeScalars.contains { scalar in
            switch scalar.value {
            case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029: true
            default: false
            }
        }
    }
}
