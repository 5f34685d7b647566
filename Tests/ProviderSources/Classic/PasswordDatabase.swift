// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices
import Foundation

struct SavedPassword: Equatable {
    let identifier: String
    let host: String
    let user: String
    let password: String
}

/// One for the whole process, which may serve many requests.
@MainActor
final class PasswordDatabase {
    enum Failure: Error {
        case wrongMasterPassword
    }

    static var shared = PasswordDatabase()

    private(set) var isLocked = false
    private(set) var isReadable = true
    private var all: [SavedPassword]

    init(
        all: [SavedPassword] = [
            SavedPassword(identifier: "1", host: "shiny.example.com", user: "rmondello", password: "correct horse"),
            SavedPassword(identifier: "2", host: "dull.example.com", user: "sherlock", password: "battery staple"),
        ],
        isLocked: Bool = false,
        isReadable: Bool = true
    ) {
        self.all = all
        self.isLocked = isLocked
        self.isReadable = isReadable
    }

    var isEmpty: Bool {
        return all.isEmpty
    }

    func unlock(with masterPassword: String) throws {
        guard masterPassword == "open sesame" else { throw Failure.wrongMasterPassword }
        isLocked = false
    }

    func password(for recordIdentifier: String?) -> SavedPassword? {
        return all.first { $0.identifier == recordIdentifier }
    }

    /// Those for the services first, all the others after them.
    func passwords(for serviceIdentifiers: [ASCredentialServiceIdentifier]) -> [SavedPassword] {
        let hosts = serviceIdentifiers.compactMap { serviceIdentifier -> String? in
            switch serviceIdentifier.type {
            case .domain:
                return serviceIdentifier.identifier
            case .URL:
                return URL(string: serviceIdentifier.identifier)?.host
            default:
                return nil
            }
        }
        let matching = all.filter { hosts.contains($0.host) }
        return matching + all.filter { !matching.contains($0) }
    }

    var credentialIdentities: [ASPasswordCredentialIdentity] {
        return all.map {
            let serviceIdentifier = ASCredentialServiceIdentifier(identifier: $0.host, type: .domain)
            return ASPasswordCredentialIdentity(
                serviceIdentifier: serviceIdentifier,
                user: $0.user,
                recordIdentifier: $0.identifier
            )
        }
    }
}
