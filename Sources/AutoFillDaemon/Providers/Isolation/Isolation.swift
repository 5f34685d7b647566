// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillNetwork
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
        /// Where its network leads; `nil` for nowhere.
        var network: NetworkPolicy?
    }

    /// Where providers are started in.
    let sandbox: Sandbox

    /// The `bwrap` that works here; nothing where there is none.
    var program: String? { sandbox.bubblewrap.program }
    /// Why there is none.
    var reason: String? { sandbox.bubblewrap.reason }

    init(environment: [String: String]) {
        sandbox = Sandbox(bubblewrap: Bubblewrap(environment: environment))
    }

    init(program: String?, reason: String?) {
        sandbox = Sandbox(bubblewrap: Bubblewrap(program: program, reason: reason))
    }

    /// The command that starts the provider's program in its sandbox, or `nil` without bubblewrap.
    ///
    /// - Parameter channel: the descriptor in the program by which it gets a way to the network.
    func command(
        for rooms: Rooms, environment: [String: String], channel: Int32?
    ) -> (program: String, arguments: [String])? {
        sandbox.command(.provider, arguments(for: rooms, environment: environment, channel: channel))
    }

    /// The arguments for `bwrap`, the provider's program last. Its network is its own in any case: what is granted is a way
    /// out of it, which leads where the grants say.
    func arguments(for rooms: Rooms, environment: [String: String], channel: Int32? = nil) -> [String] {
        var arguments = sandbox.bubblewrap.namespaceArguments
        arguments += Bubblewrap.systemArguments
        arguments += Bubblewrap.processArguments + ["--tmpfs", "/tmp", "--tmpfs", "/run", "--tmpfs", "/var"]
        if let home = environment["HOME"], home != "/" { arguments += ["--tmpfs", home] }
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
        return arguments + sandbox.running(rooms.program, channel: channel)
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
