// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import Foundation
internal import Glibc

/// Keeps a provider to itself: bubblewrap with its own folders and what the user granted, and nothing else of the home.
struct Isolation: Sendable {
    /// What one provider is given.
    struct Rooms: Sendable, Equatable {
        /// What is run, and the folder it may read, itself included.
        var program: String
        var bundle: String
        /// Folders of its own, writable.
        var folders: [String] = []
        /// Files or folders beside them that it may read, where they are there: absolute paths of the user's preferences.
        var readable: [String] = []
        var grants = GrantsStatement()
    }

    /// The `bwrap` that works here; nothing where there is none.
    let program: String?
    /// Why there is none.
    let reason: String?

    init(environment: [String: String]) {
        let found = Bubblewrap(environment: environment)
        self.init(program: found.program, reason: found.reason)
    }

    init(program: String?, reason: String?) {
        self.program = program
        self.reason = reason
    }

    /// The arguments for `bwrap`, the provider's program last.
    func arguments(for rooms: Rooms, environment: [String: String]) -> [String] {
        var arguments = [
            "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--hostname", "latchkey",
        ]
        if rooms.grants.network { arguments.append("--share-net") }
        arguments += Bubblewrap.systemArguments
        arguments += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", "/run", "--tmpfs", "/var"]
        if let home = environment["HOME"], home != "/" { arguments += ["--tmpfs", home] }
        if rooms.grants.network { arguments += Bubblewrap.nameServerArguments }
        // After the home, which hides an installation below it.
        arguments += Bubblewrap.runtimeArguments
        arguments += ["--ro-bind", rooms.bundle, rooms.bundle]
        for folder in rooms.folders { arguments += ["--bind", folder, folder] }
        for path in rooms.readable { arguments += ["--ro-bind-try", path, path] }
        for folder in rooms.grants.folders {
            guard let path = Self.place(of: "~/" + folder.path, environment), Self.isStraight(path, environment) else {
                continue
            }
            arguments += [folder.write ? "--bind-try" : "--ro-bind-try", path, path]
        }
        for socket in rooms.grants.sockets {
            guard let path = Self.place(of: socket, environment), Self.isStraight(path, environment),
                Self.mayBeSocket(path, isInHome: socket.hasPrefix("~/"))
            else { continue }
            arguments += ["--bind-try", path, path]
        }
        if let folder = rooms.folders.first { arguments += ["--chdir", folder] }
        return arguments + ["--", rooms.program]
    }

    /// Whether a path leads where it says. A provider may make links in a folder that it may write; followed by whoever
    /// binds them, they would lead out.
    private static func isStraight(_ path: String, _ environment: [String: String]) -> Bool {
        guard let real = FileManager.default.realPath(of: path) else { return false }
        return ["HOME", "XDG_RUNTIME_DIR"].compactMap { environment[$0] }.contains { root in
            guard path.hasPrefix(root + "/"), let realRoot = FileManager.default.realPath(of: root) else {
                return false
            }
            return real == realRoot + path.dropFirst(root.count)
        }
    }

    /// In the home a socket is a socket; below the runtime directory it may be the folder of several.
    private static func mayBeSocket(_ path: String, isInHome: Bool) -> Bool {
        var information = stat()
        guard lstat(path, &information) == 0 else { return false }
        let kind = information.st_mode & S_IFMT
        return kind == S_IFSOCK || !isInHome && kind == S_IFDIR
    }

    /// A granted path here.
    static func place(of socket: String, _ environment: [String: String]) -> String? {
        for (prefix, name) in [("~/", "HOME"), ("$XDG_RUNTIME_DIR/", "XDG_RUNTIME_DIR")] where socket.hasPrefix(prefix)
        {
            return environment[name].map { root in
                (root.count > 1 && root.hasSuffix("/") ? String(root.dropLast()) : root) + "/"
                    + socket.dropFirst(prefix.count)
            }
        }
        return nil
    }
}

extension FileManager {
    /// A path without links in it (realpath(3)); nothing where there is nothing.
    func realPath(of path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
