// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillProviders
internal import AutoFillRelease
internal import AutoFillSecrets
internal import Crypto
internal import Foundation
internal import Glibc
internal import Synchronization

/// The daemon's own memory, which nobody else may read or change. It holds providers and their salts, which credential went to which
/// origin, and the head of the audit log. The file is `$XDG_DATA_HOME/latchkey/registry`, sealed under the device key.
struct SealedRegistry: Sendable {
    /// An installed provider.
    struct Provider: Codable, Sendable, Equatable {
        var identifier: String
        /// Random, made when the provider is first enabled: one whose data was deleted has another container key next time.
        var salt: Data
        /// Whether the user wants it.
        var isEnabled: Bool
        /// The bundle that the user enabled; `nil` for the built-in provider.
        var enabled: Enabled?
        /// Salts of the keys of its app groups.
        var groups: [String: Data] = [:]
        /// Whether it is told the path of the page that its list is opened for.
        var isToldPaths = false

        /// A bundle as it was shown to the user.
        struct Enabled: Codable, Sendable, Equatable {
            var root: String
            var digest: String
            var owner: UInt32
            var name: String
            /// What the user agreed to, by the words of `ProviderCapability`; `nil` where an earlier Latchkey enabled it.
            var agreed: [String]?
        }

        /// What the user agreed to. Where that was not recorded it is passwords alone, which every question named.
        var agreed: Set<ProviderCapability> {
            Set((enabled?.agreed ?? [ProviderCapability.passwords.rawValue]).compactMap(ProviderCapability.init))
        }

        init(identifier: String, salt: Data, isEnabled: Bool) {
            self.identifier = identifier
            self.salt = salt
            self.isEnabled = isEnabled
        }

        /// Forgets that the user wants it, and what it was allowed beyond that.
        mutating func disable() {
            isEnabled = false
            isToldPaths = false
        }

        /// Decodes a provider. An absent member has its default; for `isEnabled` that is whether it is the built-in provider.
        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            identifier = try values.decode(String.self, forKey: .identifier)
            salt = try values.decode(Data.self, forKey: .salt)
            isEnabled =
                try values.decodeIfPresent(Bool.self, forKey: .isEnabled)
                ?? (identifier == BundleIdentifier.builtIn.rawValue)
            enabled = try values.decodeIfPresent(Enabled.self, forKey: .enabled)
            groups = try values.decodeIfPresent([String: Data].self, forKey: .groups) ?? [:]
            isToldPaths = try values.decodeIfPresent(Bool.self, forKey: .isToldPaths) ?? false
        }
    }

    /// What a registry lacks that is older than what was counted, until the user has decided what becomes of it.
    struct Older: Codable, Sendable, Equatable {
        /// Number of counted changes that it lacks.
        var changes: Int
        /// When the first of them was made, in seconds since 1970; `nil` if the audit log does not have it.
        var since: Int64?
        /// The count that was known when this was found.
        var known: Int
        /// Whether the audit log has a line about it.
        var isLogged = false
    }

    private struct Content: Codable {
        var version = 1
        var providers: [Provider] = []
        /// Digests of (origin, provider, record) that were released before.
        var released: [Data] = []
        var consents = ConsentBook()
        var audit: AuditLog.Head?
        /// The marks of credentials, by `CredentialMarks.name`.
        var marks: [String: CredentialMarks] = [:]
        var apps: [AppDecision] = []
        var bindings: [ProgramBinding] = []
        /// Sites for which the user does not want to be asked whether a password is to be saved, as `Origin.written` has them.
        var never: [String] = []
        /// Domains that the user took away from apps which state them, each with its app: `APP DOMAIN`.
        var removedDomains: [String] = []
        /// Password changes whose outcome is unknown.
        var unsettled: [UnsettledUpgrade] = []
        /// Accounts that sign in with Apple now.
        var converted: [ConvertedAccount] = []
        /// Digests of states and nonces that were used.
        var used: [Data] = []
        /// Number of counted changes that led to this content.
        var count = 0
        /// When a backup was put in place, in seconds since 1970; `nil` once the audit log has a line about it.
        var restored: Int64?
        /// Set while the user has not decided about an older copy.
        var older: Older?

        init() {}

        /// Reads a registry. A member that is absent has its default.
        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            func value<Value: Decodable>(_ key: CodingKeys, or standard: Value) throws -> Value {
                try values.decodeIfPresent(Value.self, forKey: key) ?? standard
            }
            version = try values.decode(Int.self, forKey: .version)
            providers = try values.decode([Provider].self, forKey: .providers)
            released = try values.decode([Data].self, forKey: .released)
            consents = try value(.consents, or: consents)
            audit = try values.decodeIfPresent(AuditLog.Head.self, forKey: .audit)
            marks = try value(.marks, or: marks)
            apps = try value(.apps, or: apps)
            bindings = try value(.bindings, or: bindings)
            never = try value(.never, or: never)
            removedDomains = try value(.removedDomains, or: removedDomains)
            unsettled = try value(.unsettled, or: unsettled)
            converted = try value(.converted, or: converted)
            used = try value(.used, or: used)
            count = try value(.count, or: count)
            restored = try values.decodeIfPresent(Int64.self, forKey: .restored)
            older = try values.decodeIfPresent(Older.self, forKey: .older)
        }
    }

    private static let associated = Array("latchkey registry v1".utf8)
    /// Size limit in bytes; a larger file is not a registry.
    private static let byteLimit = 64 << 20
    /// Maximum number of releases. Older ones are forgotten, and the user confirms them once more.
    private static let releasedLimit = 5_000

    /// What was noted since the last writing, which does not wait for a disk.
    private enum Note {
        case released(Data)
        case consent(ConsentBook.Subject, Int64)

        /// - Returns: Whether that is news.
        func apply(to content: inout Content) -> Bool {
            switch self {
            case .released(let digest):
                guard !content.released.contains(digest) else { return false }
                content.released.append(digest)
                if content.released.count > releasedLimit { content.released.removeFirst() }
            case .consent(let subject, let date):
                guard !content.consents.holds(subject) else { return false }
                content.consents.note(subject, at: date)
            }
            return true
        }
    }

    /// What copies of the registry share, so that a change can be written on another thread. Before it is on disk nobody sees it.
    private final class Shared: Sendable {
        let state: Mutex<(content: Content, notes: [Note])>
        /// Whether a counted change still waits beside the registry, because it could not be put in place.
        let isNextWaiting = Mutex(false)

        init(_ content: Content) { state = Mutex((content, [])) }

        func note(_ note: Note) {
            state.withLock { if note.apply(to: &$0.content) { $0.notes.append(note) } }
        }
    }

    private let path: String
    private let key: SealKey
    private let counter: RegistryCounter?
    private let shared: Shared
    /// Held by whoever changes the registry.
    let turn = RegistryTurn()
    private var content: Content { shared.state.withLock { $0.content } }

    /// A change that was written but may not have been counted.
    private var nextPath: String { path + ".next" }

    /// Makes a new registry with the built-in provider in it, and keeps it.
    init(creatingAt path: String, key: SealKey, counter: RegistryCounter? = nil) throws {
        self.path = path
        self.key = key
        self.counter = counter
        var content = Content()
        content.providers = [
            Provider(identifier: BundleIdentifier.builtIn.rawValue, salt: Self.makeSalt(), isEnabled: true)
        ]
        shared = Shared(content)
        _ = unlink(nextPath)
        try AtomicFile.write(Self.sealed(content, key), to: path)
    }

    /// Opens the registry. A change that was counted but not put in place is put in place. Of one that is older than what was counted,
    /// `older` says so.
    ///
    /// - Throws: `storageFailed` when it is missing, damaged or sealed under another key; `unsupportedVersion` when a newer Latchkey wrote
    ///   it.
    init(contentsOf path: String, key: SealKey, counter: RegistryCounter? = nil) throws {
        self.path = path
        self.key = key
        self.counter = counter
        shared = Shared(
            try Self.content(SmallFile.read(path, atMost: Self.byteLimit, followsLinks: true), key, path))
        if let counter { try catchUp(with: counter) }
    }

    private static let restoring = "Put a backup in its place: `latchkey restore FILE --replace`."

    /// What is wrong with the file now; `nil` if it can be opened.
    var fault: WireError? {
        do {
            _ = try Self.content(SmallFile.read(path, atMost: Self.byteLimit, followsLinks: true), key, path)
            return nil
        } catch {
            return WireError(saying: error)
        }
    }

    private static func content(_ bytes: [UInt8]?, _ key: SealKey, _ path: String) throws -> Content {
        guard let bytes else {
            let fault = SmallFile.isThere(path) ? "cannot be read" : "is missing"
            throw WireError(.storageFailed, "\(path) \(fault).", hint: restoring)
        }
        guard let plain = try? key.open(bytes, associated: associated),
            let content = plain.withUnsafeBytes({ try? BoundedJSON.decode(Content.self, from: Data($0)) })
        else {
            throw WireError(.storageFailed, "\(path) is damaged.", hint: restoring)
        }
        guard (1...2).contains(content.version) else {
            throw WireError(.unsupportedVersion, "\(path) was written by a newer Latchkey.")
        }
        return content
    }

    /// Marks a registry that is older than what was counted, unless the change that it lacks waits beside it.
    private func catchUp(with counter: RegistryCounter) throws {
        let content = content
        let known = try counter.known(content.audit)
        if count < known {
            guard let bytes = SmallFile.read(nextPath, atMost: Self.byteLimit),
                let next = try? Self.content(bytes, key, nextPath), next.count == known
            else {
                // The count stays as it is until the next change, so that the newest copy can still be put back.
                if content.older?.known != known {
                    let lacking = Older(changes: known - content.count, known: known)
                    shared.state.withLock { $0.content.older = lacking }
                }
                return
            }
            shared.state.withLock { $0.content = next }
            _ = rename(nextPath, path)
        } else {
            _ = FileCalls.unlink(nextPath)
        }
        counter.settled(count)
    }

    /// Number of counted changes that led to this content.
    var count: Int { content.count }

    /// When a backup was put in place that the audit log has no line about yet, in seconds since 1970.
    var restored: Int64? { content.restored }

    /// Records that the audit log has a line about the restored backup.
    mutating func forgetRestored() throws {
        try keep(isCounted: false) { $0.restored = nil }
    }

    /// What an older copy lacks, until the user has decided about it; `nil` for any other registry.
    var older: Older? { content.older }

    /// Records that the audit log has a line about the older copy. That is not counted: the copy stays recognised as what it is.
    mutating func noteOlder(since: Int64?) throws {
        try keep(isCounted: false) { content in
            content.older?.since = since
            content.older?.isLogged = true
        }
    }

    /// Lets what an older copy has count from now on.
    mutating func keepOlder() throws {
        try keep { $0.older = nil }
    }

    /// Forgets what the user has agreed to: consents, releases, programs, and other providers than the built-in one, whose data stays.
    mutating func takeAllBack() throws {
        try keep { content in
            content.older = nil
            content.consents = ConsentBook()
            content.released = []
            content.apps.removeAll(where: \.isAllowed)
            content.bindings = []
            for index in content.providers.indices
            where content.providers[index].identifier != BundleIdentifier.builtIn.rawValue {
                content.providers[index].disable()
            }
        }
    }

    /// The registry of a backup as it is put in place: newer than everything that was counted before.
    static func restored(_ bytes: [UInt8], key: SealKey, above known: Int, at date: Int64) throws -> [UInt8] {
        var content = try Self.content(bytes, key, "The registry in the backup")
        content.version = 2
        content.count = max(content.count, known) + 1
        content.restored = date
        // The audit log that it refers to stayed on the machine where the backup was written.
        content.audit = nil
        return try sealed(content, key)
    }

    /// The registry as its file holds it.
    func encoded() throws -> [UInt8] { try Self.sealed(content, key) }

    func provider(_ identifier: BundleIdentifier) -> Provider? {
        content.providers.first { $0.identifier == identifier.rawValue }
    }

    /// Whether the user wants a provider.
    func isEnabled(_ identifier: BundleIdentifier) -> Bool {
        provider(identifier)?.isEnabled ?? false
    }

    /// All that were ever enabled and not deleted, in the user's order.
    var providers: [Provider] { content.providers }

    /// Changes a provider, or adds one at the end of the order; nothing is changed when it cannot be written.
    mutating func setProvider(_ identifier: BundleIdentifier, _ change: (inout Provider) -> Void) throws {
        var provider =
            provider(identifier) ?? Provider(identifier: identifier.rawValue, salt: Self.makeSalt(), isEnabled: false)
        change(&provider)
        try keep { content in
            if let index = content.providers.firstIndex(where: { $0.identifier == identifier.rawValue }) {
                content.providers[index] = provider
            } else {
                content.providers.append(provider)
            }
        }
    }

    /// Removes a provider and the salts of its keys. Data that it sealed can never be opened again.
    mutating func removeProvider(_ identifier: BundleIdentifier) throws {
        try keep { content in
            content.providers.removeAll { $0.identifier == identifier.rawValue }
            _ = content.consents.forget { $0.provider == identifier.rawValue }
            // The passwords that it kept as pending are gone with it.
            content.unsettled.removeAll { $0.provider == identifier.rawValue }
        }
    }

    /// Orders providers; those that are not named keep their order behind the others.
    mutating func order(_ identifiers: [BundleIdentifier]) throws {
        let place = Dictionary(zip(identifiers.map(\.rawValue), 0...), uniquingKeysWith: min)
        try keep { content in
            content.providers = content.providers.enumerated().sorted { one, other in
                (place[one.element.identifier] ?? .max, one.offset) < (
                    place[other.element.identifier] ?? .max, other.offset
                )
            }.map(\.element)
        }
    }

    /// The user's decisions on programs that claim to be apps, the oldest first.
    var apps: [AppDecision] { content.apps }

    /// Writes the user's decisions; nothing changes if they cannot be written.
    mutating func setApps(_ apps: ArraySlice<AppDecision>) throws {
        try keep { $0.apps = Array(apps) }
    }

    /// The accounts that the user has bound to native programs, the oldest first.
    var bindings: [ProgramBinding] { content.bindings }

    /// Writes the bindings; nothing changes if they cannot be written.
    mutating func setBindings(_ bindings: [ProgramBinding]) throws {
        try keep { $0.bindings = bindings.suffix(ProgramBinding.limit) }
    }

    /// Sites for which the user does not want to be asked whether a password is to be saved, in the order of their names.
    var neverSites: [String] { content.never }

    /// Maximum number of such sites.
    static let neverLimit = 10_000

    /// Writes the list; nothing changes if it cannot be written.
    mutating func setNever(_ sites: Set<String>) throws {
        try keep { $0.never = sites.sorted() }
    }

    /// Domains that the user took away from apps which state them, each with its app, the oldest first.
    var removedDomains: [String] { content.removedDomains }

    /// Writes the list, of which the newest 5,000 are kept; nothing changes if it cannot be written.
    mutating func setRemovedDomains(_ domains: [String]) throws {
        try keep { $0.removedDomains = domains.suffix(5_000) }
    }

    /// Password changes whose outcome is unknown, the oldest first.
    var unsettled: [UnsettledUpgrade] { content.unsettled }

    /// Writes the list; nothing changes if it cannot be written.
    mutating func setUnsettled(_ unsettled: [UnsettledUpgrade]) throws {
        try keep { $0.unsettled = unsettled }
    }

    /// Accounts that sign in with Apple since they were converted, the oldest first.
    var converted: [ConvertedAccount] { content.converted }

    /// Writes the list; nothing changes if it cannot be written.
    mutating func setConverted(_ converted: [ConvertedAccount]) throws {
        try keep { $0.converted = converted }
    }

    /// Digests of states and nonces that were used, the oldest first.
    var used: [Data] { content.used }

    /// Writes the list; nothing changes if it cannot be written.
    mutating func setUsed(_ used: [Data]) throws {
        try keep { $0.used = used }
    }

    var audit: AuditLog.Head? { content.audit }

    /// Writes the head of the audit log, together with releases and consents noted since.
    mutating func setAudit(_ head: AuditLog.Head?) throws {
        guard shared.state.withLock({ !$0.notes.isEmpty || $0.content.audit != head }) else { return }
        try keep(isCounted: false) { $0.audit = head }
    }

    func marks(_ name: String) -> CredentialMarks { content.marks[name] ?? CredentialMarks() }

    /// Writes marks, or removes them if `nil`; nothing changes if that cannot be written.
    mutating func setMarks(_ name: String, _ marks: CredentialMarks?) throws {
        try keep(isCounted: false) { content in
            content.marks[name] = marks
            guard content.marks.count > CredentialMarks.limit else { return }
            let oldest = content.marks.min {
                max($0.value.rejected ?? 0, $0.value.expires ?? 0) < max($1.value.rejected ?? 0, $1.value.expires ?? 0)
            }
            if let oldest { content.marks[oldest.key] = nil }
        }
    }

    /// Whether a release was made before. What an older copy says of that does not count while the user has not decided about it.
    func wasReleased(_ digest: Data) -> Bool {
        content.older == nil && content.released.contains(digest)
    }

    /// Notes a release in memory; `setAudit` writes it.
    func noteReleased(_ digest: Data) { shared.note(.released(digest)) }

    /// The user's consents.
    var consents: ConsentBook { content.consents }

    /// Whether the user has agreed to something. What an older copy says of that does not count while the user has not decided about it.
    func holds(_ consent: ConsentBook.Subject) -> Bool {
        content.older == nil && consents.holds(consent)
    }

    /// Notes a consent in memory; `setAudit` writes it.
    func note(_ consent: ConsentBook.Subject, at date: Int64) { shared.note(.consent(consent, date)) }

    /// Takes consents back, and returns how many; nothing is changed when that cannot be written.
    mutating func forgetConsents(where isMeant: (ConsentBook.Consent) -> Bool) throws -> Int {
        guard consents.consents.contains(where: isMeant) else { return 0 }
        return try keep { $0.consents.forget(where: isMeant) }
    }

    /// The name under which a release is remembered: it tells nothing about the credential.
    static func releaseDigest(origin: String, provider: BundleIdentifier, identity: CredentialIdentity) -> Data {
        var hash = SHA256()
        for part in [origin, provider.rawValue, identity.recordIdentifier ?? "", identity.user, identity.service.value]
        {
            hash.update(data: withUnsafeBytes(of: UInt64(part.utf8.count)) { Data($0) })
            hash.update(data: Data(part.utf8))
        }
        return Data(hash.finalize())
    }

    static func makeSalt() -> Data {
        var generator = SystemRandomNumberGenerator()
        return Data((0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    /// Changes the registry and writes it; the old content stays if it cannot be written. Called by whoever has the turn.
    ///
    /// - Parameter isCounted: whether to count the change, so that an older copy of the file cannot undo it.
    private func keep<Answer>(
        isCounted: Bool = true, _ change: (inout Content) throws -> Answer
    ) throws -> Answer {
        // Otherwise a crash would leave a registry that lacks two changes, and only the second one beside it.
        if shared.isNextWaiting.withLock({ $0 }) { try putInPlace(content) }
        var (new, written) = shared.state.withLock { ($0.content, $0.notes.count) }
        let answer = try change(&new)
        if isCounted { try saveCounted(&new) } else { try putInPlace(new) }
        shared.state.withLock { state in
            state.notes.removeFirst(written)
            // Noted while this was written.
            for note in state.notes { _ = note.apply(to: &new) }
            state.content = new
        }
        return answer
    }

    private func putInPlace(_ content: Content) throws {
        try AtomicFile.write(Self.sealed(content, key), to: path)
        shared.isNextWaiting.withLock { $0 = false }
    }

    /// Writes a change and counts it, so that an older copy of the file cannot undo it.
    ///
    /// The change takes effect once it is counted. A failure before that leaves everything as it was; after a later failure the next
    /// opening completes the change. If its line may be in the log all the same, the change has to wait beside the registry: without it the
    /// registry would be taken for an older copy.
    private func saveCounted(_ content: inout Content) throws {
        guard let counter else { return try putInPlace(content) }
        content.version = 2
        content.count = max(content.count, try counter.known(content.audit)) + 1
        try AtomicFile.write(Self.sealed(content, key), to: nextPath)
        do {
            try counter.commit(content.count)
        } catch let error as WireError where error.reason == WireError.unsettled {
            throw error
        } catch {
            _ = FileCalls.unlink(nextPath)
            throw error
        }
        // Where a crash undoes this, the next opening does it again: the change has been counted, and is on disk under the other name.
        let isWaiting = FileCalls.rename(nextPath, path) != 0
        shared.isNextWaiting.withLock { $0 = isWaiting }
        counter.settled(content.count)
    }

    private static func sealed(_ content: Content, _ key: SealKey) throws -> [UInt8] {
        key.seal(Array(try JSONEncoder().encode(content)), associated: associated)
    }
}
