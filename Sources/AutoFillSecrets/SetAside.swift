// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Moves files out of the way that are damaged or belong to other keys. They are kept, and none takes the place of another.
public enum SetAside {
    /// Why a file was moved; a part of its new name.
    public enum Reason: String, CaseIterable, Sendable {
        case damaged, replaced
    }

    /// Renames a file to its name, the reason and the first number that is free, as in `audit.log.replaced-2`.
    ///
    /// - Returns: The new path.
    /// - Throws: `SecretsError` with `file`; the file is where it was then.
    public static func move(_ path: String, as reason: Reason) throws -> String {
        try naming(path, reason) { rename(path, $0) }
    }

    /// Gives a file such a name as well, for one that a new file is about to replace.
    ///
    /// - Returns: The new path.
    /// - Throws: `SecretsError` with `file`.
    public static func link(_ path: String, as reason: Reason) throws -> String {
        try naming(path, reason) { Glibc.link(path, $0) }
    }

    private static func naming(_ path: String, _ reason: Reason, _ name: (String) -> Int32) throws -> String {
        var number = 1
        var there = stat()
        // A name that cannot be looked at is tried, and refused with the reason.
        while lstat("\(path).\(reason)-\(number)", &there) == 0 { number += 1 }
        let aside = "\(path).\(reason)-\(number)"
        guard name(aside) == 0 else {
            let fault = errno
            throw SecretsError(
                .file, "cannot rename the file: \(String(cString: strerror(fault)))", context: path,
                systemError: fault)
        }
        return aside
    }

    /// The paths of the files in a folder that were moved in this way, also by versions that gave them no number.
    public static func files(in folder: String) -> [String] {
        (SmallFile.names(in: folder, atMost: 4_096) ?? []).filter { name in
            Reason.allCases.contains { reason in
                let word = ".\(reason)"
                guard let end = name.utf8.lastIndex(of: UInt8(ascii: ".")), name[end...].hasPrefix(word) else {
                    return false
                }
                let number = name[end...].dropFirst(word.count)
                return number.isEmpty || number.first == "-" && Int(number.dropFirst()).map { $0 > 0 } ?? false
            }
        }.sorted().map { folder + "/" + $0 }
    }
}
