// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets
internal import Foundation

/// `$XDG_CONFIG_HOME/latchkey/peers.json`: what the user added to the peers that the daemon knows by itself.
struct PeersFile: Sendable, Equatable {
    /// Executables of browsers.
    var browsers: [String]
    /// Executables that may ask what `latchkey` may ask.
    var settings: [String]
    /// Extensions as their browsers name them: `chrome-extension://…/`, or an identifier of Firefox.
    var extensions: [String]

    init(browsers: [String] = [], settings: [String] = [], extensions: [String] = []) {
        self.browsers = browsers
        self.settings = settings
        self.extensions = extensions
    }

    /// In bytes.
    private static let sizeLimit = 1 << 20

    private struct Content: Decodable {
        var browsers: [String]?
        var settings: [String]?
        var extensions: [String]?
    }

    /// Reads the file; one that is not there adds nothing, one that cannot be read throws rather than being half believed.
    init(contentsOf path: String) throws(WireError) {
        guard SmallFile.isThere(path) else {
            self.init()
            return
        }
        guard let bytes = SmallFile.read(path, atMost: Self.sizeLimit, followsLinks: true),
            let content = try? BoundedJSON.decode(Content.self, from: bytes)
        else {
            throw WireError(.storageFailed, "\(path) cannot be read.", hint: "Mend it or remove it.")
        }
        self.init(
            browsers: content.browsers ?? [], settings: content.settings ?? [], extensions: content.extensions ?? [])
    }
}
