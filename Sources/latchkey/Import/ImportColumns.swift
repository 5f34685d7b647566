// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The columns of one file: where the parts of an item stand, and what nobody here has a place for.
struct ImportColumns: Equatable {
    /// A column by its place.
    struct Column: Equatable {
        let place: Int
        /// As it stands in the file.
        let name: String
        /// Nothing where the format does not know the column.
        let use: ImportFormat.Use?
    }

    let format: ImportFormat
    let columns: [Column]

    /// Whether every column is one of the format's, so that there is nothing to ask.
    var isCertain: Bool { format != .other && columns.allSatisfy { $0.use != nil } }

    /// The names that the format does not know.
    var unknown: [String] { columns.filter { $0.use == nil }.map(\.name) }

    /// Reads a header as one of a format's; nothing where a column is missing, or stands twice.
    ///
    /// - Parameter header: the names as they stand in the file; an empty one is not a name.
    init?(_ header: [String], of format: ImportFormat) {
        let uses = format.uses
        var seen: Set<String> = []
        self.format = format
        columns = header.enumerated().map { place, name in
            Column(place: place, name: name, use: uses[Self.plain(name)])
        }
        for name in header.map(Self.plain) where !name.isEmpty {
            // A name that stands twice leaves open which one is meant.
            guard seen.insert(name).inserted else { return nil }
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
