// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets

/// The `items.` methods of the fake daemon.
enum FakeItems {
    static func answer(_ method: String, _ params: JSONValue, _ state: inout FakeDaemon.State) throws -> JSONValue {
        switch method {
        case Items.List.name: return try JSONValue(encoding: list(try params.decoded(), state))
        case Items.Get.name:
            let kept = state.kept[try index(try params.decoded(as: ItemReference.self).id, state)]
            var item = kept.item
            item.notes = kept.notes.map { WireSecret(SecretBytes(utf8: $0)) }
            return try JSONValue(encoding: ItemAnswer(item: item))
        case Items.Add.name: return try JSONValue(encoding: add(try params.decoded(), &state))
        case Items.Edit.name: return try JSONValue(encoding: edit(try params.decoded(), &state))
        case Items.Remove.name, Items.Restore.name:
            let place = try index(try params.decoded(as: ItemReference.self).id, state)
            state.kept[place].item.removed = method == Items.Remove.name ? 1_790_000_500 : nil
            return try JSONValue(encoding: ItemAnswer(item: state.kept[place].item))
        case Items.Reveal.name:
            let place = try index(try params.decoded(as: Items.Reveal.Params.self).id, state)
            try requireAuthentication(state)
            let password = WireSecret(SecretBytes(utf8: state.kept[place].password))
            return try JSONValue(encoding: Items.Reveal.Answer(password: password))
        case Items.Export.name:
            let params = try params.decoded(as: Items.Export.Params.self)
            guard params.passphrase.bytes.testText == FakeDaemon.passphrase else {
                throw WireError(.wrongPassphrase, "The passphrase is wrong.")
            }
            let page = list(ItemQuery(cursor: params.cursor), state)
            if state.removesBetweenPages, params.cursor != nil { state.kept[0].item.removed = 1_790_000_500 }
            return try JSONValue(
                encoding: Items.Export.Answer(
                    accounts: page.items.map { item in
                        let kept = state.kept[try index(item.id, state)]
                        return .init(
                            item: item, password: WireSecret(SecretBytes(utf8: kept.password)),
                            notes: kept.notes.map { WireSecret(SecretBytes(utf8: $0)) },
                            authenticator: item.authenticator == true
                                ? WireSecret(SecretBytes(utf8: "otpauth://totp/x?secret=GEZDGNBV")) : nil)
                    }, cursor: page.cursor))
        case Items.Compare.name:
            try requireAuthentication(state)
            let guesses = try params.decoded(as: Items.Compare.Params.self).items
            let same = try guesses.map { guess in
                let kept = state.kept[try index(guess.id, state)]
                let notes = SecretBytes(utf8: kept.notes ?? "")
                return guess.password.map { $0.bytes.testText == kept.password } ?? true
                    && guess.notes.map { notes.holdsLines(of: $0.bytes) } ?? true
                    && guess.authenticator.map { $0.bytes.testText == kept.link } ?? true
            }
            return try JSONValue(encoding: Items.Compare.Answer(same: same))
        case Items.Code.name:
            let place = try index(try params.decoded(as: Items.Code.Params.self).id, state)
            try requireAuthentication(state)
            guard state.kept[place].item.authenticator == true else {
                throw WireError(.notFound, "The item has no authenticator.")
            }
            return try JSONValue(
                encoding: Items.Code.Answer(code: WireSecret(SecretBytes(utf8: "482193")), secondsLeft: 17))
        case Items.History.name:
            try requireAuthentication(state)
            let place = try index(try params.decoded(as: ItemReference.self).id, state)
            return try JSONValue(encoding: Items.History.Answer(changes: state.kept[place].history))
        default: throw WireError(.methodNotFound, "There is no method \(method).")
        }
    }

    private static func requireAuthentication(_ state: FakeDaemon.State) throws {
        if state.wantsAuthentication { throw WireError(.authenticationRequired, "This needs your passphrase.") }
    }

    private static func index(_ id: String, _ state: FakeDaemon.State) throws -> Int {
        guard let index = state.kept.firstIndex(where: { $0.item.id == id }) else {
            throw WireError(.notFound, "There is no such item.")
        }
        return index
    }

    private static func list(_ query: ItemQuery, _ state: FakeDaemon.State) -> ItemPage {
        let found = state.kept.map(\.item).filter { item in
            guard (item.removed != nil) == (query.removed ?? false) else { return false }
            guard let search = query.search else { return true }
            return (item.services + [item.user, item.title ?? ""]).contains { $0.contains(search) }
        }
        let start = query.cursor ?? 0
        let page = Array(found.dropFirst(start).prefix(state.pageSize))
        let next = start + page.count
        return ItemPage(items: page, cursor: next < found.count ? next : nil)
    }

    private static func add(_ params: Items.Add.Params, _ state: inout FakeDaemon.State) throws -> Items.Add.Answer {
        guard !params.items.contains(where: { state.refusesUsers.contains($0.user) }) else {
            throw WireError(.invalidItem, "This item is beyond the limits.")
        }
        var added: [Item] = []
        for new in params.items {
            let number = String(0xB000_0000 + state.kept.count, radix: 16)
            let item = Item(
                id: String(number.reversed()) + String(repeating: "0", count: 24), services: new.services,
                user: new.user, created: 1_790_000_100, modified: 1_790_000_100,
                authenticator: new.authenticator.map { _ in true }, favorite: new.favorite, tags: new.tags ?? [],
                title: new.title, hasPassword: new.password.bytes.count > 0 ? nil : false)
            state.kept.append(
                .init(
                    item: item, password: new.password.bytes.testText, notes: new.notes?.bytes.testText,
                    link: new.authenticator?.bytes.testText))
            added.append(item)
        }
        return .init(items: added)
    }

    private static func edit(_ changes: ItemChanges, _ state: inout FakeDaemon.State) throws -> ItemAnswer {
        let place = try index(changes.id, state)
        if let services = changes.services { state.kept[place].item.services = services }
        if let strict = changes.strict { state.kept[place].item.strict = strict ? true : nil }
        if let title = changes.title { state.kept[place].item.title = title.isEmpty ? nil : title }
        if let user = changes.user { state.kept[place].item.user = user }
        func keepPast(_ text: String) {
            guard !state.kept[place].history.contains(where: { $0.password.bytes.testText == text }) else { return }
            state.kept[place].history.append(
                PasswordChange(date: 1_790_000_200, password: WireSecret(SecretBytes(utf8: text))))
        }
        if let password = changes.password {
            keepPast(state.kept[place].password)
            state.kept[place].password = password.bytes.testText
        }
        if let link = changes.authenticator {
            state.kept[place].link = link.bytes.testText
            state.kept[place].item.authenticator = true
        }
        if changes.favorite == true { state.kept[place].item.favorite = true }
        if let past = changes.pastPassword { keepPast(past.bytes.testText) }
        if let tags = changes.tags { state.kept[place].item.tags = tags }
        if let notes = changes.notes { state.kept[place].notes = notes.bytes.testText }
        return ItemAnswer(item: state.kept[place].item)
    }
}
