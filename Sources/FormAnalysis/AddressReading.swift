// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Finds the email addresses of whoever fills in a form that asks for no credential, on a page that has accounts.
///
/// Accounts go by addresses, so the address is named; but the form is none to sign in with, its kind says so, and nothing
/// is offered there.
struct AddressReading {
    /// The fields and their answers.
    private(set) var answers: [(Int, FieldAnalysis)] = []

    init(_ section: Section, facts: [FieldFacts], evidence: Evidence) {
        guard !evidence.form.containsAny(of: [.newsletter, .search]) else { return }
        let addresses = section.fields.filter { facts[$0].saysEmail && !facts[$0].own.contains(.other) }
        // Alone it is asked for to write to, not to know who somebody is.
        let isAskedBesideOthers = section.fields.contains { index in
            let field = facts[index]
            return field.isTextArea
                || !field.saysEmail && field.control != nil
                    && (field.own.containsAny(of: [.personName, .name, .phone, .address, .card]) || field.hint.isOther)
        }
        guard isAskedBesideOthers else { return }
        let answer = FieldAnalysis(
            role: .username, confidence: 0.3,
            reasons: ["takes the user's email address, which may be the account name on this page"])
        answers = addresses.prefix(4).map { ($0, answer) }
    }
}
