// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// All accounts; in a file where one was named, else for as long as the service runs.
actor AccountBook {
    private var accounts: [String: Account] = [:]
    /// Who signed in, by token; they do not outlive the service.
    private var sessions: [String: String] = [:]
    private let file: URL?
    private let policy: PasswordPolicy
    private let now: @Sendable () -> Int64
    /// Checked where there is no such account, so that the answer takes as long.
    private let decoy = PasswordHash("a decoy")

    init(file: URL? = nil, policy: PasswordPolicy = .standard, now: @escaping @Sendable () -> Int64 = AccountBook.time)
        throws
    {
        self.file = file
        self.policy = policy
        self.now = now
        if let file, FileManager.default.fileExists(atPath: file.path) {
            let stored = try JSONDecoder().decode([Account].self, from: Data(contentsOf: file))
            accounts = Dictionary(stored.map { ($0.user, $0) }) { first, _ in first }
        }
    }

    static let time: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }

    /// Makes an account. Long ago Shiny took any password; such accounts are what an upgrade is for.
    func add(_ user: String, password: String, secondFactor: SecondFactor? = nil, isOld: Bool = false) throws {
        guard !user.isEmpty, user.utf8.count <= 256, password.utf8.count <= 1_024, !password.isEmpty else {
            throw Refusal.malformed
        }
        guard isOld || accounts[user] == nil else { throw Refusal(.taken, "There is such an account already.") }
        if !isOld { try policy.check(password) }
        guard let hash = PasswordHash(password) else { throw Refusal.unavailable }
        try keep(Account(user: user, password: hash, secondFactor: secondFactor))
    }

    /// Signs somebody in and returns a token.
    func signIn(_ proof: Proof) throws -> String {
        let account = try authorize(proof)
        let token = Self.randomText()
        sessions[token] = account.user
        return token
    }

    /// Puts a new password in the place of the old one, and ends every session.
    func changePassword(_ proof: Proof, to password: String) throws {
        var account = try authorize(proof)
        guard account.password != nil else {
            throw Refusal(.notOffered, "This account signs in with Apple and has no password.")
        }
        try policy.check(password)
        guard let hash = PasswordHash(password) else { throw Refusal.unavailable }
        account.password = hash
        sessions = sessions.filter { $0.value != account.user }
        try keep(account)
    }

    /// From now on the account signs in with Apple, as the one whom Apple calls `subject`.
    func convert(_ proof: Proof, subject: String, email: String?) throws {
        var account = try authorize(proof)
        guard !accounts.values.contains(where: { $0.subject == subject && $0.user != account.user }) else {
            throw Refusal(.taken, "Another account signs in so already.")
        }
        account.password = nil
        account.secondFactor = nil
        account.subject = subject
        account.email = email
        sessions = sessions.filter { $0.value != account.user }
        try keep(account)
    }

    /// How an account signs in: `password`, `apple`, or nothing where there is no such account.
    func method(of user: String) -> String? {
        accounts[user].map { $0.subject == nil ? "password" : "apple" }
    }

    /// Whose account it is, or why that is not believed. A code that was right is used up by it.
    func authorize(_ proof: Proof) throws -> Account {
        if let token = proof.token {
            guard let user = sessions[token], user == proof.user, let account = accounts[user] else {
                throw Refusal.wrongCredentials
            }
            // The session began with the second factor; it is asked for again only where somebody has no more than a password.
            return account
        }
        let account = accounts[proof.user]
        let isRight = (account?.password ?? decoy)?.matches(proof.password ?? "") ?? false
        guard var account, account.password != nil, isRight else { throw Refusal.wrongCredentials }
        guard account.secondFactor != nil else { return account }
        guard let code = proof.code else { throw Refusal.codeRequired }
        guard account.secondFactor?.take(code, at: now()) == true else { throw Refusal.wrongCode }
        try keep(account)
        return account
    }

    private func keep(_ account: Account) throws {
        var changed = accounts
        changed[account.user] = account
        if let file {
            let stored = changed.values.sorted { $0.user < $1.user }
            try JSONEncoder().encode(stored).write(to: file, options: .atomic)
        }
        accounts = changed
    }

    /// 256 random bits as text.
    static func randomText() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<4).map { _ in String(generator.next(), radix: 36) }.joined()
    }
}
