// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials

/// Foundation's JSON reader behind a bound on depth. The rooms of the daemon call it by no other way.
///
/// That reader recurses, and it ends the process on some texts that are nested exactly as deep as its own limit and then
/// stop. What is nested more than 32 deep never reaches it.
public enum BoundedJSON {
    /// Containers inside one another, the outermost one counted; section 2 of `docs/protocol.md` has the same bound.
    public static let depthLimit = 32

    /// Why bytes are not read.
    public struct Refusal: Error, Equatable {
        public let reason: String
    }

    /// Decodes JSON; throws `Refusal` or what `JSONDecoder` throws.
    public static func decode<Value: Decodable>(_ type: Value.Type, from bytes: some Collection<UInt8>) throws -> Value
    {
        guard isShallow(bytes) else { throw Refusal(reason: "it is nested more than \(depthLimit) deep") }
        return try JSONDecoder().decode(type, from: bytes as? Data ?? Data(bytes))
    }

    /// Whether no bracket outside of strings is nested too deep. Looks at each byte once.
    static func isShallow(_ bytes: some Collection<UInt8>) -> Bool {
        var depth = 0
        var isInString = false
        var isEscaped = false
        for byte in bytes {
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                if depth > depthLimit { return false }
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            // Zeros stand in UTF-16 and UTF-32 alone, which Foundation reads too, and whose quotes are not seen here.
            case 0: return false
            default: continue
            }
        }
        return true
    }
}
