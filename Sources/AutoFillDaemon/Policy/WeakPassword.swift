// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillRelease
internal import Foundation
internal import PasswordRules
internal import ShownText

/// A new password that is easy to guess. It is used only after the user was told so, each time.
enum WeakPassword {
    /// Below this, in bits, whoever may try a few times a second has it within days.
    private static let guessedAtOnce = 20.0

    /// What the user has to know before a new password is used; `nil` for one of 40 bits or more.
    ///
    /// - Parameters:
    ///   - params: The request with which it was made. Its rules come from a page, so counting what they allow may take a moment.
    ///   - maker: The name of the provider that made it.
    static func warning(of password: HeldCredential, _ params: Saving.Generate.Params, maker: String) async
        -> DisplayText?
    {
        let allowed = await Task.detached {
            let rules = SiteRules(
                field: params.fieldRules, confirmation: params.confirmRules, known: params.quirkRules
            ).rules
            return (try? PasswordGenerator(rules: rules))?.entropy ?? .infinity
        }.value
        return warning(of: password.makeup, allowed: allowed, maker: maker)
    }

    /// - Parameter allowed: The number of passwords that the rules allow, as a power of two.
    static func warning(of makeup: (length: Int, alphabet: Int), allowed: Double, maker: String) -> DisplayText? {
        let own = Double(makeup.length) * log2(Double(makeup.alphabet))
        let bits = min(own, allowed)
        guard bits < PasswordGenerator.weakEntropy else { return nil }
        let verdict: DisplayText = bits < guessedAtOnce ? "guessed at once" : "easy to guess"
        guard own < PasswordGenerator.weakEntropy else {
            return "This site allows few different passwords. Such a password is \(verdict)."
        }
        let kind: DisplayText =
            switch makeup.alphabet {
            case 1: "character"
            case 10: "digits"
            case 26, 52: "letters"
            default: "characters"
            }
        let who: DisplayText =
            allowed < PasswordGenerator.weakEntropy ? "This site allows only" : "\(maker) has made only"
        let count = DisplayText(String(makeup.length))
        let made: DisplayText =
            makeup.alphabet == 1 && makeup.length > 1 ? "one character \(count) times" : "\(count) \(kind)"
        return "\(who) \(made). Such a password is \(verdict)."
    }
}
