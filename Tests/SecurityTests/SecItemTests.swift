// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Foundation
import ProviderTesting
import Testing

@testable import AuthenticationServices
@testable import Security

/// One after another: the container is one for the process.
@Suite(.serialized, .timeLimit(.minutes(2)))
final class SecItemTests {
    private let folder = NSTemporaryDirectory() + "latchkey-keychain-" + UUID().uuidString
    private var path: String { folder + "/.latchkey-keychain/keychain.latchkey" }

    init() throws {
        try Directories.makePrivate(folder)
        try Directories.makePrivate(folder + "/group")
        ProviderContainer.hand(try container())
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func container(_ key: String = "AAEC") throws -> ProviderContainer {
        let key = WireSecret(SecretBytes(utf8: key + "AwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="))
        let group = GroupStatement(identifier: "group.com.example", folder: folder + "/group", key: .container)
        return try ProviderContainer(identifier: "com.example.test", folder: folder, key: key, groups: [group])
    }

    private let base: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "shiny",
        kSecAttrAccount as String: "rmondello",
    ]

    private func with(_ members: [String: Any]) -> CFDictionary { base.merging(members) { $1 } as CFDictionary }

    private func add(_ members: [String: Any] = [:], _ password: String = "hunter2") -> OSStatus {
        SecItemAdd(with([kSecValueData: Data(password.utf8)].merging(members) { $1 }), nil)
    }

    private func password(_ members: [String: Any] = [:]) -> (OSStatus, String?) {
        var item: CFTypeRef?
        let status = SecItemCopyMatching(with(members.merging([kSecReturnData: true]) { $1 }), &item)
        return (status, (item as? Data).map { String(decoding: $0, as: UTF8.self) })
    }

    @Test
    func addsFindsChangesAndRemoves() throws {
        #expect(password() == (errSecItemNotFound, nil))
        #expect(SecItemUpdate(base as CFDictionary, [kSecValueData: Data()] as CFDictionary) == errSecItemNotFound)
        #expect(SecItemDelete(base as CFDictionary) == errSecItemNotFound)
        #expect(add() == errSecSuccess)
        #expect(add() == errSecDuplicateItem)
        #expect(password() == (errSecSuccess, "hunter2"))
        #expect(SecItemCopyMatching(base as CFDictionary, nil) == errSecSuccess)
        let update = [kSecValueData as String: Data("hunter3".utf8), kSecAttrLabel as String: "A"] as [String: Any]
        #expect(SecItemUpdate(base as CFDictionary, update as CFDictionary) == errSecSuccess)
        #expect(password() == (errSecSuccess, "hunter3"))
        #expect(password([kSecAttrLabel: "A"]).0 == errSecSuccess)
        #expect(password([kSecAttrLabel: "B"]).0 == errSecItemNotFound)
        #expect(SecItemDelete(with([kSecValueData: Data("whatever".utf8)])) == errSecSuccess)
        #expect(password().0 == errSecItemNotFound)
    }

    @Test
    func keepsNothingInTheOpen() throws {
        #expect(add([kSecAttrLabel: "a label", kSecAttrComment: "a comment"]) == errSecSuccess)
        let file = try Data(contentsOf: URL(fileURLWithPath: path))
        for word in ["hunter2", "rmondello", "shiny", "a label", "a comment"] {
            #expect(file.range(of: Data(word.utf8)) == nil)
        }
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        #expect(mode == 0o600)
        let own = try FileManager.default.attributesOfItem(atPath: folder + "/.latchkey-keychain")
        #expect(own[.posixPermissions] as? NSNumber == 0o700)
        // It is not a file of the provider's own secrets, nor the other way round.
        #expect(try container().names == [])
        try FileManager.default.moveItem(atPath: path, toPath: folder + "/secrets.latchkey")
        #expect(throws: ProviderContainerError.self) { try container().names }
    }

    @Test
    func returnsWhatIsAskedFor() throws {
        var item: CFTypeRef?
        let wanted = [kSecReturnAttributes: true, kSecReturnData: kCFBooleanTrue as Any, kSecReturnPersistentRef: true]
        #expect(SecItemAdd(with([kSecValueData: Data([1]), kSecAttrPort: 1]), &item) == errSecNoSuchAttr)
        #expect(SecItemAdd(with(wanted.merging([kSecValueData: Data([1])]) { $1 }), &item) == errSecSuccess)
        let added = try #require(item as? [String: Any])
        #expect(added[kSecAttrAccount as String] as? String == "rmondello")
        #expect(added[kSecAttrAccessGroup as String] as? String == "com.example.test")
        #expect(added[kSecAttrAccessible as String] as? String == kSecAttrAccessibleWhenUnlocked as String)
        #expect(added[kSecClass as String] as? String == kSecClassGenericPassword as String)
        #expect(added[kSecAttrSynchronizable as String] as? Bool == false)
        #expect(added[kSecValueData as String] as? Data == Data([1]))
        let reference = try #require(added[kSecValuePersistentRef as String] as? Data)
        #expect(SecItemCopyMatching(with(wanted), &item) == errSecSuccess)
        let found = try #require(item as? [String: Any])
        #expect(found[kSecAttrCreationDate as String] as? Date == added[kSecAttrCreationDate as String] as? Date)
        // By its reference alone, under whatever name it has by then.
        #expect(SecItemUpdate(base as CFDictionary, [kSecAttrAccount: "other"] as CFDictionary) == errSecSuccess)
        let byReference: [String: Any] = [kSecValuePersistentRef: reference, kSecReturnData: true]
        #expect(SecItemCopyMatching(byReference as CFDictionary, &item) == errSecSuccess)
        #expect(item as? Data == Data([1]))
        for bad in [Data(), reference.dropLast(), Data("cert".utf8) + reference.dropFirst(4)] {
            #expect(SecItemCopyMatching([kSecValuePersistentRef: bad] as CFDictionary, nil) == errSecParam)
        }
        #expect(SecItemDelete([kSecValuePersistentRef: reference] as CFDictionary) == errSecSuccess)
        #expect(SecItemCopyMatching(byReference as CFDictionary, &item) == errSecItemNotFound)
    }

    @Test
    func limitsAndOrders() throws {
        for user in ["a", "b", "c"] { #expect(add([kSecAttrAccount: user], user) == errSecSuccess) }
        let query: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecReturnData: true]
        func all(_ limit: Any) -> (OSStatus, [Data]?) {
            var item: AnyObject?
            let limited = query.merging([kSecMatchLimit: limit]) { $1 }
            let status = SecItemCopyMatching(limited as CFDictionary, &item)
            return (status, item as? [Data])
        }
        #expect(Set(all(kSecMatchLimitAll).1 ?? []) == [Data("a".utf8), Data("b".utf8), Data("c".utf8)])
        #expect(all(2).1?.count == 2)
        #expect(all(kSecMatchLimitOne).1 == nil)
        #expect(all(kSecMatchLimitOne).0 == errSecSuccess)
        for bad in [0, -1, "m_Limit", Data()] as [Any] { #expect(all(bad).0 == errSecParam) }
        var item: AnyObject?
        let attributes =
            [kSecClass: kSecClassGenericPassword, kSecReturnAttributes: true, kSecMatchLimit: kSecMatchLimitAll]
            as [CFString: Any]
        #expect(SecItemCopyMatching(attributes as CFDictionary, &item) == errSecSuccess)
        let users = (item as? [[String: Any]])?.compactMap { $0[kSecAttrAccount as String] as? String }
        #expect(users.map { Set($0) } == ["a", "b", "c"])
        #expect(SecItemDelete([kSecClass: kSecClassGenericPassword] as CFDictionary) == errSecSuccess)
        #expect(all(kSecMatchLimitAll).0 == errSecItemNotFound)
    }

    @Test
    func tellsItemsApartAsTheirClassDoes() {
        #expect(add() == errSecSuccess)
        for member in [(kSecAttrService, "dull"), (kSecAttrAccount, "sherlock")] {
            #expect(add([member.0: member.1]) == errSecSuccess)
        }
        // What does not tell them apart.
        for member in [
            (kSecAttrLabel, "x"), (kSecAttrComment, "y"), (kSecAttrAccessible, kSecAttrAccessibleAfterFirstUnlock),
        ] {
            #expect(add([member.0: member.1]) == errSecDuplicateItem)
        }
        let place: [CFString: Any] = [
            kSecClass: kSecClassInternetPassword, kSecAttrServer: "shiny.example.com", kSecAttrAccount: "rmondello",
        ]
        #expect(SecItemAdd(place as CFDictionary, nil) == errSecSuccess)
        #expect(SecItemAdd(place.merging([kSecAttrPort: 0]) { $1 } as CFDictionary, nil) == errSecDuplicateItem)
        let others: [CFString: Any] = [
            kSecAttrPort: 8443, kSecAttrProtocol: kSecAttrProtocolHTTPS, kSecAttrPath: "/a",
            kSecAttrSecurityDomain: "d",
            kSecAttrAuthenticationType: kSecAttrAuthenticationTypeHTMLForm,
        ]
        for (name, value) in others {
            #expect(SecItemAdd(place.merging([name: value]) { $1 } as CFDictionary, nil) == errSecSuccess, "\(name)")
        }
        // No change makes two the same.
        let one = place.merging([kSecAttrPort: 8443]) { $1 } as CFDictionary
        #expect(SecItemUpdate(one, [kSecAttrPort: 0] as CFDictionary) == errSecDuplicateItem)
        #expect(SecItemUpdate(place as CFDictionary, [kSecAttrPort: 1] as CFDictionary) == errSecDuplicateItem)
        #expect(SecItemUpdate(one, [kSecAttrPort: 1] as CFDictionary) == errSecSuccess)
        #expect(SecItemCopyMatching(one, nil) == errSecItemNotFound)
        #expect(password() == (errSecSuccess, "hunter2"))
    }

    @Test
    func knowsWhatIsSynchronizable() {
        #expect(add([kSecAttrSynchronizable: true], "far") == errSecSuccess)
        #expect(password().0 == errSecItemNotFound)
        #expect(add([:], "near") == errSecSuccess)
        #expect(password() == (errSecSuccess, "near"))
        #expect(password([kSecAttrSynchronizable: kCFBooleanTrue as Any]) == (errSecSuccess, "far"))
        #expect(SecItemDelete(with([kSecAttrSynchronizable: kSecAttrSynchronizableAny])) == errSecSuccess)
        #expect(password([kSecAttrSynchronizable: kSecAttrSynchronizableAny]).0 == errSecItemNotFound)
        #expect(add([kSecAttrSynchronizable: kSecAttrSynchronizableAny]) == errSecParam)
    }

    @Test
    func keepsGroupsApart() throws {
        let group = [kSecAttrAccessGroup: "group.com.example"]
        #expect(add(group, "shared") == errSecSuccess)
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(password([kSecAttrAccessGroup: "com.example.test"]).0 == errSecItemNotFound)
        #expect(password() == (errSecSuccess, "shared"))
        #expect(add([:], "own") == errSecSuccess)
        #expect(password(group) == (errSecSuccess, "shared"))
        #expect(password() == (errSecSuccess, "own"))
        for other in ["", "com.example.other", "TEAM.com.example.test"] {
            #expect(add([kSecAttrAccessGroup: other]) == errSecMissingEntitlement)
            #expect(password([kSecAttrAccessGroup: other]).0 == errSecMissingEntitlement)
            #expect(SecItemDelete(with([kSecAttrAccessGroup: other])) == errSecMissingEntitlement)
        }
        #expect(SecItemUpdate(base as CFDictionary, group as CFDictionary) == errSecUnimplemented)
        #expect(SecItemDelete(base as CFDictionary) == errSecSuccess)
        #expect(password(group).0 == errSecItemNotFound)
        // Another provider has another key.
        #expect(add() == errSecSuccess)
        ProviderContainer.hand(try container("BBEC"))
        #expect(password([kSecAttrAccessGroup: "com.example.test"]).0 == errSecDecode)
        #expect(add() == errSecDecode)
    }

    @Test
    func refusesWhatItDoesNotHave() {
        let refused: [(CFDictionary, OSStatus)] = [
            ([:], errSecParam), ([kSecClass: 1], errSecParam), ([kSecClass: "cert"], errSecUnimplemented),
            ([kSecClass: "keys"], errSecUnimplemented), (with(["accc": 1]), errSecNoSuchAttr),
            (with(["anything": "x"]), errSecNoSuchAttr), (with([kSecAttrServer: "x"]), errSecNoSuchAttr),
            (with([kSecAttrAccount: Data()]), errSecParam), (with([kSecValueData: "text"]), errSecParam),
            (with([kSecAttrCreator: "x"]), errSecParam), (with([kSecAttrIsInvisible: "x"]), errSecParam),
            (with([kSecAttrAccessible: "dk"]), errSecParam), ([1: 2], errSecParam),
        ]
        for (dictionary, status) in refused {
            #expect(SecItemAdd(dictionary, nil) == status)
            #expect(SecItemCopyMatching(dictionary, nil) == status)
            #expect(SecItemDelete(dictionary) == status)
        }
        #expect(add([kSecMatchLimit: kSecMatchLimitOne]) == errSecParam)
        #expect(add([kSecAttrCreationDate: Date()]) == errSecParam)
        #expect(SecItemDelete(with([kSecMatchLimit: kSecMatchLimitOne])) == errSecParam)
        #expect(SecItemUpdate(with([kSecReturnData: true]), [kSecAttrLabel: "x"] as CFDictionary) == errSecParam)
        for update in [[:], base, [kSecReturnData: true], [kSecMatchLimit: 1]] as [[String: Any]] {
            #expect(SecItemUpdate(base as CFDictionary, update as CFDictionary) == errSecParam)
        }
        #expect(SecItemCopyMatching(with([kSecReturnData: true]), nil) == errSecItemNotFound)
        #expect(add() == errSecSuccess)
        #expect(SecItemCopyMatching(with([kSecReturnData: true]), nil) == errSecParam)
    }

    @Test
    func addsForWhoHasNoPlaceForTheAnswer() {
        let asked = with([kSecValueData: Data("hunter2".utf8), kSecReturnAttributes: true])
        #expect(SecItemAdd(asked, nil) == errSecSuccess)
        #expect(SecItemAdd(asked, nil) == errSecDuplicateItem)
        #expect(password() == (errSecSuccess, "hunter2"))
    }

    @Test
    func removesNothingWhereOneFileCannotBeRead() throws {
        #expect(add() == errSecSuccess)
        #expect(add([kSecAttrAccessGroup: "group.com.example"]) == errSecSuccess)
        let own = try Data(contentsOf: URL(fileURLWithPath: path))
        try Data("no file".utf8).write(to: URL(fileURLWithPath: folder + "/group/.latchkey-keychain/keychain.latchkey"))
        #expect(SecItemDelete(base as CFDictionary) == errSecDecode)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == own)
    }

    /// An app that empties its group's folder, as apps clean up: what it can list without looking for hidden files.
    @Test
    func survivesAnAppThatEmptiesItsFolder() throws {
        let group = try #require(
            FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: "group.com.example"))
        #expect(add([kSecAttrAccessGroup: "group.com.example"]) == errSecSuccess)
        try Data("settings".utf8).write(to: group.appendingPathComponent("settings.json"))
        let listed = try FileManager.default.contentsOfDirectory(
            at: group, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
        #expect(listed.map(\.lastPathComponent) == ["settings.json"])
        for file in listed { try FileManager.default.removeItem(at: file) }
        #expect(password([kSecAttrAccessGroup: "group.com.example"]) == (errSecSuccess, "hunter2"))
    }

    @Test
    func closesItsFolderToOthersAndRefusesAnythingElseInItsPlace() throws {
        let own = folder + "/.latchkey-keychain"
        try FileManager.default.createDirectory(
            atPath: own, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        #expect(add() == errSecSuccess)
        let mode = try FileManager.default.attributesOfItem(atPath: own)[.posixPermissions] as? NSNumber
        #expect(mode == 0o700)
        try FileManager.default.moveItem(atPath: own, toPath: folder + "/elsewhere")
        try FileManager.default.createSymbolicLink(atPath: own, withDestinationPath: folder + "/elsewhere")
        #expect(add([kSecAttrAccount: "x"]) == errSecIO)
        try FileManager.default.removeItem(atPath: own)
        try Data().write(to: URL(fileURLWithPath: own))
        #expect(add([kSecAttrAccount: "x"]) == errSecIO)
    }

    private let everything = [kSecClass: kSecClassGenericPassword] as CFDictionary

    @Test
    func removesADamagedFileOnceTheCallerKnows() throws {
        #expect(add() == errSecSuccess)
        #expect(add([kSecAttrAccessGroup: "group.com.example"]) == errSecSuccess)
        let good = try Data(contentsOf: URL(fileURLWithPath: path))
        let bad = good.dropLast() + [good[good.count - 1] ^ 1]
        try bad.write(to: URL(fileURLWithPath: path))
        // It has not been told yet, and nothing is removed anywhere.
        #expect(SecItemDelete(everything) == errSecDecode)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bad)
        #expect(password([kSecAttrAccessGroup: "group.com.example"]).0 == errSecSuccess)
        // What names less than everything never removes it.
        #expect(SecItemDelete(base as CFDictionary) == errSecDecode)
        #expect(
            SecItemDelete([kSecClass: kSecClassGenericPassword, kSecAttrLabel: "x"] as CFDictionary) == errSecDecode)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bad)
        // Another group's is none of its business.
        let group: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrAccessGroup: "group.com.example",
        ]
        #expect(SecItemDelete(group as CFDictionary) == errSecSuccess)
        #expect(password([kSecAttrAccessGroup: "com.example.test"]).0 == errSecDecode)
        #expect(SecItemDelete(everything) == errSecSuccess)
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(SecItemDelete(everything) == errSecItemNotFound)
        #expect(add() == errSecSuccess)
        #expect(password() == (errSecSuccess, "hunter2"))
        // Damage of another day is told of again.
        try Data("no file".utf8).write(to: URL(fileURLWithPath: path))
        #expect(SecItemDelete(everything) == errSecDecode)
        #expect(SecItemDelete(everything) == errSecSuccess)
    }

    @Test
    func removesWhatOnlyLooksLikeItems() throws {
        try container().keychainFile.change { $0["ab"] = SecretBytes(utf8: "no record") }
        #expect(password().0 == errSecDecode)
        #expect(SecItemDelete(everything) == errSecSuccess)
        #expect(password().0 == errSecItemNotFound)
    }

    @Test
    func neverRemovesWhatANewerVersionWrote() throws {
        #expect(add() == errSecSuccess)
        var file = try Data(contentsOf: URL(fileURLWithPath: path))
        file[17] = UInt8(ascii: "2")
        try file.write(to: URL(fileURLWithPath: path))
        for _ in 0..<3 {
            #expect(password().0 == errSecDecode)
            #expect(SecItemDelete(everything) == errSecDecode)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == file)
        // The same of an item in a file of this version.
        try FileManager.default.removeItem(atPath: path)
        var record = RecordEncoder()
        record.append(Int64(2))
        record.append("genp")
        let newer = record.finish()
        try container().keychainFile.change { $0["ab"] = newer }
        for _ in 0..<3 { #expect(SecItemDelete(everything) == errSecDecode) }
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test
    func leavesWhatItCannotReadOrHold() throws {
        #expect(add() == errSecSuccess)
        #expect(add([kSecAttrAccount: "large"], String(repeating: "x", count: 70_000)) == errSecDataTooLarge)
        let good = try Data(contentsOf: URL(fileURLWithPath: path))
        for offset in stride(from: 0, to: good.count, by: 7) {
            var bad = good
            bad[offset] ^= 1
            try bad.write(to: URL(fileURLWithPath: path))
            #expect(password().0 == errSecDecode, "byte \(offset)")
            #expect(add([kSecAttrAccount: "x"]) == errSecDecode)
            #expect(SecItemDelete(base as CFDictionary) == errSecDecode)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bad)
        }
        // Sealed by the right key, and no item.
        try good.write(to: URL(fileURLWithPath: path))
        try container().keychainFile.change { $0["ab"] = SecretBytes(utf8: "no record") }
        #expect(password().0 == errSecDecode)
    }

    @Test
    func saysWhatAStatusMeans() throws {
        for status in [errSecSuccess, errSecDuplicateItem, errSecItemNotFound, errSecMissingEntitlement] {
            #expect(try #require(SecCopyErrorMessageString(status, nil)).hasSuffix("."))
        }
        #expect(SecCopyErrorMessageString(1, nil) == nil)
        #expect([errSecItemNotFound, errSecDuplicateItem, errSecInteractionNotAllowed] == [-25300, -25299, -25308])
    }

    @Test
    func makesRandomBytes() {
        var bytes = [UInt8](repeating: 0, count: 64)
        #expect(SecRandomCopyBytes(kSecRandomDefault, bytes.count, &bytes) == errSecSuccess)
        #expect(Set(bytes).count > 8)
        #expect(SecRandomCopyBytes(nil, -1, &bytes) == errSecParam)
    }

    @Test
    func findsTheFolderOfAGroup() {
        let manager = FileManager.default
        #expect(
            manager.containerURL(forSecurityApplicationGroupIdentifier: "group.com.example")?.path == folder + "/group")
        #expect(manager.containerURL(forSecurityApplicationGroupIdentifier: "group.com.other") == nil)
        #expect(manager.containerURL(forSecurityApplicationGroupIdentifier: "com.example.test") == nil)
    }
}
