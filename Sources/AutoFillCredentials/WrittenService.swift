// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// A service as a person writes or pastes it, before it is saved.
///
/// An address keeps neither the user name nor the password that may stand before its host: a service is shown in lists and
/// questions, and named in the audit log.
public struct WrittenService: Hashable, Sendable {
    /// The service without what stood before its host. It holds no secret that was recognised.
    public let text: String
    /// Whether a user name was left out.
    public let namedUser: Bool
    /// Whether a password or a token was left out.
    public let heldSecret: Bool
    /// The host that a text means which is no address itself: that of `git@a.example:path`, and `a.example` of `*.a.example`.
    public let meantHost: String?

    /// Whether the host is the one that a browser reads, and not behind a part of the path that looks like a password.
    public let hostIsSure: Bool

    public init(_ written: String) {
        // Signs around an address, as in "<https://…>", hide nothing.
        let bytes = Array(written.utf8.drop { !Self.canBegin($0) })
        let start = Self.authorityStart(of: bytes)
        let end = bytes[start...].firstIndex { Self.authorityEnds.contains($0) } ?? bytes.endIndex
        var at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@"))
        let colon = bytes[start..<(at ?? end)].firstIndex(of: UInt8(ascii: ":"))
        let isPort = colon.map { bytes[($0 + 1)..<end].allSatisfy { (0x30...0x39).contains($0) } } ?? true
        // Without a scheme, what has a space is a title.
        let isTitle = start == 0 && bytes[..<(at ?? end)].contains(0x20)
        var isSecret = at != nil && !isTitle && colon.map { $0 + 1 < at ?? end } ?? false
        hostIsSure = at != nil || isPort || bytes[start...].first == UInt8(ascii: "[")
        if at == nil, !isTitle, bytes[start...].first != UInt8(ascii: "[") {
            if !isPort, start > 0 || bytes[end...].contains(UInt8(ascii: "@")) {
                // A password with a slash or an encoded "@" in it ends what looks like the host; a port is a number.
                at = bytes[end...].lastIndex(of: UInt8(ascii: "@"))
                isSecret = at != nil || start > 0
            } else if start > 0, !bytes[start..<end].contains(UInt8(ascii: ".")) {
                // No host of the web, so it may be the beginning of a password.
                isSecret = Self.hasSecret(behind: bytes[end...])
            }
        }
        if start == 0, let colon,
            Self.plainSchemes.contains(String(decoding: bytes[..<colon], as: UTF8.self).lowercased())
        {
            isSecret = false
        }
        let isFurther = !isSecret && Self.holdsFurtherAddress(bytes, from: start)
        heldSecret = isSecret || isFurther
        namedUser = at != nil && start > 0 && !heldSecret
        let isLeftOut = at != nil && (namedUser || isSecret)
        let rest = bytes[(at.map { $0 + 1 } ?? start)...]
        text = isLeftOut ? String(decoding: bytes[..<start] + rest, as: UTF8.self) : written
        meantHost = isTitle ? nil : Self.host(meantBy: rest, isMail: at != nil && start == 0 && colon == nil)
    }

    /// What an address, or the name of a host, can begin with: letters, digits, "[", "*" and ".".
    private static func canBegin(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || [0x5B, 0x2A, 0x2E].contains(byte)
    }

    /// Schemes of names that have an "@" and no password.
    private static let plainSchemes: Set<String> = ["mailto", "sip", "sips", "xmpp", "acct", "urn", "matrix"]

    /// Whether a colon and an "@" stand behind the host with no slash between, as where a password has a slash or a question mark in it.
    private static func hasSecret(behind host: ArraySlice<UInt8>) -> Bool {
        host.split(separator: UInt8(ascii: "/")).contains { part in
            guard let at = part.lastIndex(of: UInt8(ascii: "@")) else { return false }
            return part[..<at].contains(UInt8(ascii: ":"))
        }
    }

    /// Whether an address that stands further behind in the text holds a secret.
    private static func holdsFurtherAddress(_ bytes: [UInt8], from start: Int) -> Bool {
        let mark = Array("://".utf8)
        let marks = bytes.indices.filter { $0 > 0 && $0 + 3 > start && bytes[$0...].starts(with: mark) }
        return marks.contains { mark in
            let scheme = bytes[..<mark].reversed().prefix { isScheme([$0]) }.count
            guard mark > scheme, scheme > 0 else { return false }
            return WrittenService(String(decoding: bytes[(mark - scheme)...], as: UTF8.self)).heldSecret
        }
    }

    /// Why it is not saved, and what to do instead; `nil` for what can be.
    public var refusal: (sentence: String, hint: String)? {
        if heldSecret {
            return (
                "The address holds a password or a token, which would be shown wherever the address is.",
                "Leave out what stands before the @, and save it as the password."
            )
        }
        return meantHost.map { ("\(text) is not the address of a site.", "Did you mean \($0)?") }
    }

    /// "/", "\\", "?" and "#".
    private static let authorityEnds: Set<UInt8> = [0x2F, 0x5C, 0x3F, 0x23]

    /// The index behind the scheme and its slashes or backslashes, which browsers take for the same; 0 if there is no scheme.
    private static func authorityStart(of bytes: [UInt8]) -> Int {
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > 0, isScheme(bytes[..<colon]) else {
            return 0
        }
        let start = bytes[(colon + 1)...].firstIndex { $0 != 0x2F && $0 != 0x5C } ?? bytes.endIndex
        let isWeb = ["http", "https"].contains(String(decoding: bytes[..<colon], as: UTF8.self).lowercased())
        return start > colon + 1 || isWeb ? start : 0
    }

    private static func isScheme(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.allSatisfy {
            (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0)
        }
    }

    private static func host(meantBy rest: ArraySlice<UInt8>, isMail: Bool) -> String? {
        let isPattern = rest.starts(with: [UInt8(ascii: "*"), UInt8(ascii: ".")])
        guard isMail || isPattern else { return nil }
        let host = rest.dropFirst(isPattern ? 2 : 0).prefix { $0 != UInt8(ascii: ":") && !authorityEnds.contains($0) }
        let isHost =
            host.contains(UInt8(ascii: "."))
            && host.allSatisfy {
                (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E
                    || $0 >= 0x80
            }
        return isHost ? String(decoding: host, as: UTF8.self) : nil
    }
}
