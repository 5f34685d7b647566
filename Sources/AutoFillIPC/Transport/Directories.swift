// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import Glibc

/// The folders of one user, by the XDG Base Directory Specification 0.8.
///
/// A test that sets the variables to its own folders gets a second Latchkey, separate from the user's.
public struct Directories: Sendable {
    /// `$XDG_CONFIG_HOME/latchkey`
    public let config: String
    /// `$XDG_DATA_HOME/latchkey`
    public let data: String
    /// `$XDG_STATE_HOME/latchkey`
    public let state: String
    /// `$XDG_RUNTIME_DIR/latchkey`, or `run` in the state folder if there is no runtime directory.
    public let runtime: String

    /// Reads the environment. Returns `nil` if not even the home is set.
    public init?(environment: [String: String]) {
        func absolute(_ name: String) -> String? {
            guard let path = environment[name], path.hasPrefix("/") else { return nil }
            return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        }
        guard let home = absolute("HOME") ?? Self.homeOfUser() else { return nil }
        config = (absolute("XDG_CONFIG_HOME") ?? home + "/.config") + "/latchkey"
        data = (absolute("XDG_DATA_HOME") ?? home + "/.local/share") + "/latchkey"
        state = (absolute("XDG_STATE_HOME") ?? home + "/.local/state") + "/latchkey"
        runtime = absolute("XDG_RUNTIME_DIR").map { $0 + "/latchkey" } ?? state + "/run"
    }

    public var socket: String { runtime + "/latchkeyd.sock" }

    /// The socket of browsers that are in a sandbox. Its folder holds nothing else, so that a sandbox may see all of it.
    public var browserSocket: String { runtime + "/browser/socket" }

    private static func homeOfUser() -> String? {
        guard let entry = getpwuid(getuid()), let folder = entry.pointee.pw_dir else { return nil }
        return String(cString: folder)
    }

    /// Creates a folder, and those above it, for this user alone.
    ///
    /// - Throws: An error when the folder exists and belongs to another user or is open to others.
    public static func makePrivate(_ path: String) throws(WireError) {
        var partial = ""
        for component in path.pathParts {
            partial += "/" + component
            if mkdir(partial, 0o700) != 0 && errno != EEXIST {
                let reason = String(cString: strerror(errno))
                throw WireError(.storageFailed, "The folder \(partial) cannot be made: \(reason).")
            }
        }
        var information = stat()
        guard lstat(path, &information) == 0, information.st_mode & S_IFMT == S_IFDIR,
            information.st_uid == geteuid()
        else {
            throw WireError(
                .notPermitted, "The folder \(path) is not yours.",
                hint: "Another user may have created it. Remove it, or set XDG_RUNTIME_DIR to another folder.")
        }
        if information.st_mode & 0o077 != 0 && chmod(path, 0o700) != 0 {
            throw WireError(
                .notPermitted, "The folder \(path) is accessible to other users, and its permissions cannot be changed."
            )
        }
    }
}
