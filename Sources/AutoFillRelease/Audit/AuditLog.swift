// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
package import AutoFillSecrets
internal import Crypto
package import Foundation
internal import Glibc
internal import Synchronization

/// The log of releases and refusals, one sealed line each.
///
/// A line is sealed to a public key (RFC 9180, base mode), so that refusals can be logged while locked, and be read
/// only when unlocked. Each line is authenticated under a key that is in memory only and is replaced by its hash
/// afterwards. So an attacker with the files can neither change nor add lines, and an attacker with the process cannot
/// change earlier ones. The sealed registry holds the number of lines and the digest of the last one, so that a
/// shortened file is detected too. `docs/vault-format.md` specifies the format.
package final class AuditLog: Sendable {
    /// The position of the log, saved in the sealed registry at every opportunity.
    package struct Head: Codable, Equatable, Sendable {
        package var count: Int
        /// The digest of the last line's tag.
        package var digest: Data
        /// The index of the first line that was kept; `nil` means 0.
        package var first: Int?

        package init(count: Int, digest: Data, first: Int? = nil) {
            self.count = count
            self.digest = digest
            self.first = first
        }
    }

    /// Number of lines to keep. A file with more than twice as many loses its older half.
    package static let limit = 10_000
    /// Maximum size in bytes, far above that of any log Latchkey writes.
    private static let byteLimit = 256 << 20
    /// How much of the log is read at once, in bytes of JSON: what a message can carry, with room to spare.
    private static let pageBytes = 512 << 10
    /// The greatest size of one line, in bytes of JSON. Six texts have `AuditLine.textLimit` scalars, of four bytes or an escape of six.
    private static let lineBytes = 64 << 10
    /// Maximum number of lines not yet anchored in the registry.
    private static let unsettledLimit = 100_000

    /// The key that lines are sealed to, also while locked; `nil` before there is one.
    package var publicKey: Data? {
        state.withLock { $0.standing?.publicKey } ?? AuditKeyFile(contentsOf: keyPath)?.publicKey
    }

    /// State that is known once the device key was available, and remains known while locked.
    private struct Standing: Sendable {
        package let publicKey: Data
        package var first: Int
        /// The key of the next line.
        package var chain: AuditChain
        /// The tag of the last line that is known.
        package var lastTag: Data
        /// The content that `audit.key` should have, or `nil` before it was first written.
        package var written: AuditKeyFile?
        /// The number of changes of the registry that were counted.
        package var registry = 0
        /// When the last line was written, in seconds since 1970; `nil` where no line says so.
        package var lastTime: Int64?

        package var keyFile: AuditKeyFile { .init(publicKey: publicKey, firstIndex: first, nextIndex: chain.index) }
    }

    /// The file as it was when it was last verified, so that its pages are not verified anew one by one.
    private struct Checked: Sendable {
        let stamp: Stamp
        let first: Int
        let next: Int
        let verification: AuditVerification
    }

    /// What the kernel changes with every change of a file.
    private struct Stamp: Equatable {
        private let numbers: [Int64]
        /// Whether a new change is sure to get another time than the last one. The kernel's clock for files advances in steps of a few
        /// milliseconds.
        let isSettled: Bool

        init?(_ path: String) {
            var information = stat()
            var now = timespec()
            guard stat(path, &information) == 0, clock_gettime(CLOCK_REALTIME, &now) == 0 else { return nil }
            let changed = information.st_ctim
            isSettled =
                Duration.seconds(now.tv_sec - changed.tv_sec) + .nanoseconds(now.tv_nsec - changed.tv_nsec)
                > .milliseconds(100)
            numbers = [
                Int64(bitPattern: UInt64(information.st_dev)), Int64(bitPattern: UInt64(information.st_ino)),
                Int64(information.st_size), Int64(information.st_ctim.tv_sec), Int64(information.st_ctim.tv_nsec),
            ]
        }

        static func == (one: Stamp, other: Stamp) -> Bool { one.numbers == other.numbers }
    }

    /// A refused line that is still in the file, whole or in part.
    private struct Stray: Sendable {
        /// The file, by its device and number: another one that has taken its place is never cut.
        let file: (dev_t, ino_t)
        /// The size of the file without it.
        let start: off_t
        /// The count of changes of the registry in it.
        let registry: Int
    }

    private struct State: Sendable {
        package var standing: Standing?
        package var checked: Checked?
        /// A line that could neither be written nor be taken away again.
        package var stray: Stray?
        /// Why the last write to the log or to `audit.key` failed; `nil` if it did not.
        package var fault: String?
        package var onAppend: (@Sendable () -> Void)?
    }

    private let logPath: String
    private let keyPath: String
    private let limit: Int
    private let state = Mutex(State())

    /// The log in a state folder. Reads and writes nothing until it is opened.
    package init(folder: String, limit: Int = AuditLog.limit) {
        logPath = folder + "/audit.log"
        keyPath = folder + "/audit.key"
        self.limit = limit
    }

    /// Sets an action that runs shortly after each added line.
    package func whenAppended(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.onAppend = action }
    }

    // MARK: Opening

    /// Opens the log with a device key. From then on lines can be added, even while locked.
    ///
    /// - Parameters:
    ///   - head: The position from the sealed registry, or `nil` for a new installation and after a restore.
    ///   - isNew: Whether the device key is new, so that an existing log belongs to another key.
    /// - Returns: The faults found in the files.
    package func open(seed: SecretBytes, head: Head?, isNew: Bool = false) throws -> [AuditFinding] {
        let keys = try AuditKeys(seed: seed)
        return try state.withLock { state in
            // A line that cannot be taken away even now is read as one that a crash came behind.
            if !takeAwayStray(&state) { state.stray = nil }
            do {
                return try open(keys, head, isNew, in: &state)
            } catch {
                state.fault = Self.reason(error)
                throw error
            }
        }
    }

    private func open(_ keys: AuditKeys, _ head: Head?, _ isNew: Bool, in state: inout State) throws -> [AuditFinding] {
        var findings: [AuditFinding] = []
        let running = state.standing.flatMap { $0.publicKey == keys.publicKey ? $0 : nil }
        var keyFile = AuditKeyFile(contentsOf: keyPath)
        let isChanged = keyFile.map { $0.publicKey != keys.publicKey } ?? false
        let isForeign = try isChanged && !isNew && !hasOwnLines(keys, head)
        if isNew || isForeign {
            let aside = try moveAside()
            if let head, !isNew { findings.append(Self.replaced(head, aside)) }
            keyFile = nil
        } else {
            findings +=
                isChanged
                ? [Self.changedKeyFile] : Self.findings(about: keyFile, at: keyPath, running?.written, head)
            if isChanged { keyFile = nil }
        }
        let read = try content()
        if read == nil { findings.append(Self.noLog(try moveAside())) }
        let file = read ?? Data()
        let bounds = Self.bounds(file, keyFile, running.map { ($0.first, $0.chain.index) }, head)
        let verification = AuditVerification(file, keys: keys, first: bounds.first, next: bounds.next)
        let isCrash = running == nil && verification.endsInACrash(knownNext: bounds.next)
        if verification.isCut { try cutOffHalfALine(file) }
        findings += verification.findings.filter { !isCrash || $0.kind != "cut" }
        if let head { findings += Self.findings(about: head, verification) }
        var first = bounds.first
        // If the whole log is missing, that is reported, and new lines continue its numbering.
        if verification.rows.isEmpty, bounds.next > first { first = bounds.next }
        var chain = AuditChain(keys)
        chain.advance(to: verification.next)
        var standing = Standing(
            publicKey: keys.publicKey, first: first, chain: chain,
            lastTag: verification.rows.last?.row.tag ?? Data())
        let last = Self.lastCount(verification, keys)
        standing.registry = running?.registry ?? max(0, last?.registry ?? 0)
        standing.lastTime = running?.lastTime ?? last?.time
        // Lines can be added without this file, so a full folder does not keep the log closed; `settle` writes it later.
        try? noting(&state) { _ in try writeKeyFile(&standing) }
        state.standing = standing
        state.checked = nil
        return findings
    }

    private func writeKeyFile(_ standing: inout Standing) throws {
        try standing.keyFile.write(to: keyPath)
        standing.written = standing.keyFile
    }

    /// Whether the log is empty or has lines of these keys. Nothing authenticates `audit.key`, so that file alone does not make a log
    /// another one's.
    private func hasOwnLines(_ keys: AuditKeys, _ head: Head?) throws -> Bool {
        guard let file = try content() else { return false }
        return file.isEmpty
            || !AuditVerification(file, keys: keys, first: head?.first ?? 0, next: head?.count ?? 0).rows.isEmpty
    }

    // MARK: Faults

    /// Whether lines can be added.
    package var isOpen: Bool { state.withLock { $0.standing != nil } }

    /// Why the log or `audit.key` could not be written; `nil` if that worked the last time.
    package var fault: String? { state.withLock { $0.fault } }

    /// Tries again after a failed write, so that `fault` tells how it is now.
    package func retry() {
        state.withLock { state in
            guard state.fault != nil, var standing = state.standing else { return }
            try? noting(&state) { _ in
                if SmallFile.isThere(logPath), access(logPath, W_OK) != 0 {
                    throw WireError(.storageFailed, String(cString: strerror(errno)))
                }
                try writeKeyFile(&standing)
            }
            state.standing = standing
        }
    }

    /// Writes, and notes why that failed or that it did not.
    private func noting(_ state: inout State, _ write: (inout State) throws -> Void) throws {
        do {
            try write(&state)
            state.fault = nil
        } catch {
            state.fault = Self.reason(error)
            throw error
        }
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case let error as SecretsError: error.reason
        case let error as WireError: error.message
        case let error as CocoaError where error.code == .fileWriteOutOfSpace: "there is no space left"
        default: "it cannot be written"
        }
    }

    /// The range of lines that have to exist. The running process and the registry are trusted; the key file may say
    /// more, within a limit.
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

    /// The faults of the key file.
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
                ? "The file audit.key is an older copy: it expects line \(keyFile.nextIndex + 1) next, but the log continues with line "
                    + "\(expected + 1)."
                : "The file audit.key was changed.")
    }

    /// Checks that the last line known to the registry is unchanged.
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

    /// Moves the log out of the way; answers where it is now, or `nil` if there was none.
    private func moveAside() throws -> String? {
        try SmallFile.isThere(logPath) ? SetAside.move(logPath, as: .replaced) : nil
    }

    /// The file's content: empty if there is no file, `nil` if it is not a log.
    ///
    /// - Throws: `storageFailed` when the file cannot be read at present.
    private func content() throws -> Data? {
        guard SmallFile.isThere(logPath) else { return Data() }
        if let bytes = SmallFile.read(logPath, atMost: Self.byteLimit, followsLinks: true) { return Data(bytes) }
        var information = stat()
        guard stat(logPath, &information) == 0,
            information.st_mode & S_IFMT != S_IFREG || information.st_size > off_t(Self.byteLimit)
        else { throw WireError(.storageFailed, "The audit log cannot be read: \(logPath).") }
        return nil
    }

    private func cutOffHalfALine(_ file: Data) throws {
        let whole = file.lastIndex(of: 0x0A).map { file[...$0] } ?? Data()
        try AtomicFile.write(Array(whole), to: logPath)
    }

    // MARK: Adding

    /// Adds a line durably.
    ///
    /// - Throws: `storageFailed` when it cannot be written; nothing may be released then.
    package func append(_ line: AuditLine) throws {
        let action: (@Sendable () -> Void)?
        do {
            action = try state.withLock { state in
                guard var standing = state.standing else { throw Failure() }
                try noting(&state) { try add(line, to: &standing, &$0.stray) }
                state.standing = standing
                return state.onAppend
            }
        } catch {
            throw WireError(.storageFailed, "The audit log cannot be written, so nothing is released.")
        }
        action?()
    }

    /// Adds a line where the clock has jumped since the last line, as the next line would.
    ///
    /// - Returns: What happened to the clock, or `nil` if nothing did.
    package func noteClock(at time: Int64) throws -> String? {
        try state.withLock { state in
            guard var standing = state.standing, let line = Self.clockLine(from: standing.lastTime, to: time) else {
                return nil
            }
            try write([line], to: &standing, &state.stray)
            state.standing = standing
            return line.reason
        }
    }

    private func add(_ line: AuditLine, to standing: inout Standing, _ stray: inout Stray?) throws {
        let clock = Self.clockLine(from: standing.lastTime, to: line.time)
        try write([clock, line].compactMap(\.self), to: &standing, &stray)
    }

    private func write(_ lines: [AuditLine], to standing: inout Standing, _ stray: inout Stray?) throws {
        var text = ""
        for line in lines {
            let plain = try JSONEncoder().encode(CountedLine(line: line.shortened, registry: standing.registry))
            let row = try AuditRow(sealing: plain, to: standing.publicKey, standing.chain)
            text += row.text
            standing.chain.advance()
            standing.lastTag = row.tag
            standing.lastTime = line.time
        }
        try appendDurably(text, counting: standing.registry, &stray)
    }

    /// The line that says that the clock was put back by more than an hour, or far ahead, since the line before.
    ///
    /// Whoever has not used Latchkey for a month gets one, too: the two cannot be told apart.
    private static func clockLine(from last: Int64?, to time: Int64) -> AuditLine? {
        guard let last else { return nil }
        let (hour, day): (Int64, Int64) = (3_600, 86_400)
        let reason: String
        if time < last - hour {
            reason = "the clock was put back by \((last - time) / hour) h since the line before"
        } else if time > last + 30 * day {
            reason = "by the clock, \((time - last) / day) days have passed since the line before"
        } else {
            return nil
        }
        return AuditLine(time: time, event: "clock", requester: "latchkeyd", reason: reason)
    }

    /// Whether a verification of the whole file is remembered for the next page of lines.
    package var remembersPages: Bool { state.withLock { $0.checked != nil } }

    /// Frees what was remembered for the next page of lines.
    package func forgetPages() {
        state.withLock { $0.checked = nil }
    }

    // MARK: Counting changes of the registry

    /// The event of lines that only record a count.
    private static let countingEvent = "registry"

    /// A line as written to the file, with the number of counted changes of the registry.
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
        package var time: Int64?
    }

    /// When the first change of the registry behind a count was made, in seconds since 1970; `nil` if the log does not have it.
    package func firstChange(after count: Int, seed: SecretBytes) -> Int64? {
        guard let keys = try? AuditKeys(seed: seed), let (verification, _) = verification(keys) else { return nil }
        var time: Int64?
        for (_, row) in verification.rows.reversed() {
            guard let plain = row.opened(keys), let line = try? BoundedJSON.decode(Count.self, from: plain) else {
                continue
            }
            guard line.registry ?? 0 > count else { break }
            time = line.time
        }
        return time
    }

    /// Counts a change of the registry by a line of its own, written durably.
    ///
    /// - Throws: `storageFailed`, with the reason `unsettled` if the line may be in the file all the same.
    package func count(registry: Int, at time: Int64) throws {
        let action: (@Sendable () -> Void)?
        do {
            action = try state.withLock { state in
                guard var standing = state.standing else { throw Failure() }
                standing.registry = max(standing.registry, registry)
                try noting(&state) { state in
                    try add(
                        AuditLine(time: time, event: Self.countingEvent, requester: "latchkeyd"), to: &standing,
                        &state.stray)
                }
                state.standing = standing
                return state.onAppend
            }
        } catch is StrayFailure {
            throw WireError(
                .storageFailed,
                "The disk failed in the middle of the change, so it is unsettled: it does not count, but may after a restart.",
                reason: WireError.unsettled,
                hint: "Look at it once the disk works, and make the change or take it back.")
        } catch {
            throw WireError(.storageFailed, "The audit log cannot be written, so nothing was changed.")
        }
        action?()
    }

    /// Raises the count of changes to the number in the registry itself.
    package func note(registry: Int) {
        state.withLock { state in
            guard let known = state.standing?.registry else { return }
            state.standing?.registry = max(known, registry)
        }
    }

    /// The number of counted changes of the registry: the one this process remembers, or else the last line's. A refused change counts
    /// where its line cannot be taken away.
    package func registryCount(seed: SecretBytes, head: Head?) -> Int {
        guard let keys = try? AuditKeys(seed: seed) else { return 0 }
        let remembered = state.withLock { state in
            guard let standing = state.standing, standing.publicKey == keys.publicKey else { return Int?.none }
            return takeAwayStray(&state) ? standing.registry : max(standing.registry, state.stray?.registry ?? 0)
        }
        if let remembered { return remembered }
        guard let file = try? content() else { return 0 }
        let keyFile = AuditKeyFile(contentsOf: keyPath).flatMap { $0.publicKey == keys.publicKey ? $0 : nil }
        let bounds = Self.bounds(file, keyFile, nil, head)
        let verification = AuditVerification(file, keys: keys, first: bounds.first, next: bounds.next)
        return max(0, Self.lastCount(verification, keys)?.registry ?? 0)
    }

    /// What the last line says that can be opened.
    private static func lastCount(_ verification: AuditVerification, _ keys: AuditKeys) -> Count? {
        for (_, row) in verification.rows.reversed() {
            if let plain = row.opened(keys), let count = try? BoundedJSON.decode(Count.self, from: plain) {
                return count
            }
        }
        return nil
    }

    private func appendDurably(_ line: String, counting registry: Int, _ stray: inout Stray?) throws {
        if !FileManager.default.fileExists(atPath: logPath) {
            try AtomicFile.write([], to: logPath)
            stray = nil
        }
        let file = FileCalls.open(logPath, O_RDWR | O_CLOEXEC)
        guard file >= 0 else { throw stray == nil ? Failure() : StrayFailure() }
        defer { close(file) }
        guard Self.takeAway(&stray, from: file) else { throw StrayFailure() }
        let end = lseek(file, 0, SEEK_END)
        var last: UInt8 = 0x0A
        // Nothing is appended to an incomplete line; opening the log cuts it off first.
        guard end >= 0, end == 0 || pread(file, &last, 1, end - 1) == 1, last == 0x0A else { throw Failure() }
        let isWritten = Array(line.utf8).withUnsafeBytes { FileCalls.writeAll($0, to: file) }
        guard isWritten, FileCalls.synchronize(file) == 0 else {
            guard Self.cut(file, at: end) else {
                stray = Self.identity(file).map { Stray(file: $0, start: end, registry: registry) }
                throw StrayFailure()
            }
            throw Failure()
        }
    }

    private static func cut(_ file: Int32, at end: off_t) -> Bool {
        FileCalls.truncate(file, end) == 0 && FileCalls.synchronize(file) == 0
    }

    /// Takes a refused line out of the file. False while that cannot be done.
    private func takeAwayStray(_ state: inout State) -> Bool {
        guard state.stray != nil else { return true }
        let file = FileCalls.open(logPath, O_RDWR | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        return Self.takeAway(&state.stray, from: file)
    }

    private static func takeAway(_ stray: inout Stray?, from file: Int32) -> Bool {
        if let found = stray, let identity = identity(file), identity == found.file {
            guard cut(file, at: found.start) else { return false }
        }
        stray = nil
        return true
    }

    private static func identity(_ file: Int32) -> (dev_t, ino_t)? {
        var information = stat()
        return fstat(file, &information) == 0 ? (information.st_dev, information.st_ino) : nil
    }

    /// Saves the log's position in the registry and shortens the log if necessary. A release does not wait for this.
    ///
    /// - Parameter keep: Saves the position in the sealed registry.
    package func settle(_ keep: (Head) throws -> Void) throws {
        let settled: (head: Head, dropped: Int)? = try state.withLock { state in
            guard var standing = state.standing else { return nil }
            let oldFirst = standing.first
            if takeAwayStray(&state), standing.chain.index - standing.first > 2 * limit {
                standing.first = standing.chain.index - limit
            }
            if standing.keyFile != standing.written { try noting(&state) { _ in try writeKeyFile(&standing) } }
            state.standing?.written = standing.written
            return (Self.head(standing), standing.first - oldFirst)
        }
        guard let settled else { return }
        // Lines are added meanwhile.
        try keep(settled.head)
        // Only after the registry was saved: an older position would report the removed lines as deleted.
        guard settled.dropped > 0 else { return }
        state.withLock { state in
            state.standing?.first += settled.dropped
            if let standing = state.standing { try? shorten(by: settled.dropped, of: standing) }
        }
    }

    private func shorten(by count: Int, of standing: Standing) throws {
        guard let file = try content() else { throw Failure() }
        let lines = file.split(separator: 0x0A)
        // If lines are missing, none is removed, so that the next reading detects the loss.
        guard lines.count >= standing.chain.index - standing.first + count else { return }
        let kept = lines.suffix(standing.chain.index - standing.first)
        try AtomicFile.write(kept.flatMap { Array($0) + [0x0A] }, to: logPath)
    }

    /// The log's current position, or `nil` if it is empty or was never opened.
    package var head: Head? {
        state.withLock { $0.standing.flatMap { $0.chain.index > 0 ? Self.head($0) : nil } }
    }

    private static func head(_ standing: Standing) -> Head {
        Head(
            count: standing.chain.index, digest: Data(SHA256.hash(data: standing.lastTag)),
            first: standing.first > 0 ? standing.first : nil)
    }

    // MARK: Reading

    /// The faults in the files at present.
    package func findings(seed: SecretBytes, head: Head?) -> [AuditFinding] {
        guard let keys = try? AuditKeys(seed: seed), let (verification, standing) = verification(keys) else {
            return []
        }
        return Self.findings(about: AuditKeyFile(contentsOf: keyPath), at: keyPath, standing.written, head)
            + verification.findings + (head.map { Self.findings(about: $0, verification) } ?? [])
    }

    /// Unchanged lines that satisfy a condition, oldest first, from a number on (counted from 1).
    ///
    /// - Returns: At most `limit` lines, and the number to continue with, which is beyond the last line if there are no more.
    package func lines(
        seed: SecretBytes, from number: Int, limit: Int, where fits: (AuditLine) -> Bool = { _ in true }
    ) -> (lines: [AuditLine], next: Int, end: Int) {
        guard let keys = try? AuditKeys(seed: seed), let (verification, _) = verification(keys) else {
            return ([], 1, 1)
        }
        var lines: [AuditLine] = []
        var bytes = 0
        for (index, row) in verification.rows where index + 1 >= number {
            guard let plain = row.opened(keys), var line = try? BoundedJSON.decode(AuditLine.self, from: plain)
            else { continue }
            line.number = index + 1
            guard line.event != Self.countingEvent, fits(line) else { continue }
            bytes += min(plain.count, Self.lineBytes)
            guard lines.isEmpty || lines.count < limit && bytes <= Self.pageBytes else {
                return (lines, index + 1, verification.next + 1)
            }
            lines.append(line.shortened)
        }
        return (lines, verification.next + 1, verification.next + 1)
    }

    /// The newest unchanged lines, oldest first; none where the task is cancelled.
    package func newest(_ count: Int, seed: SecretBytes) -> [AuditLine] {
        guard let keys = try? AuditKeys(seed: seed), let (verification, _) = verification(keys) else { return [] }
        var lines: [AuditLine] = []
        for (_, row) in verification.rows.suffix(count) {
            guard !Task.isCancelled else { return [] }
            guard let plain = row.opened(keys), let line = try? BoundedJSON.decode(AuditLine.self, from: plain) else {
                continue
            }
            lines.append(line)
        }
        return lines
    }

    private func verification(_ keys: AuditKeys) -> (AuditVerification, Standing)? {
        state.withLock { state in
            guard let standing = state.standing, standing.publicKey == keys.publicKey else { return nil }
            _ = takeAwayStray(&state)
            let (first, next) = (standing.first, standing.chain.index)
            let stamp = Stamp(logPath)
            if let checked = state.checked, checked.stamp == stamp, (checked.first, checked.next) == (first, next) {
                return (checked.verification, standing)
            }
            let file = (try? content()) ?? Data()
            let verification = AuditVerification(file, keys: keys, first: first, next: next)
            // A change while it was read gives the file another stamp.
            state.checked = stamp.flatMap { stamp in
                stamp.isSettled && stamp == Stamp(logPath)
                    ? Checked(stamp: stamp, first: first, next: next, verification: verification) : nil
            }
            return (verification, standing)
        }
    }

    private struct Failure: Error {}
    /// A refused line is still in the file.
    private struct StrayFailure: Error {}
}

extension AuditLine {
    /// The most scalars of one text. Strangers choose some of them.
    private static let textLimit = 1_024

    /// The line with texts that are no longer than `textLimit`, so that a few lines cannot make the log too large to be shown.
    fileprivate var shortened: AuditLine {
        func shortened(_ text: String) -> String {
            guard text.utf8.count > Self.textLimit, text.unicodeScalars.count > Self.textLimit else { return text }
            return String(String.UnicodeScalarView(text.unicodeScalars.prefix(Self.textLimit))) + "…"
        }
        var line = self
        line.requester = shortened(requester)
        line.provider = provider.map(shortened)
        line.service = service.map(shortened)
        line.user = user.map(shortened)
        line.client = client.map(shortened)
        line.reason = reason.map(shortened)
        line.purpose = purpose.map(shortened)
        return line
    }
}
