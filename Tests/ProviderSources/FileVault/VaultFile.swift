// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices
import Foundation

struct VaultEntry: Codable, Equatable {
    var uuid: UUID
    var title: String
    var url: URL?
    var user: String
    var password: String
}

struct VaultGroup: Codable {
    var name: String
    var entries: [VaultEntry]
}

enum VaultError: LocalizedError {
    case noFile
    case wrongPassword
    case entryIsGone

    var errorDescription: String? {
        switch self {
        case .noFile: return "There is no vault yet."
        case .wrongPassword: return "That is not the password."
        case .entryIsGone: return "The entry is not in the vault any more."
        }
    }
}

struct Vault: Codable {
    var groups: [VaultGroup]

    func entry(for recordIdentifier: String?) -> VaultEntry? {
        guard let uuid = recordIdentifier.flatMap(UUID.init(uuidString:)) else { return nil }
        return groups.lazy.flatMap { $0.entries }.first { $0.uuid == uuid }
    }

    func groups(matching services: [ASCredentialServiceIdentifier]) -> [VaultGroup] {
        let hosts = Set(
            services.compactMap { service -> String? in
                switch service.type {
                case .domain: return service.identifier
                case .URL: return URL(string: service.identifier)?.host
                case .app: return nil
                @unknown default: return nil
                }
            })
        let fitting = groups.flatMap { $0.entries }.filter { $0.url?.host.map(hosts.contains) ?? false }
        return (fitting.isEmpty ? [] : [VaultGroup(name: "Suggested", entries: fitting)]) + groups
    }
}

/// The file in the group that the app shares with its extension.
final class VaultFile {
    static let shared = VaultFile()
    static let group = "group.com.example.filevault"

    private let lock = NSLock()
    private var opened: Vault?
    private var timer: Timer?

    var unlocked: Vault? {
        lock.lock()
        defer { lock.unlock() }
        return opened
    }

    func unlock(password: String) throws {
        guard let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: VaultFile.group),
            let data = FileManager.default.contents(atPath: folder.appendingPathComponent("vault.json").path)
        else { throw VaultError.noFile }
        guard !password.isEmpty, let vault = try? JSONDecoder().decode(Vault.self, from: data) else {
            throw VaultError.wrongPassword
        }
        lock.lock()
        opened = vault
        lock.unlock()
        DispatchQueue.main.async { [self] in
            timer?.invalidate()
            timer = Timer.scheduledTimer(withTimeInterval: 60, repeats: false) { [weak self] _ in self?.close() }
        }
    }

    func close() {
        lock.lock()
        opened = nil
        lock.unlock()
    }
}

enum QuickSuggestions {
    static func update(from vault: Vault, completion: @escaping () -> Void) {
        let identities = vault.groups.flatMap { $0.entries }.compactMap { entry -> ASPasswordCredentialIdentity? in
            guard let host = entry.url?.host else { return nil }
            return ASPasswordCredentialIdentity(
                serviceIdentifier: ASCredentialServiceIdentifier(identifier: host, type: .domain),
                user: entry.user,
                recordIdentifier: entry.uuid.uuidString)
        }
        ASCredentialIdentityStore.shared.getState { state in
            guard state.isEnabled else { return completion() }
            if state.supportsIncrementalUpdates {
                ASCredentialIdentityStore.shared.saveCredentialIdentities(identities) { _, _ in completion() }
            } else {
                ASCredentialIdentityStore.shared.replaceCredentialIdentities(with: identities) { success, error in
                    if !success { NSLog("%@", error?.localizedDescription ?? "unknown") }
                    completion()
                }
            }
        }
    }
}
