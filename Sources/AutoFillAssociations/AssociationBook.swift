// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillSecrets

/// Which app belongs to which domains: what apps state, what sites said about it and when, and what happened lately.
///
/// Kept in one sealed file, so that what somebody else wrote there is no association; the file is open while Latchkey is
/// unlocked, and only then sites are asked.
public actor AssociationBook {
    /// What becomes of what an app states.
    public struct Declaration: Hashable, Sendable {
        /// The entries that sites are asked about.
        public var accepted: [AssociatedDomain] = []
        /// What could not be used, and why: one line each, safe to show.
        public var problems: [String] = []
    }

    /// Where an app and a domain stand.
    public struct Standing: Hashable, Sendable {
        public let association: UnverifiedAssociation
        public let verdict: AssociationVerdict
        /// Whether credentials of the domain are the app's now.
        public let isVerified: Bool
        /// Whether the app's own entitlement states it, or only the user.
        public let isStatedByApp: Bool
        public let approved: Int64?
        public let checked: Int64?
        public let next: Int64
    }

    let path: String
    let fetcher: any AssociationFetching
    let administration: AssociationAdministration
    let isPublicSuffix: @Sendable (String) -> Bool
    let now: @Sendable () -> Int64
    /// Nothing once the book is closed.
    var key: SealKey?
    var content = Content()
    /// Why what was found last could not be written down; nothing where it could.
    public internal(set) var fault: String?
    /// What is asked now, so that nothing is asked twice at once.
    var questions: [AssociationQuestion: Task<AssociationAnswer, Never>] = [:]

    /// Opens the book at a path, or begins a new one.
    ///
    /// A file that is damaged, or was changed by somebody else, counts for nothing: it is put aside, the log says so, and
    /// every site is asked anew when its app is next seen.
    ///
    /// - Parameters:
    ///   - isPublicSuffix: Whether the hosts below a host belong to strangers; no wildcard may name those.
    ///   - now: In seconds since 1970.
    /// - Throws: `AssociationBookError` where the file was written by a newer Latchkey.
    public init(
        path: String, key: SealKey, fetcher: any AssociationFetching,
        administration: AssociationAdministration = AssociationAdministration(),
        isPublicSuffix: @escaping @Sendable (String) -> Bool, now: @escaping @Sendable () -> Int64
    ) throws {
        self.path = path
        self.key = key
        self.fetcher = fetcher
        self.administration = administration
        self.isPublicSuffix = isPublicSuffix
        self.now = now
        content = try Self.read(path, key, at: now())
    }

    /// Lets go of the key and of what is being asked. Nothing is verified any more, and nothing is written.
    public func close() {
        key = nil
        content = Content()
        for question in questions.values { question.cancel() }
        questions = [:]
    }
}
