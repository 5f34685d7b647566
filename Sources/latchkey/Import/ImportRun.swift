// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import TerminalRendering

/// Adds the candidates of a plan, a batch at a time, and keeps the account of it.
struct ImportRun {
    /// How many items go in one request, as many as the protocol allows.
    static let batchCount = 200
    /// How many bytes of JSON go in one request, well below the 1 MiB of a message.
    static let batchBytes = 700 << 10

    let daemon: DaemonConnection
    let passphrase: PassphraseOptions
    var report: ImportReport

    init(_ plan: ImportPlan, _ daemon: DaemonConnection, _ passphrase: PassphraseOptions) {
        self.daemon = daemon
        self.passphrase = passphrase
        report = ImportReport(plan)
    }

    /// Adds everything that is not there yet. Whatever ends it early is in the report, which is complete in any case. Ctrl-C ends it after
    /// the batch that is under way.
    ///
    /// - Parameter choose: Answers once which password those accounts are to have that are saved with another one; takes their number.
    mutating func add(
        _ candidates: [ImportPlan.Candidate], choose: (Int) throws -> PasswordChoice, progress: (Int, Int) -> Void
    ) async {
        let interruption = Interruption()
        interruption.begin()
        defer { interruption.end() }
        do {
            var sorted = try await sort(candidates, interruption)
            try await settle(&sorted, choose, interruption)
            let fresh = sorted.fresh.sorted { $0.line < $1.line }
            report.others.formUnion(fresh.filter(\.isSecond).map(\.line))
            var remaining = fresh[...]
            while !remaining.isEmpty {
                if interruption.hasCome { throw CommandFailure(.canceled, "You pressed Ctrl-C.") }
                try await send(Self.nextBatch(&remaining))
                progress(candidates.count - remaining.count, candidates.count)
            }
        } catch {
            report.failure = await reason(of: error)
            let settled = Set(report.skipped.map(\.line) + report.uncertain + report.settled)
            report.notReached = candidates.count { !settled.contains($0.line) } - report.imported
        }
    }

    /// The rows by what is saved.
    struct Sorted {
        var fresh: [ImportPlan.Candidate] = []
        /// The rows of each account that is saved already, in the order of the file.
        var known: [String: (item: Item, rows: [(candidate: ImportPlan.Candidate, isSame: Bool)])] = [:]
        /// The accounts that a row has as they are saved.
        var whole: Set<String> = []
    }

    private mutating func sort(_ candidates: [ImportPlan.Candidate], _ interruption: Interruption) async throws
        -> Sorted
    {
        let known = try await KnownItems(daemon, passphrase)
        var sorted = Sorted()
        var remaining = candidates[...]
        while !remaining.isEmpty {
            if interruption.hasCome { throw CommandFailure(.canceled, "You pressed Ctrl-C.") }
            let batch = Self.nextBatch(&remaining)
            for (candidate, answer) in zip(batch, try await known.contains(batch.map(\.item))) {
                switch answer {
                case .whole: report.skip(candidate, "saved already", isLoss: false, isPresent: true)
                case .same(let item): sorted.known[item.id, default: (item, [])].rows.append((candidate, true))
                case .otherPassword(let item):
                    sorted.known[item.id, default: (item, [])].rows.append((candidate, false))
                case .new: sorted.fresh.append(candidate)
                }
                if case .whole(let item) = answer { sorted.whole.insert(item.id) }
            }
        }
        return sorted
    }

    private mutating func send(_ batch: [ImportPlan.Candidate]) async throws {
        guard !batch.isEmpty else { return }
        do {
            _ = try await daemon.call(Items.Add.self, .init(items: batch.map(\.item)))
            for candidate in batch { report.take(candidate) }
        } catch let error as WireError where error.code == .invalidItem || error.code == .invalidParams {
            // All or none: one that the daemon does not take must not keep the others out.
            guard batch.count > 1 else { return report.skip(batch[0], error.message, isLoss: true) }
            try await send(Array(batch[..<(batch.count / 2)]))
            try await send(Array(batch[(batch.count / 2)...]))
        } catch let error as WireError where !Self.isRefusal(error) {
            report.uncertain = batch.map(\.line)
            throw error
        }
    }

    /// Why an import broke off. A connection that ended is that of the daemon or of the provider, which a lock ends.
    private func reason(of error: any Error) async -> CommandFailure {
        guard let error = error as? WireError else {
            return (error as? CommandFailure) ?? CommandFailure(.malfunction, "Latchkey malfunctioned.")
        }
        guard error.code == .providerUnavailable else { return CommandFailure(error) }
        guard let status = try? await daemon.call(Settings.Status.self) else {
            return CommandFailure(.unavailable, "The daemon ended.")
        }
        guard status.locked else { return CommandFailure(error) }
        return CommandFailure(.locked, "Latchkey was locked in the meantime.", hint: "Run `latchkey unlock`.")
    }

    /// Whether an error says that nothing of a batch was saved. A lock ends the provider while it may be saving.
    static func isRefusal(_ error: WireError) -> Bool {
        error.reason != WireError.unsettled
            && [.storageFailed, .notInitialized, .notPermitted, .authenticationRequired, .refused].contains(error.code)
    }

    /// Takes the next candidates that fit into one request off the front; always at least one.
    static func nextBatch(_ remaining: inout ArraySlice<ImportPlan.Candidate>) -> [ImportPlan.Candidate] {
        var batch: [ImportPlan.Candidate] = []
        var bytes = 0
        while let candidate = remaining.first, batch.count < batchCount {
            bytes += encodedSize(candidate.item)
            guard batch.isEmpty || bytes <= batchBytes else { break }
            batch.append(candidate)
            remaining.removeFirst()
        }
        return batch
    }

    /// An upper bound of an item's size in JSON: control characters take six bytes.
    static func encodedSize(_ item: NewItem) -> Int {
        func size(_ bytes: some Sequence<UInt8>) -> Int {
            bytes.reduce(0) { $0 + ($1 < 0x20 ? 6 : $1 == 0x22 || $1 == 0x5C ? 2 : 1) }
        }
        let lists = item.services + (item.tags ?? []) + [item.title ?? ""]
        let texts = lists.reduce(size(item.user.utf8)) { $0 + size($1.utf8) + 3 }
        let secrets = [item.password.bytes, item.notes?.bytes, item.authenticator?.bytes].compactMap { $0 }
        return secrets.reduce(texts + 100) { $0 + $1.withUnsafeBytes { size($0) } + 16 }
    }
}
