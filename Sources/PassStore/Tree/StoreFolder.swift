// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import Glibc

/// The folder of a password store.
///
/// The folder itself may be reached by a symbolic link, as those that live in a repository of settings are. Below it no
/// link is followed, in any part of a path: every folder is opened from the one above it, so nothing that is put in
/// place meanwhile leads out of the store. Files are opened without waiting for a writer, and only regular ones are read.
public final class StoreFolder: Sendable {
    /// So many bytes an encrypted file has at most.
    public static let fileLimit = 1 << 20

    /// Where the folder is, links resolved.
    public let path: String
    let root: Int32

    /// Opens the folder.
    ///
    /// - Throws: `PassStoreError` with `folder` when it is not there, is not a folder or belongs to somebody else.
    public init(path: String) throws(PassStoreError) {
        guard let resolved = realpath(path, nil) else {
            throw PassStoreError(
                .folder, "There is no password store at \(path).", hint: "Make one with: pass init YOUR-GPG-ID"
            )
        }
        self.path = String(cString: resolved)
        free(resolved)
        root = Glibc.open(self.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard root >= 0 else { throw Self.failure("The password store cannot be opened") }
        var information = stat()
        guard fstat(root, &information) == 0, information.st_uid == geteuid() else {
            throw PassStoreError(.folder, "The password store belongs to another user.")
        }
    }

    deinit {
        if root >= 0 { close(root) }
    }

    /// The encrypted bytes of an entry.
    ///
    /// - Throws: `PassStoreError` with `noEntry`, or with `unreadable` for what is not an entry.
    public func ciphertext(of name: EntryName) throws(PassStoreError) -> [UInt8] {
        let folder = try open(name.folders)
        defer { close(folder) }
        return try read(name.file, in: folder, limit: Self.fileLimit, what: "The entry")
    }

    /// Whom an entry is to be encrypted to: what the `.gpg-id` of the nearest folder says, one recipient a line.
    ///
    /// A `.gpg-id` with a signature beside it is refused: who signs it is told to pass by a variable of the environment,
    /// which is not here, and without checking it a changed file would have secrets encrypted to a stranger.
    public func recipients(for name: EntryName) throws(PassStoreError) -> [String] {
        var folders = name.folders
        while true {
            if let folder = try? open(folders) {
                defer { close(folder) }
                if let bytes = try? read(".gpg-id", in: folder, limit: 65536, what: "The list of recipients") {
                    guard faccessat(folder, ".gpg-id.sig", F_OK, AT_SYMLINK_NOFOLLOW) != 0 else {
                        throw PassStoreError(
                            .recipients, "The list of recipients is signed, which is not checked here.",
                            hint: "Change this entry with pass."
                        )
                    }
                    return try Recipients.read(bytes)
                }
            }
            guard !folders.isEmpty else {
                throw PassStoreError(
                    .recipients, "The store does not say whom to encrypt to.", hint: "pass init YOUR-GPG-ID"
                )
            }
            folders.removeLast()
        }
    }

    /// Opens a folder below the store; the caller closes it.
    func open(_ folders: [String], making: Bool = false) throws(PassStoreError) -> Int32 {
        var folder = fcntl(root, F_DUPFD_CLOEXEC, 3)
        guard folder >= 0 else { throw Self.failure("The password store cannot be opened") }
        for part in folders {
            if making, mkdirat(folder, part, 0o700) != 0, errno != EEXIST {
                defer { close(folder) }
                throw Self.failure("The folder \(part) cannot be made")
            }
            let next = openat(folder, part, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
            let number = errno
            close(folder)
            guard next >= 0 else {
                switch number {
                case ENOENT, ENOTDIR: throw PassStoreError(.noEntry, "There is no such entry.")
                case ELOOP: throw PassStoreError(.unreadable, "A symbolic link is not followed.")
                default: throw Self.failure("The folder \(part) cannot be opened", number)
                }
            }
            folder = next
        }
        return folder
    }

    private func read(_ file: String, in folder: Int32, limit: Int, what: String) throws(PassStoreError) -> [UInt8] {
        let descriptor = openat(folder, file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT, ENOTDIR: throw PassStoreError(.noEntry, "There is no such entry.")
            case ELOOP: throw PassStoreError(.unreadable, "\(what) is a symbolic link, which is not followed.")
            default: throw Self.failure("\(what) cannot be opened")
            }
        }
        defer { close(descriptor) }
        var information = stat()
        guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
            throw PassStoreError(.unreadable, "\(what) is not a file.")
        }
        guard (1...limit).contains(Int(information.st_size)) else {
            throw PassStoreError(.unreadable, "\(what) is \(information.st_size == 0 ? "empty" : "too large").")
        }
        // One more than it had when it was looked at: a file that grows meanwhile is noticed.
        var bytes = [UInt8](repeating: 0, count: Int(information.st_size) + 1)
        var count = 0
        while count < bytes.count {
            let got = bytes.withUnsafeMutableBytes { buffer in
                Glibc.read(descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count)
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw Self.failure("\(what) cannot be read") }
            if got == 0 { break }
            count += got
        }
        guard count < bytes.count else { throw PassStoreError(.changed, "\(what) is being written.") }
        return Array(bytes[..<count])
    }

    static func failure(_ what: String, _ number: Int32 = errno) -> PassStoreError {
        PassStoreError(.folder, "\(what): \(String(cString: strerror(number))).")
    }
}

/// Whom a folder's entries are encrypted to.
enum Recipients {
    /// So many there are at most.
    private static let limit = 256

    /// Reads a `.gpg-id`: a key or address a line; what follows a `#` is a remark.
    static func read(_ bytes: [UInt8]) throws(PassStoreError) -> [String] {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw PassStoreError(.recipients, "The list of recipients is not text.")
        }
        let names = text.split(whereSeparator: \.isNewline).map { line in
            line.prefix { $0 != "#" }.trimmingBlanks
        }.filter { !$0.isEmpty }
        guard (1...limit).contains(names.count) else {
            throw PassStoreError(.recipients, "The list of recipients is \(names.isEmpty ? "empty" : "too long").")
        }
        for name in names {
            guard name.utf8.count <= 256, !name.hasPrefix("-"),
                !name.unicodeScalars.contains(where: NameFault.controls)
            else { throw PassStoreError(.recipients, "The list of recipients holds something that is not a key.") }
        }
        return names
    }
}

extension Substring {
    fileprivate var trimmingBlanks: String {
        var rest = self
        while let first = rest.first, first == " " || first == "\t" { rest = rest.dropFirst() }
        while let last = rest.last, last == " " || last == "\t" { rest = rest.dropLast() }
        return String(rest)
    }
}
