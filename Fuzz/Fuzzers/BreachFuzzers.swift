// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import Foundation
import SecurityRecommendations

extension Fuzzer {
    /// Lists of leaked passwords, whatever they hold: unsorted, torn, with lines of any length and end. A search ends; what it
    /// finds stands in the list; a list that is sorted is found to be.
    static let breaches = Fuzzer(
        "breaches", words: ["\n", "\r\n", ":", ":1", "0", "F", "5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8"],
        seeds: {
            let lines = ["password", "123456", "qwerty", "letmein", "dragon"].map { HashKind.sha1.hex($0) + ":42" }
            let windows = ["password", "123456", "qwerty"].map { HashKind.ntlm.hex($0) + ":7" }
            let sorted = lines.sorted()
            return [
                sorted.joined(separator: "\r\n"), sorted.joined(separator: "\n") + "\n",
                sorted.reversed().joined(separator: "\n"), windows.sorted().joined(separator: "\n"),
                sorted.joined(separator: "\n" + String(repeating: "A", count: 300) + "\n"),
                (sorted[0] + "\n" + sorted[1].prefix(20) + "\n" + sorted[2]), sorted[0] + "\n\n\n" + sorted[1],
                HashKind.sha1.hex("password").dropFirst(5) + ":3",
            ].map { Array($0.utf8) }
        },
        run: { bytes in
            let path = "/dev/shm/latchkey-fuzz-\(getpid())"
            guard FileManager.default.createFile(atPath: path, contents: Data(bytes)) else { return }
            defer { try? FileManager.default.removeItem(atPath: path) }
            let text = String(decoding: bytes, as: UTF8.self).uppercased()
            if let file = try? BreachFile(path: path) {
                for password in ["password", "123456", "another"] {
                    let hash = file.kind.hash(SecretBytes(utf8: password))
                    guard let count = try? file.count(of: hash), count > 0 else { continue }
                    precondition(text.contains(file.kind.hex(password) + ":"), "found what is not there")
                }
            }
            if let range = BreachRange(Array(bytes)) {
                let count = range.count(of: SecretBytes(utf8: "password"))
                precondition(
                    count == 0 || text.contains(HashKind.sha1.hex("password").dropFirst(5) + ":"),
                    "found what is not in the range")
            }
        })

    /// Passwords of any bytes: at least one guess, a score of its five, and the same twice.
    static let strength = Fuzzer(
        "strength",
        words: ["password", "qwerty", "1991", "31.12.", "4", "@", "aaa", "abc", "ABC", "zxcvbn", "\u{FF}", "é"],
        seeds: {
            ["password", "P4$$w0rd", "aabaabaab", "13.5.1991", "zxcvfr$3", "abcdefg97531", "\u{1F642}é漢字"].map {
                Array($0.utf8)
            }
        },
        run: { bytes in
            let password = SecretBytes(copying: UnsafeRawBufferPointer(rebasing: bytes.prefix(96)))
            let strength = PasswordStrength(of: password, words: ["user", "example"])
            precondition(strength.guesses >= 1 && strength.guesses.isFinite, "guesses that are none")
            precondition((0...4).contains(strength.score), "another score")
            precondition(PasswordStrength(of: password, words: ["user", "example"]) == strength, "another estimate")
            precondition(LibraryStrength.guesses(for: password) >= 1, "less than one guess")
        })
}

extension HashKind {
    fileprivate func hex(_ password: String) -> String {
        hash(SecretBytes(utf8: password)).map { String(format: "%02X", $0) }.joined()
    }
}
