// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import FoundationEssentials
import TerminalRendering

/// The user's own settings of an app's sandbox (flatpak-override(1)). The sandbox cannot write them.
struct FlatpakOverrides {
    let path: String

    init(_ identifier: String, _ places: BrowserPlaces) {
        path = places.data + "/flatpak/overrides/" + identifier
    }

    private var text: String? { try? String(contentsOfFile: path, encoding: .utf8) }

    func holdsAll(of filesystems: [String]) -> Bool {
        filesystems.allSatisfy { Self.without([$0], in: text ?? "") != nil }
    }

    func holdsAny(of filesystems: [String]) -> Bool {
        Self.without(filesystems, in: text ?? "") != nil
    }

    /// Takes folders out of what the sandbox sees. Returns false if none of them is there.
    func remove(_ filesystems: [String]) throws(CommandFailure) -> Bool {
        guard let text, let rest = Self.without(filesystems, in: text) else { return false }
        do {
            if rest.isEmpty {
                try FileManager.default.removeItem(atPath: path)
            } else {
                try AtomicFile.write(Array(rest.utf8), to: path, mode: 0o644)
            }
        } catch {
            throw CommandFailure(.storage, "\(path) cannot be written.")
        }
        return true
    }

    /// The text without some folders in its list of `filesystems`; empty if nothing else is in it, `nil` if none of them is.
    static func without(_ filesystems: [String], in text: String) -> String? {
        var isContext = false
        var isChanged = false
        let all = text.split(separator: "\n", omittingEmptySubsequences: false)
        let lines = all.compactMap { line -> Substring? in
            if line.hasPrefix("[") { isContext = line == "[Context]" }
            guard isContext, line.hasPrefix("filesystems=") else { return line }
            let folders = line.dropFirst(12).split(separator: ";")
            let others = folders.filter { !filesystems.contains(String($0)) }
            guard others.count < folders.count else { return line }
            isChanged = true
            return others.isEmpty ? nil : Substring("filesystems=" + others.map { $0 + ";" }.joined())
        }
        guard isChanged else { return nil }
        let hasMore = lines.contains { !$0.isEmpty && !$0.hasPrefix("[") && !$0.hasPrefix("#") }
        return hasMore ? lines.joined(separator: "\n") : ""
    }
}
