// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets

/// What every version of the file has.
struct AssociationFileVersion: Decodable {
    var version: Int
}

/// The shape of the file, before it is sealed. What it holds passes through the same readers as what comes from outside.
struct AssociationFileContent: Codable {
    struct App: Codable {
        var identifier: String
        var isDebugBuild: Bool?
        var domains: [Domain]
    }

    struct Domain: Codable {
        var entry: String
        var isStatedByApp: Bool?
        var isAddedByUser: Bool?
        var isRemoved: Bool?
        var approved: Int64?
        var checked: Int64?
        var next: Int64
        var failures: Int?
        var denial: String?
        var trouble: String?
    }

    struct Line: Codable {
        var number: Int
        var time: Int64
        var text: String
    }

    var version = 1
    var isDeveloperModeOn: Bool?
    var source: String?
    var apps: [App]
    var log: [Line]

    init(_ content: AssociationBook.Content) {
        isDeveloperModeOn = content.isDeveloperModeOn
        source = content.source.description
        apps = content.apps.map { app in
            App(
                identifier: app.identifier.rawValue, isDebugBuild: app.isDebugBuild,
                domains: app.domains.map { record in
                    Domain(
                        entry: record.domain.description, isStatedByApp: record.isStatedByApp,
                        isAddedByUser: record.isAddedByUser, isRemoved: record.isRemoved,
                        approved: record.state.approved, checked: record.state.checked, next: record.state.next,
                        failures: record.state.failures, denial: record.state.denial?.reason,
                        trouble: record.state.trouble?.reason)
                })
        }
        log = content.log.lines.map { Line(number: $0.number, time: $0.time, text: $0.text) }
    }

    /// What an older or newer reading does not understand is left out: an association less, never one more.
    var content: AssociationBook.Content {
        var content = AssociationBook.Content()
        content.isDeveloperModeOn = isDeveloperModeOn ?? false
        content.source = source.flatMap(AssociationSource.init) ?? .direct
        content.log = AssociationLog(lines: log.map { .init(number: $0.number, time: $0.time, text: $0.text) })
        content.apps = apps.compactMap { app in
            guard let identifier = AppIdentifier(app.identifier) else { return nil }
            return AssociationBook.App(
                identifier: identifier, isDebugBuild: app.isDebugBuild ?? false,
                domains: app.domains.compactMap { record in
                    guard let domain = try? AssociatedDomain(entry: record.entry) else { return nil }
                    var state = AssociationState(declared: record.next)
                    state.approved = record.approved
                    state.checked = record.checked
                    state.failures = max(0, record.failures ?? 0)
                    state.denial = record.denial.map(AssociationDenial.init)
                    state.trouble = record.trouble.map(AssociationTrouble.init)
                    return AssociationBook.Domain(
                        domain: domain, isStatedByApp: record.isStatedByApp ?? false,
                        isAddedByUser: record.isAddedByUser ?? false, isRemoved: record.isRemoved ?? false, state: state
                    )
                })
        }
        return content
    }
}
