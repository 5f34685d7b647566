// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets

/// What a CSV file holds: items to add, and lines that are left out, each with its reason.
///
/// The whole file is read before anything is sent, so a file that turns out to be damaged changes nothing.
struct ImportPlan {
    /// One row that can become an item.
    struct Candidate {
        let line: Int
        let item: NewItem
        /// What the row has besides that is not kept, in words.
        let unkept: [String]
    }

    /// A row that is left out.
    struct Skip: Equatable {
        let line: Int
        let reason: String
    }

    let format: ImportFormat
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
        guard bytes.isText else {
            throw CommandFailure(.invalidInput, "The file is no UTF-8 text.", hint: "Export it again, as CSV.")
        }
        do {
            var reader = CSVReader(bytes)
            guard let header = try reader.next() else {
                throw CommandFailure(.invalidInput, "The file is empty.")
            }
            let names = header.fields.map(\.headerName)
            format = try Self.format(names, asked)
            guard let columns = format.columns(names) else {
                throw CommandFailure(.invalidInput, "The columns of the file are not clear.")
            }
            var seen: [Key: [(line: Int, password: SecretBytes)]] = [:]
            while let row = try reader.next() {
                if row.isBlank { continue }
                take(row, columns, &seen)
            }
        } catch let failure as CommandFailure {
            throw failure
        } catch let failure as CSVReader.Failure {
            throw CommandFailure(
                .invalidInput, "Line \(failure.line) is no CSV: \(failure.reason).",
                hint: "Nothing was imported. Export the file again.")
        } catch {
            throw CommandFailure(.malfunction, "The file cannot be read.")
        }
    }

    private struct Key: Hashable {
        let services: [String]
        let user: String
    }

    private static func format(_ header: [String], _ asked: ImportFormat?) throws(CommandFailure) -> ImportFormat {
        if let asked {
            guard asked.columns(header) != nil else {
                throw CommandFailure(
                    .invalidInput, "This is no CSV of \(asked.rawValue).",
                    hint: "Its first line begins \(asked.expectedHeader)")
            }
            return asked
        }
        guard let found = ImportFormat.detect(header) else {
            throw CommandFailure(
                .invalidInput, "The first line is of no format that is known.",
                hint: "The CSV of Chrome, Firefox, Safari and Bitwarden can be read; see docs/command-line.md.")
        }
        return found
    }

    private mutating func take(
        _ row: CSVReader.Row,
        _ columns: ImportFormat.Columns,
        _ seen: inout [Key: [(line: Int, password: SecretBytes)]]
    ) {
        func skip(_ reason: String) { skipped.append(Skip(line: row.line, reason: reason)) }
        // Too few or too many means that a comma was lost or gained somewhere, perhaps in the middle of a password.
        guard row.fields.count == columns.count else {
            return skip("\(row.fields.count) columns where the first line has \(columns.count)")
        }
        if let type = columns.type {
            let name = row.fields[type].text
            guard name == "login" else { return skip(name == "note" ? "a note, no login" : "no login") }
        }
        let password = row.fields[columns.password]
        guard password.count > 0 else { return skip("no password") }
        let address = row.fields[columns.address].text
        let found =
            format == .bitwarden ? ImportAddress.services(address) : ImportAddress.service(address).map { [$0] }
        let services: [String]
        switch found {
        case .success(let found): services = found
        case .failure(let refusal): return skip(refusal.reason)
        }
        let notes = columns.notes.map { row.fields[$0] }.flatMap { $0.count > 0 ? $0 : nil }
        let user = row.fields[columns.user].text
        if let reason = Self.excess(services, user, password, notes) { return skip(reason) }
        let key = Key(services: services.sorted(), user: user)
        if let other = seen[key]?.first(where: { $0.password == password }) {
            return skip("the same as line \(other.line)")
        }
        seen[key, default: []].append((row.line, password))
        let item = NewItem(
            services: services, user: user, password: WireSecret(password), notes: notes.map { WireSecret($0) })
        let unkept = columns.unkept.filter { row.fields[$0.value].count > 0 }.map(\.key).sorted()
        candidates.append(Candidate(line: row.line, item: item, unkept: unkept))
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
    /// A field that is no secret, as text. The plan has checked that the file is UTF-8.
    fileprivate var text: String {
        withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    fileprivate var headerName: String {
        // A header is short; anything longer is no header, and might be a row with a password in it.
        count <= 64 ? text.filter { !$0.isWhitespace }.lowercased() : ""
    }
}
