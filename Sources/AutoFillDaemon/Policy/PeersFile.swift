// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets
internal import Foundation
internal import Logging

/// The file `$XDG_CONFIG_HOME/latchkey/peers.json`: peers that the user added to the built-in ones.
struct PeersFile: Sendable, Equatable {
    /// The paths of browsers' executables.
    var browsers: [String]
    /// The paths of executables with the same rights as `latchkey`.
    var settings: [String]
    /// The paths of services that start the host for browsers in a sandbox. They are not believed, but what they start is looked at.
    var launchers: [String]
    /// Extensions as their browsers name them: `chrome-extension://…/`, or an identifier of Firefox.
    var extensions: [String]

    init(browsers: [String] = [], settings: [String] = [], launchers: [String] = [], extensions: [String] = []) {
        self.browsers = browsers
        self.settings = settings
        self.launchers = launchers
        self.extensions = extensions
    }

    static func path(in directories: Directories) -> String { directories.config + "/peers.json" }

    /// Size limit in bytes.
    private static let sizeLimit = 1 << 20

    private struct Content: Decodable {
        var browsers: [String]?
        var settings: [String]?
        var launchers: [String]?
        var extensions: [String]?
    }

    /// Reads the file; a missing one adds nothing.
    ///
    /// - Throws: `storageFailed` when it cannot be read, so that it is never half believed.
    init(contentsOf path: String) throws(WireError) {
        guard SmallFile.isThere(path) else {
            self.init()
            return
        }
        guard let bytes = SmallFile.read(path, atMost: Self.sizeLimit, followsLinks: true),
            let content = try? BoundedJSON.decode(Content.self, from: bytes)
        else {
            throw WireError(.storageFailed, "\(path) cannot be read.", hint: "Correct the file or remove it.")
        }
        self.init(
            browsers: content.browsers ?? [], settings: content.settings ?? [], launchers: content.launchers ?? [],
            extensions: content.extensions ?? [])
    }

    /// Reads the file at start. Where it cannot be read nobody is believed who is not known anyway, and `status` says so.
    static func reading(in directories: Directories, _ logger: Logger) -> PeersFile {
        do throws(WireError) {
            return try PeersFile(contentsOf: path(in: directories))
        } catch {
            let message = error.message
            logger.error("\(message)")
            return PeersFile()
        }
    }
}
