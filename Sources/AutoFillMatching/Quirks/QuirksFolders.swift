// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials

/// The folders that hold files of Apple's password-manager-resources, under the names that they have there, and a public
/// suffix list.
public struct QuirksFolders: Hashable, Sendable {
    public static let sharedFile = "shared-credentials.json"
    public static let historicalFile = "shared-credentials-historical.json"
    public static let appDomainsFile = "apple-appIDs-to-domains-shared-credentials.json"
    public static let embeddedServicesFile =
        "websites-that-ask-for-credentials-for-other-services-when-embedded-as-third-party.json"
    public static let passwordRulesFile = "password-rules.json"
    public static let changePasswordFile = "change-password-URLs.json"
    public static let suffixesFile = "public_suffix_list.dat"
    /// What `latchkey quirks update` writes beside them: where the set came from, and when.
    public static let setFile = "set.json"
    /// No file of a set is longer.
    public static let fileLimit = 8 << 20

    /// The first one that has a file has the say over it; of suffix lists the newest has it.
    public let paths: [String]
    /// Whether the list in the folder counts whatever its age and size, since somebody named the folder.
    private let isNamed: Bool

    public init(paths: [String]) {
        self.paths = paths
        isNamed = false
    }

    /// One folder that somebody named: what is there counts, and nothing else does but the distribution's suffix list where it
    /// has none.
    public init(named path: String) {
        paths = [path]
        isNamed = true
    }

    /// The user's folder, then the administrator's, then the distribution's.
    public init(environment: [String: String]) {
        func absolute(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        let data = absolute("XDG_DATA_HOME") ?? absolute("HOME").map { $0 + "/.local/share" }
        self.init(paths: (data.map { [$0 + "/latchkey/quirks"] } ?? []) + Self.system)
    }

    /// The same, where Latchkey's own folder of the user's data is known.
    public init(data: String) {
        self.init(paths: [data + "/quirks"] + Self.system)
    }

    private static let system = ["/usr/local/share/latchkey/quirks", "/usr/share/latchkey/quirks"]

    /// Reads what is there. What is unreadable is as if it were not there, and is one of the `problems`.
    public func load() -> Quirks {
        var problems: [String] = []
        var shared = SharedCredentials.empty
        let folder = first(Self.sharedFile, &problems) { json throws(SharedCredentials.Failure) in
            shared = try SharedCredentials(json: json)
        }
        _ = first(Self.appDomainsFile, &problems) { json throws(SharedCredentials.Failure) in
            try shared.read(appDomains: json)
        }
        _ = first(Self.embeddedServicesFile, &problems) { json throws(SharedCredentials.Failure) in
            try shared.read(embeddedServices: json)
        }
        return Quirks(suffixes: suffixes(&problems), shared: shared, folder: folder, problems: problems)
    }

    /// The folder whose file was taken.
    private func first(
        _ name: String, _ problems: inout [String], take: (Data) throws(SharedCredentials.Failure) -> Void
    ) -> String? {
        for path in paths {
            let file = path + "/" + name
            do {
                try take(RegularFile.read(file, limit: Self.fileLimit).contents)
                return path
            } catch RegularFile.Failure.absent {
                continue
            } catch RegularFile.Failure.unreadable(let reason) {
                problems.append("\(file) is left out: \(reason).")
            } catch {
                problems.append("\(file) is left out: \(error).")
            }
        }
        return nil
    }

    private func suffixes(_ problems: inout [String]) -> PublicSuffixes {
        let files = paths.map { $0 + "/" + Self.suffixesFile }
        if isNamed { return files.first.flatMap { PublicSuffixes(path: $0) } ?? .distribution }
        for file in files {
            do throws(RegularFile.Failure) {
                _ = try RegularFile.read(file, limit: Self.fileLimit)
                if PublicSuffixes(path: file)?.isWhole != true {
                    problems.append("\(file) is left out: it is not a whole public suffix list.")
                }
            } catch {
                switch error {
                case .absent: continue
                case .unreadable(let reason): problems.append("\(file) is left out: \(reason).")
                }
            }
        }
        return .newest(of: files)
    }
}
