// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import PropertyLists

/// What strangers' property lists may hold, and how far they are followed.
@Suite struct PropertyListTests {
    private static func xml(_ value: String) -> [UInt8] {
        Array(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">\(value)</plist>

            """.utf8)
    }

    private static func reason(_ bytes: [UInt8], _ bounds: PropertyListBounds = .standard) -> String? {
        do throws(PropertyListRefusal) {
            _ = try PropertyList(bytes, within: bounds)
            return nil
        } catch {
            return error.reason
        }
    }

    /// A binary list of objects as they stand, with one byte for each offset and reference.
    private static func binary(_ objects: [[UInt8]], top: UInt8 = 0) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets.append(UInt8(bytes.count))
            bytes += object
        }
        let table = UInt8(bytes.count)
        let zeros = [UInt8](repeating: 0, count: 7)
        return bytes + offsets + [0, 0, 0, 0, 0, 0, 1, 1] + zeros + [UInt8(objects.count)] + zeros + [top] + zeros
            + [table]
    }

    /// Arrays inside one another in the binary format, as Foundation writes them: each names the next one.
    private static func nestedBinary(_ depth: Int) -> [UInt8] {
        func bytes(_ number: Int) -> [UInt8] { (0..<4).reversed().map { UInt8(number >> (8 * $0) & 0xFF) } }
        var list = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for index in 0..<depth {
            offsets += bytes(list.count)
            list += index == depth - 1 ? [0xA0] : [0xA1] + bytes(index + 1)
        }
        let table = list.count
        return list + offsets + [0, 0, 0, 0, 0, 0, 4, 4] + bytes(0) + bytes(depth) + bytes(0) + bytes(0) + bytes(0)
            + bytes(table)
    }

    // MARK: What is read

    @Test func readsWhatInformationListsHold() throws {
        let list = try PropertyList(
            Self.xml(
                """
                <dict><!-- a comment --><key>a</key><string>x &amp; &#x79; &lt;<![CDATA[<z>]]></string>
                <key>b</key><true/><key>c</key><false></false><key>d</key><integer> -12 </integer>
                <key>e</key><integer>0x1F</integer><key>f</key><real>1.5e3</real><key>g</key><data> AAEC\nAw== </data>
                <key>h</key><date>2001-01-02T00:00:01Z</date><key>i</key><array><dict/><array/><string/></array></dict>
                """))
        #expect(
            list
                == .dictionary([
                    "a": .string("x & y <<z>"), "b": .boolean(true), "c": .boolean(false), "d": .integer(-12),
                    "e": .integer(31), "f": .real(1500), "g": .data([0, 1, 2, 3]), "h": .date(86_401),
                    "i": .array([.dictionary([:]), .array([]), .string("")]),
                ]))
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml])
    func readsWhatFoundationWrites(_ format: PropertyListSerialization.PropertyListFormat) throws {
        let date = Date(timeIntervalSinceReferenceDate: 790_000_000)
        let long = String(repeating: "ä", count: 300)
        let written = try PropertyListSerialization.data(
            fromPropertyList: [
                "text": "plain", "more": long, "flag": true, "number": -5, "large": Int64.max, "real": 0.25,
                "bytes": Data(repeating: 7, count: 20), "date": date, "array": ["a", "b", ["c": 1]],
            ] as [String: Any], format: format, options: 0)
        #expect(
            try PropertyList(Array(written))
                == .dictionary([
                    "text": .string("plain"), "more": .string(long), "flag": .boolean(true), "number": .integer(-5),
                    "large": .integer(.max), "real": .real(0.25), "bytes": .data(Array(repeating: 7, count: 20)),
                    "date": .date(790_000_000),
                    "array": .array([.string("a"), .string("b"), .dictionary(["c": .integer(1)])]),
                ]))
    }

    @Test(arguments: [
        ("0001-01-01T00:00:00Z", -63_113_904_000.0), ("2000-02-29T12:00:00Z", -26_481_600), ("2001-01-01T00:00:00Z", 0),
        ("2026-11-22T21:30:00Z", 817_075_800),
    ])
    func countsDates(_ text: String, _ seconds: Double) throws {
        #expect(try PropertyList(Self.xml("<date>\(text)</date>")) == .date(seconds))
    }

    @Test func readsDepthUpToItsBound() throws {
        let deep = String(repeating: "<array>", count: 32) + String(repeating: "</array>", count: 32)
        #expect(throws: Never.self) { try PropertyList(Self.xml(deep)) }
        #expect(throws: Never.self) { try PropertyList(Self.nestedBinary(32)) }
    }

    // MARK: What is refused

    /// So that nothing but the depth stands against what is read.
    private static let wide = PropertyListBounds(size: 64 << 20, depth: 32, count: 1_000_000)

    @Test("S37 arrays nested beyond the bound are refused in XML", arguments: [33, 16_000, 100_000])
    func refusesNestedXML(_ depth: Int) {
        let deep = "it is nested more than 32 deep"
        let open = String(repeating: "<array>", count: depth)
        let list = Self.xml(open + String(repeating: "</array>", count: depth))
        #expect(Self.reason(list, Self.wide) == deep)
        #expect(Self.reason(Self.xml(open), Self.wide) == deep)
        let dictionaries = String(repeating: "<dict><key>k</key>", count: depth)
        #expect(Self.reason(Self.xml(dictionaries), Self.wide) == deep)
        #expect(Self.reason(list) != nil && Self.reason(Self.xml(dictionaries)) != nil)
    }

    @Test("S37 arrays nested beyond the bound are refused in the binary format", arguments: [33, 16_000, 100_000])
    func refusesNestedBinary(_ depth: Int) {
        #expect(Self.reason(Self.nestedBinary(depth), Self.wide) == "it is nested more than 32 deep")
        #expect(Self.reason(Self.nestedBinary(depth)) != nil)
    }

    @Test("S37 a container that holds itself is refused")
    func refusesCycles() {
        #expect(Self.reason(Self.binary([[0xA1, 0]])) == "it has a container that holds itself")
        #expect(Self.reason(Self.binary([[0xA1, 1], [0xA1, 0]])) == "it has a container that holds itself")
        // Its own value under a key.
        #expect(Self.reason(Self.binary([[0xD1, 1, 0], [0x51, 0x6B]])) == "it has a container that holds itself")
    }

    @Test("S37 objects that are named again and again are counted each time")
    func refusesLaughter() {
        // Each of thirty arrays names the next one twice: 2^30 values in 100 bytes.
        let arrays = (0..<30).map { [UInt8(0xA2), UInt8($0 + 1), UInt8($0 + 1)] }
        #expect(Self.reason(Self.binary(arrays + [[0xA0]]))?.contains("more than 10000 values") == true)
        // A text of 250 bytes, ten thousand times.
        let text: [UInt8] = [0x5F, 0x10, 120] + Array(repeating: 0x61, count: 120)
        let names = [UInt8(0xAF), 0x10, 100] + Array(repeating: UInt8(1), count: 100)
        var list = PropertyListBounds.standard
        list.size = 5_000
        #expect(throws: PropertyListRefusal.self) { try PropertyList(Self.binary([names, text]), within: list) }
    }

    @Test("S37 what is larger than the bounds is refused")
    func refusesSize() {
        let large = Self.xml("<string>" + String(repeating: "a", count: 1 << 20) + "</string>")
        #expect(Self.reason(large)?.contains("larger") == true)
        let many = Self.xml("<array>" + String(repeating: "<true/>", count: 10_000) + "</array>")
        #expect(Self.reason(many)?.contains("more than 10000 values") == true)
        #expect(throws: Never.self) {
            try PropertyList(Self.xml("<array>" + String(repeating: "<true/>", count: 9_999) + "</array>"))
        }
    }

    @Test(arguments: [
        "", "<dict>", "</dict>", "<dict></array>", "<dict><string>a</string></dict>", "<dict><key>a</key></dict>",
        "<dict><key>a</key><key>b</key></dict>", "<array><key>a</key></array>", "<key>a</key>", "<true/><true/>",
        "<dict><key>a</key><true/><key>a</key><true/></dict>", "<string>&other;</string>", "<string>&#0;</string>",
        "<string>&#xD800;</string>", "<string>&#x110000;</string>", "<string>&amp</string>", "<string>\u{1}</string>",
        "<string>a", "<string>a<b></string>", "<string x=\"1\">a</string>", "<set/>", "<integer>1.5</integer>",
        "<integer>9223372036854775808</integer>", "<integer>0x-1</integer>", "<integer></integer>", "<real>nan</real>",
        "<real>1e999</real>", "<real>0x1p3</real>", "<data>A</data>", "<data>A===</data>", "<data>AA==AA==</data>",
        "<data>*</data>", "<date>2026-02-29T00:00:00Z</date>", "<date>2026-01-01</date>",
        "<date>0000-01-01T00:00:00Z</date>",
        "<true>x</true>", "<!-- no end", "<string><![CDATA[no end</string>", "<verylongname/>", "<></>", "<",
    ])
    func refusesXML(_ value: String) {
        #expect(Self.reason(Self.xml(value)) != nil)
    }

    @Test(arguments: [
        "", "<", "plain", "{ a = b; }", "<dict/>", "<plist/>", "<plist></plist>", "<plist><true/></plist>x",
        "<plist><true/>", "<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><string>&a;</string></plist>",
        "<?xml version=\"1.0\" encoding=\"UTF-16\"?><plist><true/></plist>", "<!DOCTYPE plist",
    ])
    func refusesWhatIsNoList(_ text: String) {
        #expect(Self.reason(Array(text.utf8)) != nil)
    }

    @Test func refusesDamagedBinaryLists() throws {
        let whole = Array(
            try PropertyListSerialization.data(
                fromPropertyList: ["a": ["b", 1, true] as [Any]], format: .binary, options: 0))
        #expect(Self.reason(whole) == nil)
        for length in 0..<whole.count { #expect(Self.reason(Array(whole[..<length])) != nil) }
        // Null, fill, UID, set, an unknown one, an integer of 32 bytes, references and offsets beyond the end.
        let broken: [[[UInt8]]] = [
            [[0x00]], [[0x0F]], [[0x80, 1]], [[0xC1, 1], [0x09]], [[0x70]], [[0x15]], [[0xA1, 9]], [[0x5F]],
            [[0x5F, 0x09]],
            [[0x5F, 0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]], [[0x51, 0xFF]], [[0x61, 0xD8, 0x00]],
            [[0xD1, 1, 1], [0x10, 1]], [[0x22, 0x7F, 0xC0, 0, 0]], [[0xD2, 1, 1, 2, 2], [0x51, 0x61], [0x09]],
        ]
        for objects in broken { #expect(Self.reason(Self.binary(objects)) != nil, "\(objects)") }
        #expect(Self.reason(Self.binary([[0x09]], top: 1)) != nil)
    }

    @Test func typesOfMembersAreDemanded() throws {
        let members = try PropertyListMembers(
            reading: Self.xml(
                "<dict><key>t</key><string>x</string><key>f</key><integer>1</integer>"
                    + "<key>l</key><array><string>a</string><true/></array></dict>"))
        #expect(try members.string("t") == "x")
        #expect(try members.string("none") == nil)
        #expect(throws: PropertyListRefusal.self) { try members.boolean("f") }
        #expect(throws: PropertyListRefusal.self) { try members.strings("l") }
        #expect(throws: PropertyListRefusal.self) { try members.dictionary("t") }
        #expect(throws: PropertyListRefusal.self) { try PropertyListMembers(reading: Self.xml("<array/>")) }
    }
}
