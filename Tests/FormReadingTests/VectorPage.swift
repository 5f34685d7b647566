// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import FormAnalysis
import FormReading
import Glibc
import Testing

/// A page of `Tests/Vectors/forms`: `data-role` on a control says which role it should have, `any` that it does not
/// matter, its absence that it should have none; `data-kind` on the root says what the page is for.
struct VectorPage: CustomStringConvertible, Sendable {
    let name: String
    let bytes: [UInt8]

    var description: String { name }

    /// Every page of the folder, in the order of their names.
    static let all: [VectorPage] = {
        let folder = #filePath.split(separator: "/").dropLast(2).map { "/" + $0 }.joined() + "/Vectors/forms"
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(".html") { names.append(name) }
        }
        return names.sorted().map { VectorPage(name: $0, bytes: read(folder + "/" + $0)) }
    }()

    static func read(_ path: String) -> [UInt8] {
        guard let file = fopen(path, "r") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        return bytes
    }

    /// What `data-role` says of each control, in document order.
    var expected: [String?] {
        tags(["input", "select", "textarea"]).map { Self.attribute("data-role", of: $0) }
    }

    /// What `data-kind` says of the page.
    var kind: String? { tags(["html"]).first.flatMap { Self.attribute("data-kind", of: $0) } }

    /// The start tags of some names; the pages are ours and hold no `>` inside attributes.
    private func tags(_ names: [String]) -> [Substring] {
        String(decoding: bytes, as: UTF8.self).split(separator: "<").compactMap { piece in
            let tag = piece.prefix { $0 != ">" }
            let name = tag.prefix { $0.isLetter || $0.isNumber }
            return names.contains(String(name)) ? tag : nil
        }
    }

    private static func attribute(_ name: String, of tag: Substring) -> String? {
        guard let start = tag.firstRange(of: name + "=\"")?.upperBound else { return nil }
        return String(tag[start...].prefix { $0 != "\"" })
    }
}
