// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets

/// The columns of one file: where the parts of an item stand, and what nobody here has a place for.
struct ImportColumns: Equatable {
    /// A column by its place.
    struct Column: Equatable {
        let place: Int
        /// As it stands in the file.
        let name: String
        /// Nothing where the format does not know the column.
        let use: ImportFormat.Use?
        /// The place of an earlier column of the same name in other letters; it says what this one holds.
        var twin: Int?
    }

    let format: ImportFormat
    let columns: [Column]

    /// Whether every column is one of the format's, so that there is nothing to ask.
    var isCertain: Bool { format != .other && columns.allSatisfy { $0.use != nil || $0.twin != nil } }

    /// The names that the format does not know.
    var unknown: [String] { columns.filter { $0.use == nil && $0.twin == nil }.map(\.name) }

    /// Reads a header as one of a format's; nothing where a column is missing, or stands twice.
    ///
    /// - Parameter header: the names as they stand in the file; an empty one is not a name.
    init?(_ header: [String], of format: ImportFormat) {
        let uses = format.uses
        let names = header.map(Self.plain)
        let seen = Set(names)
        self.format = format
        // A name that stands twice leaves open which one is meant.
        guard Set(header.filter { !$0.isEmpty }).count == header.count(where: { !$0.isEmpty }) else { return nil }
        columns = header.enumerated().map { place, name in
            let twin = names[place].isEmpty ? nil : names[..<place].firstIndex(of: names[place])
            return Column(place: place, name: name, use: twin == nil ? uses[names[place]] : nil, twin: twin)
        }
        guard format.tellingNames.allSatisfy(seen.contains) else { return nil }
        guard count(of: [.password]) == 1, count(of: [.address, .addresses]) == 1, count(of: [.user, .otherUser]) > 0,
            [.user, .notes, .kind, .title, .favorite].allSatisfy({ count(of: [$0]) <= 1 })
        else { return nil }
    }

    /// The columns by a header: of the format whose columns they all are; else of one that has most of them, or of none.
    static func read(_ header: [String]) -> ImportColumns? {
        let possible = ImportFormat.allCases.compactMap { ImportColumns(header, of: $0) }
        if let certain = possible.first(where: \.isCertain) { return certain }
        // Fewer unknown columns are better, and among equals a program is better than none.
        return possible.enumerated().min {
            ($0.element.unknown.count, $0.offset) < ($1.element.unknown.count, $1.offset)
        }?.element
    }

    /// Whether a row has as many fields as there are columns. RoboForm's rows have one more for each field of a form, with its label, type and
    /// value joined by commas.
    func fits(_ fields: [SecretBytes]) -> Bool {
        guard format == .roboform, fields.count > columns.count else { return fields.count == columns.count }
        return fields[(columns.count - 1)...].allSatisfy { field in
            field.count == 0 || field.withUnsafeBytes { $0.count { $0 == UInt8(ascii: ",") } >= 4 }
        }
    }

    /// A row as the format means it: without what RoboForm puts before a field for a spreadsheet, and an empty field has what stands in the
    /// column of the same name.
    func adapted(_ row: CSVReader.Row) -> CSVReader.Row {
        var fields = row.fields
        if format == .roboform {
            fields = fields.map { field in
                let isMarked = ["'@", "''"].contains { mark in
                    field.withUnsafeBytes { $0.starts(with: Array(mark.utf8)) }
                }
                return isMarked
                    ? field.withUnsafeBytes { SecretBytes(copying: .init(rebasing: $0.dropFirst())) } : field
            }
        }
        for column in columns {
            guard let twin = column.twin else { continue }
            if fields[twin].count == 0 { fields.swapAt(twin, column.place) }
            if fields[twin] == fields[column.place] { fields[column.place] = SecretBytes(count: 0) }
        }
        return CSVReader.Row(line: row.line, fields: fields)
    }

    /// Where a use has its column.
    func place(_ use: ImportFormat.Use) -> Int? {
        columns.first { $0.use == use }?.place
    }

    private func count(of uses: [ImportFormat.Use]) -> Int {
        columns.count { column in column.use.map { uses.contains($0) } == true }
    }

    /// A name as formats have it: in lower case, without white space.
    private static func plain(_ name: String) -> String {
        name.filter { !$0.isWhitespace }.lowercased()
    }
}
