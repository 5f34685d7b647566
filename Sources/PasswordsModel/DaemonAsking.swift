// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
package import ShownText

/// What the pages ask of the daemon.
package protocol DaemonAsking: Sendable {
    /// Asks with a method's own types.
    func call<M: WireMethod>(_ method: M.Type, _ params: M.Params) async throws -> M.Answer
}

extension DaemonAsking {
    package func call<M: WireMethod>(_ method: M.Type) async throws -> M.Answer where M.Params == Empty {
        try await call(method, Empty())
    }

    /// All accounts, or all that were deleted, page by page.
    ///
    /// - Parameters:
    ///   - isQuiet: Whether nobody has asked for them, which does not put off the idle lock then.
    ///   - first: Called with the first page where there are more.
    package func items(removed: Bool, isQuiet: Bool = false, first: @Sendable ([Item]) async -> Void) async throws
        -> [Item]
    {
        var items: [Item] = []
        var cursor: Int?
        repeat {
            let page = try await call(
                Items.List.self, ItemQuery(removed: removed ? true : nil, cursor: cursor, quiet: isQuiet ? true : nil))
            items += page.items
            if let next = page.cursor, next <= cursor ?? 0 { throw Self.samePage }
            if cursor == nil, page.cursor != nil { await first(items) }
            cursor = page.cursor
        } while cursor != nil
        return items
    }

    /// When and by whom an account's password was last used, as far as the audit log goes back; `nil` if it knows of no use.
    package func lastRelease(of item: Item) async throws -> (time: Int64, requester: DisplayText)? {
        var last: AuditLine?
        for service in item.services.prefix(Self.servicesLimit) {
            var cursor: Int?
            repeat {
                let page = try await call(Settings.Audit.self, .init(service: service, cursor: cursor))
                let used = page.lines.last { $0.event == "released" && $0.user == item.user && Self.isUse($0) }
                if let used, used.time >= last?.time ?? .min { last = used }
                if let next = page.cursor, next <= cursor ?? 0 { throw Self.samePage }
                cursor = page.cursor
            } while cursor != nil
        }
        return last.map { ($0.time, DisplayText($0.requester)) }
    }

    /// Whether a release was for signing in. What the user has only looked at or copied is not used yet.
    private static func isUse(_ line: AuditLine) -> Bool {
        // An account that another provider keeps by the same name is another one.
        guard line.provider == nil || line.provider == "org.latchkey.passwords" else { return false }
        guard let purpose = line.purpose else { return true }
        return purpose.hasPrefix("git, started by")
    }

    /// How many websites of one account are looked up in the audit log.
    private static var servicesLimit: Int { 4 }

    /// All recommendations, the most urgent first, and why known leaks were not looked through.
    package func recommendations() async throws -> Recommendations.List.Answer {
        var whole = try await call(Recommendations.List.self, .init())
        var cursor = whole.cursor
        while let from = cursor {
            let page = try await call(Recommendations.List.self, .init(cursor: from))
            whole.recommendations += page.recommendations
            if let next = page.cursor, next <= from { throw Self.samePage }
            cursor = page.cursor
        }
        return whole
    }

    private static var samePage: WireError { WireError(.internalError, "The daemon sends the same page again.") }
}
