// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import FormAnalysis
import FormStatements
import FoundationEssentials
import TerminalRendering

/// What a page's site was asked, and what it said.
struct SiteSeen {
    let address: String
    let steps: [SiteFetch.Step]
    let facts: SiteFacts

    var json: JSONText {
        .object([
            ("address", .string(address)),
            (
                "asked",
                .array(
                    steps.map { .object([("address", .string($0.address)), ("outcome", .string($0.outcome))]) })
            ),
            ("changePassword", Self.json(facts.changePassword)), ("association", Self.json(facts.association)),
            ("assetLinks", Self.json(facts.assetLinks)),
        ])
    }

    /// One word; nothing where nobody asked.
    private static func json(_ file: SiteFacts.File) -> JSONText {
        switch file {
        case .unasked: .null
        case .absent: .string("absent")
        case .faulty: .string("faulty")
        case .present: .string("present")
        case .unknown: .string("unknown")
        }
    }

    var lines: [String] {
        ["  the site was asked"]
            + steps.map { "    \(TerminalText.escaped($0.address)): \(TerminalText.escaped($0.outcome))" }
    }
}

/// Asks a site for a page, by `latchkey-fetch`.
struct SiteAsking {
    private let process: FetchProcess

    init() throws(CommandFailure) {
        let environment = ProcessInfo.processInfo.environment
        let bubblewrap = Bubblewrap(environment: environment)
        if let reason = bubblewrap.reason {
            Output.note("Note: the downloaded files are read without a sandbox: \(reason).")
        }
        process = FetchProcess(
            programFolder: DaemonConnector.programFolder, bubblewrap: bubblewrap,
            configurationFolder: try DaemonConnection.directories().config)
    }

    func ask(_ address: String) async throws(CommandFailure) -> PageSource.Found {
        let answer: SiteFetch.Answer
        do throws(WireError) {
            let request = JSONValue.object(["address": .string(address)])
            answer = try await process.run(SiteFetch.job, request, maximumAnswer: SiteFetch.maximumAnswer).decoded()
        } catch {
            throw CommandFailure(error)
        }
        if let page = answer.page {
            return .init(
                name: address, page: page,
                site: SiteSeen(address: address, steps: answer.steps, facts: answer.facts))
        }
        guard let refusal = answer.refusal else {
            throw CommandFailure(.malfunction, "latchkey-fetch has no result for \(address).")
        }
        let status: ExitStatus =
            switch refusal.kind {
            case .refused: .refused
            case .absent: .notFound
            case .unavailable: .unavailable
            }
        throw CommandFailure(status, "\(address): \(refusal.reason)", hint: refusal.hint)
    }
}
