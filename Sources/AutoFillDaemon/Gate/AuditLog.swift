// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets
internal import Crypto
internal import Foundation
internal import Synchronization

/// What was released and what was refused, one sealed line each.
///
/// A line is sealed to a public key (RFC 9180, base mode), so that refusals are logged while locked and can be read only
/// when unlocked. Each is authenticated under a key that is then replaced by its hash: who takes the file over can add
/// lines but cannot change earlier ones. How many lines there were, and the digest of the last, stands in the sealed
/// registry, so that a shortened file is noticed too. `docs/vault-format.md` states the format.
final class AuditLog: Sendable {
    /// Where a log stands: kept in the sealed registry whenever there is a chance to.
    struct Head: Codable, Equatable, Sendable {
        var count: Int
        /// Of the last line's tag.
        var digest: Data
    }

    /// What reading the log gave.
    struct Reading: Sendable {
        var lines: [AuditLine]
        /// What is wrong with the file; empty when every line is where and what it was.
        var faults: [String]
    }

    /// In lines. When the file has twice as many, the older half goes.
    static let limit = 10_000

    private static let suite = HPKE.Ciphersuite.Curve25519_SHA256_ChachaPoly
    private static let purpose = Data("latchkey audit line v1".utf8)

    private struct State: Sendable {
        /// The key of the next line, its index, and the public key; nothing before `initialize`.
        var writer: Writer?
        /// Whether the key file is one line behind, which `mend` can make good after a crash; it is never two behind.
        var isBehind = false
    }

    private struct Writer: Codable, Sendable {
        var publicKey: Data
        var nextKey: Data
        var nextIndex: Int
        /// The index of the first line that is kept.
        var firstIndex: Int
        /// The tag of the last line.
        var lastTag = Data()
        /// What that index is about to be; only while older lines are taken out.
        var shorteningTo: Int?

        /// Whether these are numbers to count with: nothing authenticates this file.
        var isSane: Bool {
            publicKey.count == 32 && nextKey.count == 32 && firstIndex >= 0 && firstIndex <= nextIndex
                && nextIndex < 1 << 40 && (firstIndex...nextIndex).contains(shorteningTo ?? firstIndex)
        }
    }

    private let logPath: String
    private let writerPath: String
    private let limit: Int
    private let state: Mutex<State>

    /// Opens the log of a state folder; an installation without one has an empty log.
    init(folder: String, limit: Int = AuditLog.limit) {
        logPath = folder + "/audit.log"
        writerPath = folder + "/audit.key"
        self.limit = limit
        let writer = FileManager.default.contents(atPath: writerPath).flatMap {
            try? JSONDecoder().decode(Writer.self, from: $0)
        }
        state = Mutex(State(writer: writer.flatMap { $0.isSane ? $0 : nil }))
        state.withLock { state in mend(&state.writer) }
    }

    /// A crash between the two files leaves a line that the key file does not know of, or half a line: the first is taken
    /// over when its tag is right, the second, which was never acknowledged, is cut off. One while older lines were taken
    /// out leaves them in or out, and how many lines there are tells which.
    private func mend(_ writer: inout Writer?) {
        guard var mended = writer, let file = FileManager.default.contents(atPath: logPath), !file.isEmpty else {
            return
        }
        let whole = file.lastIndex(of: 0x0A).map { file[...$0] } ?? Data()
        if whole.count < file.count, (try? AtomicFile.write(Array(whole), to: logPath)) == nil { return }
        let lines = whole.split(separator: 0x0A)
        if let first = mended.shorteningTo {
            if lines.count == mended.nextIndex - first { mended.firstIndex = first }
            mended.shorteningTo = nil
            guard (try? save(mended)) != nil else { return }
            writer = mended
        }
        guard lines.count == mended.nextIndex - mended.firstIndex + 1, let parts = lines.last?.split(separator: 0x20),
            parts.count == 2, let sealed = Data(base64Encoded: Data(parts[0])),
            Data(base64Encoded: Data(parts[1]))
                == Self.tag(key: mended.nextKey, index: mended.nextIndex, sealed: sealed)
        else { return }
        mended.nextKey = Self.ratchet(mended.nextKey)
        mended.nextIndex += 1
        mended.lastTag = Data(base64Encoded: Data(parts[1])) ?? Data()
        if (try? save(mended)) != nil { writer = mended }
    }

    /// Begins a new log for a device key; the earlier one is kept aside as `audit.log.replaced`.
    func initialize(seed: SecretBytes) throws {
        let keys = try Keys(seed: seed)
        try state.withLock { state in
            if FileManager.default.fileExists(atPath: logPath) {
                try? FileManager.default.removeItem(atPath: logPath + ".replaced")
                try FileManager.default.moveItem(atPath: logPath, toPath: logPath + ".replaced")
            }
            let writer = Writer(
                publicKey: keys.privateKey.publicKey.rawRepresentation, nextKey: keys.first, nextIndex: 0, firstIndex: 0
            )
            try save(writer)
            state.writer = writer
            state.isBehind = false
        }
    }

    /// Whether the log belongs to this device key.
    func belongs(to seed: SecretBytes) -> Bool {
        guard let keys = try? Keys(seed: seed) else { return false }
        return state.withLock { $0.writer?.publicKey == keys.privateKey.publicKey.rawRepresentation }
    }

    /// Brings the key file up to date and keeps the log bounded: work that a release need not wait for.
    func settle() throws {
        try state.withLock { state in
            guard var writer = state.writer, state.isBehind else { return }
            try save(writer)
            state.isBehind = false
            guard writer.nextIndex - writer.firstIndex > 2 * limit else { return }
            writer.shorteningTo = writer.nextIndex - limit
            try save(writer)
            state.writer = writer
            try? shorten(writer)
            mend(&state.writer)
        }
    }

    /// Adds a line, durably. Throws `storageFailed`; then nothing may be released.
    func append(_ line: AuditLine) throws {
        do {
            try state.withLock { state in
                guard var writer = state.writer else { throw Failure() }
                if state.isBehind { try save(writer) }
                state.isBehind = false
                let publicKey = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: writer.publicKey)
                var sender = try HPKE.Sender(
                    recipientKey: publicKey, ciphersuite: Self.suite, info: Self.purpose)
                let sealed = sender.encapsulatedKey + (try sender.seal(JSONEncoder().encode(line)))
                let tag = Self.tag(key: writer.nextKey, index: writer.nextIndex, sealed: sealed)
                try appendDurably("\(sealed.base64EncodedString()) \(tag.base64EncodedString())\n")
                writer.nextKey = Self.ratchet(writer.nextKey)
                writer.nextIndex += 1
                writer.lastTag = tag
                state.writer = writer
                state.isBehind = true
            }
        } catch {
            throw WireError(.storageFailed, "The audit log cannot be written, so nothing is released.")
        }
    }

    /// Reads and checks the whole log with the device key's seed.
    func read(seed: SecretBytes, head: Head?) -> Reading {
        state.withLock { state in
            guard let keys = try? Keys(seed: seed), let writer = state.writer else {
                return Reading(lines: [], faults: head.map { _ in ["the log's key file is missing"] } ?? [])
            }
            return Self.read(
                FileManager.default.contents(atPath: logPath) ?? Data(), keys: keys, writer: writer, limit: limit,
                head: head)
        }
    }

    /// Where the log stands now.
    var head: Head? {
        state.withLock { state in
            guard let writer = state.writer, writer.nextIndex > 0 else { return nil }
            return Head(count: writer.nextIndex, digest: Data(SHA256.hash(data: writer.lastTag)))
        }
    }

    private struct Failure: Error {}

    private struct Keys {
        let privateKey: Curve25519.KeyAgreement.PrivateKey
        let first: Data

        init(seed: SecretBytes) throws {
            let material = seed.withUnsafeBytes { SymmetricKey(data: $0) }
            let scalar = HKDF<SHA256>.deriveKey(
                inputKeyMaterial: material, info: Data("audit private key".utf8), outputByteCount: 32)
            privateKey = try scalar.withUnsafeBytes { try .init(rawRepresentation: $0) }
            first = HKDF<SHA256>.deriveKey(
                inputKeyMaterial: material, info: Data("audit first line".utf8), outputByteCount: 32
            ).withUnsafeBytes { Data($0) }
        }
    }

    private static func ratchet(_ key: Data) -> Data {
        Data(HMAC<SHA256>.authenticationCode(for: Data("next".utf8), using: SymmetricKey(data: key)))
    }

    private static func tag(key: Data, index: Int, sealed: Data) -> Data {
        let numbered = withUnsafeBytes(of: UInt64(index).bigEndian) { Data($0) } + sealed
        return Data(HMAC<SHA256>.authenticationCode(for: numbered, using: SymmetricKey(data: key)))
    }

    private static func read(_ file: Data, keys: Keys, writer: Writer, limit: Int, head: Head?) -> Reading {
        let (first, next) = (writer.firstIndex, writer.nextIndex)
        var reading = Reading(lines: [], faults: [])
        // What takes older lines out leaves so many; where there are fewer, it was somebody else.
        if first > 0, next - first < limit { reading.faults.append("the beginning of the log is missing") }
        var key = keys.first
        for _ in 0..<max(0, min(first, 1 << 24)) { key = ratchet(key) }
        var index = first
        var headTag: Data?
        for line in file.split(separator: 0x0A) {
            let parts = line.split(separator: 0x20)
            guard parts.count == 2, let sealed = Data(base64Encoded: Data(parts[0])), sealed.count > 32,
                let tag = Data(base64Encoded: Data(parts[1])), tag == Self.tag(key: key, index: index, sealed: sealed)
            else {
                reading.faults.append("line \(index) is missing or was changed")
                break
            }
            if var recipient = try? HPKE.Recipient(
                privateKey: keys.privateKey, ciphersuite: suite, info: purpose, encapsulatedKey: sealed.prefix(32)),
                let plain = try? recipient.open(sealed.dropFirst(32)),
                let entry = try? JSONDecoder().decode(AuditLine.self, from: plain)
            {
                reading.lines.append(entry)
            } else {
                reading.faults.append("line \(index) cannot be read")
            }
            key = ratchet(key)
            index += 1
            if index == head?.count { headTag = tag }
        }
        if reading.faults.isEmpty, index != next { reading.faults.append("the end of the log is missing") }
        // Nobody but this reading can tell: lines that are added under another key would be faulty.
        if reading.faults.isEmpty, key != writer.nextKey { reading.faults.append("the log's key file was changed") }
        // A head from before the first line that is kept tells nothing any more.
        if reading.faults.isEmpty, let head, head.count > first {
            guard let headTag, Data(SHA256.hash(data: headTag)) == head.digest else {
                reading.faults.append("the log was shortened or replaced")
                return reading
            }
        }
        return reading
    }

    private func appendDurably(_ line: String) throws {
        if !FileManager.default.fileExists(atPath: logPath) {
            try AtomicFile.write([], to: logPath)
        }
        guard let handle = FileHandle(forUpdatingAtPath: logPath) else { throw Failure() }
        defer { try? handle.close() }
        let end = try handle.seekToEnd()
        if end > 0 {
            // Behind half a line nothing is written: `mend` has to cut it off first.
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

    private func save(_ writer: Writer?) throws {
        guard let writer else { return }
        try AtomicFile.write(Array(try JSONEncoder().encode(writer)), to: writerPath)
    }

    private func shorten(_ writer: Writer) throws {
        guard let file = FileManager.default.contents(atPath: logPath) else { throw Failure() }
        let lines = file.split(separator: 0x0A)
        // Where lines are missing, nothing is taken out: reading has to find that.
        guard lines.count == writer.nextIndex - writer.firstIndex else { return }
        try AtomicFile.write(lines.suffix(limit).flatMap { Array($0) + [0x0A] }, to: logPath)
    }
}
