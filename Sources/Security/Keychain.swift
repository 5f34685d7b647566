// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AuthenticationServices
internal import AutoFillSecrets
internal import Foundation
internal import Synchronization

/// The items of a provider: a sealed file in its own container, and one in that of each of its app groups.
struct Keychain {
    /// The provider's own container first.
    let containers: [ProviderContainer]
    /// The time, for what is added and changed.
    var now: () -> Date = { Date() }
    /// The damaged files that callers have been told of.
    private static let knownDamage = Mutex<Set<String>>([])

    init(_ container: ProviderContainer) {
        containers = [container] + container.groups
    }

    /// Carries something out in the keychain of this process, and turns what it throws into a status.
    static func answer(
        _ result: UnsafeMutablePointer<CFTypeRef?>?,
        _ body: (Keychain) throws -> Any?
    ) -> OSStatus {
        do {
            return try Keychain(ProviderContainer.current()).answer(result, body)
        } catch {
            return status(of: error)
        }
    }

    /// The same in this keychain.
    func answer(_ result: UnsafeMutablePointer<CFTypeRef?>?, _ body: (Keychain) throws -> Any?) -> OSStatus {
        do {
            guard let answer = try body(self) else { return errSecSuccess }
            // Who asks for a password and has no place for it has made a mistake.
            guard let result else { return errSecParam }
            result.pointee = answer as AnyObject
            return errSecSuccess
        } catch {
            if let damage = error as? KeychainDamage {
                Self.knownDamage.withLock { _ = $0.insert(damage.path) }
            }
            return Self.status(of: error)
        }
    }

    func add(_ query: KeychainQuery) throws -> Any? {
        let container = try container(of: query) ?? containers[0]
        let time = time
        var item = KeychainItem(
            identifier: Self.makeIdentifier(), itemClass: query.itemClass, attributes: query.attributes,
            secret: query.secret ?? SecretBytes(count: 0))
        item.attributes[kSecAttrAccessGroup] = .text(container.identifier)
        item.attributes[kSecAttrAccessible] =
            query.attributes[kSecAttrAccessible] ?? .text(kSecAttrAccessibleWhenUnlocked)
        item.attributes[kSecAttrSynchronizable] = query.attributes[kSecAttrSynchronizable] ?? .flag(false)
        item.attributes[kSecAttrCreationDate] = time
        item.attributes[kSecAttrModificationDate] = time
        let added = item
        try Self.change(container) { items in
            guard !items.contains(where: { $0.key == added.key }) else { throw KeychainFailure(errSecDuplicateItem) }
            items.append(added)
        }
        return query.returnsAnything ? Self.view(of: item, query) : nil
    }

    /// The same for who may have no place for the answer: the item is added all the same, as on iOS.
    func add(_ query: KeychainQuery, hasPlace: Bool) throws -> Any? {
        let answer = try add(query)
        return hasPlace ? answer : nil
    }

    func copy(_ query: KeychainQuery) throws -> Any? {
        var found: [KeychainItem] = []
        for container in try places(of: query) {
            found += try Self.items(of: container).filter(query.matches)
        }
        guard let first = found.first else { throw KeychainFailure(errSecItemNotFound) }
        guard query.returnsAnything else { return nil }
        guard let limit = query.limit else { return Self.view(of: first, query) }
        return found.prefix(limit).map { Self.view(of: $0, query) }
    }

    func update(_ query: KeychainQuery, to change: KeychainQuery) throws {
        guard !change.attributes.isEmpty || change.secret != nil else { throw KeychainFailure(errSecParam) }
        let time = time
        func apply(_ items: inout [KeychainItem]) throws -> Int {
            var count = 0
            for index in items.indices where query.matches(items[index]) {
                items[index].attributes.merge(change.attributes) { $1 }
                items[index].attributes[kSecAttrModificationDate] = time
                if let secret = change.secret { items[index].secret = secret }
                count += 1
            }
            guard count == 0 || Set(items.map(\.key)).count == items.count else {
                throw KeychainFailure(errSecDuplicateItem)
            }
            return count
        }
        // A refusal by one group's file leaves the others as they are, as far as that can be known beforehand.
        let places = try places(of: query)
        var total = 0
        for container in places {
            var items = try Self.items(of: container)
            total += try apply(&items)
        }
        guard total > 0 else { throw KeychainFailure(errSecItemNotFound) }
        for container in places { _ = try Self.change(container, apply) }
    }

    /// Removes what matches; a damaged file as a whole, where everything is to go and the caller has been told of it.
    func delete(_ query: KeychainQuery) throws {
        var count = 0
        var readable: [ProviderContainer] = []
        var damaged: [ProviderContainer] = []
        // One that cannot be read leaves the others as they are.
        for container in try places(of: query) {
            do {
                _ = try Self.items(of: container)
                readable.append(container)
            } catch let damage as KeychainDamage
                where query.namesEverything && Self.knownDamage.withLock({ $0.contains(damage.path) })
            {
                damaged.append(container)
            }
        }
        for container in damaged {
            let file = container.keychainFile
            let isRemoved = try file.removeIfDamaged { _ = try Self.items($0, in: file.path) }
            // Somebody else has put another one in its place meanwhile.
            if isRemoved { count += 1 } else { readable.append(container) }
            _ = Self.knownDamage.withLock { $0.remove(file.path) }
        }
        for container in readable {
            count += try Self.change(container) { items in
                let before = items.count
                items.removeAll(where: query.matches)
                return before - items.count
            }
        }
        guard count > 0 else { throw KeychainFailure(errSecItemNotFound) }
    }

    /// Now, in the milliseconds that are kept.
    private var time: KeychainValue {
        .date(Date(timeIntervalSince1970: (now().timeIntervalSince1970 * 1000).rounded() / 1000))
    }

    /// The container that a query names; `nil` where it names none.
    private func container(of query: KeychainQuery) throws -> ProviderContainer? {
        guard case .text(let group)? = query.attributes[kSecAttrAccessGroup] else { return nil }
        guard let container = containers.first(where: { $0.identifier == group }) else {
            throw KeychainFailure(errSecMissingEntitlement)
        }
        return container
    }

    private func places(of query: KeychainQuery) throws -> [ProviderContainer] {
        try container(of: query).map { [$0] } ?? containers
    }

    /// The items of a container's file.
    private static func items(of container: ProviderContainer) throws -> [KeychainItem] {
        let file = container.keychainFile
        do {
            return try items(file.read(), in: file.path)
        } catch let error as ProviderContainerError where error.code == .damaged {
            throw KeychainDamage(path: file.path)
        }
    }

    /// The items of a file, in the order in which they were added.
    private static func items(_ secrets: [String: SecretBytes], in path: String) throws -> [KeychainItem] {
        do {
            let items = try secrets.map { try KeychainItem(identifier: $0.key, $0.value) }
            return items.sorted { ($0.order, $0.identifier) < ($1.order, $1.identifier) }
        } catch let failure as KeychainFailure {
            throw failure
        } catch {
            throw KeychainDamage(path: path)
        }
    }

    /// Changes the items of a file under its lock; where `body` throws, nothing is changed.
    private static func change<Value>(
        _ container: ProviderContainer,
        _ body: (inout [KeychainItem]) throws -> Value
    ) throws -> Value {
        let file = container.keychainFile
        let changed: Result<Value, any Error>
        do {
            changed = try file.change { secrets in
                Result {
                    var items = try items(secrets, in: file.path)
                    let result = try body(&items)
                    secrets = Dictionary(uniqueKeysWithValues: items.map { ($0.identifier, $0.encoded) })
                    return result
                }
            }
        } catch let error as ProviderContainerError where error.code == .damaged {
            throw KeychainDamage(path: file.path)
        }
        return try changed.get()
    }

    private static func view(of item: KeychainItem, _ query: KeychainQuery) -> Any {
        // A copy in ordinary memory, for those alone who ask for it.
        var data: Data { item.secret.withUnsafeBytes { Data($0) } }
        let isAlone = [query.returnsData, query.returnsAttributes, query.returnsReference].filter { $0 }.count == 1
        if isAlone, query.returnsData { return data }
        if isAlone, query.returnsReference { return item.persistentReference }
        var members: [String: Any] = [kSecClass: item.itemClass.rawValue]
        if query.returnsAttributes { members.merge(item.attributes.mapValues(\.plain)) { $1 } }
        if query.returnsData { members[kSecValueData] = data }
        if query.returnsReference { members[kSecValuePersistentRef] = item.persistentReference }
        return members
    }

    private static func makeIdentifier() -> String {
        (0..<16).map { _ in
            let byte = String(UInt8.random(in: 0...255), radix: 16)
            return byte.count == 1 ? "0" + byte : byte
        }.joined()
    }

    private static func status(of error: any Error) -> OSStatus {
        if let failure = error as? KeychainFailure { return failure.status }
        if error is KeychainDamage { return errSecDecode }
        guard let error = error as? ProviderContainerError else { return errSecIO }
        switch error.code {
        case .locked: return errSecInteractionNotAllowed
        case .notAvailable: return errSecNotAvailable
        case .damaged, .unsupportedVersion: return errSecDecode
        case .tooLarge: return errSecDataTooLarge
        default: return errSecIO
        }
    }
}

extension KeychainItem {
    /// When it was added.
    fileprivate var order: Date {
        guard case .date(let date)? = attributes[kSecAttrCreationDate] else { return .distantPast }
        return date
    }
}
