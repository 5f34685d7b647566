// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets
internal import Glibc
internal import ShownText

/// Data of an installation whose keyring is not there. Only that keyring opens them, so a new one must not take its place.
struct DataWithoutKeyring {
    private let folder: String
    /// The files and folders that are there.
    private let names: [String]

    /// Looks into the data folder; `nil` if it holds nothing that needs a keyring. Call it only where no keyring is there.
    init?(in directories: Directories) {
        folder = directories.data
        let folder = folder
        var names = ["containers", "groups"].filter { Self.holdsAnything(folder + "/" + $0) }
        // A new registry that an interrupted initialization has left holds nothing.
        if !names.isEmpty || !SmallFile.isThere(Self.mark(directories)) {
            names += ["registry", "registry.next"].filter { SmallFile.isThere(folder + "/" + $0) }
        }
        guard !names.isEmpty else { return nil }
        self.names = names
    }

    /// Whether a folder holds a file at any depth, or cannot be looked into. Empty folders need no keyring.
    private static func holdsAnything(_ path: String, depth: Int = 4) -> Bool {
        guard SmallFile.isThere(path) else { return false }
        guard let names = SmallFile.names(in: path, atMost: 100), depth > 0 else { return true }
        return names.contains { holdsAnything(path + "/" + $0, depth: depth - 1) }
    }

    var statement: MissingKeyring {
        let list = names.joined(separator: ", ")
        return MissingKeyring(
            message: "The file \(folder)/keyring is missing. What is saved here (\(list)) can be opened with it alone.",
            hint: "Put the file back from a copy. Or restore a backup: `latchkey restore FILE --replace`. "
                + beginningAnew)
    }

    /// How to begin anew without losing anything: the folder is moved to a name that is free.
    private var beginningAnew: String {
        var number = 1
        while SmallFile.isThere("\(folder)-\(number)"), number < 1_000 { number += 1 }
        guard let from = ShellWord.shown(path: folder), let to = ShellWord.shown(path: "\(folder)-\(number)") else {
            return "Or move the folder aside, then begin anew with `latchkey init`."
        }
        return "Or move the folder aside with `mv \(from) \(to)`, then begin anew with `latchkey init`."
    }

    // MARK: Initialization

    /// A new keyring must not take the place of one that is missing: what is here could not be opened any more.
    static func requireNone(_ missing: MissingKeyring?) throws {
        guard let missing else { return }
        throw WireError(.alreadyExists, missing.message, hint: missing.hint)
    }

    /// The file that is there while an initialization is under way.
    private static func mark(_ directories: Directories) -> String { directories.data + "/initializing" }

    /// Marks the beginning of an initialization: a registry that is there without a keyring is a new one.
    static func beginInitialization(in directories: Directories) throws {
        try Directories.makePrivate(directories.data)
        _ = try AtomicFile.createEmpty(at: mark(directories))
    }

    /// Ends what `beginInitialization` began. Call it at every start with a keyring, too.
    static func endInitialization(in directories: Directories) {
        _ = unlink(mark(directories))
    }
}
