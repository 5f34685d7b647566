// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import Foundation
import Synchronization
import Testing

@testable import AutoFillAssociations

/// A site's network and a clock, both turned by hand.
final class FakeSites: AssociationFetching {
    private struct State {
        var now: Int64 = 1_790_000_000
        var findings: [String: AssociationAnswer.Finding] = [:]
        var asked: [AssociationQuestion] = []
        var holds = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var now: Int64 { state.withLock { $0.now } }

    var asked: [AssociationQuestion] { state.withLock { $0.asked } }

    /// The hosts that were asked since this was last called.
    func takeAsked() -> [String] {
        state.withLock { state in
            defer { state.asked = [] }
            return state.asked.map(\.host).sorted()
        }
    }

    func pass(seconds: Int64) {
        state.withLock { $0.now += seconds }
    }

    func set(_ host: String, apps: [String]) {
        state.withLock { $0.findings[host] = .apps(apps) }
    }

    func deny(_ host: String, _ reason: String = "404 Not Found") {
        state.withLock { $0.findings[host] = .denied(AssociationDenial(reason: reason)) }
    }

    func fail(_ host: String, _ reason: String = "503 Service Unavailable") {
        state.withLock { $0.findings[host] = .trouble(AssociationTrouble(reason: reason)) }
    }

    /// From now on, nobody is answered before `release()`.
    func hold() {
        state.withLock { $0.holds = true }
    }

    var waiterCount: Int { state.withLock { $0.waiting.count } }

    func release() {
        let waiting = state.withLock { state in
            state.holds = false
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func ask(_ question: AssociationQuestion) async -> AssociationAnswer {
        let (finding, holds) = state.withLock { state in
            state.asked.append(question)
            return (state.findings[question.host], state.holds)
        }
        if holds {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.holds { state.waiting.append(continuation) }
                    return !state.holds
                }
                if isOver { continuation.resume() }
            }
        }
        let url = "https://\(question.host)/.well-known/apple-app-site-association"
        switch finding {
        case .apps(let apps)?:
            return AssociationAnswer(
                requests: [.init(url: url, outcome: "200 OK", kind: .delivered)], finding: .apps(apps))
        case .denied(let denial)?:
            return AssociationAnswer(
                requests: [.init(url: url, outcome: denial.reason, kind: .denied)], finding: .denied(denial))
        case .trouble(let trouble)?:
            return AssociationAnswer(
                requests: [.init(url: url, outcome: trouble.reason, kind: .failed)], finding: .trouble(trouble))
        case nil:
            return AssociationAnswer(requests: [], finding: .trouble(AssociationTrouble(reason: "no such host")))
        }
    }
}

/// A book in a folder of its own.
final class BookShelf: Sendable {
    let folder: String
    let sites = FakeSites()
    let key = SealKey.random()

    var path: String { folder + "/associations" }

    init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/latchkey-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Opens the book as it is on disk.
    func book(
        _ key: SealKey? = nil, administration: AssociationAdministration = AssociationAdministration()
    ) throws -> AssociationBook {
        try AssociationBook(
            path: path, key: key ?? self.key, fetcher: sites, administration: administration,
            isPublicSuffix: { ["com", "co.uk", "github.io"].contains($0) }, now: { [sites] in sites.now })
    }
}

extension AppIdentifier {
    static func shiny() throws -> AppIdentifier { try #require(AppIdentifier("E5336VM85F.com.example.Shiny")) }

    static func other() throws -> AppIdentifier { try #require(AppIdentifier("ABCDE12345.com.example.Other")) }
}

let day: Int64 = 86_400
let shinyHost = "shiny.example.com"
let shinyText = "E5336VM85F.com.example.Shiny"
