// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Names that nobody guesses: of suggestions, questions, requests and files.
package enum RandomName {
    /// 128 random bits from the kernel and more, in the URL-safe letters of base64. It begins with a letter or digit: some names are
    /// arguments of the command line, where `-` begins an option.
    @Sendable package static func make() -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        var generator = SystemRandomNumberGenerator()
        return String((0..<22).map { place in alphabet[Int.random(in: 0..<(place == 0 ? 62 : 64), using: &generator)] })
    }
}
