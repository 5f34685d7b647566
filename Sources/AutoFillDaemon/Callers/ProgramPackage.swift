// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import Foundation

/// Finds the Debian package that a program belongs to, to name it to the user. Nothing is decided by it.
enum ProgramPackage {
    /// Where dpkg keeps the list of files of each package.
    private static let folder = "/var/lib/dpkg/info"
    private static let fileLimit = 4 << 20

    /// The name of the package whose list has the path, or `nil` if there is none.
    @concurrent static func name(of path: String, in folder: String = folder) async -> String? {
        // Since /bin is a link to /usr/bin, a list may have either.
        let names = path.hasPrefix("/usr/") ? [path, String(path.dropFirst("/usr".count))] : [path]
        let wanted = names.map { Data("\n\($0)\n".utf8) }
        guard let lists = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return nil }
        for list in lists.sorted() where list.hasSuffix(".list") {
            guard let bytes = SmallFile.read(folder + "/" + list, atMost: fileLimit) else { continue }
            let data = Data("\n".utf8) + bytes
            if wanted.contains(where: { data.range(of: $0) != nil }) {
                return list.dropLast(".list".count).split(separator: ":").first.map(String.init)
            }
        }
        return nil
    }
}
