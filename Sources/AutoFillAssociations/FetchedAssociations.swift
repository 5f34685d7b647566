// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillIPC

/// Asks `latchkey-fetch`.
///
/// What it answers has been read in its own process, and is held to its bounds here all the same.
public struct FetchedAssociations: AssociationFetching {
    /// The job's request, and its answer.
    typealias Fetch = @Sendable (JSONValue) async throws -> JSONValue

    /// Three downloads that take all the time they have, and starting the process.
    private static let patience = Duration.seconds(60)
    private static let stepLimit = 8
    private static let appLimit = 10_000
    private static let textLimit = 1_000

    private let fetch: Fetch

    public init(_ process: FetchProcess) {
        self.init { request in
            try await process.run(AssociationFetch.job, request, patience: Self.patience)
        }
    }

    init(_ fetch: @escaping Fetch) {
        self.fetch = fetch
    }

    /// Has a process of its own ask. Whatever keeps that from answering is trouble, never a no.
    public func ask(_ question: AssociationQuestion) async -> AssociationAnswer {
        do {
            return try Self.answer(try await fetch(Self.request(question)).decoded())
        } catch let error as WireError {
            return Self.trouble(error.message)
        } catch {
            return Self.trouble("latchkey-fetch does not answer")
        }
    }

    static func request(_ question: AssociationQuestion) throws -> JSONValue {
        let modes = [(AssociatedDomain.Mode.developer, "developer"), (.managed, "managed")]
        return try JSONValue(
            encoding: AssociationFetch.Request(
                host: question.host, mode: modes.filter { question.mode.contains($0.0) }.map(\.1),
                source: question.source.description))
    }

    static func answer(_ answer: AssociationFetch.Answer) throws -> AssociationAnswer {
        guard answer.steps.count <= stepLimit, (answer.apps?.count ?? 0) <= appLimit else {
            return trouble("latchkey-fetch answers too much")
        }
        let requests = answer.steps.compactMap { step in
            AssociationAnswer.Request.Kind(rawValue: step.kind).map {
                AssociationAnswer.Request(url: plain(step.url), outcome: plain(step.outcome), kind: $0)
            }
        }
        switch (answer.apps, answer.denied, answer.trouble) {
        case (let apps?, nil, nil):
            return AssociationAnswer(requests: requests, finding: .apps(apps))
        case (nil, let reason?, nil):
            return AssociationAnswer(requests: requests, finding: .denied(AssociationDenial(reason: plain(reason))))
        case (nil, nil, let reason?):
            return AssociationAnswer(requests: requests, finding: .trouble(AssociationTrouble(reason: plain(reason))))
        default:
            // Two answers at once are none: nothing is approved by what cannot be understood.
            return trouble("latchkey-fetch gave an invalid answer")
        }
    }

    private static func trouble(_ reason: String) -> AssociationAnswer {
        AssociationAnswer(requests: [], finding: .trouble(AssociationTrouble(reason: plain(reason))))
    }

    private static func plain(_ text: String) -> String {
        String(text.unicodeScalars.prefix(textLimit).map { (0x20...0x7E).contains($0.value) ? Character($0) : "?" })
    }
}
