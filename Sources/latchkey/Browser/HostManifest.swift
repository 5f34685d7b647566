// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import FoundationEssentials
import Glibc

/// The file that tells a browser which program to start for which extension.
struct HostManifest: Equatable {
    static let name = "org.latchkey.browser"
    static let fileName = name + ".json"

    /// The program, `latchkey-browser-host`.
    let program: String
    /// The one extension that may have it started.
    let extensionIdentifier: String

    private var origin: String { "chrome-extension://\(extensionIdentifier)/" }

    /// Where the manifest stands below a browser's own folder.
    static func path(in folder: String) -> String { folder + "/NativeMessagingHosts/" + fileName }

    /// Written for the user alone, whole or not at all.
    func write(to path: String) throws(CommandFailure) {
        let content = JSONText.object([
            ("name", .string(Self.name)), ("description", .string("Latchkey, Password AutoFill for Linux")),
            ("path", .string(program)), ("type", .string("stdio")), ("allowed_origins", .strings([origin])),
        ])
        do {
            let folder = FilePath.folder(of: path)
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try AtomicFile.write(content.encoded().withUnsafeBytes { Array($0) }, to: path)
        } catch {
            throw CommandFailure(.storage, "\(path) cannot be written.")
        }
    }

    /// What is wrong with a manifest; nothing when it is the one that should be there.
    func fault(at path: String) -> String? {
        guard let bytes = FileManager.default.contents(atPath: path) else { return "there is no manifest" }
        guard let content = try? JSONDecoder().decode(Content.self, from: bytes) else {
            return "the manifest cannot be read"
        }
        if content.name != Self.name || content.type != "stdio" { return "the manifest is not Latchkey's" }
        if content.path != program { return "the manifest names \(content.path), this Latchkey has \(program)" }
        if access(content.path, X_OK) != 0 { return "\(content.path) cannot be executed" }
        if content.allowedOrigins != [origin] { return "the manifest names another extension" }
        return nil
    }

    /// Whether a file is a manifest of this name, so that it may be removed.
    static func isOurs(at path: String) -> Bool {
        guard let bytes = FileManager.default.contents(atPath: path) else { return false }
        return (try? JSONDecoder().decode(Content.self, from: bytes))?.name == name
    }

    /// The members as browsers spell them.
    private struct Content: Decodable {
        var name: String
        var path: String
        var type: String
        var allowedOrigins: [String]

        private enum CodingKeys: String, CodingKey {
            case name, path, type
            case allowedOrigins = "allowed_origins"
        }
    }
}
