// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
package import AutoFillSecrets
internal import Crypto
package import Foundation
internal import Glibc
internal import Synchronization

/// What was released and what was refused, one sealed line each.
///
/// A line is sealed to a public key (RFC 9180, base mode), so that refusals are logged while locked and can be read only
/// when unlocked. Each is authenticated under a key that is then replaced by its hash, and that is in memory only: who takes
/// the files over can neither change lines nor add any, and who takes the process over cannot change earlier ones. How many
/// lines there are, and the digest of the last, stands in the sealed registry, so that a shortened file is noticed too.
/// `docs/vault-format.md` states the format.
package final class AuditLog: Sendable {
    /// Where a log stands: kept in the sealed registry whenever there is a chance to.
    package struct Head: Codable, Equatable, Sendable {
        package var count: Int
        /// Of the last line's tag.
        package var digest: Data
        /// The index of the first line that is kept; absent while that is 0.
        package var first: Int?

        package init(count: Int, digest: Data, first: Int? = nil) {
            self.count = count
            self.digest = digest
            self.first = first
        }
    }

    /// In lines. When the file has twice as many, the older half goes.
    package static let limit = 10_000
    /// In bytes; no log that Latchkey writes comes near it.
    private static let byteLimit = 256 << 20
    /// So many lines may a log have that the registry knows nothing of yet.
    private static let unsettledLimit = 100_000

    /// What is known since the device key was there, and stays known when it has gone.
    private struct Standing: Sendable {
        package let publicKey: Data
        package var first: Int
        /// The key of the next line.
        package var chain: AuditChain
        /// The tag of the last line, as far as it is known.
        package var lastTag: Data
        /// What `audit.key` should hold; nothing before it was first written.
        package var written: AuditKeyFile?
        /// How many changes of the registry are counted.
        package var registry = 0

        package var keyFile: AuditKeyFile { .init(publicKey: publicKey, firstIndex: first, nextIndex: chain.index) }
    }

    private struct State: Sendable {
        package var standing: Standing?
        package var onAppend: (@Sendable () -> Void)?
    }

    private let logPath: String
    private let keyPath: String
    private let limit: Int
    private let state = Mutex(State())

    /// The log of a state folder; nothing is read or written before it is opened.
    package init(folder: String, limit: Int = AuditLog.limit) {
        logPath = folder + "/audit.log"
        keyPath = folder + "/audit.key"
        self.limit = limit
    }

    /// What to do, soon, after a line was added.
    package func whenAppended(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.onAppend = action }
    }

    // MARK: Opening

    /// Takes the log up with a device key: from then on lines can be added, whether it is locked again or not.
    ///
    /// - Parameters:
    ///   - head: what the sealed registry says; nothing for a new installation and after a restore.
    ///   - isNew: whether the device key is: a log that is there is another one's.
    /// - Returns: what is wrong with the files.
    package func open(seed: SecretBytes, head: Head?, isNew: Bool = false) throws -> [AuditFinding] {
        let keys = try AuditKeys(seed: seed)
        return try state.withLock { state in
            var findings: [AuditFinding] = []
            let running = state.standing.flatMap { $0.publicKey == keys.publicKey ? $0 : nil }
            var keyFile = AuditKeyFile(contentsOf: keyPath)
            let isForeign = keyFile.map { $0.publicKey != keys.publicKey } ?? false
            if isNew || isForeign {
                if let head, !isNew { findings.append(Self.replaced(head)) }
                try moveAside()
                keyFile = nil
            }
            if !isNew, !isForeign {
                findings += Self.findings(about: keyFile, at: keyPath, running?.written, head)
            }
            let read = try content()
            if read == nil {
                findings.append(Self.noLog)
                try moveAside()
            }
            let file = read ?? Data()
            let bounds = Self.bounds(file, keyFile, running.map { ($0.first, $0.chain.index) }, head)
            let verification = AuditVerification(file, keys: keys, first: bounds.first, next: bounds.next)
            let isCrash = running == nil && verification.endsInACrash(knownNext: bounds.next)
            if verification.isCut { try cutOffHalfALine(file) }
            findings += verification.findings.filter { !isCrash || $0.kind != "cut" }
            if let head { findings += Self.findings(about: head, verification) }
            var first = bounds.first
            // A log that has gone as a whole is said to be, and goes on where it would have.
            if verification.rows.isEmpty, bounds.next > first { first = bounds.next }
            var chain = AuditChain(keys)
            chain.advance(to: verification.next)
            var standing = Standing(
                publicKey: keys.publicKey, first: first, chain: chain,
                lastTag: verification.rows.last?.row.tag ?? Data())
            standing.registry = running?.registry ?? Self.registryCount(verification, keys)
            standing.written = standing.keyFile
            try standing.keyFile.write(to: keyPath)
            state.standing = standing
            return findings
        }
    }

    private static func replaced(_ head: Head) -> AuditFinding {
        AuditFinding(
            kind: "replaced", first: 1, last: head.count,
            message: "The log was replaced by one of another key; it is kept as audit.log.replaced.")
    }

    /// What has to be there: what the process remembers and the registry says counts; the key file may say more, within reason.
    private static func bounds(
        _ file: Data, _ keyFile: AuditKeyFile?, _ running: (first: Int, next: Int)?, _ head: Head?
    ) -> (first: Int, next: Int) {
        if let running { return running }
        let lines = file.count { $0 == 0x0A }
        let known = head?.count ?? 0
        let stated = keyFile?.nextIndex ?? 0
        let isLikely = stated <= known + unsettledLimit && (head != nil || stated <= lines + unsettledLimit)
        let next = max(known, isLikely ? stated : 0)
        let first = head.map { $0.first ?? 0 } ?? (isLikely ? keyFile?.firstIndex : nil) ?? 0
        return (min(max(0, first), next), next)
    }

    /// What is wrong with the key file.
    private static func findings(
        about keyFile: AuditKeyFile?, at path: String, _ written: AuditKeyFile?, _ head: Head?
    ) -> [AuditFinding] {
        func finding(_ message: String) -> [AuditFinding] {
            [AuditFinding(kind: "key-file", first: nil, last: nil, message: message)]
        }
        let expected = written?.nextIndex ?? head?.count ?? 0
        guard let keyFile else {
            if expected == 0 { return [] }
            let isThere = FileManager.default.fileExists(atPath: path)
            return finding(isThere ? "The file audit.key is damaged." : "The file audit.key is missing.")
        }
        if let written {
            if keyFile == written { return [] }
        } else if keyFile.nextIndex >= expected, keyFile.nextIndex <= expected + unsettledLimit || head == nil {
            return []
        }
        return finding(
            keyFile.nextIndex < expected
                ? "The file audit.key is an older copy: it says that line \(keyFile.nextIndex + 1) comes next, and it is line "
                    + "\(expected + 1)."
                : "The file audit.key was changed.")
    }

    /// Whether the line that the registry knows is still that line.
    private static func findings(about head: Head, _ verification: AuditVerification) -> [AuditFinding] {
        guard let last = verification.rows.first(where: { $0.index == head.count - 1 }),
            Data(SHA256.hash(data: last.row.tag)) != head.digest
        else { return [] }
        return [
            AuditFinding(
                kind: "replaced", first: head.count, last: head.count,
                message: "Line \(head.count) is another one than the registry knows.")
        ]
    }

    private func moveAside() throws {
        guard SmallFile.isThere(logPath) else { return }
        try? FileManager.default.removeItem(atPath: logPath + ".replaced")
        try FileManager.default.moveItem(atPath: logPath, toPath: logPath + ".replaced")
    }

    /// The file's bytes; none where it is not there yet, and `nil` where something is there that is no log. Throws where it cannot be
    /// read now.
    private func content() throws -> Data? {
        guard SmallFile.isThere(logPath) else { return Data() }
        if let bytes = SmallFile.read(logPath, atMost: Self.byteLimit, followsLinks: true) { return Data(bytes) }
        var information = stat()
        guard stat(logPath, &information) == 0,
            information.st_mode & S_IFMT != S_IFREG || information.st_size > off_t(Self.byteLimit)
        else { throw WireError(.storageFailed, "The audit log cannot be read: \(logPath).") }
        return nil
    }

    private static let noLog = AuditFinding(
        kind: "replaced", first: nil, last: nil,
        message: "The audit log was no regular file, or too large; it was moved to audit.log.replaced.")

    private func cutOffHalfALine(_ file: Data) throws {
        let whole = file.lastIndex(of: 0x0A).map { file[...$0] } ?? Data()
        try AtomicFile.write(Array(whole), to: logPath)
    }

    // MARK: Adding

    /// Adds a line, durably. Throws `storageFailed`; then nothing may be released.
    package func append(_ line: AuditLine) throws {
        let action: (@Sendable () -> Void)?
        do {
            action = try state.withLock { state in
                guard var standing = state.standing else { throw Failure() }
                try add(line, to: &standing)
                state.standing = standing
                return state.onAppend
            }
        } catch {
            throw WireError(.storageFailed, "The audit log cannot be written, so nothing is released.")
        }
        action?()
    }

    private func add(_ line: AuditLine, to standing: inout Standing) throws {
        let plain = try JSONEncoder().encode(CountedLine(line: line, registry: standing.registry))
        let row = try AuditRow(sealing: plain, to: standing.publicKey, standing.chain)
        try appendDurably(row.text)
        standing.chain.advance()
        standing.lastTag = row.tag
    }

    // MARK: Counting changes of the registry

    /// The event of lines that only count.
    private static let countingEvent = "registry"

    /// A line as the file has it: with how many changes of the registry were counted.
    private struct CountedLine: Encodable {
        package let line: AuditLine
        package let registry: Int

        private enum CodingKeys: CodingKey { case registry }

        package func encode(to encoder: any Encoder) throws {
            try line.encode(to: encoder)
            guard registry > 0 else { return }
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(registry, forKey: .registry)
        }
    }

    private struct Count: Decodable {
        package var registry: Int?
    }

    /// Counts a change of the registry by a line of its own, durably.
    package func count(registry: Int, at time: Int64) throws {
        let action: (@Sendable () -> Void)?
        do {
            action = try state.withLock { state in
                guard var standing = state.standing else { throw Failure() }
                standing.registry = max(standing.registry, registry)
                try add(AuditLine(time: time, event: Self.countingEvent, requester: "latchkeyd"), to: &standing)
                state.standing = standing
                return state.onAppend
            }
        } catch {
            throw WireError(.storageFailed, "The audit log cannot be written, so nothing was changed.")
        }
        action?()
    }

    /// The registry has so many changes, whatever the log says.
    package func note(registry: Int) {
        state.withLock { state in
            guard let known = state.standing?.registry else { return }
            state.standing?.registry = max(known, registry)
        }
    }

    /// How many changes of the registry were counted: as this process remembers, or else as the last line says.
    package func registryCount(seed: SecretBytes, head: Head?) -> Int {
        guard let keys = try? AuditKeys(seed: seed) else { return 0 }
        let remembered = state.withLock { state in
            state.standing.flatMap { $0.publicKey == keys.publicKey ? $0.registry : nil }
        }
        if let remembered { return remembered }
        guard let file = try? content() else { return 0 }
        let keyFile = AuditKeyFile(contentsOf: keyPath).flatMap { $0.publicKey == keys.publicKey ? $0 : nil }
        let bounds = Self.bounds(file, keyFile, nil, head)
        return Self.registryCount(
            AuditVerification(file, keys: keys, first: bounds.first, next: bounds.next), keys)
    }

    private static func registryCount(_ verification: AuditVerification, _ keys: AuditKeys) -> Int {
        for (_, row) in verification.rows.reversed() {
            guard let plain = row.opened(keys), let count = try? BoundedJSON.decode(Count.self, from: plain) else {
                continue
            }
            return max(0, count.registry ?? 0)
        }
        return 0
    }

    private func appendDurably(_ line: String) throws {
        if !FileManager.default.fileExists(atPath: logPath) {
            try AtomicFile.write([], to: logPath)
        }
        guard let handle = FileHandle(forUpdatingAtPath: logPath) else { throw Failure() }
        defer { try? handle.close() }
        let end = try handle.seekToEnd()
        if end > 0 {
            // Behind half a line nothing is written: opening has to cut it off first.
            try handle.seek(toOffset: end - 1)
            guard try handle.read(upToCount: 1) == Data([0x0A]) else { throw Failure() }
        }
        do {
            try handle.write(contentsOf: Data(line.utf8))
            try handle.synchronize()
        } catch {
            try? handle.truncate(atOffset: end)
            throw error
        }
    }

    /// Has the registry know where the log stands, and keeps the log bounded: work that a release need not wait for.
    ///
    /// - Parameter keep: keeps the head in the sealed registry.
    package func settle(_ keep: (Head) throws -> Void) throws {
        try state.withLock { state in
            guard var standing = state.standing else { return }
            let oldFirst = standing.first
            if standing.chain.index - standing.first > 2 * limit { standing.first = standing.chain.index - limit }
            if standing.keyFile != standing.written {
                try standing.keyFile.write(to: keyPath)
                standing.written = standing.keyFile
            }
            try keep(Self.head(standing))
            // Only now: a registry that asked for lines that have been taken out would call that a deletion.
            if standing.first > oldFirst { try? shorten(by: standing.first - oldFirst, of: standing) }
            state.standing = standing
        }
    }

    private func shorten(by count: Int, of standing: Standing) throws {
        guard let file = try content() else { throw Failure() }
        let lines = file.split(separator: 0x0A)
        // Where lines are missing, nothing is taken out: reading has to find that.
        guard lines.count >= standing.chain.index - standing.first + count else { return }
        let kept = lines.suffix(standing.chain.index - standing.first)
        try AtomicFile.write(kept.flatMap { Array($0) + [0x0A] }, to: logPath)
    }

    /// Where the log stands now; nothing while it is empty or was never opened.
    package var head: Head? {
        state.withLock { $0.standing.flatMap { $0.chain.index > 0 ? Self.head($0) : nil } }
    }

    private static func head(_ standing: Standing) -> Head {
        Head(
            count: standing.chain.index, digest: Data(SHA256.hash(data: standing.lastTag)),
            first: standing.first > 0 ? standing.first : nil)
    }

    // MARK: Reading

    /// What is wrong with the files now.
    package func findings(seed: SecretBytes, head: Head?) -> [AuditFinding] {
        guard let keys = try? AuditKeys(seed: seed), let (verification, standing) = verification(keys) else {
            return []
        }
        return Self.findings(about: AuditKeyFile(contentsOf: keyPath), at: keyPath, standing.written, head)
            + verification.findings + (head.map { Self.findings(about: $0, verification) } ?? [])
    }

    /// Lines from a number on (counted from 1) that are what they were, oldest first, as many as fit a condition.
    ///
    /// - Returns: at most `limit` lines, and the number to go on with; it is beyond the last line when there are no more.
    package func lines(
        seed: SecretBytes, from number: Int, limit: Int, where fits: (AuditLine) -> Bool = { _ in true }
    ) -> (lines: [AuditLine], next: Int, end: Int) {
        guard let keys = try? AuditKeys(seed: seed), let (verification, _) = verification(keys) else {
            return ([], 1, 1)
        }
        var lines: [AuditLine] = []
        for (index, row) in verification.rows where index + 1 >= number {
            guard let plain = row.opened(keys), var line = try? BoundedJSON.decode(AuditLine.self, from: plain)
            else { continue }
            line.number = index + 1
            guard line.event != Self.countingEvent, fits(line) else { continue }
            guard lines.count < limit else { return (lines, index + 1, verification.next + 1) }
            lines.append(line)
        }
        return (lines, verification.next + 1, verification.next + 1)
    }

    private func verification(_ keys: AuditKeys) -> (AuditVerification, Standing)? {
        state.withLock { state in
            guard let standing = state.standing, standing.publicKey == keys.publicKey else { return nil }
            let file = (try? content()) ?? Data()
            return (
                AuditVerification(file, keys: keys, first: standing.first, next: standing.chain.index), standing
            )
        }
    }

    private struct Failure: Error {}
}
