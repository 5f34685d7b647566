// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillRelease
internal import Foundation
internal import Logging

/// Keeping and showing the audit log.
extension Broker {
    /// Takes the log up with the keys that are there now, and says what is wrong with it.
    func openAudit() {
        guard let keys = unlocked else { return }
        audit.whenAppended { [weak self] in
            Task { await self?.auditGrew() }
        }
        do {
            auditFindings = try audit.open(seed: keys.auditSeed, head: keys.registry.audit)
            audit.note(registry: keys.registry.count)
            // What the files no longer show after this is kept as a line.
            let lasting = audit.findings(seed: keys.auditSeed, head: nil)
            let passing = auditFindings.filter { !lasting.contains($0) }
            if !passing.isEmpty {
                let reasons = passing.prefix(8).map(\.message).joined(separator: " ")
                try audit.append(
                    AuditLine(time: time.date(), event: "damaged", requester: "latchkeyd", reason: reasons))
            }
            if keys.registry.restored != nil {
                try audit.append(
                    AuditLine(
                        time: time.date(), event: "restored", requester: "latchkeyd",
                        authentication: UserAct.Authentication.passphrase.rawValue, reason: "a backup was put in place")
                )
                try unlocked?.registry.forgetRestored()
            }
        } catch {
            logger.error("the audit log cannot be kept: nothing will be released")
        }
        for finding in auditFindings { logger.error("audit log", metadata: ["finding": "\(finding.message)"]) }
        settle()
    }

    /// Lines that fit, a page at a time.
    func auditLines(_ params: Settings.Audit.Params, on client: ClientConnection? = nil) throws
        -> Settings.Audit.Answer
    {
        let keys = try requireUnlocked()
        if params.follow == true, let client { auditFollowers.insert(client.number) }
        let page = audit.lines(seed: keys.auditSeed, from: params.cursor ?? 1, limit: 1_000) { line in
            line.time >= params.since ?? .min && (params.service == nil || line.service == params.service)
        }
        return .init(
            lines: page.lines, intact: findings(keys).isEmpty, cursor: page.next < page.end ? page.next : nil,
            next: page.end)
    }

    func verifyAudit() throws -> Settings.VerifyAudit.Answer {
        let keys = try requireUnlocked()
        let findings = findings(keys)
        let head = audit.head
        return .init(
            intact: findings.isEmpty, first: (head?.first ?? 0) + 1, next: (head?.count ?? 0) + 1, findings: findings)
    }

    /// What is wrong now, and what was wrong when it was unlocked.
    private func findings(_ keys: UnlockedKeys) -> [AuditFinding] {
        let now = audit.findings(seed: keys.auditSeed, head: keys.registry.audit)
        return auditFindings.filter { !now.contains($0) } + now
    }

    /// There is another line: whoever follows is told at once, and where the log stands is written down soon.
    private func auditGrew() async {
        tellAuditFollowers()
        guard !isSettling else { return }
        isSettling = true
        try? await Task.sleep(for: .milliseconds(100))
        isSettling = false
        settle()
    }

    func tellAuditFollowers() {
        for number in auditFollowers { clients[number]?.peer?.notify(Settings.AuditChanged.name) }
    }

    /// Writes down what releases left to be written: where the log stands.
    func settle() {
        guard unlocked != nil else { return }
        do {
            try audit.settle { head in
                if head.count > 0 { try unlocked?.registry.setAudit(head) }
            }
        } catch {
            logger.error("the registry cannot be written; what was released now is confirmed again")
        }
    }
}
