// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC

/// The apps that a site's `apple-app-site-association` names for credentials.
///
/// Strict where leniency could approve somebody: one JSON object, no member twice, `webcredentials.apps` an array of texts.
/// Everything else in the file belongs to other services and is not looked at.
struct AssociationFile: Equatable {
    /// Why a file names nobody. One clause, safe to show.
    struct Fault: Error, Equatable {
        let reason: String
    }

    /// At most this many bytes, uncompressed.
    static let byteLimit = 131_072

    /// In the order of the file, each once. What cannot be an app identifier is left out: it can never be asked for.
    let apps: [String]

    /// Reads a file.
    ///
    /// - Parameter type: The media type that the server stated, if any; it decides nothing but the wording.
    init(_ bytes: [UInt8], type: String? = nil) throws(Fault) {
        guard bytes.count <= Self.byteLimit else { throw Fault(reason: "it is larger than 128 KiB") }
        try Self.refuseWhatIsNoJSON(bytes, type: type)
        let value: JSONValue
        do throws(WireError) {
            value = try JSONValue(readingText: bytes)
        } catch {
            throw Fault(reason: error.message)
        }
        guard case .object(let members) = value else { throw Fault(reason: "it is not a JSON object") }
        guard let credentials = members["webcredentials"] else {
            throw Fault(reason: "it has no member webcredentials")
        }
        guard case .object(let service) = credentials else { throw Fault(reason: "webcredentials is not an object") }
        guard let list = service["apps"] else { throw Fault(reason: "webcredentials has no member apps") }
        guard case .array(let elements) = list else { throw Fault(reason: "webcredentials.apps is not an array") }
        var apps: [String] = []
        var seen: Set<String> = []
        for element in elements {
            guard case .string(let app) = element else {
                throw Fault(reason: "webcredentials.apps holds something that is not text")
            }
            if Self.isIdentifier(app), seen.insert(app).inserted { apps.append(app) }
        }
        self.apps = apps
    }

    private static func refuseWhatIsNoJSON(_ bytes: [UInt8], type: String?) throws(Fault) {
        guard let first = bytes.first else { throw Fault(reason: "it is empty") }
        let isSigned = type?.lowercased().contains("pkcs7") ?? false
        // A CMS message is a DER SEQUENCE of a length of its own bytes (RFC 5652, section 3).
        if isSigned || (first == 0x30 && bytes.dropFirst().first.map { $0 >= 0x80 } ?? false) {
            throw Fault(reason: "it is signed (CMS), which is not read here; serve it as plain JSON")
        }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) || bytes.starts(with: [0xFF, 0xFE])
            || bytes.starts(with: [0xFE, 0xFF])
        {
            throw Fault(reason: "it begins with a byte order mark; it has to be UTF-8 without one")
        }
        if bytes.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "<") {
            throw Fault(reason: "it is a page, not JSON")
        }
    }

    /// Ten letters and digits, a dot, and a bundle identifier's characters. Bytes are compared by who asks.
    private static func isIdentifier(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return (12...266).contains(bytes.count) && bytes[10] == UInt8(ascii: ".")
            && bytes.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }
}
