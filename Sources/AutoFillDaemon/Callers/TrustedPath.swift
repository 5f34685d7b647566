// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillRelease
internal import AutoFillSecrets
internal import Foundation
internal import Glibc

/// Whether anybody but root can put something else at a path.
enum TrustedPath {
    /// The standing of a file.
    static func standing(of path: String) -> CallerProgram.Standing {
        standing(path, kind: S_IFREG)
    }

    /// The standing of a folder.
    static func standing(ofFolder path: String) -> CallerProgram.Standing {
        standing(path, kind: S_IFDIR)
    }

    /// Checks every component and follows no link: the paths that `/proc` and `realpath` give contain none.
    private static func standing(_ path: String, kind wanted: mode_t) -> CallerProgram.Standing {
        guard path.hasPrefix("/") else { return .changeable("\(path) is not an absolute path") }
        let components = path.pathParts
        for count in 0...components.count {
            let place = "/" + components.prefix(count).joined(separator: "/")
            var information = stat()
            guard lstat(place, &information) == 0 else { return .changeable("\(place) cannot be looked at") }
            let kind = information.st_mode & S_IFMT
            guard kind == (count == components.count ? wanted : S_IFDIR) else {
                return .changeable("\(place) is \(kind == S_IFLNK ? "a link" : "of the wrong kind")")
            }
            guard information.st_uid == 0 else { return .changeable("\(place) belongs to user \(information.st_uid)") }
            // A group with write permission counts as others, even the group root: groups have members.
            guard information.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
                return .changeable("\(place) can be changed by other users")
            }
        }
        return .rootOwned
    }
}
