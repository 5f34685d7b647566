// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAssociations
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillRelease
internal import AutoFillSecrets
internal import ShownText

/// The chooser shown to the user when an app asks for a password or a code. A renderer draws it, never the app.
struct AppChooser: Sendable {
    /// A password, or a code, that may go to the app.
    struct Row: Sendable, Hashable {
        let provider: BundleIdentifier
        let identity: CredentialIdentity
        /// The provider's name, where there are several.
        let providerName: String?
        /// Whether this is a code whose message binds it to no site.
        var isUnbound = false

        /// The host that it was saved for.
        var host: String { Origin(written: identity.service.value)?.host ?? identity.service.value }
    }

    /// The outcome of a user act in the chooser.
    enum Outcome: Equatable {
        case chosen(Row)
        /// Show this provider's own list.
        case list(BundleIdentifier)
        /// The interface has changed: redraw it.
        case redraw
        case nothing
    }

    /// Rows that are drawn at once; the rest is searched for.
    static let limit = 100
    private static let list = "passwords"
    private static let more = "more-"

    let app: VerifiedApp
    /// The sites' answers, one line each, when no site has confirmed the app.
    let problems: [String]
    /// The rows with their names. A row keeps its name while it is listed, and a name is never reused for another row.
    private var rows: [(name: Int, row: Row)] = []
    private var nextName = 0
    /// Whether the search field is shown. Once shown it stays, so that it does not vanish while the user types.
    private var isSearchable = false
    /// The credential type that the app asks for.
    var type = CredentialType.password
    /// The providers whose own lists the user can open.
    var lists: [ProviderName] = []
    /// The hosts of codes that have come and are not for this app.
    var withheld: [String] = []
    private var search = ""

    init(app: VerifiedApp, rows: [Row], problems: [String]) {
        self.app = app
        self.problems = problems
        put(rows)
    }

    /// Replaces the rows, and returns whether the interface has to be redrawn.
    mutating func replace(_ rows: [Row]) -> Bool {
        let before = interface
        put(rows)
        return interface != before
    }

    private mutating func put(_ new: [Row]) {
        var names = Dictionary(grouping: rows.reversed()) { $0.row }.mapValues { $0.map { $0.name } }
        rows = new.map { row in
            if let name = names[row]?.popLast() { return (name: name, row: row) }
            defer { nextName += 1 }
            return (name: nextName, row: row)
        }
        isSearchable = isSearchable || rows.count > 12
    }

    private var found: [(name: Int, row: Row)] {
        let words = search.lowercased()
        return rows.filter { _, row in
            words.isEmpty || row.identity.user.lowercased().contains(words) || row.host.contains(words)
        }
    }

    var interface: InterfaceStatement {
        var elements = [
            InterfaceElement(
                kind: "message", id: "app",
                text: InterfaceStatement.clipped(
                    "\(app.identifier.bundle) asks for a \(type == .oneTimeCode ? "code" : "password"). It is \(app.program.path)."
                ))
        ]
        if rows.isEmpty {
            let nothing =
                type == .oneTimeCode
                ? "No code for this app has arrived." : "No saved password is for this app."
            let sentences = problems.isEmpty ? [nothing] : problems
            for (index, sentence) in sentences.prefix(16).enumerated() {
                elements.append(.init(kind: "message", id: "none-\(index)", text: InterfaceStatement.clipped(sentence)))
            }
        }
        let sections = [
            listed, lists.map { ListRow(id: Self.more + $0.identifier, title: Self.title($0), subtitle: "") },
        ]
        .filter { !$0.isEmpty }.map { ListSection(title: "", rows: $0) }
        if !rows.isEmpty || !sections.isEmpty {
            elements.append(
                .init(kind: "list", id: Self.list, sections: sections, search: isSearchable, more: false))
        }
        for (index, host) in withheld.prefix(4).enumerated() {
            elements.append(
                .init(
                    kind: "message", id: "withheld-\(index)",
                    text: InterfaceStatement.clipped("A code for \(host) has come too; it is not for this app.")))
        }
        return InterfaceStatement(title: "Sign in", elements: elements)
    }

    /// The rows that match the search, as list rows.
    private var listed: [ListRow] {
        found.prefix(Self.limit).map { name, row in
            ListRow(
                id: String(name),
                title: InterfaceStatement.clipped(row.identity.user.isEmpty ? "(no user name)" : row.identity.user),
                subtitle: InterfaceStatement.clipped(
                    [row.isUnbound ? "not bound to a site" : row.host, row.providerName].compactMap(\.self).joined(
                        separator: ", ")))
        }
    }

    private static func title(_ provider: ProviderName) -> String { "More in \(provider.name.text.prefix(128))…" }

    /// Handles a user act.
    mutating func take(_ act: InterfaceAct) -> Outcome {
        guard act.element == Self.list else { return .nothing }
        switch act.action {
        case "select":
            if let more = lists.first(where: { Self.more + $0.identifier == act.row }) {
                return BundleIdentifier(more.identifier).map { .list($0) } ?? .nothing
            }
            guard let chosen = rows.first(where: { String($0.name) == act.row }) else { return .nothing }
            return .chosen(chosen.row)
        case "search":
            guard let text = act.text else { return .nothing }
            search = text.bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
            return .redraw
        default: return .nothing
        }
    }

    /// The question whether a program is the app that it states to be.
    static func question(
        _ claim: AppEntitlement, _ program: CallerProgram, before: AppDecision?
    ) -> InterfaceStatement {
        // Limited, because a clipped text keeps its end: a long list would cut off the identifier before it.
        let domains = claim.domains.prefix(4).map { String($0.prefix(64)) }
        let others = claim.domains.count > domains.count ? " and \(claim.domains.count - domains.count) more" : ""
        var elements = [
            InterfaceElement(
                kind: "message", id: "path",
                text: InterfaceStatement.clipped("The program \(program.path) asks for a password.")),
            InterfaceElement(
                kind: "message", id: "claim",
                text: InterfaceStatement.clipped(
                    "It says that it is \(claim.identifier)"
                        + (domains.isEmpty ? "." : ", for \(domains.joined(separator: ", "))\(others).")
                        + " Latchkey cannot verify this: users other than root can change the file.")),
        ]
        if let before {
            elements.append(
                .init(
                    kind: "message", id: "before",
                    text: before.isAllowed
                        ? "You have said yes to it before, and it has changed since."
                        : "You have said no to it before, and it has changed since."))
        }
        elements.append(.init(kind: "message", id: "digest", text: "SHA-256 \(program.digest)"))
        elements.append(.init(kind: "button", id: "allow", label: "Allow", enabled: true))
        elements.append(.init(kind: "button", id: "refuse", label: "Do not allow", enabled: true))
        return InterfaceStatement(title: "An unknown app", elements: elements)
    }

    /// The interface shown while the app's sites are asked.
    static let waiting = InterfaceStatement(
        title: "Sign in",
        elements: [InterfaceElement(kind: "progress", id: "wait", label: "Asking the app's sites")])
}
