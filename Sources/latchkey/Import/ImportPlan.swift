// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import TerminalRendering

/// What a CSV file holds: items to add, and lines that are left out, each with its reason.
///
/// The whole file is read before anything is sent, so a file that turns out to be damaged changes nothing.
struct ImportPlan {
    /// One row that can become an item.
    struct Candidate {
        let line: Int
        var item: NewItem
        /// Whether an earlier row has the same account with another password.
        var isSecond = false
        /// Columns, by their places, with times, identifiers and icons, which are not kept.
        let unkept: [Int]
    }

    /// A row that is left out.
    struct Skip: Equatable {
        let line: Int
        let reason: String
        /// Whether the row has something that is nowhere else.
        var isLoss = true
        /// Whether its account is saved already.
        var isPresent = false
    }

    let columns: ImportColumns
    var format: ImportFormat { columns.format }
    private(set) var candidates: [Candidate] = []
    private(set) var skipped: [Skip] = []

    /// The longest of everything, in bytes; section 6 of `docs/protocol.md`.
    enum Limit {
        static let services = 64
        static let service = 2048
        static let user = 1024
        static let title = 1024
        static let password = 4096
        static let notes = 65_536
    }

    /// Reads a file's bytes; throws when they are no CSV, or of no format known (or not of the one asked for).
    init(_ bytes: SecretBytes, format asked: ImportFormat? = nil) throws(CommandFailure) {
        if let kind = ImportFile.kind(bytes) {
            throw CommandFailure(.invalidInput, "The file is \(kind.name), which cannot be imported.", hint: kind.hint)
        }
        let bytes = ImportFile.utf8(bytes)
        guard bytes.isText else {
            throw CommandFailure(
                .invalidInput, "The file is not UTF-8 text, which is what Latchkey reads.",
                hint: "Open it in a text editor or spreadsheet, and save it there as UTF-8.")
        }
        let rows: [CSVReader.Row]
        do {
            (columns, rows) = try Self.read(bytes, asked)
        } catch let failure as CommandFailure {
            throw failure
        } catch let failure as CSVReader.Failure {
            throw CommandFailure(
                .invalidInput, "Line \(failure.line) is not CSV: \(failure.reason).",
                hint: "Nothing was imported. In that line or before it, a quotation mark inside a field is not doubled."
            )
        } catch {
            throw CommandFailure(.malfunction, "The file cannot be read.")
        }
        var seen: [Key: [Int]] = [:]
        for row in rows { take(row, &seen) }
    }

    /// The columns and rows of a file. A quotation mark inside a field is doubled, or stands behind a backslash: always in KeePass's file, and
    /// in another one that cannot be read otherwise.
    private static func read(_ bytes: SecretBytes, _ asked: ImportFormat?) throws -> (ImportColumns, [CSVReader.Row]) {
        func parse(_ quotes: CSVReader.Quotes) throws -> (ImportColumns, [CSVReader.Row]) {
            var reader = CSVReader(bytes, quotes: quotes)
            guard let header = try reader.next() else { throw CommandFailure(.invalidInput, "The file is empty.") }
            let columns = try Self.columns(header.fields.map(\.headerName), asked)
            var rows: [CSVReader.Row] = []
            while let row = try reader.next() { if !row.isBlank { rows.append(row) } }
            return (columns, rows)
        }
        func isEven(_ read: (columns: ImportColumns, rows: [CSVReader.Row])) -> Bool {
            read.rows.allSatisfy { read.columns.fits($0.fields) }
        }
        let mark = Array(#"\""#.utf8)
        let read = Result { try parse(.doubled) }
        let isKeePass = (try? read.get().0.format) == .keepass || (try? parse(.escaped).0.format) == .keepass
        if !isKeePass {
            if case .success(let read) = read, isEven(read) { return read }
            guard bytes.withUnsafeBytes({ $0.firstRange(of: mark) != nil }) else { return try read.get() }
        }
        if let other = try? parse(.escaped), isEven(other) { return other }
        return try read.get()
    }

    private struct Key: Hashable {
        let services: [String]
        let user: String
        /// Of what has no services.
        let title: String
    }

    private static func columns(_ header: [String], _ asked: ImportFormat?) throws(CommandFailure) -> ImportColumns {
        if let asked {
            guard let columns = ImportColumns(header, of: asked) else {
                throw CommandFailure(
                    .invalidInput, "This is not a CSV file of \(asked.name).",
                    hint: "Its first line begins \(asked.expectedHeader)")
            }
            return columns
        }
        guard let found = ImportColumns.read(header) else {
            throw CommandFailure(
                .invalidInput, "The first line is of no format that is known.",
                hint: "The CSV of \(ImportFormat.known) can be read; see docs/command-line.md.")
        }
        return found
    }

    private mutating func take(_ read: CSVReader.Row, _ seen: inout [Key: [Int]]) {
        let row = columns.fits(read.fields) ? columns.adapted(read) : read
        func skip(_ reason: String, isLoss: Bool = true) {
            skipped.append(Skip(line: row.line, reason: reason, isLoss: isLoss))
        }
        // Too few or too many means that a comma was lost or gained somewhere, perhaps in the middle of a password.
        guard columns.fits(row.fields) else {
            return skip("\(row.fields.count) columns where the first line has \(columns.columns.count)")
        }
        func field(_ use: ImportFormat.Use) -> SecretBytes? {
            columns.place(use).map { row.fields[$0] }.flatMap { $0.count > 0 ? $0 : nil }
        }
        let others = columns.columns.filter { $0.use == .otherUser }.map { row.fields[$0.place] }.filter {
            $0.count > 0
        }
        let kind = field(.kind)?.text.lowercased()
        // LastPass writes this address for what is not a login.
        let address = (field(.address) ?? field(.addresses))?.text ?? ""
        let isMarked = address == "http://sn" && [.lastpass, .other].contains(format)
        let isLogin = kind.map(ImportFormat.loginKinds.contains) ?? !isMarked
        guard !address.hasPrefix("chrome://FirefoxAccounts") else {
            return skip("Firefox's own keys for its account", isLoss: false)
        }
        let password = field(.password)
        if format == .lastpass, password?.text.hasEntity == true {
            return skip(
                "the password holds an HTML entity, such as &amp;: LastPass may have changed it; add it by hand")
        }
        var found = ImportAddress.Found(services: [], isWhole: address.isEmpty || isMarked)
        let read = columns.place(.addresses) != nil ? ImportAddress.services(address) : ImportAddress.only(address)
        // A row without a password or an address becomes an item without a website.
        if isLogin, password != nil, case .success(let services) = read { found = services }
        var isMoreWhole = false
        let more = field(.moreAddresses).map { Self.listed($0.text) }
        if !found.services.isEmpty, case .success(let others)? = more.map(ImportAddress.services) {
            found.services += others.services.filter { !found.services.contains($0) }
            isMoreWhole = others.isWhole
        }
        let services = found.services
        let user = (field(.user) ?? others.first)?.text ?? ""
        let keys = columns.columns.filter { $0.use == .authenticator }
        let key = keys.lazy.compactMap { column in
            ImportKey.link(row.fields[column.place]).map { (place: column.place, link: $0) }
        }.first
        var (labels, notes, title, unkept) = (ImportLabels(), ImportNotes(field(.notes)), "", [Int]())
        // An export writes a service that is not an address, such as "Front Door", as both address and title.
        if !found.isWhole, services.isEmpty, address == field(.title)?.text { found.isWhole = true }
        for column in columns.columns where row.fields[column.place].count > 0 {
            let text = row.fields[column.place]
            let isKept =
                switch column.use {
                case .user, .password, .notes: true
                case .address, .addresses: found.isWhole
                case .moreAddresses: isMoreWhole
                case .kind: isLogin || text.text.lowercased().hasSuffix("note")
                case .otherUser: text.text == user
                case .authenticator: column.place == key?.place
                case .title: Self.isTold(text.text, by: services, user) || Self.take(text.text, &title)
                case .folder: labels.takeFolder(text.text)
                // RoboForm writes a folder with or without a slash before it.
                case .tag: labels.take(tag: String(text.text.drop { $0 == "/" }))
                case .tags: labels.take(tags: text.text)
                case .favorite: labels.take(favorite: text.text)
                case .fields: notes.add(fields: text.text, &labels)
                case .flag, .bookkeeping: ["0", "false"].contains(text.text.lowercased())
                case .content, nil: false
                }
            guard !isKept else { continue }
            if column.use == .bookkeeping { unkept.append(column.place) } else { notes.add(column.name, text) }
        }
        for more in row.fields.dropFirst(columns.columns.count) where more.count > 0 {
            notes.add(columns.columns.last?.name ?? "", more)
        }
        if services.isEmpty, title.isEmpty {
            let isCut = !Self.take(user.isEmpty ? Self.name(of: address) : user, &title)
            if isCut || title.isEmpty { title = "Line \(row.line)" }
        }
        if let reason = Self.excess(services, user, password, notes.bytes) { return skip(reason) }
        let item = NewItem(
            services: services, user: user, password: WireSecret(password ?? SecretBytes(count: 0)),
            notes: notes.bytes.map(WireSecret.init), authenticator: (key?.link).map(WireSecret.init),
            favorite: labels.isFavorite ? true : nil, tags: labels.tags.isEmpty ? nil : labels.tags,
            title: title.isEmpty ? nil : title)
        let account = Key(services: services.sorted(), user: user, title: services.isEmpty ? title : "")
        let earlier = seen[account] ?? []
        for place in earlier where candidates[place].item.take(from: item) {
            return skip("the same as line \(candidates[place].line)", isLoss: false)
        }
        let isSecond =
            !services.isEmpty && earlier.contains { candidates[$0].item.password.bytes != item.password.bytes }
        seen[account, default: []].append(candidates.count)
        candidates.append(Candidate(line: row.line, item: item, isSecond: isSecond, unkept: unkept))
    }

    /// Whether a title says nothing that services and user do not say.
    private static func isTold(_ title: String, by services: [String], _ user: String) -> Bool {
        func plain(_ text: some StringProtocol) -> String {
            String(text.lowercased().filter { $0.isLetter || $0.isNumber })
        }
        var rest = plain(title)
        guard !rest.isEmpty else { return false }
        let name = plain(user)
        if !name.isEmpty, let range = rest.firstRange(of: name) { rest.removeSubrange(range) }
        if rest.hasPrefix("www") { rest.removeFirst(3) }
        return rest.isEmpty && !services.isEmpty
            || services.contains { service in
                let place = service.firstRange(of: "://").map { service[$0.upperBound...] } ?? service[...]
                let host = place.hasPrefix("[") ? place : place.prefix { $0 != ":" }
                return [plain(service), plain(place), plain(host)].contains(rest)
            }
    }

    /// The host or the app of an address. Titles are not secret, so a password or a token in the address must not become part of one.
    private static func name(of address: String) -> String {
        let rest = address.firstRange(of: "://").map { address[$0.upperBound...] } ?? address[...]
        let authority = rest.prefix { !"/?#\\".contains($0) }
        return String(authority[(authority.lastIndex(of: "@").map(authority.index(after:)) ?? authority.startIndex)...])
    }

    /// A list of addresses without the brackets and quotation marks of JSON.
    private static func listed(_ text: String) -> String {
        text.hasPrefix("[") ? text.filter { !"[]\"".contains($0) } : text
    }

    /// Takes a title; answers whether all of it is kept.
    private static func take(_ text: String, _ title: inout String) -> Bool {
        let words = text.split { $0.isWhitespace || $0.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F } }
        let whole = words.joined(separator: " ")
        title = whole
        while title.utf8.count > Limit.title { title.removeLast() }
        return title == whole
    }

    private static func excess(
        _ services: [String],
        _ user: String,
        _ password: SecretBytes?,
        _ notes: SecretBytes?
    ) -> String? {
        if services.count > Limit.services { return "more than \(Limit.services) web addresses" }
        if services.contains(where: { $0.utf8.count > Limit.service }) { return "the web address is too long" }
        if user.utf8.count > Limit.user { return "the user name is longer than \(Limit.user) bytes" }
        if let password, password.count > Limit.password {
            return "the password is longer than \(Limit.password) bytes"
        }
        if let notes, notes.count > Limit.notes { return "the notes are longer than \(Limit.notes) bytes" }
        return nil
    }
}

extension SecretBytes {
    /// A field that is not secret, as text. The plan has checked that the file is UTF-8.
    fileprivate var text: String {
        withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    fileprivate var headerName: String {
        // A header is short; anything longer is not a header, and might be a row with a password in it.
        count <= 64 ? text : ""
    }
}

extension String {
    /// Whether the text holds one of the characters that LastPass wrote as HTML does.
    fileprivate var hasEntity: Bool {
        ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;", "&#039;", "&apos;"].contains { contains($0) }
    }
}
