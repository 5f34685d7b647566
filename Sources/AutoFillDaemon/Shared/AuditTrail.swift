// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillIPC
internal import AutoFillRelease
internal import Foundation
internal import Logging

/// Keeps and shows the audit log.
@DaemonActor final class AuditTrail: SessionObserver {
    let broker: Broker
    /// The faults of the audit log when it was opened after the unlock.
    private var auditFindings: [AuditFinding] = []
    /// The connections that follow the log.
    private var auditFollowers: Set<Int> = []
    private var isSettling = false

    init(_ broker: Broker) {
        self.broker = broker
    }

    func sessionBegan() {
        openAudit()
    }

    func sessionEnds() {
        settle()
    }

    func sessionClosed(wasUnlocked: Bool) async {
        if wasUnlocked { tellAuditFollowers() }
    }

    func clientLeft(_ client: ClientConnection) {
        auditFollowers.remove(client.number)
    }

    /// Opens the log with the current keys, and logs its faults.
    private func openAudit() {
        guard let keys = broker.unlocked else { return }
        broker.audit.whenAppended { [weak self] in
            Task { await self?.auditGrew() }
        }
        do {
            auditFindings = try broker.audit.open(seed: keys.auditSeed, head: keys.registry.audit)
            broker.audit.note(registry: keys.registry.count)
            if let jump = try broker.audit.noteClock(at: broker.time.date()) {
                broker.logger.warning(
                    "the clock has jumped, or Latchkey was not used for long", metadata: ["clock": "\(jump)"])
            }
            // Faults that the files will no longer show are kept as a line.
            let lasting = broker.audit.findings(seed: keys.auditSeed, head: nil)
            let passing = auditFindings.filter { !lasting.contains($0) }
            if !passing.isEmpty {
                let reasons = passing.prefix(8).map(\.message).joined(separator: " ")
                try broker.audit.append(
                    AuditLine(time: broker.time.date(), event: "damaged", requester: "latchkeyd", reason: reasons))
            }
            if let older = keys.registry.older, !older.isLogged {
                let since = broker.audit.firstChange(after: keys.registry.count, seed: keys.auditSeed)
                try broker.audit.append(
                    AuditLine(
                        time: broker.time.date(), event: "older", requester: "latchkeyd",
                        reason: "the registry is an older copy, which lacks \(older.changes) changes"))
                try broker.change { try $0.registry.noteOlder(since: since) }
                broker.logger.warning("the registry is an older copy", metadata: ["lacks": "\(older.changes)"])
            }
            if keys.registry.restored != nil {
                try broker.audit.append(
                    AuditLine(
                        time: broker.time.date(), event: "restored", requester: "latchkeyd",
                        authentication: UserAct.Authentication.passphrase.rawValue, reason: "a backup was put in place")
                )
                try broker.change { try $0.registry.forgetRestored() }
            }
        } catch {
            broker.logger.error("the audit log cannot be kept: nothing will be released")
        }
        for finding in auditFindings { broker.logger.error("audit log", metadata: ["finding": "\(finding.message)"]) }
        settle()
    }

    /// The lines that match a query, a page at a time.
    func auditLines(_ params: Settings.Audit.Params, on client: ClientConnection? = nil) throws
        -> Settings.Audit.Answer
    {
        let keys = try broker.requireUnlocked()
        if params.follow == true, let client { auditFollowers.insert(client.number) }
        let page = broker.audit.lines(seed: keys.auditSeed, from: params.cursor ?? 1, limit: 1_000) { line in
            line.time >= params.since ?? .min && (params.service == nil || line.service == params.service)
        }
        let isIntact = findings(keys).isEmpty
        let isLast = page.next >= page.end
        if isLast { broker.audit.forgetPages() }
        return .init(lines: page.lines, intact: isIntact, cursor: isLast ? nil : page.next, next: page.end)
    }

    func verifyAudit() throws -> Settings.VerifyAudit.Answer {
        let keys = try broker.requireUnlocked()
        broker.audit.forgetPages()
        defer { broker.audit.forgetPages() }
        let findings = findings(keys)
        let head = broker.audit.head
        return .init(
            intact: findings.isEmpty, first: (head?.first ?? 0) + 1, next: (head?.count ?? 0) + 1, findings: findings)
    }

    /// The faults that the log has now and those it had at the unlock.
    private func findings(_ keys: UnlockedKeys) -> [AuditFinding] {
        let now = broker.audit.findings(seed: keys.auditSeed, head: keys.registry.audit)
        return auditFindings.filter { !now.contains($0) } + now
    }

    /// Called for a new line: tells the followers at once, and writes the head of the log soon.
    private func auditGrew() async {
        tellAuditFollowers()
        guard !isSettling else { return }
        isSettling = true
        try? await Task.sleep(for: .milliseconds(100))
        isSettling = false
        await settleElsewhere()
    }

    private func tellAuditFollowers() { tellFollowers(Settings.AuditChanged.name) }

    /// Tells those who follow the log that saved accounts have changed.
    func itemsChanged() { tellFollowers(Items.Changed.name) }

    private func tellFollowers(_ method: String) {
        for number in auditFollowers { broker.clients[number]?.peer?.notify(method) }
    }

    /// Writes the head of the log into the registry, which releases do not wait for.
    private func settle() {
        guard let session = broker.session else { return }
        let audit = broker.audit
        report { try session.change { try Self.settle(audit, in: &$0.registry) } }
    }

    /// As `settle`, on another thread.
    private func settleElsewhere() async {
        guard let session = broker.session else { return }
        let audit = broker.audit
        do {
            try await session.changeRegistry { try Self.settle(audit, in: &$0) }
        } catch {
            report { throw error }
        }
    }

    private nonisolated static func settle(_ audit: AuditLog, in registry: inout SealedRegistry) throws {
        try audit.settle { head in if head.count > 0 { try registry.setAudit(head) } }
    }

    private func report(_ body: () throws -> Void) {
        do {
            try body()
        } catch {
            broker.logger.error("the registry cannot be written; this release will be confirmed again")
        }
    }

    /// Remembers that a credential went to an origin. The call does not wait for the write: after a crash the user confirms once more.
    func remember(_ digest: Data) {
        broker.unlocked?.registry.noteReleased(digest)
        Task { await self.settleElsewhere() }
    }
}
