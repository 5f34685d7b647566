// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import Logging

/// Says which new account was saved without a question, because Latchkey has made its password, and takes it back if the user wants that.
@DaemonActor final class SavedStrongPasswords: SessionObserver {
    private let broker: Broker
    private let items: SavedItems
    private var notifying: [Task<Void, Never>] = []

    init(_ broker: Broker, items: SavedItems) {
        self.broker = broker
        self.items = items
    }

    /// A lock ends what names an account.
    func sessionEnded() {
        for task in notifying { task.cancel() }
        notifying = []
    }

    /// Whether an account can be saved without a question: it is the first one of its host, the form names it, and the user hears of it.
    func canSaveUnasked(
        _ candidate: SaveBook.Candidate, made: SaveBook.Filled?, accounts: [SaveDecision.Account],
        savers: [BundleIdentifier]
    ) async -> Bool {
        guard let made, made.keeper == .builtIn, made.origin == candidate.origin.origin, savers == [.builtIn],
            accounts.isEmpty, candidate.kind == .new, candidate.oldPassword == nil, candidate.isNamedByForm,
            candidate.isUserSure, !candidate.user.isEmpty, candidate.origin.chain.isOfOneOrigin
        else { return false }
        return await broker.parts.desktop.notifications.haveButtons()
    }

    /// Says that the built-in provider has saved an account.
    ///
    /// - Parameter began: When saving began, in seconds since 1970. An older account was not saved by it.
    func announce(_ user: String, at origin: Origin, since began: Int64) {
        let task = Task {
            do {
                let item = try await newest(user, at: origin, since: began)
                let notification = DesktopNotification.saved(user, at: origin, canUndo: item != nil)
                guard await broker.parts.desktop.notifications.choice(for: notification) == .refuse, !Task.isCancelled,
                    let item
                else { return }
                try await takeBack(item)
            } catch {
                broker.logger.warning("what was saved cannot be taken back", metadata: ["error": "\(error)"])
            }
        }
        notifying.append(task)
        Task {
            await task.value
            notifying.removeAll { $0 == task }
        }
    }

    private func newest(_ user: String, at origin: Origin, since began: Int64) async throws -> Item? {
        var (newest, cursor): (Item?, Int?)
        repeat {
            let page: ItemPage = try await items.manage(
                Items.List.name, JSONValue(encoding: ItemQuery(search: user, cursor: cursor))
            ).withoutSecrets.decoded()
            newest =
                page.items.last {
                    $0.user == user && $0.created >= began && $0.services.contains { Origin(written: $0) == origin }
                } ?? newest
            cursor = page.cursor
        } while cursor != nil
        return newest
    }

    /// Removes an account that nobody has changed meanwhile. It is kept for 30 days like every removed one.
    private func takeBack(_ item: Item) async throws {
        let reference = try JSONValue(encoding: ItemReference(id: item.id))
        let now: ItemAnswer = try await items.manage(Items.Get.name, reference).withoutSecrets.decoded()
        guard now.item.modified == item.modified, now.item.removed == nil else {
            throw WireError(.refused, "It was changed in the meantime.")
        }
        _ = try await items.manage(Items.Remove.name, reference)
        broker.tellBrowsers()
    }
}
