// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials

/// What is done with a password that was sent off and, by all that can be seen, taken.
enum SaveDecision: Equatable, Sendable {
    /// Nothing, and nobody is asked.
    case nothing(Reason)
    /// It is new here: whether it is to be saved, and by whom, is for the user to say.
    case save(user: String)
    /// An account of exactly this host and user has another one, or one that is not known. It is in each of these, at most once
    /// for each provider, and the user says in which it is updated.
    case update([Account])

    /// Why nobody is asked.
    enum Reason: String, Equatable, Sendable {
        case known = "this very password is saved for it"
        case appendedCode = "the site wants a code behind the password"
        case unclearAccount = "it cannot be known which account it is"
        case nobodySaves = "no provider that is enabled saves passwords"
        case changedElsewhere = "the account is kept by a provider that does not save"
    }

    /// An account that was saved for exactly the host, and how its password compares.
    struct Account: Equatable, Sendable {
        let provider: BundleIdentifier
        let user: String
        /// Whether its provider saves, so that it can be updated there.
        let isUpdatable: Bool
        /// Whether its password is the one that was sent off; `nil` where the daemon has not seen it since the last unlock.
        let isSame: Bool?
        /// Whether its password is the one that was given as the old one; `nil` where that is not known.
        let hadOld: Bool?
        /// Whether what was sent off begins with its password, and a code may follow.
        let isWithCode: Bool
    }

    /// Decides.
    ///
    /// - Parameters:
    ///   - user: empty where nobody gave one.
    ///   - others: further names that were given on the way, the likeliest first.
    ///   - isNameSure: whether the field of the user name is called one; not where it is only the text field before the password.
    ///   - kind: whether the password is one that the account had or is to have.
    ///   - accounts: those that were saved for exactly the host, in the user's order of providers.
    ///   - savers: how many providers save.
    ///   - appendsCode: whether the site wants a code typed behind the password.
    ///   - mayHoldCode: whether what was sent off ends as a code does.
    ///   - gaveOld: whether the password before it was sent off, too.
    init(
        user: String, others: [String] = [], isNameSure: Bool = true, kind: SubmittedForm.Kind, accounts: [Account],
        savers: Int, appendsCode: Bool, mayHoldCode: Bool, gaveOld: Bool = false
    ) {
        // A site that asks for a user name and an e-mail address means one account by both. Two of a kind are two people, or two tries.
        let alsoTheirs = others.filter { user.isEmpty || $0.contains("@") != user.contains("@") }
        let known = ([user] + alsoTheirs).first { name in !name.isEmpty && accounts.contains { $0.user == name } }
        let named =
            if let known {
                accounts.filter { $0.user == known }
            } else if user.isEmpty {
                Self.meant(accounts)
            } else if kind == .new, gaveOld {
                Self.meantByChange(isNameSure: isNameSure, accounts)
            } else {
                [Account]()
            }
        if named.contains(where: { $0.isSame == true }) {
            self = .nothing(.known)
        } else if appendsCode, named.contains(where: \.isWithCode) {
            self = .nothing(.known)
        } else if appendsCode, mayHoldCode {
            self = .nothing(.appendedCode)
        } else if user.isEmpty, named.isEmpty, !accounts.isEmpty {
            // A password without a name, beside accounts with names: it may be any of theirs. One that was changed at its site just
            // now must not be lost: the user says whose it is.
            let mayBeTheirs = gaveOld && kind == .new && accounts.contains(where: \.isUpdatable)
            self = mayBeTheirs && savers > 0 ? .save(user: "") : .nothing(.unclearAccount)
        } else if !named.isEmpty {
            let updatable = Self.updatable(named)
            self =
                updatable.isEmpty ? .nothing(savers == 0 ? .nobodySaves : .changedElsewhere) : .update(updatable)
        } else {
            self = savers == 0 ? .nothing(.nobodySaves) : .save(user: user)
        }
    }

    /// The accounts that can be updated, one for each provider: those first whose passwords have been seen.
    private static func updatable(_ accounts: [Account]) -> [Account] {
        var seen: Set<BundleIdentifier> = []
        let each = accounts.filter { $0.isUpdatable && seen.insert($0.provider).inserted }
        return each.filter { $0.isSame != nil } + each.filter { $0.isSame == nil }
    }

    /// Which account is meant where nobody gave a user name: the one that has this password, the one that had the old one, the
    /// only one. An old password that is not the account's may be newer than what is saved.
    private static func meant(_ accounts: [Account]) -> [Account] {
        let same = accounts.filter { $0.isSame == true }
        if !same.isEmpty { return same }
        let had = accounts.filter { $0.hadOld == true }
        if Set(had.map(\.user)).count == 1 { return had }
        return had.isEmpty && Set(accounts.map(\.user)).count == 1 ? accounts : []
    }

    /// Which account is meant where an old password was typed beside a new one, and a name that no account has: the one that had the
    /// old one. Where that name may be any text, the only one.
    private static func meantByChange(isNameSure: Bool, _ accounts: [Account]) -> [Account] {
        let had = accounts.filter { $0.hadOld == true }
        if Set(had.map(\.user)).count == 1 { return had }
        return !isNameSure && had.isEmpty && Set(accounts.map(\.user)).count == 1 ? accounts : []
    }
}
