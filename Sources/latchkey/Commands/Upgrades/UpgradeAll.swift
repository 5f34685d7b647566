// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import Synchronization
import TerminalRendering

/// `latchkey upgrade --all`: every account that can be changed, one after another. The failure of one is not the end of the others.
struct UpgradeAll {
    /// What became of an account.
    enum Outcome: String, Sendable {
        case changed
        /// It was begun and did not come to its end: both passwords may count.
        case failed
        /// It was not begun, and everything is as it was.
        case refused
        /// The user said no to this one.
        case canceled
        /// Its turn did not come.
        case notReached = "not-reached"
    }

    /// An account of the run.
    struct Entry: Sendable {
        let account: UpgradeStatement
        var outcome = Outcome.notReached
        /// Why it was not changed, in words of the daemon or the extension.
        var message: String?
    }

    let service: String?
    let lines: Bool
    let json: Bool
    let passphrase: PassphraseOptions

    /// What would be done, in the order in which it would be done.
    static func plan(service: String?, _ daemon: DaemonConnection) async throws -> [UpgradeStatement] {
        let listed = try await daemon.call(Upgrades.List.self, .init(service: service, ranked: true)).accounts
        return listed.filter { $0.refusal == nil }
    }

    func run() async throws {
        let desks = CurrentDesk()
        let daemon = try await DaemonConnection.open { method, params in try desks.answer(method, params) }
        // One act of the user for all of them.
        let accounts = try await daemon.authenticated(Upgrades.Plan.self, .init(service: service), passphrase).accounts
        var entries = accounts.map { Entry(account: $0) }
        let interruption = Interruption()
        interruption.begin()
        defer { interruption.end() }
        var end: CommandFailure?
        for index in entries.indices {
            if interruption.hasCome {
                end = CommandFailure(.canceled, "Ended before all of them had been changed.")
                break
            }
            let account = entries[index].account
            Output.note("\(index + 1) of \(entries.count): \(Self.name(account))")
            do {
                try await change(account, desks, daemon)
                entries[index].outcome = .changed
                Output.note("  It is a strong one now.")
            } catch {
                let (outcome, message) = Self.reading(error)
                entries[index].outcome = outcome
                entries[index].message = message
                Output.note("  \(message)")
                if let failure = Self.endOfAll(error) {
                    end = failure
                    break
                }
            }
        }
        if entries.contains(where: { $0.message != nil }) { await markUnsettled(&entries, daemon) }
        if json { Output.json(Self.json(entries)) }
        Output.note(Self.summary(entries))
        if let end { throw end }
        guard entries.allSatisfy({ $0.outcome == .changed }) else {
            throw CommandFailure(
                .refused, "Not all of the passwords were changed.",
                hint: entries.contains { $0.outcome == .failed } ? "See `latchkey upgrade --unsettled`." : nil)
        }
    }

    /// Of those that were not changed: where both passwords may count now, and where everything is as it was.
    private func markUnsettled(_ entries: inout [Entry], _ daemon: DaemonConnection) async {
        guard let unsettled = try? await daemon.call(Upgrades.List.self, .init(service: service)).unsettled else {
            return
        }
        for index in entries.indices where entries[index].message != nil {
            let account = entries[index].account
            if unsettled.contains(where: { $0.service == account.service && $0.user == account.user }) {
                entries[index].outcome = .failed
            } else if entries[index].outcome == .failed {
                entries[index].outcome = .refused
            }
        }
    }

    private func change(_ account: UpgradeStatement, _ desks: CurrentDesk, _ daemon: DaemonConnection) async throws {
        // A desk for each: what the one before had still to say is not taken for this one's.
        let desk = PromptDesk { step in
            if let sentence = Upgrades.Progress.sentence(of: step) { Output.note("  \(sentence)") }
        }
        desks.set(desk)
        let conversation = await InterfaceConversation(daemon, desk, lines: lines, passphrase)
        _ = try await conversation.run(Upgrades.Run.self, .init(service: account.service, user: account.user))
    }

    /// What an error says of the account that it is about.
    static func reading(_ error: any Error) -> (Outcome, String) {
        guard let error = error as? WireError else {
            return (.canceled, (error as? CommandFailure)?.message ?? "It was canceled.")
        }
        let outcome: Outcome =
            switch error.code {
            // Where nobody can say more, both passwords may count.
            case .timedOut, .providerUnavailable, .storageFailed, .providerExtension(0): .failed
            case .userCanceled: .canceled
            default: .refused
            }
        return (outcome, error.message)
    }

    /// Whether the others have no chance either.
    static func endOfAll(_ error: any Error) -> CommandFailure? {
        guard let error = error as? WireError else { return nil }
        switch error.code {
        case .locked, .notInitialized, .authenticationRequired, .wrongPassphrase, .tooManyAttempts, .notPermitted,
            .methodNotFound:
            return CommandFailure(error)
        default: return nil
        }
    }

    static func name(_ account: UpgradeStatement) -> String {
        "\(account.user) at \(account.service)" + (account.reason.map { " (\($0))" } ?? "")
    }

    static func summary(_ entries: [Entry]) -> String {
        guard !entries.isEmpty else { return "There is no account whose password can be changed from here." }
        func count(_ outcome: Outcome) -> Int { entries.count { $0.outcome == outcome } }
        let parts = [
            "\(count(.changed)) of \(entries.count) changed",
            count(.failed) > 0 ? "\(count(.failed)) failed, of which both passwords are kept" : nil,
            count(.refused) + count(.canceled) > 0
                ? "\(count(.refused) + count(.canceled)) left as \(count(.refused) + count(.canceled) == 1 ? "it was" : "they were")"
                : nil,
            count(.notReached) > 0 ? "\(count(.notReached)) not begun" : nil,
        ]
        return parts.compactMap(\.self).joined(separator: "; ") + "."
    }

    static func json(_ plan: [UpgradeStatement]) -> JSONText {
        .array(plan.map { .object(members($0)) })
    }

    private static func members(_ account: UpgradeStatement) -> [(String, JSONText)] {
        [
            ("service", .string(account.service)), ("user", .string(account.user)),
            ("provider", .string(account.provider)), ("extension", .optional(account.extension)),
            ("reason", .optional(account.reason)),
        ]
    }

    static func json(_ entries: [Entry]) -> JSONText {
        .array(
            entries.map { entry in
                .object(
                    members(entry.account) + [
                        ("outcome", .string(entry.outcome.rawValue)), ("message", .optional(entry.message)),
                    ])
            })
    }
}

/// The desk of the account whose turn it is, on a connection that outlives each of them.
final class CurrentDesk: Sendable {
    private let desk = Mutex<PromptDesk?>(nil)

    func set(_ new: PromptDesk) {
        desk.withLock { $0 = new }
    }

    func answer(_ method: String, _ params: JSONValue) throws -> JSONValue {
        guard let desk = desk.withLock({ $0 }) else {
            throw WireError(.methodNotFound, "The command line answers no \(method.prefix(64)).")
        }
        return try desk.answer(method, params)
    }
}
