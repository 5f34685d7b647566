// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Scheme, host and port of a URL as the URL standard's basic URL parser finds them, without a base, for http and https.
///
/// Deviations, all of them towards reading nothing: port 0 and hosts that `Host` refuses.
struct URLReading {
    let scheme: Origin.Scheme
    let host: Host
    let port: UInt16?

    init?(_ text: String) {
        var rest = Self.cleaned(text)[...]
        // Scheme state.
        guard let scheme = Self.scheme(of: rest).flatMap({ Origin.Scheme(rawValue: $0) }),
            let colon = rest.firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        rest = rest[(colon + 1)...]
        // Special authority slashes state, special authority ignore slashes state: any number of them, none included.
        rest = rest.drop { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
        // Authority state: up to what ends it; user information up to the last "@".
        var authority = rest.prefix { !Self.authorityEnds.contains($0) }
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) { authority = authority[(at + 1)...] }
        // Host state: up to a colon that stands outside brackets.
        var isInsideBrackets = false
        let end = authority.firstIndex { byte in
            if byte == UInt8(ascii: "[") { isInsideBrackets = true }
            if byte == UInt8(ascii: "]") { isInsideBrackets = false }
            return byte == UInt8(ascii: ":") && !isInsideBrackets
        }
        guard let host = Host(bytes: authority[..<(end ?? authority.endIndex)]) else { return nil }
        // Port state.
        var port: UInt16?
        if let end {
            var number = 0
            let digits = authority[(end + 1)...]
            for digit in digits {
                guard (0x30...0x39).contains(digit) else { return nil }
                number = number * 10 + Int(digit - 0x30)
                guard number <= 65_535 else { return nil }
            }
            guard digits.isEmpty || number > 0 else { return nil }
            port = digits.isEmpty ? nil : UInt16(number)
        }
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    /// Whether a text begins with a scheme, rather than being a host that a port may follow.
    static func namesScheme(_ text: String) -> Bool {
        let bytes = cleaned(text)[...]
        guard let scheme = scheme(of: bytes), let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return false }
        if Origin.Scheme(rawValue: scheme) != nil || otherSchemes.contains(scheme) { return true }
        let digits = bytes[(colon + 1)...].prefix { !authorityEnds.contains($0) }
        return digits.isEmpty
            ? bytes[(colon + 1)...].starts(with: [0x2F, 0x2F]) : !digits.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Schemes that have no slashes after them, so that a number may follow them as a port follows a host.
    private static let otherSchemes: Set<String> = [
        "about", "blob", "data", "file", "filesystem", "ftp", "javascript", "mailto", "otpauth", "tel", "urn",
        "view-source", "ws", "wss",
    ]

    /// "/", "\\", "?" and "#".
    private static let authorityEnds: Set<UInt8> = [0x2F, 0x5C, 0x3F, 0x23]

    /// Without the C0 controls and spaces around it and without any tab or newline.
    private static func cleaned(_ text: String) -> [UInt8] {
        var bytes = Array(text.utf8)
        while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
        return bytes.drop { $0 <= 0x20 }.filter { $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    }

    /// The scheme in lower case; nothing where the text does not begin with one and a colon.
    private static func scheme(of bytes: ArraySlice<UInt8>) -> String? {
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > bytes.startIndex else { return nil }
        var scheme: [UInt8] = []
        for byte in bytes[..<colon] {
            let lower = byte | 0x20
            if (0x61...0x7A).contains(lower) {
                scheme.append(lower)
            } else if !scheme.isEmpty, (0x30...0x39).contains(byte) || [0x2B, 0x2D, 0x2E].contains(byte) {
                scheme.append(byte)
            } else {
                return nil
            }
        }
        return String(decoding: scheme, as: UTF8.self)
    }
}
