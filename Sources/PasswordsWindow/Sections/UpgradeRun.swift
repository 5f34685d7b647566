// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import CAdwaita
internal import MainLoop
internal import PasswordsModel
internal import ShownText

/// Changes passwords at their services, by the extensions of the services' apps, one after another.
@DesktopActor final class UpgradeRun {
    private let context: PageContext
    private var isStopped = false

    init(_ context: PageContext) {
        self.context = context
    }

    /// Asks the user once for all of them, changes what can be changed, and says what became of each.
    func run(_ accounts: [UpgradeStatement]) async throws {
        guard let first = accounts.first, await isWanted(accounts) else { return }
        let one = accounts.count == 1
        let planned = try await context.authenticated(
            Upgrades.Plan.self, .init(service: one ? first.service : nil, user: one ? first.user : nil),
            to: one ? "change this password" : "change these passwords"
        ).accounts.filter { plan in accounts.contains { $0.service == plan.service && $0.user == plan.user } }
        var record = UpgradeRecord()
        let progress = ProgressNotice(context, one ? "Upgrading the Password" : "Upgrading \(planned.count) Passwords")
        {
            self.isStopped = true
            self.context.say("The change that has begun goes on. The others are left alone.")
        }
        var isOver = false
        for (index, account) in planned.enumerated() {
            guard !isStopped, !isOver else {
                record.note(account, .notReached)
                continue
            }
            let name = UpgradeRecord.name(account)
            let heading = one ? name : "\(index + 1) of \(planned.count): \(name)"
            progress.say(heading)
            context.progressed = { step in
                if let sentence = Upgrades.Progress.sentence(of: step) { progress.say("\(heading)\n\(sentence)") }
            }
            do {
                _ = try await context.daemon.call(
                    Upgrades.Run.self, .init(service: account.service, user: account.user))
                record.note(account, .changed)
            } catch {
                let error = (error as? WireError) ?? WireError(.internalError, "Something went wrong.")
                record.note(account, .failed(PageContext.sentence(error)))
                isOver = UpgradeRecord.isEndOfAll(error)
            }
        }
        context.progressed = { _ in }
        progress.close()
        let sentences = planned.isEmpty ? ["No password can be changed any more."] : record.sentences
        Notice.show(context, "Upgrade", sentences.joined(separator: "\n"))
    }

    private func isWanted(_ accounts: [UpgradeStatement]) async -> Bool {
        let lines = accounts.prefix(Self.lineLimit).map { account in
            "\(UpgradeRecord.name(account)), by \(DisplayText(account.extension ?? "its app").text)"
        }
        let rest = accounts.count > lines.count ? ["\(accounts.count - lines.count) more"] : []
        let title = accounts.count == 1 ? "Upgrade This Password?" : "Upgrade \(accounts.count) Passwords?"
        let text =
            (["Each gets a new strong one, at the service and here, also where the old one is strong."] + lines + rest)
            .joined(separator: "\n")
        return await Question.ask(context, title, text, "Upgrade")
    }

    private static let lineLimit = 8
}
