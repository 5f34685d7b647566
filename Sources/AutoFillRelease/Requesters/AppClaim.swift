// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillAssociations

/// Somebody that an app identifier belongs to, by a statement that counts: nobody but root can change it.
package struct AppClaim: Sendable, Hashable {
    /// Who claims.
    package enum Subject: Sendable, Hashable {
        case executable(String)
        case flatpak(String)
        case snap(String)

        /// Where the app is, for people.
        package var place: String {
            switch self {
            case .executable(let path): path
            case .flatpak(let identifier): "flatpak \(identifier)"
            case .snap(let name): "snap \(name)"
            }
        }
    }

    package let subject: Subject
    package let entitlement: AppEntitlement
    /// Where it is stated.
    package let file: String

    package init(subject: Subject, entitlement: AppEntitlement, file: String) {
        self.subject = subject
        self.entitlement = entitlement
        self.file = file
    }
}

/// What is found where root keeps entitlement files.
package struct AppCatalog: Sendable, Equatable {
    /// A file that does not count, and why.
    package struct Problem: Sendable, Hashable {
        package let file: String
        /// Where the file at least says who it is about.
        package var entitlement: AppEntitlement?
        package let reason: String

        package init(file: String, entitlement: AppEntitlement? = nil, reason: String) {
            self.file = file
            self.entitlement = entitlement
            self.reason = reason
        }
    }

    package var claims: [AppClaim]
    package var problems: [Problem]

    package init(claims: [AppClaim] = [], problems: [Problem] = []) {
        self.claims = claims
        self.problems = problems
    }

    /// Those that claim an identifier.
    package func claimants(of identifier: AppIdentifier) -> Set<AppClaim.Subject> {
        Set(claims.filter { $0.entitlement.identifier == identifier }.map(\.subject))
    }

    /// What is claimed for a subject: more than one identifier is a contradiction of root's own.
    package func claims(of subject: AppClaim.Subject) -> [AppClaim] {
        claims.filter { $0.subject == subject }
    }
}
