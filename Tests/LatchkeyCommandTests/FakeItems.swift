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
            let same = try guesses.map { state.kept[try index($0.id, state)].password == $0.password.bytes.testText }
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
            return (item.services + [item.user]).contains { $0.contains(search) }
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
                user: new.user, created: 1_790_000_100, modified: 1_790_000_100)
            state.kept.append(
                .init(item: item, password: new.password.bytes.testText, notes: new.notes?.bytes.testText))
            added.append(item)
        }
        return .init(items: added)
    }

    private static func edit(_ changes: ItemChanges, _ state: inout FakeDaemon.State) throws -> ItemAnswer {
        let place = try index(changes.id, state)
        if let services = changes.services { state.kept[place].item.services = services }
        if let strict = changes.strict { state.kept[place].item.strict = strict ? true : nil }
        if let user = changes.user { state.kept[place].item.user = user }
        if let password = changes.password { state.kept[place].password = password.bytes.testText }
        if let notes = changes.notes { state.kept[place].notes = notes.bytes.testText }
        return ItemAnswer(item: state.kept[place].item)
    }
}
