// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillCredentials
package import AutoFillIPC
internal import AutoFillSecrets
internal import Foundation

/// Finds and digests the bundles on disk. A separate actor, because digesting large programs would delay requests.
package actor BundleShelf {
    /// A bundle with its digest, or the reason why it has none.
    package struct Found: Sendable {
        package let bundle: ProviderBundle
        package let digest: Result<String, WireError>
    }

    private let folders: BundleFolders
    /// The last digest of each bundle, by its folder.
    private var digests: [String: BundleDigest] = [:]
    /// Folders that are never granted to a provider.
    private let forbidden: [String]
    /// The environment that names the home and the runtime directory.
    private let environment: [String: String]

    package init(folders: BundleFolders, forbidden: [String], environment: [String: String]) {
        self.folders = folders
        self.forbidden = forbidden
        self.environment = environment
    }

    /// All bundles that are installed, and the problems found.
    package func survey() async -> (found: [Found], problems: [ProviderBundle.Problem]) {
        var (bundles, problems) = folders.bundles()
        bundles = bundles.filter { bundle in
            guard let folder = forbiddenGrant(of: bundle) else { return true }
            problems.append(
                .init(
                    folder: bundle.folder, identifier: bundle.identifier,
                    reason: "it asks for \(folder), where Latchkey keeps its own data"))
            return false
        }
        return (await found(bundles), problems)
    }

    /// One bundle in its current state.
    package func find(_ identifier: BundleIdentifier) async -> Found? {
        let bundle = folders.bundles().bundles.first {
            $0.identifier == identifier && forbiddenGrant(of: $0) == nil
        }
        guard let bundle else { return nil }
        return await found([bundle]).first
    }

    /// The provider whose containing app has this executable.
    ///
    /// The path comes from the peer's process, which can show any path in a mount namespace of its own. So the file at
    /// this path here has to be the one that the process runs.
    package func owner(of executable: PeerProcess.Executable) -> BundleIdentifier? {
        guard PeerProcess.Executable(path: executable.path)?.isSameFile(as: executable) == true else { return nil }
        // An app that contains an account authentication modification extension is treated like any other app.
        return folders.bundles().bundles.first {
            $0.modification == nil && $0.contains(executable.path) && $0.executable != executable.path
        }?.identifier
    }

    package func install(from path: String) async throws -> [Found] {
        await found(try folders.install(from: path))
    }

    package func remove(_ bundle: ProviderBundle) throws {
        try folders.remove(bundle)
    }

    /// Digests bundles concurrently and off this actor, so that a large one delays neither the others nor new connections.
    private func found(_ bundles: [ProviderBundle]) async -> [Found] {
        let known = digests
        let results = await withTaskGroup(of: (Int, Result<BundleDigest, WireError>).self) { group in
            for (number, bundle) in bundles.enumerated() {
                group.addTask {
                    (
                        number,
                        Result { () throws(WireError) in
                            try BundleDigest(of: bundle.root, known: known[bundle.root])
                        }
                    )
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        return bundles.enumerated().compactMap { number, bundle in
            guard let result = results[number] else { return nil }
            digests[bundle.root] = try? result.get()
            return Found(bundle: bundle, digest: result.map(\.text))
        }
    }

    /// The first requested path that contains, or lies in, one of Latchkey's own folders.
    private func forbiddenGrant(of bundle: ProviderBundle) -> String? {
        let grants = bundle.entitlements.grants
        let asked = grants.folders.map { "~/" + $0.path } + grants.sockets
        let own = forbidden.map(Self.real)
        return asked.first { grant in
            guard let place = Isolation.place(of: grant, environment) else { return false }
            return [place, Self.real(place)].contains { path in
                (own + forbidden).contains { $0 == path || $0.isBelow(path) || path.isBelow($0) }
            }
        }
    }

    /// The path with links resolved as far as it exists.
    private static func real(_ path: String) -> String {
        var missing: [String] = []
        var rest = path
        while !rest.isEmpty {
            if let real = FileManager.default.realPath(of: rest) {
                return ([real] + missing.reversed()).joined(separator: "/")
            }
            guard let parent = rest.pathParent else { break }
            missing.append(rest.lastPathPart)
            rest = parent
        }
        return path
    }
}
