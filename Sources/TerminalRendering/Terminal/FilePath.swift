// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import Glibc

/// Makes paths usable for the daemon, whose working directory differs.
package enum FilePath {
    package static func absolute(_ path: String, in folder: String = FileManager.default.currentDirectoryPath) -> String
    {
        let whole = path.hasPrefix("/") ? path : folder + "/" + path
        return URL(fileURLWithPath: whole).standardized.path
    }

    /// The folder that contains a path.
    package static func folder(of path: String) -> String {
        URL(fileURLWithPath: path).deletingLastPathComponent().path
    }

    /// Whether the path is a folder, or a link to one.
    package static func isFolder(_ path: String) -> Bool {
        var information = stat()
        return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
    }
}
