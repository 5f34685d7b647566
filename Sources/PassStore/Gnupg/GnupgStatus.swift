// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What gpg says on its status descriptor (GnuPG's doc/DETAILS), as far as it decides anything here.
struct GnupgStatus {
    private(set) var isDecrypted = false
    private(set) var isEncrypted = false
    private(set) var isAddressed = false
    private(set) var secretKeyMissing = false
    private(set) var invalidRecipient: String?
    private(set) var noData = false
    /// The low half of the error that the agent gave, which is libgpg-error's code.
    private(set) var agentError: Int?
    private(set) var asksForPassphrase = false

    init(_ text: String) {
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count > 1, words[0] == "[GNUPG:]" else { continue }
            switch words[1] {
            case "DECRYPTION_OKAY": isDecrypted = true
            // Told after DECRYPTION_OKAY never, but what is told twice counts as the worse.
            case "DECRYPTION_FAILED", "BADMDC": isBroken = true
            case "END_ENCRYPTION": isEncrypted = true
            case "ENC_TO": isAddressed = true
            case "NO_SECKEY": secretKeyMissing = true
            case "INV_RECP": invalidRecipient = words.dropFirst(3).joined(separator: " ")
            case "NODATA", "UNEXPECTED": noData = true
            case "NEED_PASSPHRASE_SYM": asksForPassphrase = true
            case "ERROR" where words.count > 3 && words[2].hasPrefix("pkdecrypt_failed"):
                agentError = Int(words[3]).map { $0 & 0xFFFF }
            default: break
            }
        }
        if isBroken { isDecrypted = false }
    }

    private var isBroken = false
}

/// Why an entry was not decrypted.
public enum DecryptionRefusal: Hashable, Sendable {
    /// The key has to be unlocked, which asks the user, and that was not wanted.
    case locked
    /// No gpg-agent answers.
    case noAgent
    /// None of the keys that it is encrypted to is the user's.
    case noSecretKey
    /// It is not encrypted, was changed, or ends too early.
    case damaged
    /// The user said no, in the window of gpg-agent.
    case cancelled
    /// It took too long.
    case timedOut
    /// It unpacks to more than an entry is.
    case tooLarge
    /// gpg-agent could not ask, or gave another error.
    case failed

    /// What to say.
    public var sentence: String {
        switch self {
        case .locked: "The key is locked."
        case .noAgent: "No gpg-agent is running."
        case .noSecretKey: "The entry is encrypted to other keys than yours."
        case .damaged: "The entry's file is damaged."
        case .cancelled: "The key was not unlocked."
        case .timedOut: "gpg took too long."
        case .tooLarge: "The entry is too large."
        case .failed: "gpg-agent could not unlock the key."
        }
    }

    /// What the user can do.
    public var hint: String? {
        switch self {
        case .locked: nil
        case .noAgent: "Start it outside with: gpgconf --launch gpg-agent"
        case .noSecretKey: "Have the owner of the store add your key, or insert your smartcard."
        case .damaged: "Bring an older version back, for example with: pass git log"
        case .failed: "In a terminal, try: gpg-connect-agent updatestartuptty /bye, and then: pass show"
        case .cancelled, .timedOut, .tooLarge: nil
        }
    }
}
