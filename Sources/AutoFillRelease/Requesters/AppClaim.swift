// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillAssociations

/// The subject that an app identifier belongs to, by a statement that counts because only root can change it.
package struct AppClaim: Sendable, Hashable {
    /// The subject that claims the identifier.
    package enum Subject: Sendable, Hashable {
        case executable(String)
        case flatpak(String)
        case snap(String)

        /// The app's location, as shown to users.
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
    /// The file that states the claim.
    package let file: String

    package init(subject: Subject, entitlement: AppEntitlement, file: String) {
        self.subject = subject
        self.entitlement = entitlement
        self.file = file
    }
}

/// The entitlement files found in root's folders.
package struct AppCatalog: Sendable, Equatable {
    /// A file that does not count, and the reason.
    package struct Problem: Sendable, Hashable {
        package let file: String
        /// The entitlement, if at least that could be read.
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

    /// The subjects that claim an identifier.
    package func claimants(of identifier: AppIdentifier) -> Set<AppClaim.Subject> {
        Set(claims.filter { $0.entitlement.identifier == identifier }.map(\.subject))
    }

    /// The claims for a subject. More than one identifier is a contradiction within root's own files.
    package func claims(of subject: AppClaim.Subject) -> [AppClaim] {
        claims.filter { $0.subject == subject }
    }
}
