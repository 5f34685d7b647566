// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillSecrets
public import FoundationEssentials
internal import GRDB
internal import SQLiteFiles
internal import Synchronization

/// The built-in provider's items, sealed in one file that only this user can read.
///
/// Every call is one transaction: it happens whole or not at all, and what has returned survives a power cut. Calls may
/// come from any thread and wait for one another. All errors are `VaultError`.
public final class Vault: Sendable {
    /// The path of the vault's file.
    public let path: String
    /// Closing drops the connection instead of closing it: GRDB crashes when a closed one is used, and a call on
    /// another thread may be about to.
    private let connection: Mutex<DatabaseQueue?>
    let keys: VaultKeys
    let now: @Sendable () -> Date
    /// Whether the file is damaged, so that what is left can be read and nothing can be changed.
    public let isDamaged: Bool

    /// Opens the vault in a folder; makes both when there is none. What was removed goes once it has waited for `RetentionAges.span`.
    ///
    /// - Parameters:
    ///   - folder: An absolute path.
    ///   - key: The provider's container key, 32 bytes.
    ///   - now: The clock.
    /// - Throws: `VaultError` with `wrongKey`, `damaged`, `tooNew`, `busy`, `diskFull` or `file`.
    public init(folder: String, key: SecretBytes, now: @escaping @Sendable () -> Date = { Date() }) throws {
        guard let keys = VaultKeys(container: key) else {
            throw VaultError(.wrongKey, "a container key has 32 bytes")
        }
        self.path = folder + "/" + VaultFile.name
        self.keys = keys
        self.now = now
        self.isDamaged = false
        let file = VaultFile(path: path, schema: VaultSchema(keys: keys))
        self.connection = Mutex(try file.open())
        do {
            file.removeKept(now())
            try purge()
        } catch let error as VaultError where [.busy, .diskFull, .file].contains(error.code) {
            // What cannot be written now is purged another time; the items can be read all the same.
        }
    }

    /// Opens a copy that `snapshot` has written, for reading alone.
    init(copyAt path: String, of vault: Vault) throws {
        self.path = path
        (keys, now, isDamaged) = (vault.keys, vault.now, false)
        connection = Mutex(try DatabaseQueue(path: path, configuration: .reading("vault")))
    }

    /// Opens a vault whose file is damaged, for `readableItems`, single items and their secrets. Every change fails.
    ///
    /// - Throws: `VaultError`, as of `init(folder:key:now:)`, where nothing of it can be read.
    public init(salvaging folder: String, key: SecretBytes, now: @escaping @Sendable () -> Date = { Date() }) throws {
        guard let keys = VaultKeys(container: key) else {
            throw VaultError(.wrongKey, "a container key has 32 bytes")
        }
        self.path = folder + "/" + VaultFile.name
        self.keys = keys
        self.now = now
        self.isDamaged = true
        self.connection = Mutex(try VaultFile(path: path, schema: VaultSchema(keys: keys)).openDamaged())
    }

    /// Closes the file, as soon as a call that is under way has ended. Every later call fails.
    public func close() {
        connection.withLock { $0 = nil }
    }

    var queue: DatabaseQueue {
        get throws {
            guard let open = connection.withLock({ $0 }) else {
                throw VaultError(.file, "the vault is closed", file: path)
            }
            return open
        }
    }

    /// The items, oldest first, without their secrets.
    ///
    /// - Parameters:
    ///   - search: Text that a service, the user name or the title has to contain, in either case; nil or empty for all.
    ///   - includingRemoved: Whether removed items that can still be restored are listed too.
    /// - Throws: `damaged` when any row does not open or any is missing; `salvage` gives what is left then.
    public func items(search: String? = nil, includingRemoved: Bool = false) throws -> [VaultItem] {
        let (rows, isComplete, _) = try reading { try $0.all() }
        guard isComplete else { throw incomplete }
        return Self.found(try rows.map { try $0.item.get() }, search: search, includingRemoved: includingRemoved)
    }

    static func found(_ items: [VaultItem], search: String?, includingRemoved: Bool) -> [VaultItem] {
        let wanted = search?.lowercased() ?? ""
        let found = items.filter { item in
            (includingRemoved || item.removed == nil)
                && (wanted.isEmpty
                    || (item.services + [item.user, item.title]).contains { $0.lowercased().contains(wanted) })
        }
        return found.sorted { ($0.created, $0.id) < ($1.created, $1.id) }
    }

    /// One item, removed or not.
    public func item(_ id: String) throws -> VaultItem {
        try reading { try $0.item(id) }
    }

    /// Reveals an item's password.
    public func password(of id: String) throws -> SecretBytes {
        try reading { try $0.password(of: id) }
    }

    /// Reveals the passwords of several items, in one look at the file.
    ///
    /// - Returns: By item; those are left out that are gone by now or do not open.
    public func passwords(of ids: some Sequence<String>) throws -> [String: SecretBytes] {
        try reading { items in
            Dictionary(ids.compactMap { id in (try? items.password(of: id)).map { (id, $0) } }) { $1 }
        }
    }

    /// Reveals an item's notes.
    public func notes(of id: String) throws -> String {
        try reading { try $0.notes(of: id) }
    }

    /// Reveals the passwords an item had before, oldest first; at most 20.
    public func history(of id: String) throws -> [PasswordChange] {
        try reading { try $0.history(of: id) }
    }

    /// Reveals the link with the set-up key of an item's authenticator; nothing where it has none.
    public func authenticator(of id: String) throws -> SecretBytes? {
        try reading { try $0.authenticator(of: id) }
    }

    /// What the identity store has still to be told, in order.
    public func pendingIdentityChanges() throws -> [PendingIdentityChange] {
        try VaultError.mapping(path) { try queue.read { try OutboxTable.pending($0, keys: keys) } }
    }

    func reading<Value>(_ body: (ItemTable) throws -> Value) throws -> Value {
        try VaultError.mapping(path) {
            // SQLite does not commit a transaction that has met damage, so a damaged file is read without one.
            guard isDamaged else { return try queue.read { try body(ItemTable($0, keys: keys, file: path)) } }
            return try queue.unsafeRead { try body(ItemTable($0, keys: keys, file: path)) }
        }
    }

    var incomplete: VaultError {
        VaultError(.damaged, "the vault's rows are not the ones that were written", file: path)
    }
}
