// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import CLinux
internal import Glibc

/// The shared libraries of Swift used by this process.
///
/// An installation has one copy of them beside its programs. A sandbox has to make them available to every program of
/// Latchkey that it starts.
public enum SwiftRuntime {
    /// The folder that holds Swift's shared libraries, or `nil` if they are linked into this program.
    public static let folder: String? = {
        var name = [CChar](repeating: 0, count: 4_096)
        guard latchkey_place_of_symbol("swift_retain", &name, name.count) == 0, let resolved = realpath(name, nil)
        else {
            return nil
        }
        defer { free(resolved) }
        let path = String(cString: resolved)
        guard let parent = path.pathParent, path.lastPathPart.hasPrefix("libswift") else { return nil }
        return parent.isEmpty ? "/" : parent
    }()

    /// The arguments for bubblewrap that make the folder available read-only. Empty if it is below `/usr` or `/opt`,
    /// which are visible anyway.
    static func arguments(showing folder: String?) -> [String] {
        guard let folder, !Bubblewrap.shownFolders.contains(where: { folder.isBelow($0) }) else { return [] }
        return ["--ro-bind", folder, folder]
    }
}
