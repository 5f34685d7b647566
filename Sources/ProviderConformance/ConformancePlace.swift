// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
package import AutoFillSecrets
internal import FoundationEssentials
internal import Glibc
package import TerminalRendering

/// Folders for a provider under test, deleted together with this object.
package final class ConformancePlace: Sendable {
    package let folder: String
    /// The container's key, 32 bytes as base64: generated for this run, or the key of a copied container.
    package let key: SecretBytes

    package var container: String { folder + "/container" }

    /// - Parameters:
    ///   - container: A folder to copy, so that a provider can be tested with accounts. One with symbolic links is refused.
    ///   - key: 32 bytes as base64, or `nil` to generate them.
    package init(copying container: String? = nil, key: SecretBytes? = nil) throws(CommandFailure) {
        let parent = FilePath.absolute(FileManager.default.temporaryDirectory.path)
        var template = Array((parent + "/latchkey-test-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            throw CommandFailure(.storage, "No folder can be made in \(parent).")
        }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        self.key = key ?? SecretBytes(utf8: Data((0..<32).map { _ in UInt8.random(in: 0...255) }).base64EncodedString())
        for name in ["home", "config", "data", "state", "cache", "run", "groups"] { mkdir(folder + "/" + name, 0o700) }
        guard let container else {
            mkdir(folder + "/container", 0o700)
            return
        }
        _ = try ContainerCopy(container, to: folder + "/container")
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    package func environment(descriptor: Int32) -> [String: String] {
        let own = ProcessInfo.processInfo.environment
        return [
            "HOME": folder + "/home", "XDG_CONFIG_HOME": folder + "/config", "XDG_DATA_HOME": folder + "/data",
            "XDG_STATE_HOME": folder + "/state", "XDG_CACHE_HOME": folder + "/cache",
            "XDG_RUNTIME_DIR": folder + "/run", "PATH": own["PATH"] ?? "/usr/bin:/bin",
            "LANG": own["LANG"] ?? "C.UTF-8",
            "LATCHKEY_PROVIDER_FD": String(descriptor),
        ]
    }

    /// The parameters of `provider.start`.
    package func start(_ bundle: TestedBundle) -> Provider.Start.Params {
        let groups = bundle.groups.map { group in
            let path = folder + "/groups/" + group
            mkdir(path, 0o700)
            return GroupStatement(identifier: group, folder: path, key: WireSecret(key))
        }
        return Provider.Start.Params(
            protocol: 1, identifier: bundle.identifier, container: container, key: WireSecret(key), groups: groups)
    }
}
