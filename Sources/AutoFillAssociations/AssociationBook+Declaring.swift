// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension AssociationBook {
    /// More domains than this of one app are not asked about.
    public static let domainLimit = 100
    /// More domains than this are a sign that something is wrong.
    public static let domainWarning = 30
    /// More apps than this are not kept.
    public static let appLimit = 500

    /// Takes note of what an app's entitlement states, at install and at each launch. What it no longer states is forgotten.
    ///
    /// Sites that have not confirmed the app, or not lately, become due; `check(_:)` asks them.
    ///
    /// - Parameters:
    ///   - entries: The entitlement's texts, as they stand.
    ///   - isDebugBuild: Whether the app is one that its author debugs; only such a one may ask for developer mode.
    /// - Throws: `AssociationBookError`, and `SecretsError` where it cannot be written; nothing is changed then.
    public func declare(_ entries: [String], for app: AppIdentifier, isDebugBuild: Bool = false) throws -> Declaration {
        let declaration = read(entries)
        let moment = now()
        try change { content in
            let index = try content.index(of: app)
            var record = content.apps[index]
            let known = Dictionary(record.domains.map { ($0.domain, $0) }) { first, _ in first }
            var domains: [Domain] = declaration.accepted.map { domain in
                var entry = known[domain] ?? Domain(domain: domain, state: AssociationState(declared: moment))
                entry.isStatedByApp = true
                return entry
            }
            let stated = Set(declaration.accepted)
            // What the user added or took away stays until the user says otherwise.
            for var entry in record.domains where !stated.contains(entry.domain) {
                entry.isStatedByApp = false
                if entry.isAddedByUser || entry.isRemoved { domains.append(entry) }
            }
            record.domains = domains
            record.isDebugBuild = isDebugBuild
            content.apps[index] = record
            if domains.isEmpty { content.apps.remove(at: index) }
            for problem in declaration.problems { content.log.add("App ID '\(app)': \(problem)", at: moment) }
        }
        return declaration
    }

    /// Whether the user has taken this domain away from the app, which states it.
    public func isRemoved(_ domain: AssociatedDomain, from app: AppIdentifier) -> Bool {
        content.apps.first { $0.identifier == app }?.domains.contains { $0.domain == domain && $0.isRemoved } ?? false
    }

    /// Adds a domain by the user's hand. The site is asked all the same.
    ///
    /// - Throws: `AssociatedDomain.EntryRefusal` for a wildcard that names strangers; otherwise as `declare` does.
    public func add(_ domain: AssociatedDomain, to app: AppIdentifier) throws {
        if domain.isWildcard && isPublicSuffix(domain.host) { throw AssociatedDomain.EntryRefusal.publicSuffix }
        let moment = now()
        try change { content in
            let index = try content.index(of: app)
            if let place = content.apps[index].domains.firstIndex(where: { $0.domain == domain }) {
                content.apps[index].domains[place].isAddedByUser = true
                content.apps[index].domains[place].isRemoved = false
                content.apps[index].domains[place].state = AssociationState(declared: moment)
            } else {
                content.apps[index].domains.append(
                    Domain(domain: domain, isAddedByUser: true, state: AssociationState(declared: moment)))
            }
        }
    }

    /// Takes domains away from an app: those that the user added are forgotten, those that it states do not count any more.
    ///
    /// - Parameter domain: All of them, where it is nothing.
    /// - Returns: How many there were.
    public func remove(_ domain: AssociatedDomain?, from app: AppIdentifier) throws -> Int {
        let moment = now()
        return try change { content in
            guard let index = content.apps.firstIndex(where: { $0.identifier == app }) else { return 0 }
            var count = 0
            content.apps[index].domains = content.apps[index].domains.compactMap { entry in
                guard domain == nil || entry.domain.domain == domain?.domain, !entry.isRemoved else { return entry }
                count += 1
                content.log.add("Updated app ID '\(app)', domain '\(entry.domain.domain)', UserRemoved", at: moment)
                guard entry.isStatedByApp else { return nil }
                var removed = entry
                removed.isRemoved = true
                removed.isAddedByUser = false
                removed.state = AssociationState(declared: moment)
                return removed
            }
            if content.apps[index].domains.isEmpty { content.apps.remove(at: index) }
            return count
        }
    }

    /// Forgets an app that is no longer installed, with all that the user said about it.
    public func forget(_ app: AppIdentifier) throws {
        try change { $0.apps.removeAll { $0.identifier == app } }
    }

    private func read(_ entries: [String]) -> Declaration {
        var declaration = Declaration()
        for entry in entries.prefix(Self.domainLimit * 10) {
            do throws(AssociatedDomain.EntryRefusal) {
                let domain = try AssociatedDomain(entry: entry)
                // Other services have other users.
                guard domain.service == .webCredentials, !declaration.accepted.contains(domain) else { continue }
                if domain.isWildcard && isPublicSuffix(domain.host) { throw .publicSuffix }
                guard declaration.accepted.count < Self.domainLimit else {
                    declaration.problems.append("more than \(Self.domainLimit) domains; the rest is left out")
                    break
                }
                declaration.accepted.append(domain)
            } catch {
                declaration.problems.append("entry '\(entry.prefix(200))' is left out: \(error.rawValue)")
            }
        }
        if declaration.accepted.count > Self.domainWarning {
            declaration.problems.append("\(declaration.accepted.count) domains; keep them below \(Self.domainWarning)")
        }
        return declaration
    }
}

extension AssociationBook.Content {
    /// Where an app stands, added at the end where it is new.
    fileprivate mutating func index(of app: AppIdentifier) throws -> Int {
        if let index = apps.firstIndex(where: { $0.identifier == app }) { return index }
        guard apps.count < AssociationBook.appLimit else {
            throw AssociationBookError(.full, "there are associations of \(AssociationBook.appLimit) apps already")
        }
        apps.append(AssociationBook.App(identifier: app))
        return apps.count - 1
    }
}
