// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import TerminalRendering

/// The browser extension: where it is and what its identifier is.
struct ExtensionFolder: Equatable {
    let path: String
    let identifier: String

    /// The identifier in Firefox. It stands in `Firefox/manifest.json` of the folder too, and the daemon knows no other.
    static let firefoxIdentifier = "latchkey@latchkey.org"

    /// The extension as Firefox loads it, which `scripts/make-firefox-extension` makes beside this one; `nil` where it is not there.
    var firefox: String? {
        let parent = FilePath.folder(of: path)
        let made = [parent + "/FirefoxExtension", parent + "/.build/FirefoxExtension"]
        return made.first { FileManager.default.fileExists(atPath: $0 + "/manifest.json") }
    }

    /// Looks beside the programs: `PREFIX/share/latchkey/BrowserExtension` when they are installed in `PREFIX/bin` or
    /// `PREFIX/lib/latchkey`, and `BrowserExtension` of the checkout that they were built in.
    static func find(programFolder: String) throws(CommandFailure) -> ExtensionFolder {
        var folder = programFolder
        var candidates: [String] = []
        while folder.count > 1 {
            folder = FilePath.folder(of: folder)
            let parent = folder == "/" ? "" : folder
            candidates += [parent + "/share/latchkey/BrowserExtension", parent + "/BrowserExtension"]
        }
        for path in candidates where FileManager.default.fileExists(atPath: path + "/manifest.json") {
            guard let bytes = FileManager.default.contents(atPath: path + "/ID"), bytes.count < 100 else { continue }
            let identifier = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
            guard isIdentifier(identifier) else {
                throw CommandFailure(.invalidInput, "\(path)/ID holds no identifier of an extension.")
            }
            return ExtensionFolder(path: path, identifier: identifier)
        }
        throw CommandFailure(
            .notFound, "The browser extension is not beside this program.",
            hint: programFolder == "/usr/lib/latchkey"
                ? "Install the package webext-latchkey."
                : "It belongs in share/latchkey/BrowserExtension beside bin; `make install` puts it there.")
    }

    /// 32 letters from a to p, as Chromium derives them from the key in the extension's manifest.
    static func isIdentifier(_ text: String) -> Bool {
        text.utf8.count == 32
            && text.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "p")).contains($0) }
    }
}
