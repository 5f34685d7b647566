// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAssociations

/// Somebody that an app identifier belongs to, by a statement that counts: nobody but root can change it.
struct AppClaim: Sendable, Hashable {
    /// Who claims.
    enum Subject: Sendable, Hashable {
        case executable(String)
        case flatpak(String)
        case snap(String)

        /// Where the app is, for people.
        var place: String {
            switch self {
            case .executable(let path): path
            case .flatpak(let identifier): "flatpak \(identifier)"
            case .snap(let name): "snap \(name)"
            }
        }
    }

    let subject: Subject
    let entitlement: AppEntitlement
    /// Where it is stated.
    let file: String
}

/// What is found where root keeps entitlement files.
struct AppCatalog: Sendable, Equatable {
    /// A file that does not count, and why.
    struct Problem: Sendable, Hashable {
        let file: String
        /// Where the file at least says who it is about.
        var entitlement: AppEntitlement?
        let reason: String
    }

    var claims: [AppClaim] = []
    var problems: [Problem] = []

    /// Those that claim an identifier.
    func claimants(of identifier: AppIdentifier) -> Set<AppClaim.Subject> {
        Set(claims.filter { $0.entitlement.identifier == identifier }.map(\.subject))
    }

    /// What is claimed for a subject: more than one identifier is a contradiction of root's own.
    func claims(of subject: AppClaim.Subject) -> [AppClaim] {
        claims.filter { $0.subject == subject }
    }
}
