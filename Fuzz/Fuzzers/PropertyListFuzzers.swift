// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillRelease
import Foundation

@testable import AutoFillDaemon
@testable import AutoFillIPC
@testable import AutoFillProviders
@testable import AutoFillSecrets
@testable import PropertyLists

/// Files of bundles, which anybody may have written, and what is nested in them as deep as a file can be.
extension Fuzzer {
    /// What is read is the same when it is written as XML and read again, and within the bounds.
    static let propertyList = Fuzzer(
        "property-list",
        words: [
            "bplist00", "<plist>", "</plist>", "<dict>", "</dict>", "<array>", "</array>", "<key>", "</key>",
            "<string>",
            "</string>", "<true/>", "<integer>", "<data>", "<![CDATA[", "]]>", "<!--", "-->", "&amp;", "&#x",
            "<!DOCTYPE",
        ],
        seeds: {
            let list: [String: Any] = [
                "CFBundleIdentifier": "com.example.shiny", "flag": true, "number": -1, "real": 0.5,
                "NSExtension": ["NSExtensionAttributes": ["a": ["b", "ä"]]], "data": Data([0, 1, 2]),
                "date": Date(timeIntervalSinceReferenceDate: 1),
            ]
            return try [PropertyListSerialization.PropertyListFormat.xml, .binary].map {
                Array(try PropertyListSerialization.data(fromPropertyList: list, format: $0, options: 0))
            } + [Array("<plist><array><string>&lt;</string></array></plist>".utf8)]
        },
        run: { bytes in
            guard let list = try? PropertyList(Array(bytes)) else { return }
            precondition(list.depth <= PropertyListBounds.standard.depth, "it is deeper than the bound")
            guard let text = list.xml else { return }
            let wide = PropertyListBounds(size: 64 << 20, depth: 32, count: 10_000)
            let again = try? PropertyList(Array("<plist>\(text)</plist>".utf8), within: wide)
            precondition(again == list, "a list changed on its way")
        })

    /// Lists that are as deep, as wide, or as tangled as the first bytes say, up to 100,000 deep.
    static let nestedPropertyList = Fuzzer(
        "property-list-nested",
        seeds: {
            [[0x01, 0x86, 0xA0, 0], [0x01, 0x86, 0xA0, 1], [0x01, 0x86, 0xA0, 2], [0, 0, 32, 3], [0, 0, 2, 4]]
        },
        run: { bytes in
            guard bytes.count >= 4 else { return }
            let depth = (Int(bytes[0]) << 16 | Int(bytes[1]) << 8 | Int(bytes[2])) % 100_001
            let rest = Array(bytes[4...])
            let body = String(decoding: rest, as: UTF8.self)
            let list: [UInt8]
            switch bytes[3] % 5 {
            case 0: list = Array(("<plist>" + String(repeating: "<array>", count: depth) + body).utf8)
            case 1: list = Array(("<plist>" + String(repeating: "<dict><key>k</key>", count: depth) + body).utf8)
            case 2:
                let ends = String(repeating: "</array>", count: depth)
                list = Array(("<plist>" + String(repeating: "<array>", count: depth) + body + ends + "</plist>").utf8)
            case 3: list = binary(depth: depth, width: 1, rest)
            default: list = binary(depth: depth % 2_000, width: 2, rest)
            }
            if let read = try? PropertyList(list) { precondition(read.depth <= 32, "it is deeper than the bound") }
        })

    /// JSON of files and of the wire, nested up to 100,000 deep: refused or read, and never the end of the process.
    static let nestedJSON = Fuzzer(
        "json-nested",
        seeds: {
            [
                [0x00, 0x02, 0x00, 0], [0x01, 0x86, 0xA0, 0], [0x01, 0x86, 0xA0, 1], [0, 0, 31, 2] + Array("1".utf8),
                [0, 0, 1, 3] + Array(#""x","y":2"#.utf8),
            ]
        },
        run: { bytes in
            guard bytes.count >= 4 else { return }
            let depth = (Int(bytes[0]) << 16 | Int(bytes[1]) << 8 | Int(bytes[2])) % 100_001
            let rest = Array(bytes[4...])
            let (open, close) = bytes[3] & 1 == 0 ? ("[", "]") : (#"{"k":"#, "}")
            var text = Array(String(repeating: open, count: depth).utf8) + rest
            if bytes[3] & 2 != 0 { text += Array(String(repeating: close, count: depth).utf8) }
            let strict = try? JSONValue(readingText: text)
            struct Anything: Decodable { var k: String? }
            let loose = try? BoundedJSON.decode(Anything.self, from: text)
            precondition(depth <= 32 || strict == nil && loose == nil, "what is too deep was read")
        })

    /// A file of entitlements asks for what can be shown, or is refused with a reason.
    static let entitlements = Fuzzer(
        "entitlements",
        words: [
            "com.apple.developer.authentication-services.autofill-credential-provider", "get-task-allow",
            "com.apple.security.application-groups", "org.latchkey.security.sockets", "application-identifier",
            "com.apple.security.temporary-exception.files.home-relative-path.read-write", "~/", "$XDG_RUNTIME_DIR/",
        ],
        seeds: {
            let list: [String: Any] = [
                "com.apple.developer.authentication-services.autofill-credential-provider": true,
                "application-identifier": "E5336VM85F.com.example.Shiny",
                "com.apple.security.temporary-exception.files.home-relative-path.read-write": ["/Shiny/"],
            ]
            return [Array(try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0))]
        },
        run: { bytes in
            do throws(Entitlements.Refusal) {
                let grants = try Entitlements(propertyList: Array(bytes)).grants
                for folder in grants.folders {
                    let parts = folder.path.split(separator: "/", omittingEmptySubsequences: false)
                    precondition(!folder.path.hasPrefix("/") && !parts.contains(".."), "it leads out of the home")
                }
            } catch {
                precondition(!error.reason.isEmpty, "a refusal without a reason")
            }
            _ = try? AppEntitlement(propertyList: Array(bytes))
        })

    /// Nested arrays in the binary format. Each names the next one several times; the bytes choose the innermost value.
    private static func binary(depth: Int, width: Int, _ rest: [UInt8]) -> [UInt8] {
        func number(_ number: Int) -> [UInt8] { (0..<4).reversed().map { UInt8(number >> (8 * $0) & 0xFF) } }
        var list = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for index in 0..<max(depth, 1) {
            offsets += number(list.count)
            // The last one holds what stands in the bytes: itself, another one, or nobody.
            let next = index + 1 < depth ? index + 1 : rest.first.map { Int($0) } ?? 0
            list += [0xA0 | UInt8(width)]
            for _ in 0..<width { list += number(next) }
        }
        let table = list.count
        return list + offsets + [0, 0, 0, 0, 0, 0, 4, 4] + number(0) + number(max(depth, 1)) + number(0) + number(0)
            + number(0) + number(table)
    }
}

extension PropertyList {
    fileprivate var depth: Int {
        switch self {
        case .dictionary(let members): 1 + (members.values.map(\.depth).max() ?? 0)
        case .array(let values): 1 + (values.map(\.depth).max() ?? 0)
        default: 0
        }
    }

    /// As XML; `nil` for what XML cannot say: dates between seconds, and texts with control characters.
    fileprivate var xml: String? {
        switch self {
        case .dictionary(let members):
            var text = "<dict>"
            for (key, value) in members {
                guard let key = PropertyList.string(key).xml?.dropFirst(8).dropLast(9), let value = value.xml else {
                    return nil
                }
                text += "<key>\(key)</key>\(value)"
            }
            return text + "</dict>"
        case .array(let values):
            let texts = values.compactMap(\.xml)
            return texts.count == values.count ? "<array>\(texts.joined())</array>" : nil
        case .string(let text):
            guard text.utf8.allSatisfy({ $0 >= 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }) else { return nil }
            let safe = text.utf8.flatMap { byte in
                switch byte {
                case UInt8(ascii: "&"): Array("&amp;".utf8)
                case UInt8(ascii: "<"): Array("&lt;".utf8)
                default: [byte]
                }
            }
            return "<string>\(String(decoding: safe, as: UTF8.self))</string>"
        case .integer(let number): return "<integer>\(number)</integer>"
        case .real(let number): return "<real>\(number)</real>"
        case .boolean(let flag): return flag ? "<true/>" : "<false/>"
        case .data(let bytes): return "<data>\(Data(bytes).base64EncodedString())</data>"
        case .date: return nil
        }
    }
}
