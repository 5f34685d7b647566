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
        var grants = GrantsStatement()
    }

    /// The `bwrap` that works here; nothing where there is none.
    let program: String?
    /// Why there is none.
    let reason: String?

    /// Looks for bubblewrap, and tries whether it can make the namespaces that are asked of it.
    init(environment: [String: String]) {
        let folders =
            (environment["PATH"] ?? "").split(separator: ":").map(String.init) + ["/usr/local/bin", "/usr/bin"]
        guard let found = folders.map({ $0 + "/bwrap" }).first(where: { access($0, X_OK) == 0 }) else {
            self.init(program: nil, reason: "bubblewrap is not installed")
            return
        }
        let trial = ["--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "/bin/true"]
        guard let process = ChildProcess.spawn(found, arguments: trial, descriptors: [], environment: [:]) else {
            self.init(program: nil, reason: "\(found) cannot be started")
            return
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        guard status == 0 else {
            self.init(program: nil, reason: "this system does not let \(found) make namespaces")
            return
        }
        self.init(program: found, reason: nil)
    }

    init(program: String?, reason: String?) {
        self.program = program
        self.reason = reason
    }

    /// What stands in `/etc` that programs need to run and to speak to the network; no machine identifier, no secrets.
    private static let configuration = [
        "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "ssl", "ca-certificates", "pki", "crypto-policies",
        "resolv.conf", "hosts", "host.conf", "nsswitch.conf", "services", "protocols", "gai.conf", "passwd", "group",
        "localtime", "locale.alias",
    ]

    /// The arguments for `bwrap`, the provider's program last.
    func arguments(for rooms: Rooms, environment: [String: String]) -> [String] {
        var arguments = [
            "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--hostname", "latchkey",
        ]
        if rooms.grants.network { arguments.append("--share-net") }
        arguments += ["--ro-bind", "/usr", "/usr"]
        for name in ["bin", "sbin", "lib", "lib32", "lib64", "libx32"] {
            if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/" + name) {
                arguments += ["--symlink", target, "/" + name]
            } else {
                arguments += ["--ro-bind-try", "/" + name, "/" + name]
            }
        }
        // Where software is kept that belongs to no distribution's /usr.
        for folder in ["/opt", "/nix/store", "/gnu/store"] { arguments += ["--ro-bind-try", folder, folder] }
        for name in Self.configuration { arguments += ["--ro-bind-try", "/etc/" + name, "/etc/" + name] }
        arguments += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", "/run", "--tmpfs", "/var"]
        if let home = environment["HOME"], home != "/" { arguments += ["--tmpfs", home] }
        if rooms.grants.network, let target = Self.nameServers { arguments += ["--ro-bind-try", target, target] }
        arguments += ["--ro-bind", rooms.bundle, rooms.bundle]
        for folder in rooms.folders { arguments += ["--bind", folder, folder] }
        for folder in rooms.grants.folders {
            guard let home = environment["HOME"] else { continue }
            let path = home + "/" + folder.path
            arguments += [folder.write ? "--bind-try" : "--ro-bind-try", path, path]
        }
        for socket in rooms.grants.sockets {
            guard let path = Self.place(of: socket, environment) else { continue }
            arguments += ["--bind-try", path, path]
        }
        if let folder = rooms.folders.first { arguments += ["--chdir", folder] }
        return arguments + ["--", rooms.program]
    }

    /// A granted socket's path here.
    private static func place(of socket: String, _ environment: [String: String]) -> String? {
        for (prefix, name) in [("~/", "HOME"), ("$XDG_RUNTIME_DIR/", "XDG_RUNTIME_DIR")] where socket.hasPrefix(prefix)
        {
            return environment[name].map { $0 + "/" + socket.dropFirst(prefix.count) }
        }
        return nil
    }

    /// What `/etc/resolv.conf` is a link to, often in `/run`.
    private static var nameServers: String? {
        let file = URL(fileURLWithPath: "/etc/resolv.conf").resolvingSymlinksInPath().path
        return file == "/etc/resolv.conf" ? nil : file
    }
}
