// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
package import AutoFillNetwork
internal import AutoFillSecrets
package import Foundation
internal import Glibc

/// Keeps a provider to itself: bubblewrap with its own folders and what the user granted, and nothing else of the home.
package struct Isolation: Sendable {
    /// What one provider is given.
    package struct Rooms: Sendable, Equatable {
        /// What is run, and the folder it may read, itself included.
        package var program: String
        package var bundle: String
        /// Folders of its own, writable.
        package var folders: [String] = []
        /// Files or folders beside them that it may read, where they are there: absolute paths of the user's preferences.
        package var readable: [String] = []
        package var grants = GrantsStatement()
        /// Where its network leads; `nil` for nowhere.
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

    /// Where providers are started in.
    package let sandbox: Sandbox

    /// The `bwrap` that works here; nothing where there is none.
    package var program: String? { sandbox.bubblewrap.program }
    /// Why there is none.
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
    ///   - channel: the descriptor in the program by which it gets a way to the network.
    ///   - granted: what it was granted, with the descriptors that bubblewrap is given for it.
    package func command(
        for rooms: Rooms, environment: [String: String], channel: Int32?, granted: [(GrantedPlace, Int32)] = []
    ) -> (program: String, arguments: [String])? {
        // A folder that is only read still leads to the sockets in it.
        let hasSockets = !rooms.grants.sockets.isEmpty || !rooms.grants.groups.isEmpty
        return sandbox.command(
            hasSockets ? .provider : .network,
            arguments(for: rooms, environment: environment, channel: channel, granted: granted))
    }

    /// Opens what was granted, as far as it is there and no link is on the way.
    package func granted(_ grants: GrantsStatement, _ environment: [String: String]) -> [GrantedPlace] {
        guard sandbox.bubblewrap.bindsDescriptors else { return [] }
        return grants.folders.compactMap {
            GrantedPlace("~/" + $0.path, environment, isWritable: $0.write, isSocket: false)
        }
            + grants.sockets.compactMap { GrantedPlace($0, environment, isWritable: true, isSocket: true) }
    }

    /// The arguments for `bwrap`, the provider's program last. Its network is its own in any case: what is granted is a way
    /// out of it, which leads where the grants say.
    package func arguments(
        for rooms: Rooms, environment: [String: String], channel: Int32? = nil, granted: [(GrantedPlace, Int32)] = []
    ) -> [String] {
        var arguments = sandbox.bubblewrap.namespaceArguments
        arguments += Bubblewrap.systemArguments
        arguments += Bubblewrap.processArguments + ["--tmpfs", "/tmp", "--tmpfs", "/run", "--tmpfs", "/var"]
        if let home = environment["HOME"], home != "/" { arguments += ["--tmpfs", home] }
        // After the home, which hides an installation below it.
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

    /// A granted path here.
    package static func place(of grant: String, _ environment: [String: String]) -> String? {
        parts(of: grant, environment).map { root, steps in root + "/" + steps.joined(separator: "/") }
    }

    /// The folder that a granted path begins at, and the names below it.
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
    /// A path without links in it (realpath(3)); nothing where there is nothing.
    package func realPath(of path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
