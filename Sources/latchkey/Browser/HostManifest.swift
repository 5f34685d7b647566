// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import FoundationEssentials
import Glibc
import TerminalRendering

/// Browsers that have the same form of a host manifest and take the same form of the extension.
enum BrowserFamily {
    case chromium, firefox
}

/// The file that tells a browser which program to start for which extension.
struct HostManifest: Equatable {
    static let name = "org.latchkey.browser"
    static let fileName = name + ".json"

    /// The program, `latchkey-browser-host`.
    let program: String
    let family: BrowserFamily
    /// The one extension that may have it started, as the manifest names it.
    let allowed: String

    /// - Parameters:
    ///   - extensionIdentifier: the extension's identifier in the Chromium family, from which its origin follows. In Firefox the extension
    ///     has an identifier of its own.
    init(program: String, extensionIdentifier: String, family: BrowserFamily = .chromium) {
        self.program = program
        self.family = family
        allowed = family == .firefox ? ExtensionFolder.firefoxIdentifier : "chrome-extension://\(extensionIdentifier)/"
    }

    /// Where the manifest stands below a browser's own folder.
    static func path(in folder: String, family: BrowserFamily = .chromium) -> String {
        folder + (family == .firefox ? "/native-messaging-hosts/" : "/NativeMessagingHosts/") + fileName
    }

    /// The file's content.
    var bytes: [UInt8] {
        let content = JSONText.object([
            ("name", .string(Self.name)), ("description", .string("Latchkey, Password AutoFill for Linux")),
            ("path", .string(program)), ("type", .string("stdio")),
            (family == .firefox ? "allowed_extensions" : "allowed_origins", .strings([allowed])),
        ])
        return content.encoded().withUnsafeBytes { Array($0) }
    }

    /// Written for the user alone, whole or not at all.
    func write(to path: String) throws(CommandFailure) {
        do {
            let folder = FilePath.folder(of: path)
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try AtomicFile.write(bytes, to: path)
        } catch {
            throw CommandFailure(.storage, "\(path) cannot be written.")
        }
    }

    /// What is wrong with a manifest; nothing when it is the one that should be there.
    func fault(at path: String) -> String? {
        fault(of: FileManager.default.contents(atPath: path))
    }

    /// - Parameter bytes: The file's content, or `nil` if there is none.
    func fault(of bytes: Data?) -> String? {
        guard let bytes else { return "nothing tells this browser of Latchkey yet" }
        guard let content = try? JSONDecoder().decode(Content.self, from: bytes) else {
            return "the manifest cannot be read"
        }
        if content.name != Self.name || content.type != "stdio" { return "the manifest is not Latchkey's" }
        if content.path != program { return "the manifest names \(content.path), this Latchkey has \(program)" }
        if access(content.path, X_OK) != 0 { return "\(content.path) cannot be executed" }
        let named = family == .firefox ? content.allowedExtensions : content.allowedOrigins
        if named != [allowed] { return "the manifest names another extension" }
        return nil
    }

    /// Whether a file is a manifest of this name, so that it may be removed.
    static func isOurs(at path: String) -> Bool {
        FileManager.default.contents(atPath: path).map(isOurs) ?? false
    }

    static func isOurs(_ bytes: Data) -> Bool {
        (try? JSONDecoder().decode(Content.self, from: bytes))?.name == name
    }

    /// The members as browsers spell them.
    private struct Content: Decodable {
        var name: String
        var path: String
        var type: String
        var allowedOrigins: [String]?
        var allowedExtensions: [String]?

        private enum CodingKeys: String, CodingKey {
            case name, path, type
            case allowedOrigins = "allowed_origins"
            case allowedExtensions = "allowed_extensions"
        }
    }
}
