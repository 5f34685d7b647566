// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import TerminalRendering

/// Gives accounts that are saved already what the file has and they have not.
extension ImportRun {
    /// Works through the accounts that are saved already, those with another password by the user's choice. Rows that become accounts of their
    /// own are among the fresh ones afterwards.
    mutating func settle(
        _ sorted: inout Sorted, _ choose: (Int) throws -> PasswordChoice, _ interruption: Interruption
    ) async throws {
        let count = sorted.known.values.count { $0.rows.contains { !$0.isSame } }
        let choice = count > 0 ? try choose(count) : .both
        for (id, account) in sorted.known.sorted(by: {
            $0.value.rows[0].candidate.line < $1.value.rows[0].candidate.line
        }) {
            var item = account.item
            // The file's last password is used, unless the file has the saved one as well: then nobody knows which is newer.
            let isSaved = sorted.whole.contains(id) || account.rows.contains { $0.isSame }
            let last = isSaved ? nil : account.rows.last { KnownItems.covers($0.candidate.item, item) }?.candidate.line
            for (candidate, isSame) in account.rows {
                if interruption.hasCome { throw CommandFailure(.canceled, "You pressed Ctrl-C.") }
                let isOwn = !isSame && (choice == .both || choice == .file && !KnownItems.covers(candidate.item, item))
                if !isOwn, try await settle(candidate, &item, isSame ? nil : choice, uses: candidate.line == last) {
                    continue
                }
                if isOwn { report.others.insert(candidate.line) }
                sorted.fresh.append(candidate)
            }
        }
    }

    /// Gives a saved account what a row has: the password, or an entry in its history, and what stands beside it.
    ///
    /// - Parameters:
    ///   - item: As it is now; afterwards as it is then.
    ///   - choice: `nil` where it has the row's password.
    ///   - uses: Whether the row's password is the one to be used, if `choice` says the file's.
    /// - Returns: `false` where the account is gone.
    private mutating func settle(
        _ candidate: ImportPlan.Candidate, _ item: inout Item, _ choice: PasswordChoice?, uses: Bool
    ) async throws -> Bool {
        let new = candidate.item
        var missing: [String] = []
        do {
            var changes = ItemChanges(id: item.id)
            if choice == .file, uses { changes.password = new.password }
            if choice != nil, changes.password == nil { changes.pastPassword = new.password }
            if new.favorite == true, item.favorite != true { changes.favorite = true }
            var lines = new.notes.map { [$0.bytes] } ?? []
            if let title = new.title, title != item.title, !item.services.contains(title) {
                if item.title == nil {
                    changes.title = title
                } else {
                    lines.append(SecretBytes(utf8: "title: \(title)"))
                }
            }
            var labels = ImportLabels()
            let left = ((item.tags ?? []) + (new.tags ?? [])).filter { !labels.take(tag: $0) }
            if labels.tags != item.tags ?? [] { changes.tags = labels.tags }
            if !left.isEmpty { lines.append(SecretBytes(utf8: "tags: \(left.joined(separator: ", "))")) }
            if let link = new.authenticator {
                if item.authenticator != true {
                    changes.authenticator = link
                } else {
                    let guess = Items.Compare.Guess(id: item.id, authenticator: link)
                    if try await KnownItems.compare([guess], daemon, passphrase) != [true] {
                        missing.append("key of codes")
                    }
                }
            }
            if !lines.isEmpty {
                let notes = try await daemon.authenticated(Items.Get.self, .init(id: item.id, notes: true), passphrase)
                    .item.notes?.bytes
                let kept = [notes].compactMap { $0 }
                let added = lines.filter { line in !kept.contains { $0.holdsLines(of: line) } }
                let joined = ImportNotes.joined(kept + added)
                if joined.count > ImportPlan.Limit.notes {
                    missing.append("notes")
                } else if !added.isEmpty {
                    changes.notes = WireSecret(joined)
                }
            }
            let isChanged = changes != ItemChanges(id: item.id)
            if isChanged { item = try await daemon.call(Items.Edit.self, changes).item }
            if choice == nil, isChanged { report.completed += 1 }
            if let choice {
                report.settle(candidate, choice, isUsed: changes.password != nil)
            } else if missing.isEmpty {
                let words = isChanged ? "saved already; what it lacked was added" : "saved already"
                report.skip(candidate, words, isLoss: false, isPresent: true)
            }
        } catch let error as WireError where error.code == .notFound {
            return false
        } catch let error as WireError where error.code == .invalidItem || error.code == .invalidParams {
            report.skip(candidate, error.message, isLoss: true)
            return true
        } catch let error as WireError where !Self.isRefusal(error) {
            report.uncertain = [candidate.line]
            throw error
        }
        if !missing.isEmpty {
            let words = "saved already; the account keeps its own \(missing.joined(separator: " and "))"
            report.skip(candidate, words, isLoss: true, isPresent: true)
        }
        return true
    }
}
