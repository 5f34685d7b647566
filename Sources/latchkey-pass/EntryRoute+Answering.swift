// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AuthenticationServices
internal import Foundation
internal import PassStore

extension EntryRoute {
    /// The credential for an identity, nobody being asked.
    ///
    /// It is given only when the entry, as it is now, is for this service and this very user. Where the user stands
    /// inside and is another one, or where there is something that the user can mend (a locked key, no agent), the
    /// interface is to say so.
    func answer(quietly claim: EntryKnowledge.Claim) async -> EntryAnswer {
        guard let name = EntryName(claim.record), known.mayName(claim.user, name),
            known.services(of: name).isFor(claim)
        else { return .notFound }
        do {
            switch try await open(name, isAsking: false, limit: Self.quietLimit).opened {
            case .refused: return .interactionRequired
            case .text(let text):
                guard known.services(of: name).isFor(claim) else { return .notFound }
                if claim.isCode { return text.hasCode ? code(of: text) : .notFound }
                guard text.user ?? EntryLayout(name).user == claim.user else {
                    // The daemon learns the user's name before the refusal, so that git, which has no window, can ask again with it.
                    await reported()
                    return .interactionRequired
                }
                return .credential(user: claim.user, password: SecretText(text.password))
            }
        } catch {
            return EntryAnswer(error)
        }
    }

    /// The credential of an entry that the user has chosen or agreed to; gpg-agent may ask for the key.
    ///
    /// - Parameter claim: What was asked for; nothing when the user chose from the list of all.
    func answer(asking name: EntryName, for claim: EntryKnowledge.Claim?, isCode: Bool) async -> EntryAnswer {
        do {
            switch try await open(name, isAsking: true, limit: Self.askingLimit).opened {
            case .refused(let refusal): return .failure(sentence: refusal.sentence, hint: refusal.hint)
            case .text(let text):
                if let claim, !known.services(of: name).isFor(claim) { return .notFound }
                if isCode { return code(of: text) }
                let user = text.user ?? EntryLayout(name).user ?? ""
                return .credential(user: user, password: SecretText(text.password))
            }
        } catch {
            return EntryAnswer(error)
        }
    }

    private func code(of text: EntryText) -> EntryAnswer {
        guard let key = text.code, let source = OneTimeCodeSource(key) else {
            return .failure(sentence: "The entry has no key of one-time codes that is understood.", hint: nil)
        }
        return .code(source.code(at: Int64(now().timeIntervalSince1970)))
    }
}

extension [EntryService] {
    /// Whether one of them is the service that an identity names.
    fileprivate func isFor(_ claim: EntryKnowledge.Claim) -> Bool { contains { $0.text == claim.service } }
}
