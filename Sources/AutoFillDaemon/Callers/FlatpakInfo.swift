// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets

/// The content of `/.flatpak-info` (flatpak-metadata(5)), in which flatpak describes the sandbox to its app.
struct FlatpakInfo: Sendable, Equatable {
    let name: String
    let instance: String
    /// The app's files outside the sandbox, which are `/app` inside.
    let appPath: String
    /// The runtime's files outside the sandbox, which are `/usr` inside.
    let runtimePath: String?

    /// Parses the file; `nil` if it names no app, no instance or no app path.
    init?(_ text: String) {
        var values: [String: String] = [:]
        var group = ""
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("["), line.hasSuffix("]") {
                group = String(line.dropFirst().dropLast())
            } else if let sign = line.firstIndex(of: "="), !line.hasPrefix("#") {
                let key = "\(group)/\(line[..<sign].trimmingSpaces)"
                // Reject a second value for a key: an honest file has none.
                guard values.updateValue(String(line[line.index(after: sign)...].trimmingSpaces), forKey: key) == nil
                else {
                    return nil
                }
            }
        }
        guard let name = values["Application/name"], Self.isName(name),
            let instance = values["Instance/instance-id"], !instance.isEmpty,
            instance.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let appPath = values["Instance/app-path"], appPath.hasPrefix("/"), !appPath.pathParts.contains("..")
        else { return nil }
        self.name = name
        self.instance = instance
        self.appPath = appPath
        runtimePath = values["Instance/runtime-path"]
    }

    /// Whether the files lie where an installation keeps those of this app: `…/app/NAME/ARCHITECTURE/BRANCH/COMMIT/files`.
    var isDeployed: Bool {
        let parts = appPath.pathParts
        return parts.count >= 6 && parts[parts.count - 1] == "files" && parts[parts.count - 5] == name
            && parts[parts.count - 6] == "app"
    }

    /// Whether a text has the form of an application ID (that of D-Bus bus names).
    private static func isName(_ text: String) -> Bool {
        let elements = text.split(separator: ".", omittingEmptySubsequences: false)
        return text.utf8.count <= 255 && elements.count >= 2
            && elements.allSatisfy { element in
                !element.isEmpty
                    && element.utf8.allSatisfy { byte in
                        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                            || byte == 0x5F || byte == 0x2D
                    }
            }
    }
}

extension Substring {
    fileprivate var trimmingSpaces: Substring {
        var text = self
        while text.first == " " || text.first == "\t" { text = text.dropFirst() }
        while text.last == " " || text.last == "\t" { text = text.dropLast() }
        return text
    }
}
