// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Paths as the kernel reads them: bytes between slashes (path_resolution(7)).
///
/// `Character` is no measure for a path. A slash and a combining mark or a joiner beside it are one character, which is not equal
/// to "/", and a slash to the kernel all the same. Two strings of other bytes can be equal, too. `scripts/check-arrows` refuses
/// the functions of the standard library that go by characters.
extension String {
    /// The names between slashes. Empty ones are left out; "." and ".." are not.
    public var pathParts: [String] {
        utf8.split(separator: 0x2F).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The last name of the path, or the whole of it where it has no slash.
    public var lastPathPart: String { pathParts.last ?? self }

    /// The path without its last name and the slash before it: "" for a name in the root; `nil` without a slash.
    public var pathParent: String? {
        utf8.lastIndex(of: 0x2F).map { String(decoding: utf8[..<$0], as: UTF8.self) }
    }

    /// Whether the path is that of something inside a folder, at any depth. A path that is not written in the same bytes is not.
    public func isBelow(_ folder: String) -> Bool {
        var whole = Array(folder.utf8)
        if whole.last != 0x2F { whole.append(0x2F) }
        return utf8.starts(with: whole) && utf8.count > whole.count
    }

    /// The path from inside a folder on, or `nil` where it is not below it.
    public func pathPart(below folder: String) -> String? {
        guard isBelow(folder) else { return nil }
        let count = folder.utf8.count + (folder.utf8.last == 0x2F ? 0 : 1)
        return String(decoding: utf8.dropFirst(count), as: UTF8.self)
    }

    /// Whether a name has a slash in it.
    public var hasSlash: Bool { utf8.contains(0x2F) }

    /// Whether each slash is a character by itself, so that what is shown of the path says where its folders are.
    public var showsItsFolders: Bool {
        let shown = split { $0 == "/" }
        return shown.elementsEqual(pathParts) { $0.utf8.elementsEqual($1.utf8) }
    }
}
