// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillSecrets
internal import CLinux
internal import Foundation

/// The folders that are searched for bundles, and the user's own among them.
package struct BundleFolders: Sendable {
    package let own: String
    package let system: [String]

    /// - Parameter data: `$XDG_DATA_HOME/latchkey`.
    package init(
        data: String,
        system: [String] = ["/usr/local/share/latchkey/extensions", "/usr/share/latchkey/extensions"]
    ) {
        // Links are resolved, because processes are identified by the real paths of their executables.
        own = (FileManager.default.realPath(of: data) ?? data) + "/extensions"
        self.system = system.map { FileManager.default.realPath(of: $0) ?? $0 }
    }

    /// All bundles found, and the problems of folders that are not valid bundles.
    ///
    /// The user's own come first. A second bundle with the same identifier is reported as a problem.
    package func bundles() -> (bundles: [ProviderBundle], problems: [ProviderBundle.Problem]) {
        var bundles: [ProviderBundle] = []
        var problems: [ProviderBundle.Problem] = []
        for folder in [own] + system {
            for entry in Self.entries(folder) {
                for (appex, root) in Self.extensions(in: folder + "/" + entry) {
                    do throws(ProviderBundle.Problem) {
                        let bundle = try ProviderBundle(folder: appex, root: root)
                        if let first = bundles.first(where: { $0.identifier == bundle.identifier }) {
                            throw ProviderBundle.Problem(
                                folder: appex, identifier: bundle.identifier,
                                reason: "\(first.folder) has the same identifier")
                        }
                        let taken = Set(bundles.flatMap(\.entitlements.grants.groups))
                        if let group = bundle.entitlements.grants.groups.first(where: taken.contains) {
                            let others = bundles.filter { $0.entitlements.grants.groups.contains(group) }
                            if others.contains(where: { $0.root != bundle.root }) {
                                throw ProviderBundle.Problem(
                                    folder: appex, identifier: bundle.identifier,
                                    reason: "its app group \(group) belongs to another bundle")
                            }
                        }
                        bundles.append(bundle)
                    } catch {
                        problems.append(error)
                    }
                }
            }
        }
        return (bundles, problems)
    }

    /// Copies a bundle, or the app folder around one, into the user's own folder; a failed copy leaves nothing there.
    ///
    /// - Throws: `invalidParams` when it is not a bundle, `alreadyExists` when another bundle has its name or identifier.
    package func install(from path: String) throws -> [ProviderBundle] {
        guard path.hasPrefix("/"), !path.pathParts.contains("..") else {
            throw WireError(.invalidParams, "The path of a bundle is absolute.")
        }
        let source = path.hasSuffix("/") ? String(path.dropLast()) : path
        let name = source.pathParts.last ?? ""
        let found = Self.extensions(in: source)
        guard !found.isEmpty, !name.hasPrefix(".") else {
            throw WireError(
                .invalidParams, "\(source) is not a bundle.",
                hint: "Name a NAME.appex, or a folder with PlugIns/NAME.appex.")
        }
        let offered: [ProviderBundle]
        do throws(ProviderBundle.Problem) {
            var bundles: [ProviderBundle] = []
            for (appex, root) in found { bundles.append(try ProviderBundle(folder: appex, root: root)) }
            offered = bundles
        } catch {
            throw WireError(.invalidParams, "\(error.folder) cannot be installed: \(error.reason).")
        }
        // Rejects oversized bundles and links that lead out before anything is copied.
        _ = try BundleDigest(of: source)
        let target = own + "/" + name
        for present in bundles().bundles {
            // The same provider in the same place is an update; any other match is a conflict with another bundle.
            let isOffered = offered.contains { $0.identifier == present.identifier }
            if isOffered && present.root != target || !isOffered && present.root == target {
                throw WireError(
                    .alreadyExists, "\(present.identifier) is installed at \(present.root).", hint: "Remove it first.")
            }
        }
        try Directories.makePrivate(own)
        let files = FileManager.default
        let staging = own + "/.install-" + RandomName.make()
        do {
            try files.copyItem(atPath: source, toPath: staging)
            if files.fileExists(atPath: target) {
                // Replaces the old version of the provider in one atomic step.
                guard latchkey_exchange(staging, target) == 0 else {
                    throw WireError(.storageFailed, "\(target) cannot be replaced.")
                }
                try? files.removeItem(atPath: staging)
            } else {
                try files.moveItem(atPath: staging, toPath: target)
            }
        } catch {
            try? files.removeItem(atPath: staging)
            throw error as? WireError ?? WireError(.storageFailed, "\(source) cannot be copied to \(own).")
        }
        return try Self.extensions(in: target).map { try ProviderBundle(folder: $0.appex, root: $0.root) }
    }

    /// Removes one of the user's own bundles.
    ///
    /// - Throws: `notPermitted` when the bundle belongs to the system.
    package func remove(_ bundle: ProviderBundle) throws {
        guard bundle.root.isBelow(own) else {
            throw WireError(
                .notPermitted, "\(bundle.root) belongs to the system.",
                hint: "Disable it, or remove it as it was installed.")
        }
        do {
            try FileManager.default.removeItem(atPath: bundle.root)
        } catch {
            throw WireError(.storageFailed, "\(bundle.root) cannot be removed.")
        }
    }

    /// The first 1,000 visible names of a folder, sorted.
    private static func entries(_ folder: String) -> [String] {
        (SmallFile.names(in: folder, atMost: 1_000) ?? []).filter { !$0.hasPrefix(".") }.sorted()
    }

    /// The extensions of an entry: itself if it is an `.appex`, otherwise those in its `PlugIns`.
    private static func extensions(in entry: String) -> [(appex: String, root: String)] {
        if entry.hasSuffix(".appex") { return [(entry, entry)] }
        return entries(entry + "/PlugIns").filter { $0.hasSuffix(".appex") }.map { (entry + "/PlugIns/" + $0, entry) }
    }
}
