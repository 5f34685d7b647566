// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC

/// Looks at the bundles on disk, away from what answers requests: digests of large programs take a while.
actor BundleShelf {
    /// A bundle with the digest of everything in it, or why there is none.
    struct Found: Sendable {
        let bundle: ProviderBundle
        let digest: Result<String, WireError>
    }

    private let folders: BundleFolders
    private var digests = BundleDigest()
    /// Folders that no provider is given, whatever it asks.
    private let forbidden: [String]
    private let home: String

    init(folders: BundleFolders, forbidden: [String], home: String) {
        self.folders = folders
        self.forbidden = forbidden
        self.home = home
    }

    /// Everything that is there.
    func survey() -> (found: [Found], problems: [ProviderBundle.Problem]) {
        var (bundles, problems) = folders.bundles()
        bundles = bundles.filter { bundle in
            guard let folder = forbiddenGrant(of: bundle) else { return true }
            problems.append(
                .init(
                    folder: bundle.folder, identifier: bundle.identifier,
                    reason: "it asks for ~/\(folder), where Latchkey keeps what is its own"))
            return false
        }
        return (bundles.map { Found(bundle: $0, digest: digest(of: $0)) }, problems)
    }

    /// One bundle, as it is now.
    func find(_ identifier: BundleIdentifier) -> Found? {
        folders.bundles().bundles.first { $0.identifier == identifier && forbiddenGrant(of: $0) == nil }
            .map { Found(bundle: $0, digest: digest(of: $0)) }
    }

    /// The provider whose containing app an executable is.
    func owner(of executable: String) -> BundleIdentifier? {
        folders.bundles().bundles.first { $0.contains(executable) && $0.executable != executable }?.identifier
    }

    func install(from path: String) throws -> [Found] {
        try folders.install(from: path).map { Found(bundle: $0, digest: digest(of: $0)) }
    }

    func remove(_ bundle: ProviderBundle) throws {
        try folders.remove(bundle)
    }

    private func digest(of bundle: ProviderBundle) -> Result<String, WireError> {
        do {
            return .success(try digests.digest(of: bundle.root))
        } catch {
            return .failure(error)
        }
    }

    /// A folder that it asks for and that holds, or lies in, what is Latchkey's.
    private func forbiddenGrant(of bundle: ProviderBundle) -> String? {
        bundle.entitlements.grants.folders.map(\.path).first { path in
            let asked = home + "/" + path
            return forbidden.contains { own in
                own == asked || own.hasPrefix(asked + "/") || asked.hasPrefix(own + "/")
            }
        }
    }
}
