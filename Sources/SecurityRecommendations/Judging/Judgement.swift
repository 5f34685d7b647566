// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillSecrets

/// What was found out about one password alone: all that is kept of it, and only in memory.
public struct Judgement: Sendable, Equatable {
    /// Fewer characters are too few.
    static let leastLength = 8

    let version: Int64
    /// Tells the same password from another one, under a key that is made anew in each process and stays in it.
    let fingerprint: [UInt8]
    /// The range its hash is in. Nothing where there was no need to ask for ranges.
    let range: String?
    let findings: [Finding]
    /// The sites of the account's services, looked up once, as every ranking needs those of all that share a password.
    let sites: [String]

    /// Judges a password.
    ///
    /// - Parameters:
    ///   - key: the same for all that are compared with one another.
    ///   - leaks: how often it has leaked; nothing where nobody knows.
    ///   - needsRange: whether the network is to be asked about its range.
    public init(
        of password: SecretBytes, in account: JudgedAccount, key: BlindIndexKey, leaks: Int?, needsRange: Bool = false
    ) {
        version = account.version
        let hosts = account.services.map(AccountSite.host)
        sites = hosts.map(AccountSite.site)
        fingerprint = password.withUnsafeBytes { key.blind(Array($0), purpose: "same-password") }
        range = needsRange && leaks == nil && password.count > 0 ? BreachRange.prefix(of: password) : nil
        var findings: [Finding] = []
        if let leaks, leaks > 0 { findings.append(Finding(.breached, number: leaks)) }
        if DefaultPasswords.contain(password, user: account.user) { findings.append(Finding(.default)) }
        let length = password.withUnsafeBytes { bytes in bytes.count { $0 & 0xC0 != 0x80 } }
        if length < Self.leastLength { findings.append(Finding(.short, number: length)) }
        if length > 0 {
            let score = Self.score(of: password, user: account.user, hosts: hosts)
            if score <= 2 { findings.append(Finding(.weak, number: score)) }
            if OldFormats.contain(password) { findings.append(Finding(.old)) }
        }
        self.findings = findings
    }

    /// With what an answer of the network says, instead of what was not known before.
    init(_ judgement: Judgement, leaks: Int) {
        (version, fingerprint, range) = (judgement.version, judgement.fingerprint, nil)
        sites = judgement.sites
        findings =
            (leaks > 0 ? [Finding(.breached, number: leaks)] : []) + judgement.findings.filter { $0.kind != .breached }
    }

    /// The lower of two estimates; who guesses knows the site and the user name.
    private static func score(of password: SecretBytes, user: String, hosts: [String]) -> Int {
        var words = [user, String(user.prefix { $0 != "@" })]
        for host in hosts.prefix(4) {
            words += [host] + host.split(separator: ".").map(String.init)
        }
        let strength = PasswordStrength(of: password, words: words.filter { $0.utf8.count > 2 })
        guard strength.score > 2 else { return strength.score }
        return min(strength.score, PasswordStrength.score(of: LibraryStrength.guesses(for: password)))
    }
}
