// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillSecrets
internal import Glibc

/// Secrets with names, in one sealed file that is replaced as a whole.
///
/// The file is a line that says what it is, then a sealed record (`SealKey`, `RecordEncoder`): a number of secrets, and
/// each one's name and bytes, sorted by name. Who changes it holds a lock beside it from reading to writing, so that two
/// processes lose nothing of each other's; who only reads finds the old file or the new one. A lock file that somebody has
/// taken away locks nothing, so it is compared with what is at its path before anything is written.
package struct SecretFile {
    private let name: String
    /// Whether the folder is this file's own, which is made when something is written.
    private let hasOwnFolder: Bool
    static let sizeLimit = 1 << 20
    static let secretLimit = 65_536
    static let nameLimit = 256
    private static let header = Array("latchkey-secrets/1\n".utf8)
    private static let anyHeader = Array("latchkey-secrets/".utf8)
    private static let laterVersions = UInt8(ascii: "2")...UInt8(ascii: "9")

    package let path: String
    private let sealKey: SealKey?

    /// - Parameters:
    ///   - ownFolder: A folder inside of `folder` that holds this file alone.
    ///   - label: What the key is derived by. Files with other contents have other keys, so that none is taken for another.
    init(
        folder: String,
        key: SecretBytes,
        ownFolder: String? = nil,
        name: String = "secrets.latchkey",
        label: String = "latchkey/1 container secrets"
    ) {
        self.name = name
        hasOwnFolder = ownFolder != nil
        let inside = ownFolder.map { "/" + $0 } ?? ""
        path = (folder.hasSuffix("/") ? String(folder.dropLast()) : folder) + inside + "/" + name
        sealKey = SealKey(key)?.derive(label: label, salt: [])
    }

    /// All secrets; none where there is no file.
    package func read() throws -> [String: SecretBytes] {
        guard let bytes = try contents() else { return [:] }
        do {
            return try decode(bytes)
        } catch {
            throw ProviderContainerError(reading: error, path)
        }
    }

    /// Changes the secrets under the lock. What cannot be read is never written over.
    ///
    /// - Parameter body: Is called again where the lock was taken away before anything was written.
    package func change<Result>(_ body: (inout [String: SecretBytes]) -> Result) throws -> Result {
        try locked { lock in
            var secrets = try read()
            let before = secrets
            let result = body(&secrets)
            guard secrets != before else { return result }
            guard isAtItsPlace(lock) else { return nil }
            try write(secrets)
            return result
        }
    }

    /// Removes the file, whatever is in it.
    func remove() throws {
        try locked { _ in try unlinkFile() }
    }

    /// Removes the file where it is damaged.
    ///
    /// - Parameter check: Throws where the secrets are not what they should be, though they could be opened.
    /// - Returns: False where the file is not damaged, or not there.
    /// - Throws: `ProviderContainerError`; `unsupportedVersion` where a newer version wrote it, which is not damage.
    package func removeIfDamaged(_ check: ([String: SecretBytes]) throws -> Void) throws -> Bool {
        try locked { lock in
            let secrets: [String: SecretBytes]?
            do {
                secrets = try read()
            } catch let error as ProviderContainerError where error.code == .damaged {
                secrets = nil
            }
            if let secrets, (try? check(secrets)) != nil { return false }
            guard isAtItsPlace(lock) else { return nil }
            try unlinkFile()
            return true
        }
    }

    private func unlinkFile() throws {
        guard unlink(path) == 0 || errno == ENOENT else { throw failure("cannot be removed") }
        do {
            try AtomicFile.synchronizeFolder(folder)
        } catch {
            throw ProviderContainerError(reading: error, path)
        }
    }

    private func write(_ secrets: [String: SecretBytes]) throws {
        guard secrets.allSatisfy({ (1...Self.nameLimit).contains($0.key.utf8.count) }) else {
            throw ProviderContainerError(.tooLarge, "The name of a secret has 1 to \(Self.nameLimit) bytes.")
        }
        guard secrets.allSatisfy({ $0.value.count <= Self.secretLimit }) else {
            throw ProviderContainerError(.tooLarge, "A secret has at most \(Self.secretLimit) bytes.")
        }
        guard secrets.reduce(0, { $0 + $1.key.utf8.count + $1.value.count + 8 }) <= Self.sizeLimit - 4096 else {
            throw ProviderContainerError(.tooLarge, "All secrets together have at most a MiB.")
        }
        guard let sealKey else { throw ProviderContainerError(.storageFailed, "The key has not 32 bytes.") }
        var record = RecordEncoder()
        record.append(Int64(secrets.count))
        for (name, secret) in secrets.sorted(by: { $0.key < $1.key }) {
            record.append(name)
            record.append(secret)
        }
        do {
            try AtomicFile.write(Self.header + sealKey.seal(record.finish(), associated: Self.header), to: path)
        } catch {
            throw ProviderContainerError(reading: error, path)
        }
    }

    private func decode(_ bytes: [UInt8]) throws -> [String: SecretBytes] {
        guard let sealKey else { throw ProviderContainerError(.storageFailed, "The key has not 32 bytes.") }
        guard bytes.starts(with: Self.header) else {
            let version = bytes.dropFirst(Self.anyHeader.count).first
            let isNewer = bytes.starts(with: Self.anyHeader) && version.map(Self.laterVersions.contains) ?? false
            throw isNewer ? failure(.unsupportedVersion) : failure(.damaged)
        }
        let sealed = Array(bytes[Self.header.count...])
        var record = try RecordDecoder(sealKey.open(sealed, associated: Self.header))
        var secrets: [String: SecretBytes] = [:]
        for _ in 0..<(try record.readNumber(in: 0...Int64(Self.sizeLimit))) {
            let name = try record.readText()
            guard secrets.updateValue(try record.readSecret(), forKey: name) == nil else { throw failure(.damaged) }
        }
        try record.finish()
        return secrets
    }

    private func contents() throws -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw failure("cannot be opened")
        }
        defer { close(file) }
        var information = stat()
        guard fstat(file, &information) == 0, information.st_mode & S_IFMT == S_IFREG,
            information.st_size <= Self.sizeLimit
        else { throw failure(.damaged) }
        var bytes = [UInt8](repeating: 0, count: Int(information.st_size))
        var total = 0
        while total < bytes.count {
            let count = bytes.withUnsafeMutableBytes { buffer in
                Glibc.read(file, buffer.baseAddress?.advanced(by: total), buffer.count - total)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("cannot be read") }
            total += count
        }
        return bytes
    }

    /// Waits for the lock in short steps: a process that was stopped while it held it must not stop this one too.
    ///
    /// - Parameter body: Answers `nil` where it noticed that the lock was taken away; then all begins anew.
    private func locked<Result>(_ body: (Int32) throws -> Result?) throws -> Result {
        if hasOwnFolder { try makeFolder() }
        for _ in 0..<Self.attemptLimit {
            let lock = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard lock >= 0 else { throw failure("cannot be locked") }
            // Closing it gives the lock back, also when this process is killed.
            defer { close(lock) }
            guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
                guard errno == EWOULDBLOCK || errno == EINTR else { throw failure("cannot be locked") }
                usleep(2000)
                continue
            }
            // Whoever held it before may have been its last holder at this path.
            if isAtItsPlace(lock), let result = try body(lock) { return result }
        }
        throw ProviderContainerError(.busy, "Another process has been changing \(path) for too long.")
    }

    /// Whether a lock is the one that others find.
    private func isAtItsPlace(_ lock: Int32) -> Bool {
        var (held, found) = (stat(), stat())
        guard fstat(lock, &held) == 0, lstat(lockPath, &found) == 0 else { return false }
        return held.st_ino == found.st_ino && held.st_dev == found.st_dev
    }

    /// Makes the file's own folder, for this user alone.
    private func makeFolder() throws {
        if mkdir(folder, 0o700) == 0 { return }
        var information = stat()
        guard errno == EEXIST, lstat(folder, &information) == 0 else { throw failure("has no folder") }
        guard information.st_mode & S_IFMT == S_IFDIR else {
            throw ProviderContainerError(.storageFailed, "\(folder) is not a folder.")
        }
        guard information.st_mode & 0o077 == 0 || chmod(folder, 0o700) == 0 else { throw failure("has no folder") }
    }

    private var lockPath: String { path + ".lock" }
    private static let attemptLimit = 2500

    private var folder: String { String(path.dropLast(name.count + 1)) }

    private func failure(_ what: String) -> ProviderContainerError {
        ProviderContainerError(.storageFailed, "The file \(path) \(what): \(String(cString: strerror(errno))).")
    }

    private func failure(_ code: ProviderContainerError.Code) -> ProviderContainerError {
        let text = code == .damaged ? "are damaged" : "were written by a newer version"
        return ProviderContainerError(code, "The secrets in \(path) \(text).")
    }
}
