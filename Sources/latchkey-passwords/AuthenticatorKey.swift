// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AuthenticationServices
internal import AutoFillSecrets
internal import SecurityCodes

/// The set-up key of an item's authenticator.
struct AuthenticatorKey {
    /// The link in the one way that Latchkey writes it.
    let link: SecretBytes
    /// For how many seconds each code is the current one.
    let period: Int
    private let key: SecretBytes
    private let generator: CodeGenerator

    /// Reads a link with the key of one account.
    ///
    /// - Throws: `invalidItem` for any other text; the error quotes nothing of it.
    init(_ text: SecretBytes) throws(CredentialManagingError) {
        var found: [(entry: AuthenticatorEntry, key: SecretBytes)] = []
        do {
            try text.withUnsafeBytes { text throws(AuthenticatorLinkError) in
                _ = try AuthenticatorLink.read(text) { found.append(($0, SecretBytes(wiping: &$1))) }
            }
        } catch {
            throw CredentialManagingError(.invalidItem, "The set-up key cannot be kept: \(error.description)")
        }
        guard found.count == 1, let (entry, key) = found.first else {
            throw CredentialManagingError(
                .invalidItem, "The set-up link holds \(found.count) accounts.",
                hint: "Export one account at a time.")
        }
        guard case .period(let period) = entry.generator.movement,
            var written = key.withUnsafeBytes({ AuthenticatorLink.write(entry, key: $0) })
        else {
            throw CredentialManagingError(
                .invalidItem, "This key makes counter-based codes (HOTP), which are not supported.")
        }
        link = SecretBytes(wiping: &written)
        self.period = Int(period)
        (self.key, generator) = (key, entry.generator)
    }

    /// The code at a time, in seconds since 1970; nothing where it cannot be made.
    func code(at time: Int64) -> TimedCode? {
        key.withUnsafeBytes { generator.code(at: time, key: $0) }
    }
}
