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
        let item: NewItem
        /// Columns, by their places, in which the row has something that is not kept.
        let unkept: [Int]
        /// Whether the row has more than an account that is there already may have: notes, a key of codes, labels, something unkept.
        let holdsMore: Bool
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
    private enum Limit {
        static let services = 64
        static let service = 2048
        static let user = 1024
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
        do {
            var reader = CSVReader(bytes)
            guard let header = try reader.next() else {
                throw CommandFailure(.invalidInput, "The file is empty.")
            }
            columns = try Self.columns(header.fields.map(\.headerName), asked)
            var seen: [Key: [(line: Int, password: SecretBytes)]] = [:]
            while let row = try reader.next() {
                if row.isBlank { continue }
                take(row, &seen)
            }
        } catch let failure as CommandFailure {
            throw failure
        } catch let failure as CSVReader.Failure {
            throw CommandFailure(
                .invalidInput, "Line \(failure.line) is not CSV: \(failure.reason).",
                hint: "Nothing was imported. Export the file again.")
        } catch {
            throw CommandFailure(.malfunction, "The file cannot be read.")
        }
    }

    private struct Key: Hashable {
        let services: [String]
        let user: String
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

    private mutating func take(_ row: CSVReader.Row, _ seen: inout [Key: [(line: Int, password: SecretBytes)]]) {
        func skip(_ reason: String, isLoss: Bool = true) {
            skipped.append(Skip(line: row.line, reason: reason, isLoss: isLoss))
        }
        // Too few or too many means that a comma was lost or gained somewhere, perhaps in the middle of a password.
        guard row.fields.count == columns.columns.count else {
            return skip("\(row.fields.count) columns where the first line has \(columns.columns.count)")
        }
        func field(_ use: ImportFormat.Use) -> SecretBytes? {
            columns.place(use).map { row.fields[$0] }.flatMap { $0.count > 0 ? $0 : nil }
        }
        if let kind = columns.place(.kind).map({ row.fields[$0].text.lowercased() }),
            !ImportFormat.loginKinds.contains(kind)
        {
            return skip(kind.hasSuffix("note") ? "a note, no login" : "no login")
        }
        let address = (field(.address) ?? field(.addresses))?.text ?? ""
        // LastPass writes it for what is not a login.
        guard address != "http://sn" else { return skip("a note, no login") }
        guard let password = field(.password) else { return skip("no password") }
        if format == .lastpass, password.text.hasEntity {
            return skip(
                "the password holds an HTML entity, such as &amp;: LastPass may have changed it; add it by hand")
        }
        let found = columns.place(.addresses) != nil ? ImportAddress.services(address) : ImportAddress.only(address)
        let services: [String]
        var unkept: [Int] = []
        switch found {
        case .success(let found):
            services = found.services
            if !found.isWhole { unkept += [columns.place(.addresses)].compactMap(\.self) }
        case .failure(let refusal): return skip(refusal.reason)
        }
        let user = (field(.user) ?? field(.otherUser))?.text ?? ""
        if let reason = Self.excess(services, user, password, field(.notes)) { return skip(reason) }
        let authenticator = field(.authenticator).flatMap(ImportKey.link)
        var labels = ImportLabels()
        for column in columns.columns where row.fields[column.place].count > 0 {
            let text = row.fields[column.place]
            let isKept =
                switch column.use {
                case .address, .addresses, .user, .password, .notes, .kind: true
                case .otherUser: field(.user) == nil || text.text == user
                case .authenticator: authenticator != nil && column.place == columns.place(.authenticator)
                case .title: Self.isTold(text.text, by: services, user)
                case .folder: labels.takeFolder(text.text)
                case .tag: labels.take(tag: text.text)
                case .tags: labels.take(tags: text.text)
                case .favorite: labels.take(favorite: text.text)
                case .content, .bookkeeping, nil: ["0", "false"].contains(text.text.lowercased())
                }
            if !isKept { unkept.append(column.place) }
        }
        let isUnkept = unkept.contains { columns.columns[$0].use != .bookkeeping }
        let holdsMore = field(.notes) != nil || authenticator != nil || !labels.isEmpty || isUnkept
        let key = Key(services: services.sorted(), user: user)
        if let other = seen[key]?.first(where: { $0.password == password }) {
            return skip(
                holdsMore
                    ? "the same as line \(other.line), but for what stands beside it"
                    : "the same as line \(other.line)",
                isLoss: holdsMore)
        }
        seen[key, default: []].append((row.line, password))
        let item = NewItem(
            services: services, user: user, password: WireSecret(password), notes: field(.notes).map(WireSecret.init),
            authenticator: authenticator.map(WireSecret.init), favorite: labels.isFavorite ? true : nil,
            tags: labels.tags.isEmpty ? nil : labels.tags)
        candidates.append(Candidate(line: row.line, item: item, unkept: unkept, holdsMore: holdsMore))
    }

    /// Whether a title says nothing that services and user do not say.
    private static func isTold(_ title: String, by services: [String], _ user: String) -> Bool {
        func plain(_ text: some StringProtocol) -> String {
            String(text.lowercased().filter { $0.isLetter || $0.isNumber })
        }
        var rest = plain(title)
        let name = plain(user)
        if !name.isEmpty, let range = rest.firstRange(of: name) { rest.removeSubrange(range) }
        if rest.hasPrefix("www") { rest.removeFirst(3) }
        return services.contains { plain($0).contains(rest) }
    }

    private static func excess(
        _ services: [String],
        _ user: String,
        _ password: SecretBytes,
        _ notes: SecretBytes?
    ) -> String? {
        if services.count > Limit.services { return "more than \(Limit.services) web addresses" }
        if services.contains(where: { $0.utf8.count > Limit.service }) { return "the web address is too long" }
        if user.utf8.count > Limit.user { return "the user name is longer than \(Limit.user) bytes" }
        if password.count > Limit.password { return "the password is longer than \(Limit.password) bytes" }
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
