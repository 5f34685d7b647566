// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets
internal import Foundation

/// Carries the `manage.` requests of the wire to a provider's `CredentialManaging`.
struct ManageRoute: Sendable {
    let managing: any CredentialManaging

    /// Where it can tell which passwords had better be changed.
    private var recommend: RecommendRoute? {
        (managing as? any CredentialRecommending).map { RecommendRoute(recommending: $0) }
    }

    /// What the provider can do beside filling.
    var capabilities: [String] { recommend == nil ? ["manage"] : ["manage", "recommend"] }

    /// Answers a request; nothing for a method that is none of these.
    func answer(_ method: String, _ params: JSONValue) async throws -> JSONValue? {
        do {
            return switch method {
            case "manage.list": try JSONValue(encoding: await list(params.decoded()))
            case "manage.get": try JSONValue(encoding: await get(params.decoded()))
            case "manage.add": try JSONValue(encoding: await add(params.decoded()))
            case "manage.edit": try JSONValue(encoding: await edit(params.decoded()))
            case "manage.remove": try JSONValue(encoding: await remove(params.decoded()))
            case "manage.restore": try JSONValue(encoding: await restore(params.decoded()))
            case "manage.reveal": try JSONValue(encoding: await reveal(params.decoded()))
            case "manage.authenticator": try JSONValue(encoding: await authenticator(params.decoded()))
            case "manage.compare": try JSONValue(encoding: await compare(params.decoded()))
            case "manage.code": try JSONValue(encoding: await code(params.decoded()))
            case "manage.history": try JSONValue(encoding: await history(params.decoded()))
            case Provider.Snapshot.name: try JSONValue(encoding: await snapshot())
            case Provider.Check.name: try JSONValue(encoding: Provider.Check.Answer(items: await managing.check()))
            case Provider.Repair.name: try JSONValue(encoding: await repair())
            case "manage.generated": try JSONValue(encoding: await pending())
            case "manage.revealGenerated": try JSONValue(encoding: await revealPending(params.decoded()))
            case "manage.removeGenerated": try JSONValue(encoding: await removePending(params.decoded()))
            default: try await recommend?.answer(method, params)
            }
        } catch {
            throw WireError(thrownByProvider: error)
        }
    }

    private func list(_ query: ItemQuery) async throws -> ItemPage {
        let page = try await managing.items(
            matching: query.search ?? "",
            removed: query.removed ?? false,
            cursor: query.cursor
        )
        return ItemPage(items: page.items.map { Item($0) }, cursor: page.cursor, unreadable: page.unreadable)
    }

    private func get(_ reference: ItemReference) async throws -> ItemAnswer {
        let item = try await managing.item(reference.id)
        return ItemAnswer(item: Item(item, notes: item.notes))
    }

    private func add(_ params: Items.Add.Params) async throws -> Items.Add.Answer {
        guard params.items.count <= 200 else {
            throw WireError(.invalidParams, "At most 200 items can be added at once.")
        }
        let added = try await managing.add(
            params.items.map { item in
                NewCredentialItem(
                    services: item.services,
                    user: item.user,
                    password: SecretText(item.password.bytes),
                    notes: item.notes.map { SecretText($0.bytes) },
                    isStrict: item.strict ?? false,
                    authenticator: item.authenticator.map { SecretText($0.bytes) },
                    isFavorite: item.favorite ?? false,
                    tags: item.tags ?? [],
                    title: item.title ?? ""
                )
            }
        )
        return Items.Add.Answer(items: added.map { Item($0) })
    }

    private func edit(_ changes: ItemChanges) async throws -> ItemAnswer {
        let item = try await managing.edit(
            changes.id,
            CredentialItemChanges(
                services: changes.services,
                user: changes.user,
                password: changes.password.map { SecretText($0.bytes) },
                notes: changes.notes.map { SecretText($0.bytes) },
                isStrict: changes.strict,
                authenticator: changes.authenticator.map { SecretText($0.bytes) },
                isFavorite: changes.favorite,
                tags: changes.tags,
                title: changes.title,
                pastPassword: changes.pastPassword.map { SecretText($0.bytes) }
            )
        )
        return ItemAnswer(item: Item(item))
    }

    private func remove(_ reference: ItemReference) async throws -> ItemAnswer {
        ItemAnswer(item: Item(try await managing.remove(reference.id)))
    }

    private func restore(_ reference: ItemReference) async throws -> ItemAnswer {
        ItemAnswer(item: Item(try await managing.restore(reference.id)))
    }

    private func reveal(_ params: Items.Reveal.Params) async throws -> Items.Reveal.Answer {
        let password = try await managing.password(of: params.id)
        return Items.Reveal.Answer(password: WireSecret(password.bytes))
    }

    private func authenticator(_ reference: ItemReference) async throws -> Items.Reveal.Answer {
        Items.Reveal.Answer(password: WireSecret(try await managing.authenticator(of: reference.id).bytes))
    }

    private func compare(_ params: Items.Compare.Params) async throws -> Items.Compare.Answer {
        guard params.items.count <= Items.Compare.limit else {
            throw WireError(.invalidParams, "At most \(Items.Compare.limit) passwords can be compared at once.")
        }
        var same: [Bool] = []
        for guess in params.items {
            do {
                same.append(try await isRight(guess))
            } catch let error as CredentialManagingError where error.code == .notFound {
                same.append(false)
            }
        }
        return Items.Compare.Answer(same: same)
    }

    /// Whether an item has all that a guess says of it.
    private func isRight(_ guess: Items.Compare.Guess) async throws -> Bool {
        if let password = guess.password, try await managing.password(of: guess.id).bytes != password.bytes {
            return false
        }
        if let link = guess.authenticator, try await managing.authenticator(of: guess.id).bytes != link.bytes {
            return false
        }
        guard let notes = guess.notes, notes.bytes.count > 0 else { return true }
        return try await managing.item(guess.id).notes?.bytes.holdsLines(of: notes.bytes) == true
    }

    private func code(_ params: Items.Code.Params) async throws -> Items.Code.Answer {
        let current = try await managing.oneTimeCode(of: params.id)
        return Items.Code.Answer(code: WireSecret(current.code.bytes), secondsLeft: current.secondsLeft)
    }

    private func history(_ reference: ItemReference) async throws -> Items.History.Answer {
        let past = try await managing.history(of: reference.id)
        return Items.History.Answer(
            changes: past.map { PasswordChange(date: $0.until.seconds, password: WireSecret($0.password.bytes)) }
        )
    }

    private func pending() async throws -> Generated.List.Answer {
        Generated.List.Answer(
            generated: try await managing.pendingPasswords().map { pending in
                PendingStatement(
                    id: pending.id,
                    service: pending.service,
                    user: pending.user,
                    kind: pending.kind.rawValue,
                    created: pending.created.seconds
                )
            }
        )
    }

    private func revealPending(_ params: Generated.Reveal.Params) async throws -> Generated.Reveal.Answer {
        Generated.Reveal.Answer(password: WireSecret(try await managing.pendingPassword(of: params.id).bytes))
    }

    private func removePending(_ reference: ItemReference) async throws -> Empty {
        try await managing.removePendingPassword(reference.id)
        return Empty()
    }

    private func repair() async throws -> Provider.Repair.Answer {
        let repair = try await managing.repair()
        return Provider.Repair.Answer(kept: repair?.kept, lost: repair?.lost)
    }

    private func snapshot() async throws -> Provider.Snapshot.Answer {
        Provider.Snapshot.Answer(file: try await managing.snapshot())
    }
}

extension Item {
    /// An item as it travels: with notes only where one item was asked for.
    fileprivate init(_ item: CredentialItem, notes: SecretText? = nil) {
        self.init(
            id: item.id,
            services: item.services,
            user: item.user,
            created: item.created.seconds,
            modified: item.modified.seconds,
            removed: item.removed?.seconds,
            strict: item.isStrict ? true : nil,
            authenticator: item.hasAuthenticator ? true : nil,
            notes: notes.map { WireSecret($0.bytes) },
            favorite: item.isFavorite,
            tags: item.tags,
            title: item.title,
            hasPassword: item.hasPassword ? nil : false
        )
    }
}

extension Date {
    /// Whole seconds since 1970; 0 for a time that no integer holds.
    fileprivate var seconds: Int64 { Int64(exactly: timeIntervalSince1970.rounded(.down)) ?? 0 }
}
