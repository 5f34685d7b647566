// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import AutoFillSecrets
import Glibc
import ShownText
import TerminalRendering

/// `latchkey export FILE`
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write everything saved into a file that other programs read.",
        discussion: """
            The file is not encrypted: whoever can read it has every password. It is for moving to another password \
            manager; `latchkey backup` writes an encrypted file. Deleted accounts and earlier passwords are left out, and \
            what else the layout has no place for is named.
            """)

    @Argument(
        help: "Where to write; - for standard output. A file that is there is never replaced.", completion: .file())
    var file: String
    @Option(help: "The layout: \(ExportFormat.allCases.map(\.rawValue).joined(separator: ", ")).")
    var format = ExportFormat.bitwarden
    @OptionGroup var passphrase: PassphraseOptions

    func run() async throws {
        if file == "-", Output.isTerminal {
            throw CommandFailure(
                .usage, "An export is not for a terminal.", hint: "Name a file, or send it to another program.")
        }
        let path = FilePath.absolute(file)
        guard file == "-" || access(path, F_OK) != 0 else { throw Self.isThere(path) }
        let daemon = try await DaemonConnection.open()
        try await daemon.requireUnlocked()
        Output.note("The file will not be encrypted: whoever can read it has every password.")
        let accounts = try await accounts(daemon)
        try file == "-" ? write(accounts, to: STDOUT_FILENO, "standard output") : create(path, accounts)
        report(accounts.map(\.item), path)
    }

    /// Everything that is saved, page by page. Each page takes the passphrase, which is asked for once.
    private func accounts(_ daemon: DaemonConnection) async throws -> [Items.Export.Account] {
        var given = SecretBytes(count: 0)
        var page = try await daemon.prove(isInteractive: passphrase.isInteractive) { secret in
            given = secret
            return try await daemon.call(Items.Export.self, .init(passphrase: WireSecret(secret)))
        } read: {
            try passphrase.readOnDemand($0)
        }
        var accounts = page.accounts
        while let cursor = page.cursor {
            page = try await daemon.call(Items.Export.self, .init(passphrase: WireSecret(given), cursor: cursor))
            // A cursor that does not move would never end.
            guard page.cursor != cursor else {
                throw CommandFailure(.malfunction, "The daemon sends the same page again.")
            }
            accounts += page.accounts
        }
        if let unreadable = page.unreadable { throw ItemListing.damage(unreadable) }
        // The pages were read one after the other, and something may have been removed or added meanwhile.
        let now = try await ItemListing.all(daemon, search: nil, removed: false).items
        guard now.map(\.id).sorted() == accounts.map(\.item.id).sorted() else {
            throw CommandFailure(
                .unavailable, "What is saved has changed meanwhile, so nothing was written.", hint: "Try again.")
        }
        return accounts
    }

    /// Makes the file, which nobody else can read. It has no name before it is whole, where the file system has that (O_TMPFILE); elsewhere one
    /// that could not be written to its end is removed.
    private func create(_ path: String, _ accounts: [Items.Export.Account]) throws {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        // __O_TMPFILE of <fcntl.h>, which is no constant that Swift imports.
        let nameless = open(folder, O_WRONLY | O_DIRECTORY | 0o20000000 | O_CLOEXEC, 0o600)
        let descriptor =
            nameless >= 0 ? nameless : open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw errno == EEXIST ? Self.isThere(path) : Self.failure(path) }
        defer { close(descriptor) }
        do {
            try write(accounts, to: descriptor, path)
            guard fsync(descriptor) == 0 else { throw Self.failure(path) }
        } catch {
            if nameless < 0 { _ = unlink(path) }
            throw error
        }
        guard nameless >= 0 else { return }
        guard linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 else {
            throw errno == EEXIST ? Self.isThere(path) : Self.failure(path)
        }
    }

    private func write(_ accounts: [Items.Export.Account], to descriptor: Int32, _ name: String) throws {
        let rows = [SecretBytes(utf8: format.header + "\n")] + accounts.flatMap { format.rows(of: $0) }
        for row in rows {
            try row.withUnsafeBytes { bytes in
                var rest = bytes[...]
                while !rest.isEmpty {
                    let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else { throw Self.failure(name) }
                    rest = rest.dropFirst(count)
                }
            }
        }
    }

    private func report(_ items: [Item], _ path: String) {
        let count = "\(items.count) account\(items.count == 1 ? "" : "s")"
        Output.note("Exported \(count)\(file == "-" ? "" : " to \(TerminalText.escaped(path))") (\(format.name)).")
        for lost in ExportFormat.Lost.allCases {
            let number = items.count { format.lost(of: $0).contains(lost) }
            if number > 0 {
                Output.note("Not in the file, of \(number) account\(number == 1 ? "" : "s"): \(lost.rawValue).")
            }
        }
        guard file != "-", let word = ShellWord.shown(path: file) else { return }
        Output.note("When the other program has read it, delete it: `shred --remove \(word)`.")
    }

    private static func isThere(_ path: String) -> CommandFailure {
        CommandFailure(.alreadyExists, "\(path) is there already.", hint: "Name another file; none is ever replaced.")
    }

    private static func failure(_ name: String) -> CommandFailure {
        CommandFailure(.storage, "\(name) cannot be written: \(String(cString: strerror(errno))).")
    }
}
