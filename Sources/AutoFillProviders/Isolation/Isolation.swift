// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
package import AutoFillNetwork
internal import AutoFillSecrets
package import Foundation
internal import Glibc

/// Runs a provider in bubblewrap with its own folders and the user's grants, and without the rest of the home.
package struct Isolation: Sendable {
    /// The files and network that one provider is given.
    package struct Rooms: Sendable, Equatable {
        /// The program to run. `bundle` is the folder that contains it, which the provider may read.
        package var program: String
        package var bundle: String
        /// The provider's own folders, which it may write.
        package var folders: [String] = []
        /// Further files or folders that it may read if they exist: absolute paths from the user's preferences.
        package var readable: [String] = []
        package var grants = GrantsStatement()
        /// The network it may reach, or `nil` for none.
        package var network: NetworkPolicy?

        package init(
            program: String, bundle: String, folders: [String] = [], readable: [String] = [],
            grants: GrantsStatement = GrantsStatement(), network: NetworkPolicy? = nil
        ) {
            self.program = program
            self.bundle = bundle
            self.folders = folders
            self.readable = readable
            self.grants = grants
            self.network = network
        }
    }

    /// The sandbox in which providers are started.
    package let sandbox: Sandbox

    /// The path of a working `bwrap`, or `nil` if there is none.
    package var program: String? { sandbox.bubblewrap.program }
    /// The reason why there is no working `bwrap`.
    package var reason: String? { sandbox.bubblewrap.reason }

    package init(environment: [String: String]) {
        sandbox = Sandbox(bubblewrap: Bubblewrap(environment: environment))
    }

    package init(program: String?, reason: String?) {
        self.init(sandbox: Sandbox(bubblewrap: Bubblewrap(program: program, reason: reason)))
    }

    package init(sandbox: Sandbox) {
        self.sandbox = sandbox
    }

    /// The command that starts the provider's program in its sandbox, or `nil` without bubblewrap.
    ///
    /// - Parameters:
    ///   - channel: The program's descriptor for its access to the network.
    ///   - granted: The granted places, each with the descriptor that bubblewrap receives for it.
    package func command(
        for rooms: Rooms, environment: [String: String], channel: Int32?, granted: [(GrantedPlace, Int32)] = []
    ) -> (program: String, arguments: [String])? {
        // A folder that is granted for reading still gives access to the sockets in it.
        let hasSockets = !rooms.grants.sockets.isEmpty || !rooms.grants.groups.isEmpty
        return sandbox.command(
            hasSockets ? .provider : .network,
            arguments(for: rooms, environment: environment, channel: channel, granted: granted))
    }

    /// Opens the granted places; those that do not exist or have a link on the way are left out.
    package func granted(_ grants: GrantsStatement, _ environment: [String: String]) -> [GrantedPlace] {
        guard sandbox.bubblewrap.bindsDescriptors else { return [] }
        return grants.folders.compactMap {
            GrantedPlace("~/" + $0.path, environment, isWritable: $0.write, isSocket: false)
        }
            + grants.sockets.compactMap { GrantedPlace($0, environment, isWritable: true, isSocket: true) }
    }

    /// The arguments for `bwrap`, with the provider's program last.
    ///
    /// The provider always has a network namespace of its own. A grant gives it one way out, to the granted hosts.
    package func arguments(
        for rooms: Rooms, environment: [String: String], channel: Int32? = nil, granted: [(GrantedPlace, Int32)] = []
    ) -> [String] {
        var arguments = sandbox.bubblewrap.namespaceArguments
        arguments += Bubblewrap.systemArguments
        arguments += Bubblewrap.processArguments + ["--tmpfs", "/tmp", "--tmpfs", "/run", "--tmpfs", "/var"]
        if let home = environment["HOME"], home != "/" { arguments += ["--tmpfs", home] }
        // These come after the home, which would hide an installation below it.
        arguments += Bubblewrap.runtimeArguments
        arguments += ["--ro-bind", rooms.bundle, rooms.bundle]
        for folder in rooms.folders { arguments += ["--bind", folder, folder] }
        for path in rooms.readable { arguments += ["--ro-bind-try", path, path] }
        for (place, descriptor) in granted {
            arguments += [place.isWritable ? "--bind-fd" : "--ro-bind-fd", "\(descriptor)", place.path]
        }
        if let folder = rooms.folders.first { arguments += ["--chdir", folder] }
        return arguments + sandbox.running(rooms.program, channel: channel)
    }

    /// The absolute path of a grant.
    package static func place(of grant: String, _ environment: [String: String]) -> String? {
        parts(of: grant, environment).map { root, steps in root + "/" + steps.joined(separator: "/") }
    }

    /// The base folder of a granted path, and the names below it.
    package static func parts(of grant: String, _ environment: [String: String]) -> (root: String, steps: [String])? {
        for (prefix, name) in [("~/", "HOME"), ("$XDG_RUNTIME_DIR/", "XDG_RUNTIME_DIR")] where grant.hasPrefix(prefix) {
            let steps = String(grant.dropFirst(prefix.count)).pathParts
            guard let root = environment[name], !steps.isEmpty, !steps.contains(".."), !steps.contains(".") else {
                return nil
            }
            return (root.count > 1 && root.hasSuffix("/") ? String(root.dropLast()) : root, steps)
        }
        return nil
    }
}

extension FileManager {
    /// The path with links resolved (realpath(3)), or `nil` if it does not exist.
    package func realPath(of path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
