// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// An entry as its file shows it, nothing decrypted.
public struct StoreEntry: Hashable, Sendable {
    /// Its name.
    public let name: EntryName
    /// When its file was written, in seconds since 1970.
    public let modified: Int64

    /// An entry with all its members.
    public init(name: EntryName, modified: Int64) {
        (self.name, self.modified) = (name, modified)
    }

    /// What the name says.
    public var layout: EntryLayout { EntryLayout(name) }
}

/// A file that could be an entry and is passed over.
public struct SkippedFile: Hashable, Sendable {
    /// Its path below the store, with everything that is not plain written as an escape.
    public let path: String
    /// Why, as a sentence.
    public let reason: String
}

/// What a store holds.
public struct StoreListing: Sendable {
    /// In the order of their names.
    public var entries: [StoreEntry] = []
    /// What was passed over.
    public var skipped: [SkippedFile] = []

    /// A listing of nothing.
    public init() {}
}

extension StoreFolder {
    /// So many entries are listed at most; what is beyond is passed over.
    public static let entryLimit = 50_000
    /// So many passed over files are told.
    static let skippedLimit = 1000

    /// Lists the entries by looking at names, never into files.
    public func scan() throws(PassStoreError) -> StoreListing {
        var listing = StoreListing()
        let folder = try open([])
        scan(folder, [], &listing)
        listing.entries.sort { $0.name < $1.name }
        return listing
    }

    /// Takes the descriptor over.
    private func scan(_ descriptor: Int32, _ above: [String], _ listing: inout StoreListing) {
        guard let stream = fdopendir(descriptor) else {
            close(descriptor)
            return
        }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            // `.git`, `.gpg-id`, `.extensions` and the like are not entries and not worth a word.
            if bytes.first == UInt8(ascii: ".") { continue }
            var information = stat()
            let isThere = (bytes + [0]).withUnsafeBufferPointer { name in
                name.withMemoryRebound(to: CChar.self) { name in
                    name.baseAddress.map { fstatat(descriptor, $0, &information, AT_SYMLINK_NOFOLLOW) } == 0
                }
            }
            guard isThere else { continue }
            add(bytes, information, in: descriptor, above, &listing)
        }
    }

    private func add(
        _ bytes: [UInt8], _ information: stat, in folder: Int32, _ above: [String], _ listing: inout StoreListing
    ) {
        let kind = information.st_mode & S_IFMT
        guard kind == S_IFDIR || bytes.suffix(4).elementsEqual(".gpg".utf8) else { return }
        func skip(_ reason: String) {
            guard listing.skipped.count < Self.skippedLimit else { return }
            let path = above.map { Self.shown(Array($0.utf8)) } + [Self.shown(bytes)]
            listing.skipped.append(SkippedFile(path: path.joined(separator: "/"), reason: reason))
        }
        guard let name = String(validating: bytes, as: UTF8.self) else { return skip("Its name is not UTF-8.") }
        if kind == S_IFDIR {
            if let fault = NameFault(of: name) { return skip(fault.rawValue) }
            guard above.count + 1 < EntryName.depthLimit else { return skip("It is too deep.") }
            let next = openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
            guard next >= 0 else { return skip("It cannot be opened.") }
            return scan(next, above + [name], &listing)
        }
        let title = String(name.dropLast(4))
        if let fault = NameFault(of: title) { return skip(fault.rawValue) }
        switch kind {
        case S_IFLNK: return skip("It is a symbolic link, which is not followed.")
        case S_IFREG: break
        default: return skip("It is not a file.")
        }
        guard (1...Self.fileLimit).contains(Int(information.st_size)) else {
            return skip(information.st_size == 0 ? "It is empty." : "It is too large.")
        }
        guard let entry = EntryName((above + [title]).joined(separator: "/")) else {
            return skip("Its path is too long.")
        }
        guard listing.entries.count < Self.entryLimit else { return skip("There are too many entries.") }
        listing.entries.append(StoreEntry(name: entry, modified: Int64(information.st_mtim.tv_sec)))
    }

    /// Bytes of a name so that they cannot do anything to whoever reads them.
    static func shown(_ bytes: [UInt8]) -> String {
        let text = String(validating: bytes, as: UTF8.self)
        if let text, !text.unicodeScalars.contains(where: NameFault.controls) { return text }
        return bytes.map { byte in
            let hex = String(byte, radix: 16)
            return (0x20...0x7E).contains(byte) ? String(UnicodeScalar(byte)) : "\\x" + (hex.count < 2 ? "0" : "") + hex
        }.joined()
    }
}
