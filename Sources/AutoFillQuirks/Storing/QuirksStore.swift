// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillIPC
internal import CLinux
internal import FoundationEssentials
internal import Glibc

/// The user's own set of quirks on disk: `quirks` in Latchkey's data folder.
///
/// A set is one folder, made beside the old one, written out to the disk, and put in its place in one step (renameat2(2) with
/// `RENAME_EXCHANGE`): whoever reads, and whatever ends this process, finds the old set or the new one.
public struct QuirksStore: Sendable {
    private let data: String
    public var folder: String { data + "/quirks" }

    /// - Parameter data: `Directories.data`.
    public init(data: String) {
        self.data = data
    }

    /// Holds the set for one writer; throws `busy` when there is another.
    @discardableResult
    public func locked<Result>(_ body: () async throws -> Result) async throws -> Result {
        try Directories.makePrivate(data)
        let descriptor = open(data + "/.quirks.lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure("made", data + "/.quirks.lock") }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw WireError(.busy, "Another `latchkey quirks` is at work.", hint: "Try again in a moment.")
        }
        return try await body()
    }

    /// What the set on disk says of itself; nothing where there is none.
    public func current() throws(WireError) -> QuirksSet? {
        guard let bytes = read(QuirksSet.fileName, atMost: 65_536) else {
            guard access(folder, F_OK) == 0 else { return nil }
            throw WireError(.storageFailed, "The quirks in \(folder) have no set.json.", hint: QuirksSet.remedy)
        }
        return try QuirksSet(bytes)
    }

    /// A file of the set, if it is what the set says of it.
    public func content(of file: QuirksFile, in set: QuirksSet) -> [UInt8]? {
        guard let entry = set.files[file.rawValue], let bytes = read(file.rawValue, atMost: file.maximumSize),
            bytes.count == entry.bytes, QuirksSet.digest(of: bytes) == entry.digest
        else { return nil }
        return bytes
    }

    /// Puts a set in the place of the one that is there. To be called while `locked`.
    ///
    /// - Throws: `storageFailed`; then the old set is there still.
    public func replace(with set: QuirksSet, contents: [QuirksFile: [UInt8]]) throws(WireError) {
        removeLeftovers()
        let made = data + "/.quirks-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        guard mkdir(made, 0o700) == 0 else { throw failure("made", made) }
        do {
            for (file, bytes) in contents { try write(bytes, to: made + "/" + file.rawValue) }
            try write(set.text, to: made + "/" + QuirksSet.fileName)
            try synchronize(made)
            try put(made, inPlaceOf: folder)
        } catch {
            removeLeftovers()
            throw error
        }
        // Whatever is there now is the old set, or nothing.
        removeLeftovers()
    }

    /// Takes the set away; false when there is none. To be called while `locked`.
    public func remove() throws(WireError) -> Bool {
        removeLeftovers()
        guard access(folder, F_OK) == 0 else { return false }
        guard rename(folder, data + "/.quirks-removed-\(getpid())") == 0 else { throw failure("removed", folder) }
        try synchronize(data)
        removeLeftovers()
        return true
    }

    private func put(_ made: String, inPlaceOf folder: String) throws(WireError) {
        if access(folder, F_OK) != 0 {
            guard rename(made, folder) == 0 else { throw failure("put in its place", folder) }
        } else if latchkey_exchange(made, folder) != 0 {
            guard errno == EINVAL || errno == ENOSYS else { throw failure("put in its place", folder) }
            // A file system that cannot exchange: for a moment there is no set, which is a state that readers know.
            guard rename(folder, made + ".old") == 0 else { throw failure("put in its place", folder) }
            guard rename(made, folder) == 0 else {
                let failed = failure("put in its place", folder)
                _ = rename(made + ".old", folder)
                throw failed
            }
        }
        try synchronize(data)
    }

    /// What an earlier run that was interrupted left behind.
    private func removeLeftovers() {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: data)) ?? [] where name.hasPrefix(".quirks-")
        {
            try? FileManager.default.removeItem(atPath: data + "/" + name)
        }
    }

    private func read(_ name: String, atMost maximum: Int) -> [UInt8]? {
        guard let file = PlainFile.open(folder + "/" + name) else { return nil }
        defer { close(file) }
        return PlainFile.read(file, atMost: maximum)
    }

    private func write(_ bytes: [UInt8], to path: String) throws(WireError) {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw failure("made", path) }
        defer { close(file) }
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(file, $0.baseAddress?.advanced(by: written), $0.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("written", path) }
            written += count
        }
        guard fsync(file) == 0 else { throw failure("written", path) }
    }

    private func synchronize(_ folder: String) throws(WireError) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("opened", folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("written", folder) }
    }

    private func failure(_ what: String, _ path: String) -> WireError {
        WireError(.storageFailed, "\(path) cannot be \(what): \(String(cString: strerror(errno))).")
    }
}
