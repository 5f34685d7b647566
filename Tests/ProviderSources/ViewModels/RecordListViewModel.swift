// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices

struct Record: Codable, Equatable, Sendable {
    var id: String
    var site: String
    var name: String
    var secret: String
}

protocol RecordRepository: Sendable {
    func records(for sites: [String]) async throws -> [Record]
    func record(id: String) async throws -> Record?
}

struct EmptyRepository: RecordRepository {
    func records(for sites: [String]) async throws -> [Record] {
        try await Task.sleep(nanoseconds: 1_000_000)
        return []
    }

    func record(id: String) async throws -> Record? {
        nil
    }
}

@MainActor
final class RecordListViewModel: ViewModel {
    let state = Observable<LoadingState<[Record]>>(.idle)
    private let repository: RecordRepository
    private let sites: [String]

    init(repository: RecordRepository, services: [ASCredentialServiceIdentifier]) {
        self.repository = repository
        sites = services.map(\.identifier)
    }

    func load() async {
        state.value = .loading
        do {
            state.value = .loaded(try await repository.records(for: sites))
        } catch {
            state.value = .failed(error)
        }
    }
}
