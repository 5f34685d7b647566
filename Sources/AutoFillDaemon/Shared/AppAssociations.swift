// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillAssociations
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillRelease
internal import AutoFillSecrets
internal import Logging

/// Keeps the associations of apps with domains, and asks the sites to confirm them.
@DaemonActor final class AppAssociations: SessionObserver {
    let broker: Broker
    /// Which app belongs to which domains; open while unlocked.
    private(set) var associations: AssociationBook?
    /// The task that asks sites when their time comes.
    private var associationChecks: Task<Void, Never>?

    init(_ broker: Broker) {
        self.broker = broker
    }

    func sessionBegan() {
        if let keys = broker.unlocked { openAssociations(keys.deviceKey.associationsKey) }
    }

    func sessionClosed(wasUnlocked: Bool) async {
        await closeAssociations()
    }

    /// The book of associations; it is open while Latchkey is unlocked.
    func requireAssociations() throws -> AssociationBook {
        _ = try broker.requireUnlocked()
        guard let associations else {
            throw WireError(
                .storageFailed, "The associations cannot be opened.", hint: "See the journal of latchkeyd.")
        }
        return associations
    }

    private func openAssociations(_ key: SealKey) {
        do {
            associations = try AssociationBook(
                path: broker.directories.state + "/associations", key: key, fetcher: broker.associationFetcher,
                administration: AssociationAdministration(contentsOf: AssociationAdministration.path),
                isPublicSuffix: { [suffixes = broker.rules.quirks.suffixes] in suffixes.registrableDomain(of: $0) == nil
                },
                now: broker.time.date)
        } catch {
            // Without the book no app is associated, and everything else works.
            associations = nil
            broker.logger.error("the associations cannot be opened", metadata: ["reason": "\(error)"])
        }
        scheduleAssociations()
    }

    /// Closes the book: from now on no site is asked and no app is associated.
    private func closeAssociations() async {
        associationChecks?.cancel()
        associationChecks = nil
        let book = associations
        associations = nil
        await book?.close()
    }

    /// Asks sites when their time comes. It checks the clock at least every five minutes, because a clock may be set and a machine may
    /// sleep.
    func scheduleAssociations() {
        associationChecks?.cancel()
        guard let associations else { return }
        associationChecks = Task { [weak self, time = broker.time, logger = broker.logger] in
            await self?.declareInstalledApps()
            while !Task.isCancelled {
                await associations.checkDue()
                if let fault = await associations.fault {
                    logger.error("the associations cannot be written", metadata: ["reason": "\(fault)"])
                }
                let now = time.date()
                let wait = (await associations.nextCheck).map { max(1, min($0 - now, 300)) } ?? 300
                try? await Task.sleep(for: .seconds(wait))
            }
        }
    }

    /// Declares the domains of installed apps, so that their sites are asked before an app asks for a password. If two claims name one
    /// identifier, neither is declared.
    private func declareInstalledApps() async {
        let folders = broker.appFolders
        let catalog = await Task.detached { folders.catalog() }.value
        for claim in catalog.claims where catalog.claimants(of: claim.entitlement.identifier).count == 1 {
            guard !Task.isCancelled else { return }
            await declare(claim.entitlement)
        }
    }

    /// The association of an app that a host has confirmed; `nil` if it has not.
    func association(of app: AppIdentifier, with host: String) async -> VerifiedAssociation? {
        guard let found = try? await associations?.association(of: app, with: host).get(),
            !isTakenAway(found.domain, from: app)
        else { return nil }
        return found
    }

    /// Whether the user has taken a domain away from an app. The sealed registry knows it too: the book is a file that can be put back or
    /// deleted.
    private func isTakenAway(_ domain: AssociatedDomain, from app: AppIdentifier) -> Bool {
        broker.unlocked?.registry.removedDomains.contains(Self.word(app, domain)) ?? false
    }

    private static func word(_ app: AppIdentifier, _ domain: AssociatedDomain) -> String {
        "\(app.rawValue) \(domain.domain)"
    }

    /// Takes away in the book what was taken away before.
    private func takeAway(from app: AppIdentifier, in book: AssociationBook) async {
        let prefix = app.rawValue + " "
        for word in broker.unlocked?.registry.removedDomains ?? [] where word.hasPrefix(prefix) {
            guard let domain = try? AssociatedDomain(written: String(word.dropFirst(prefix.count))) else { continue }
            if await !book.isRemoved(domain, from: app) { _ = try? await book.remove(domain, from: app) }
        }
    }

    /// Declares the domains that an app states, as at each launch.
    func declare(_ entitlement: AppEntitlement) async {
        do {
            guard let associations else { return }
            _ = try await associations.declare(
                entitlement.domains, for: entitlement.identifier, isDebugBuild: entitlement.isDebugBuild)
            await takeAway(from: entitlement.identifier, in: associations)
        } catch {
            broker.logger.error(
                "the domains that an app states cannot be saved", metadata: ["app": "\(entitlement.identifier)"])
        }
    }

    /// The sites that have confirmed an app.
    func confirmedHosts(of identifier: AppIdentifier) async -> [String] {
        await associations?.verifiedAssociations(for: identifier).map(\.domain)
            .filter { !isTakenAway($0, from: identifier) }.map(\.domain) ?? []
    }

    func listAssociations(_ params: Associations.List.Params) async throws -> Associations.List.Answer {
        let book = try requireAssociations()
        let app = try params.app.map { try Self.app($0) }
        return .init(
            associations: await book.standings(of: app).map(AssociationStatement.init),
            developerMode: await book.isDeveloperModeOn, source: await book.source.description)
    }

    func checkAssociations(_ params: Associations.Check.Params) async throws -> AssociationReport {
        let book = try requireAssociations()
        let domain = try Self.domain(params.host)
        return AssociationReport(await book.check(host: domain.host, app: try params.app.map { try Self.app($0) }))
    }

    func addAssociation(_ params: AssociationReference) async throws -> AssociationReport {
        let book = try requireAssociations()
        let app = try Self.app(params.app)
        guard let text = params.domain else { throw WireError(.invalidParams, "The domain is missing.") }
        let domain = try Self.domain(text)
        let wasTakenAway = await book.isRemoved(domain, from: app) || isTakenAway(domain, from: app)
        if wasTakenAway { try broker.requireFresh("\(app) may use \(domain) again") }
        do {
            try await book.add(domain, to: app)
            if wasTakenAway {
                let word = Self.word(app, domain)
                try broker.change {
                    try $0.registry.setRemovedDomains($0.registry.removedDomains.filter { $0 != word })
                }
            }
        } catch let refusal as AssociatedDomain.EntryRefusal {
            throw WireError(.invalidParams, "This is not an associated domain: \(refusal.rawValue).")
        }
        let report = AssociationReport(await book.check(host: domain.host, app: app))
        scheduleAssociations()
        return report
    }

    func removeAssociations(_ params: AssociationReference) async throws -> Associations.Remove.Answer {
        let book = try requireAssociations()
        let app = try Self.app(params.app)
        let removed = try await book.remove(try params.domain.map { try Self.domain($0) }, from: app)
        guard removed > 0 else {
            throw WireError(.notFound, "The app has no such domain.", hint: "See `latchkey associations list`.")
        }
        let words = await book.standings(of: app).filter { $0.verdict == .removed }
            .map { Self.word(app, $0.association.domain) }
        try broker.change { keys in
            let known = keys.registry.removedDomains
            let added = words.filter { !known.contains($0) }
            if !added.isEmpty { try keys.registry.setRemovedDomains(known + added) }
        }
        return .init(removed: removed)
    }

    func associationLog(_ params: Associations.Log.Params) async throws -> Associations.Log.Answer {
        // Following the log is not activity of the user, so it must not prevent the idle lock.
        let book = try associations ?? requireAssociations()
        let lines = await book.log(above: params.above ?? 0)
        return .init(lines: lines.map { AssociationLogLine(number: $0.number, time: $0.time, text: $0.text) })
    }

    /// Turns developer mode on or off. Turning it on accepts any certificate, which weakens protection, so it takes the passphrase.
    func setDeveloperMode(_ params: Associations.SetDeveloperMode.Params) async throws {
        let book = try requireAssociations()
        if params.on { try broker.requireFresh("developer mode of associations: off to on") }
        try await book.setDeveloperMode(params.on)
        scheduleAssociations()
    }

    /// Sets the source that answers for sites. A source can associate any app with any site, so this takes the passphrase.
    func setAssociationSource(_ params: Associations.SetSource.Params) async throws {
        let book = try requireAssociations()
        guard let source = AssociationSource(params.source) else {
            throw WireError(
                .invalidParams, "The source is neither direct nor an address.",
                hint: "Write direct, or https:// and a host.")
        }
        try await book.setSource(source)
        scheduleAssociations()
    }

    private static func app(_ text: String) throws(WireError) -> AppIdentifier {
        guard let app = AppIdentifier(text) else {
            throw WireError(
                .invalidParams, "This is not an app identifier.",
                hint: "Ten letters and digits, a dot, the bundle identifier: E5336VM85F.com.example.Shiny")
        }
        return app
    }

    /// A host, `*.host` or a whole entry of the service `webcredentials`.
    private static func domain(_ text: String) throws(WireError) -> AssociatedDomain {
        do {
            let domain = try AssociatedDomain(written: text)
            guard domain.service == .webCredentials else {
                throw WireError(.invalidParams, "Only entries of webcredentials concern AutoFill.")
            }
            return domain
        } catch let refusal as AssociatedDomain.EntryRefusal {
            throw WireError(.invalidParams, "This is not an associated domain: \(refusal.rawValue).")
        } catch {
            throw error as? WireError ?? WireError(.invalidParams, "This is not an associated domain.")
        }
    }
}

extension AssociationStatement {
    init(_ standing: AssociationBook.Standing) {
        let domain = standing.association.domain
        self.init(
            app: standing.association.app.rawValue, domain: domain.domain, entry: domain.description,
            verdict: AssociationText.word(standing.verdict), detail: AssociationText.detail(standing.verdict),
            verified: standing.isVerified, statedByApp: standing.isStatedByApp, approved: standing.approved,
            checked: standing.checked, next: standing.next)
    }
}

extension AssociationReport {
    init(_ report: AssociationBook.Report) {
        let apps = report.answers.compactMap { answer -> [String]? in
            if case .apps(let apps) = answer.finding { apps } else { nil }
        }
        let troubles = report.answers.compactMap { answer -> String? in
            if case .trouble(let trouble) = answer.finding { trouble.reason } else { nil }
        }
        self.init(
            lines: report.lines, apps: apps.isEmpty ? nil : apps.flatMap(\.self), trouble: troubles.first,
            associations: report.standings.map(AssociationStatement.init))
    }
}
