// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillProviders
internal import AutoFillRelease
internal import AutoFillSecrets
internal import Foundation

/// Moves a saved account from the built-in provider to another one: `items.move` in section 6 of `docs/protocol.md`.
///
/// It is saved there first and removed here afterwards, so that at no time it is nowhere. Here it can be brought back for 30 days.
@DaemonActor final class ItemMoving {
    let broker: Broker
    let stores: IdentityStores
    let abilities: ProviderAbilities
    let providerInterfaces: ProviderInterfaces
    let items: SavedItems
    let runs: Runs
    /// The accounts that are being moved now.
    private var moving: Set<String> = []

    init(
        _ broker: Broker, stores: IdentityStores, abilities: ProviderAbilities,
        providerInterfaces: ProviderInterfaces, items: SavedItems, runs: Runs
    ) {
        self.broker = broker
        self.stores = stores
        self.abilities = abilities
        self.providerInterfaces = providerInterfaces
        self.items = items
        self.runs = runs
    }

    /// Moves an account, and answers it as it is here now: removed.
    func move(_ params: Items.Move.Params, on client: ClientConnection) async throws -> ItemAnswer {
        _ = try broker.requireUnlocked()
        guard let target = BundleIdentifier(params.provider), target != .builtIn, abilities.savers().contains(target)
        else {
            throw WireError(.notFound, "\(params.provider) is not enabled, or does not save passwords.")
        }
        guard moving.insert(params.id).inserted else { throw WireError(.busy, "The account is being moved.") }
        defer { moving.remove(params.id) }
        var item = try await item(params.id)
        guard item.removed == nil else { throw WireError(.notFound, "The account was removed.") }
        guard item.strict != true else {
            throw WireError(
                .refused, "This account is for exactly its hosts, which no other provider can be told.",
                hint: "`latchkey edit --no-strict` lifts that.")
        }
        guard !item.services.isEmpty, item.hasPassword != false else {
            throw WireError(.refused, "It is for no website, so no other provider can be told of it.")
        }
        let left = Self.remainder(of: item)
        guard left.isEmpty || params.leavesRest == true else {
            throw WireError(
                .refused, "A provider is given user name, password and websites. These would stay behind: \(left).",
                hint: "They stay with the removed account, which can be brought back for 30 days.")
        }
        // Only whether there are notes was asked; the secret itself is not kept while the other provider asks the user something.
        item.notes = nil
        let places = try Self.places(item.services)
        let unlocked = try broker.unlockedSession()
        // Asks for what the preference demands, and writes the line in the audit log.
        let password = try await items.password(of: item.id, toBeKeptBy: target)
        let moved = item
        return try await runs.running(for: nil, on: client) { [self] in
            var saved: [Origin] = []
            do {
                for origin in places {
                    try require(target, unlocked)
                    try await save(password, of: moved, at: origin, in: target, client)
                    saved.append(origin)
                    try note(moved, at: origin, in: target, client)
                }
                try require(target, unlocked)
                return try await remove(moved, password)
            } catch {
                stores.updateOffers()
                throw told(error, saved, target, unlocked)
            }
        }
    }

    private func item(_ id: String) async throws -> Item {
        let answer: ItemAnswer = try await items.manage(Items.Get.name, JSONValue(encoding: ItemReference(id: id)))
            .decoded()
        return answer.item
    }

    /// Removes the account here, where it is what the other provider was given. That provider may have asked the user for a long time.
    private func remove(_ item: Item, _ password: WireSecret) async throws -> ItemAnswer {
        var now = try await self.item(item.id)
        now.notes = nil
        // Somebody has removed it meanwhile, so that it is where it was to go.
        if now.removed != nil { return ItemAnswer(item: now) }
        let same: Items.Compare.Answer = try await items.providers.supervisor.manage(
            "manage.compare",
            JSONValue(encoding: Items.Compare.Params(items: [.init(id: item.id, password: password)])),
            launch: items.providers.launch()
        ).decoded()
        guard now.services == item.services, now.user == item.user, same.same == [true] else {
            throw WireError(.refused, "It was changed here in the meantime.")
        }
        // Nothing breaks it off once it was asked for: what is told of it is then true.
        let removed = try await Task { [self] in
            try await items.manage(Items.Remove.name, JSONValue(encoding: ItemReference(id: item.id)))
                .withoutSecrets
        }.value
        stores.updateOffers()
        broker.tellBrowsers()
        return try removed.decoded()
    }

    /// Requires that the move is still wanted and possible.
    private func require(_ target: BundleIdentifier, _ unlocked: UnlockedSession) throws {
        try Task.checkCancellation()
        try unlocked.check()
        guard abilities.savers().contains(target) else {
            throw WireError(.notFound, "\(broker.name(of: target)) is no longer enabled.")
        }
    }

    private func save(
        _ password: WireSecret, of item: Item, at origin: Origin, in target: BundleIdentifier,
        _ client: ClientConnection
    ) async throws {
        let unlocked = try broker.unlockedSession()
        let context = RequestContext(app: client.program)
        try await providerInterfaces.save(
            Saving.Save.Params(
                request: 0, service: ServiceStatement(ServiceIdentifier(kind: .url, value: origin.description)),
                user: item.user, password: password, session: RandomName.make(), event: "formDidDisappear",
                context: context),
            in: target, requester: client.requester, at: origin, context: context, client: client)
        if unlocked.isCurrent {
            broker.known.saved(HeldSecret(password), at: origin, user: item.user, by: target)
        }
    }

    private func note(_ item: Item, at origin: Origin, in target: BundleIdentifier, _ client: ClientConnection) throws {
        try broker.audit.append(
            AuditLine(
                time: broker.time.date(), event: "saved", provider: target.rawValue,
                service: origin.description, user: item.user, requester: client.program, act: "move"))
    }

    /// What the user is told of a failure: also that the other provider has the account already, where it has.
    private func told(
        _ error: any Error, _ saved: [Origin], _ target: BundleIdentifier, _ unlocked: UnlockedSession
    ) -> any Error {
        guard !saved.isEmpty else { return error }
        let places = saved.prefix(3).map(\.written).joined(separator: ", ") + (saved.count > 3 ? " and others" : "")
        let error = unlocked.isCurrent ? error as? WireError : Broker.lockedMeanwhile
        let isCanceled = error == nil || error?.code == .userCanceled
        return WireError(
            isCanceled ? .refused : error?.code ?? .refused,
            (isCanceled ? "The move was cancelled." : error?.message ?? "")
                + " \(broker.name(of: target)) has the account for \(places) now, and it was not removed here.",
            reason: error?.reason, hint: isCanceled ? nil : error?.hint)
    }

    /// The sites of an account, each once, as every provider is told of sites: without paths.
    private static func places(_ services: [String]) throws -> [Origin] {
        var places: [Origin] = []
        for service in services {
            guard let origin = Origin(written: service) else {
                throw WireError(
                    .refused, "\(service.prefix(200)) is not a place that another provider can be told of.")
            }
            if !places.contains(origin) { places.append(origin) }
        }
        return places
    }

    /// The parts of an account that a provider is not given, as words for the user; empty if the account has none of them.
    private static func remainder(of item: Item) -> String {
        [
            item.notes == nil ? nil : "notes",
            item.authenticator == true ? "the key of codes" : nil,
            item.title == nil ? nil : "the title",
            item.tags?.isEmpty == false ? "tags" : nil,
            item.services.contains { GitFit.path(of: ServiceIdentifier(written: $0)) != nil }
                ? "the path of a website" : nil,
        ].compactMap(\.self).joined(separator: ", ")
    }
}
