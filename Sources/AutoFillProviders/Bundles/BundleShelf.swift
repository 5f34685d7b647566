// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillCredentials
package import AutoFillIPC
internal import AutoFillSecrets
internal import Foundation

/// Looks at the bundles on disk, away from what answers requests: digests of large programs take a while.
package actor BundleShelf {
    /// A bundle with the digest of everything in it, or why there is none.
    package struct Found: Sendable {
        package let bundle: ProviderBundle
        package let digest: Result<String, WireError>
    }

    private let folders: BundleFolders
    /// Of each bundle's folder, as it was digested last.
    private var digests: [String: BundleDigest] = [:]
    /// Folders that no provider is given, whatever it asks.
    private let forbidden: [String]
    /// Where the home and the runtime directory are.
    private let environment: [String: String]

    package init(folders: BundleFolders, forbidden: [String], environment: [String: String]) {
        self.folders = folders
        self.forbidden = forbidden
        self.environment = environment
    }

    /// Everything that is there.
    package func survey() async -> (found: [Found], problems: [ProviderBundle.Problem]) {
        var (bundles, problems) = folders.bundles()
        bundles = bundles.filter { bundle in
            guard let folder = forbiddenGrant(of: bundle) else { return true }
            problems.append(
                .init(
                    folder: bundle.folder, identifier: bundle.identifier,
                    reason: "it asks for \(folder), where Latchkey keeps what is its own"))
            return false
        }
        return (await found(bundles), problems)
    }

    /// One bundle, as it is now.
    package func find(_ identifier: BundleIdentifier) async -> Found? {
        let bundle = folders.bundles().bundles.first {
            $0.identifier == identifier && forbiddenGrant(of: $0) == nil
        }
        guard let bundle else { return nil }
        return await found([bundle]).first
    }

    /// The provider whose containing app an executable is.
    ///
    /// The path is what the peer's process shows, and in a mount namespace of its own it can show any; the file that is at
    /// this path here has to be the one that it runs.
    package func owner(of executable: PeerProcess.Executable) -> BundleIdentifier? {
        guard PeerProcess.Executable(path: executable.path)?.isSameFile(as: executable) == true else { return nil }
        // The app around an extension that changes passwords is an app like any other.
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

    /// Digests bundles, all at once and away from this actor: a large one holds up neither the others nor who connects meanwhile.
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

    /// What it asks for and what holds, or lies in, what is Latchkey's.
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

    /// A path without links, as far as it exists.
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
