// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials

/// The decision on a password that was submitted and, as far as can be seen, accepted by the site.
enum SaveDecision: Equatable, Sendable {
    /// Do nothing, and do not ask the user.
    case nothing(Reason)
    /// The password is new here: ask the user whether to save it, and in which provider.
    case save(user: String)
    /// An account of exactly this host and user has another password, or one that is unknown. Ask the user in which of these to update it;
    /// each provider is listed at most once.
    case update([Account])

    /// The reason why the user is not asked.
    enum Reason: String, Equatable, Sendable {
        case known = "this very password is saved for it"
        case appendedCode = "the site expects a code after the password"
        case unclearAccount = "it is not clear which account the password belongs to"
        case nobodySaves = "no provider that is enabled saves passwords"
        case changedElsewhere = "the account's provider does not save passwords"
    }

    /// An account that was saved for exactly the host, and how its password compares.
    struct Account: Equatable, Sendable {
        let provider: BundleIdentifier
        let user: String
        /// Whether its provider saves, so that it can be updated there.
        let isUpdatable: Bool
        /// Whether its password is the submitted one; `nil` if the daemon has not seen it since the last unlock.
        let isSame: Bool?
        /// Whether its password is the one that was typed as the old one; `nil` if that is unknown.
        let hadOld: Bool?
        /// Whether the submitted text is its password followed by a possible code.
        let isWithCode: Bool
    }

    /// Makes the decision.
    ///
    /// - Parameters:
    ///   - user: the user name; empty if none was given.
    ///   - others: further names that were given on the way, the likeliest first.
    ///   - isNameSure: whether the page names the field as one for a user name; `false` if it is only the text field before the password.
    ///   - isNameChosen: whether the user has corrected the name, so that it means this very account.
    ///   - kind: whether the password is the account's current one or a new one.
    ///   - accounts: those that were saved for exactly the host, in the user's order of providers.
    ///   - savers: the number of providers that save passwords.
    ///   - appendsCode: whether the site wants a code typed behind the password.
    ///   - mayHoldCode: whether the submitted text ends as a code does.
    ///   - gaveOld: whether the old password was submitted too.
    init(
        user: String, others: [String] = [], isNameSure: Bool = true, isNameChosen: Bool = false,
        kind: SubmittedForm.Kind, accounts: [Account],
        savers: Int, appendsCode: Bool, mayHoldCode: Bool, gaveOld: Bool = false
    ) {
        // A site that asks for a user name and an e-mail address means one account by both. Two of a kind are two people, or two tries.
        let alsoTheirs = others.filter { user.isEmpty || $0.contains("@") != user.contains("@") }
        let known = ([user] + alsoTheirs).lazy.compactMap { Self.saved($0, in: accounts, isExact: isNameChosen) }.first
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
            // A password without a name, where accounts with names exist, may belong to any of them. A password that was just changed at
            // its site must not be lost: the user says which account it belongs to.
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

    /// The user name of an account by a name that was given: exactly, or else in another case where only one account is meant.
    ///
    /// - Parameter isExact: Whether the user has chosen this very name.
    static func saved(_ name: String, in accounts: [Account], isExact: Bool = false) -> String? {
        guard !name.isEmpty, !accounts.contains(where: { $0.user == name }) else { return name.isEmpty ? nil : name }
        guard !isExact else { return nil }
        let alike = Set(accounts.map(\.user).filter { $0.lowercased() == name.lowercased() })
        return alike.count == 1 ? alike.first : nil
    }

    /// The accounts that can be updated, one for each provider, those with known passwords first.
    private static func updatable(_ accounts: [Account]) -> [Account] {
        var seen: Set<BundleIdentifier> = []
        let each = accounts.filter { $0.isUpdatable && seen.insert($0.provider).inserted }
        return each.filter { $0.isSame != nil } + each.filter { $0.isSame == nil }
    }

    /// The account meant when no user name was given: the one with this password, else the one with the old password, else the only one. An
    /// old password that differs from the account's may be newer than the saved one.
    private static func meant(_ accounts: [Account]) -> [Account] {
        let same = accounts.filter { $0.isSame == true }
        if !same.isEmpty { return same }
        let had = accounts.filter { $0.hadOld == true }
        if Set(had.map(\.user)).count == 1 { return had }
        return had.isEmpty && Set(accounts.map(\.user)).count == 1 ? accounts : []
    }

    /// The account meant when an old password was typed with a new one and a name that no account has: the one with the old password. If
    /// that name may be any text, the only account.
    private static func meantByChange(isNameSure: Bool, _ accounts: [Account]) -> [Account] {
        let had = accounts.filter { $0.hadOld == true }
        if Set(had.map(\.user)).count == 1 { return had }
        return !isNameSure && had.isEmpty && Set(accounts.map(\.user)).count == 1 ? accounts : []
    }
}
