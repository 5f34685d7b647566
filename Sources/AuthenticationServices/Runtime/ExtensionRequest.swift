// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets

/// One request with the view controller that serves it.
@MainActor
final class ExtensionRequest {
    /// So many bytes of rows are sent at most; a list has to fit into one message.
    static let listSizeLimit = Frame.maximumSize - 65536

    /// What surrounds the texts of a row or a section, in bytes at most.
    private static let overhead = 80

    let controller: ASCredentialProviderViewController
    let ending = RequestEnding()
    private var rows: [String: (list: ListView, row: ListView.Row)] = [:]
    private var isSelecting = false

    /// Gives the controller its context.
    init(controller: ASCredentialProviderViewController) {
        self.controller = controller
        let context = ASCredentialProviderExtensionContext(ending: ending)
        // Set here too, for controllers that override `beginRequest` and forget `super`.
        controller.requestContext = context
        controller.beginRequest(with: context)
    }

    /// Waits for the credential; throws what the provider cancelled with.
    func credential() async throws(WireError) -> CredentialAnswer {
        switch await ending.wait() {
        case .credential(let user, let password):
            return CredentialAnswer(
                credential: CredentialStatement(type: "password", user: user, password: WireSecret(password))
            )
        case .configured: throw .providerFailed("It ended a configuration that nobody asked for.")
        case .failure(let error): throw error
        }
    }

    /// Has the interface prepared and waits until it shows a list.
    func list(for services: [ASCredentialServiceIdentifier]) async throws(WireError) -> [ListSection] {
        controller.loadViewIfNeeded()
        controller.prepareCredentialList(for: services)
        controller.viewWillAppear(false)
        controller.viewDidAppear(false)
        let (changes, changed) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        controller.onInterfaceChange = { changed.yield() }
        defer { controller.onInterfaceChange = nil }
        let ending = ending
        Task {
            _ = await ending.wait()
            changed.finish()
        }
        changed.yield()
        for await _ in changes {
            if ending.outcome != nil { break }
            guard let list = controller.topmost.view.firstList, let sections = list.sections else { continue }
            return state(sections, of: list)
        }
        throw endWithoutChoice ?? .providerFailed("It showed nothing.")
    }

    /// Tells the list that a row was chosen. Throws when there is no such row, or the request has ended without a
    /// choice.
    func select(row identifier: String) throws(WireError) {
        guard !isSelecting else { throw WireError(.busy, "A row has been chosen already.") }
        if let endWithoutChoice { throw endWithoutChoice }
        guard let (list, row) = rows[identifier] else { throw WireError(.notFound, "There is no such row.") }
        guard let onSelect = list.onSelect else { throw .providerFailed("Its list does nothing.") }
        isSelecting = true
        onSelect(row)
    }

    /// Whether the request is over though no row has been chosen.
    var hasEndedUnchosen: Bool { !isSelecting && ending.outcome != nil }

    /// Lets go of everything that still waits for the request.
    func close() {
        ending.finish(.failure(.providerAnswer(.userCanceled)))
    }

    /// Why there is nothing more to choose: a credential that comes before the user's choice is none.
    private var endWithoutChoice: WireError? {
        switch ending.outcome {
        case nil: nil
        case .failure(let error): error
        case .credential, .configured: .providerFailed("It ended the request before anything was chosen.")
        }
    }

    /// The list as it travels. Rows are named by their place, so that the provider's own names stay with it.
    private func state(_ sections: [ListView.Section], of list: ListView) -> [ListSection] {
        var size = 0
        return sections.enumerated().map { section, content in
            size += content.title.wireSize + Self.overhead
            var stated = ListSection(title: content.title, rows: [])
            for (index, row) in content.rows.enumerated() {
                let identifier = "\(section).\(index)"
                size += row.title.wireSize + row.subtitle.wireSize + Self.overhead
                guard size <= Self.listSizeLimit else { break }
                rows[identifier] = (list, row)
                stated.rows.append(ListRow(id: identifier, title: row.title, subtitle: row.subtitle))
            }
            return stated
        }
    }
}
