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

    public init(_ written: String) {
        let bytes = Array(written.utf8.drop { $0 <= 0x20 })
        let start = Self.authorityStart(of: bytes)
        let end = bytes[start...].firstIndex { Self.authorityEnds.contains($0) } ?? bytes.endIndex
        var at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@"))
        let colon = bytes[start..<(at ?? end)].firstIndex(of: UInt8(ascii: ":"))
        var isSecret = at != nil && colon.map { $0 + 1 < at ?? end } ?? false
        if start == 0 {
            // Without a scheme, what has a space is a title.
            isSecret = isSecret && !bytes[..<(at ?? 0)].contains(0x20)
        } else if at == nil, let colon, bytes[start] != UInt8(ascii: "["),
            !bytes[(colon + 1)..<end].allSatisfy({ (0x30...0x39).contains($0) })
        {
            // A password with a slash in it ends what looks like the host; a port is a number.
            at = bytes[end...].lastIndex(of: UInt8(ascii: "@"))
            isSecret = at != nil
        }
        heldSecret = isSecret
        namedUser = at != nil && start > 0 && !isSecret
        let isLeftOut = namedUser || isSecret
        let rest = bytes[(at.map { $0 + 1 } ?? start)...]
        text = isLeftOut ? String(decoding: bytes[..<start] + rest, as: UTF8.self) : written
        meantHost = Self.host(meantBy: rest, isMail: at != nil && start == 0)
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

    /// Behind the scheme and its slashes, which browsers read in either direction; 0 where there is no scheme.
    private static func authorityStart(of bytes: [UInt8]) -> Int {
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > 0, isScheme(bytes[..<colon]) else {
            return 0
        }
        let start = bytes[(colon + 1)...].firstIndex { $0 != 0x2F && $0 != 0x5C } ?? bytes.endIndex
        let isWeb = ["http", "https"].contains(String(decoding: bytes[..<colon], as: UTF8.self).lowercased())
        return start > colon + 1 || isWeb ? start : 0
    }

    private static func isScheme(_ bytes: ArraySlice<UInt8>) -> Bool {
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
