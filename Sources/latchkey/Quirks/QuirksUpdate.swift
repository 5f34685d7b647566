// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillQuirks
import FoundationEssentials
import TerminalRendering

/// Brings a set of quirks, and puts it in the place of the one that is there: all of it, or nothing.
struct QuirksUpdate {
    /// What came of it.
    struct Report {
        var set: QuirksSet
        /// Not at the source; those that the old set had are kept.
        var missing: [QuirksFile]
        var kept: [QuirksFile]
    }

    let origin: QuirksOrigin
    let isForced: Bool
    let fetching: FetchProcess
    let store: QuirksStore
    let now: Int64

    /// To be called while the store is locked.
    func run() async throws -> Report {
        let old = try existing()
        let outcomes = try await fetched()
        try refuse(outcomes)
        var set = QuirksSet(source: origin.description, date: now, files: [:])
        var contents: [QuirksFile: [UInt8]] = [:]
        var report = (missing: [QuirksFile](), kept: [QuirksFile]())
        for file in QuirksFile.allCases {
            if case .good(let good) = outcomes[file] {
                let bytes = Array(good.text.utf8)
                contents[file] = bytes
                set.files[file.rawValue] = .init(
                    digest: QuirksSet.digest(of: bytes), bytes: bytes.count, entries: good.entries,
                    source: origin.source(of: file), date: now)
                guard file == .suffixes else { continue }
                (set.suffixesVersion, set.suffixesDate) = (good.version, good.date)
                try refuseOlder(good, old)
                continue
            }
            report.missing.append(file)
            guard let old, let entry = old.files[file.rawValue], let bytes = store.content(of: file, in: old) else {
                continue
            }
            report.kept.append(file)
            contents[file] = bytes
            set.files[file.rawValue] = entry
            if file == .suffixes { (set.suffixesVersion, set.suffixesDate) = (old.suffixesVersion, old.suffixesDate) }
        }
        try store.replace(with: set, contents: contents)
        return Report(set: set, missing: report.missing, kept: report.kept)
    }

    /// The set that is there. A damaged one is about to be mended; one of a newer Latchkey is not touched.
    private func existing() throws(WireError) -> QuirksSet? {
        do {
            return try store.current()
        } catch  where error.code == .storageFailed {
            Output.note("Note: \(error.message) All of it is written anew.")
            return nil
        }
    }

    private func fetched() async throws -> [QuirksFile: QuirksOutcome] {
        async let documents = outcomes(of: QuirksFile.documents, "quirks", maximumAnswer: 17 << 20)
        async let suffixes = outcomes(of: [.suffixes], "suffixes", maximumAnswer: 9 << 20)
        return try await documents.merging(suffixes) { first, _ in first }
    }

    private func outcomes(
        of files: [QuirksFile], _ job: String, maximumAnswer: Int
    ) async throws -> [QuirksFile: QuirksOutcome] {
        let request = try QuirksRequest(files, from: origin)
        defer { request.close() }
        guard !request.files.isEmpty else { return request.outcomes }
        let result = try await fetching.run(
            job, .object(["files": .object(request.files)]), files: request.descriptors, patience: .seconds(180),
            maximumAnswer: maximumAnswer)
        let asked = files.filter { request.files[$0.rawValue] != nil }
        return try QuirksOutcome.outcomes(result, of: asked).merging(request.outcomes) { first, _ in first }
    }

    /// One file that is not right is a set that is not right.
    private func refuse(_ outcomes: [QuirksFile: QuirksOutcome]) throws(CommandFailure) {
        var isAnyGood = false
        var bad: [String] = []
        var unavailable: [String] = []
        for file in QuirksFile.allCases {
            switch outcomes[file] {
            case .good: isAnyGood = true
            case .bad(let reason): bad.append("\(file.rawValue): \(reason)")
            case .unavailable(let reason): unavailable.append("\(file.rawValue): \(reason)")
            case .missing, nil: break
            }
        }
        let faults = bad + unavailable
        let others = faults.count > 1 ? " (and \(faults.count - 1) more)" : ""
        if let first = faults.first {
            throw CommandFailure(
                bad.isEmpty ? .unavailable : .invalidInput, "Nothing was changed. \(first)\(others).",
                hint: "What was there before stays in use. The source was \(origin.description).")
        }
        guard isAnyGood else {
            throw CommandFailure(
                .notFound, "Nothing was changed. None of the files is there: \(origin.description).",
                hint: "They have the names that their publishers give them; see docs/quirks.md.")
        }
    }

    private func refuseOlder(_ list: QuirksOutcome.Good, _ old: QuirksSet?) throws(CommandFailure) {
        guard !isForced, let oldDate = old?.suffixesDate, let newDate = list.date, newDate < oldDate else { return }
        throw CommandFailure(
            .alreadyExists,
            "Nothing was changed. public_suffix_list.dat: it is older (\(list.version ?? "?")) than the one that is "
                + "there (\(old?.suffixesVersion ?? "?")).", hint: "--force puts it in its place all the same.")
    }
}
