// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import Glibc

/// The git repository that a store, or a folder in it, is.
///
/// Nothing that the repository brings along is run: no hooks, no filters, no signing, no pager, no fetching. A change is
/// put together from objects in an index of its own, so what somebody has staged is left as it is, and HEAD moves only
/// from the commit that the change was made on.
public struct GitRepository: Sendable {
    /// Where git is, and what it is given.
    public struct Place: Sendable {
        /// The path of git.
        public var git: String
        /// A folder of this program's own, for indexes that are needed for a moment.
        public var scratch: String
        /// All of git's environment, except what is set here.
        public var environment: [String: String]

        /// A place with all its members.
        public init(git: String, scratch: String, environment: [String: String]) {
            self.git = git
            self.scratch = scratch
            self.environment = environment
        }
    }

    /// A change of one file: its new bytes, or nothing to take it away.
    public struct Change: Sendable {
        let path: String
        let bytes: [UInt8]?
    }

    /// A commit that is there and that no branch has yet.
    public struct PreparedCommit: Sendable {
        let head: String?
        let commit: String
        let index: String
    }

    private static let noObject = String(repeating: "0", count: 40)

    /// Its folder, which is the store or is in it.
    public let folder: String
    private let above: [String]
    private let place: Place
    private let programs: any ProgramRunning

    /// The repository that an entry is in: that of the nearest folder with a `.git`, up to the store and not beyond.
    public init?(of name: EntryName, in store: StoreFolder, _ place: Place, programs: any ProgramRunning) {
        self.init(of: name.folders, in: store, place, programs: programs)
    }

    /// The repository that a folder below the store is in.
    public init?(of folders: [String], in store: StoreFolder, _ place: Place, programs: any ProgramRunning) {
        var folders = folders
        while true {
            if let descriptor = try? store.open(folders) {
                defer { close(descriptor) }
                var information = stat()
                if fstatat(descriptor, ".git", &information, AT_SYMLINK_NOFOLLOW) == 0,
                    information.st_mode & S_IFMT != S_IFLNK
                {
                    break
                }
            }
            guard folders.popLast() != nil else { return nil }
        }
        folder = ([store.path] + folders).joined(separator: "/")
        (above, self.place, self.programs) = (folders, place, programs)
    }

    /// The change of an entry of the store.
    public func change(_ name: EntryName, _ bytes: [UInt8]?) -> Change { Change(path: path(of: name), bytes: bytes) }

    /// Puts a commit together; the branch and the files stay as they are.
    ///
    /// - Throws: `PassStoreError` with `git`.
    public func prepare(_ changes: [Change], message: String) async throws(PassStoreError) -> PreparedCommit {
        let head = try await head()
        var lines: [UInt8] = []
        for change in changes {
            var line = "0 \(Self.noObject)\t\(change.path)"
            if let bytes = change.bytes {
                line =
                    "100644 \(try await word(["hash-object", "-w", "--no-filters", "--stdin"], bytes))\t\(change.path)"
            }
            lines += Array(line.utf8) + [0]
        }
        let index = place.scratch + "/index-" + String(UInt64.random(in: .min ... .max), radix: 16)
        defer { unlink(index) }
        let ours = ["GIT_INDEX_FILE": index]
        try await run(["read-tree"] + (head.map { [$0] } ?? ["--empty"]), [], ours)
        try await run(["update-index", "-z", "--index-info"], lines, ours)
        let tree = try await word(["write-tree"], [], ours)
        let commit = try await word(
            ["commit-tree", tree] + (head.map { ["-p", $0] } ?? []), Array(message.utf8), try await author()
        )
        return PreparedCommit(head: head, commit: commit, index: String(decoding: lines, as: UTF8.self))
    }

    /// Moves the branch to a commit, if it still is where the commit was made from.
    ///
    /// - Throws: `PassStoreError` with `git`; the branch is where it was then.
    public func publish(_ prepared: PreparedCommit) async throws(PassStoreError) {
        let old = prepared.head ?? Self.noObject
        try await run(["update-ref", "-m", "commit: latchkey", "HEAD", prepared.commit, old])
        // The commit stands; an index that is behind shows as a change that `git status` names and `git add` mends.
        _ = try? await run(["update-index", "-z", "--index-info"], Array(prepared.index.utf8))
    }

    func path(of name: EntryName) -> String { name.parts.dropFirst(above.count).joined(separator: "/") + ".gpg" }

    /// The name of an entry of the store, from a path in the repository.
    func name(at path: Substring) -> EntryName? {
        guard path.hasSuffix(".gpg") else { return nil }
        return EntryName((above + [String(path.dropLast(4))]).joined(separator: "/"))
    }

    func head() async throws(PassStoreError) -> String? {
        let end = try await start(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], [], [:])
        guard end.isSuccess else {
            // An unborn branch is a normal state, and the only one in which the symbolic name still reads.
            try await run(["symbolic-ref", "--quiet", "HEAD"])
            return nil
        }
        return Self.word(end)
    }

    /// Who makes the commit: whom the configuration names; where it cannot be seen, who made the last one.
    private func author() async throws(PassStoreError) -> [String: String] {
        if try await start(["config", "user.email"], [], [:]).isSuccess,
            try await start(["config", "user.name"], [], [:]).isSuccess
        {
            return [:]
        }
        let last = try await start(["log", "-1", "--no-show-signature", "--format=%an%n%ae"], [], [:])
        let lines = Self.text(last).split(separator: "\n").map(String.init)
        let (name, email) =
            last.isSuccess && lines.count == 2 ? (lines[0], lines[1]) : ("Latchkey", "latchkey@localhost")
        return [
            "GIT_AUTHOR_NAME": name, "GIT_AUTHOR_EMAIL": email, "GIT_COMMITTER_NAME": name,
            "GIT_COMMITTER_EMAIL": email,
        ]
    }

    private func word(
        _ arguments: [String], _ input: [UInt8], _ more: [String: String] = [:]
    ) async throws(PassStoreError) -> String {
        let word = Self.word(try await run(arguments, input, more))
        guard word.utf8.count >= 40, word.utf8.allSatisfy({ $0 != UInt8(ascii: " ") }) else {
            throw PassStoreError(.git, "git did not report the object that it wrote.")
        }
        return word
    }

    @discardableResult
    func run(
        _ arguments: [String], _ input: [UInt8] = [], _ more: [String: String] = [:]
    ) async throws(PassStoreError) -> ProgramEnd {
        let end = try await start(arguments, input, more)
        guard end.isSuccess else {
            throw PassStoreError(
                .git, "git rejected the change; nothing was changed.", hint: "Look at it with: pass git status"
            )
        }
        return end
    }

    private func start(
        _ arguments: [String], _ input: [UInt8], _ more: [String: String]
    ) async throws(PassStoreError) -> ProgramEnd {
        let parent = folder.split(separator: "/").dropLast().joined(separator: "/")
        let ours = [
            "GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0",
            "GIT_NO_LAZY_FETCH": "1", "GIT_CEILING_DIRECTORIES": "/" + parent, "LC_ALL": "C",
        ]
        let settings = [
            "core.hooksPath=/dev/null", "core.fsmonitor=false", "core.attributesFile=/dev/null",
            "commit.gpgSign=false", "gc.auto=0", "maintenance.auto=false", "protocol.allow=never",
        ]
        return try await programs.run(
            ProgramCall(
                place.git,
                ["-C", folder, "--no-pager", "--literal-pathspecs"] + settings.flatMap { ["-c", $0] } + arguments,
                environment: place.environment.merging(ours) { $1 }.merging(more) { $1 }, input: .bytes(input),
                outputLimit: 2 * StoreFolder.fileLimit
            )
        )
    }

    static func text(_ end: ProgramEnd) -> String { end.output.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }

    private static func word(_ end: ProgramEnd) -> String {
        text(end).split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    }
}
