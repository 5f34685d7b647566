// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Testing

@testable import latchkey

/// Whatever a row of an export has, in any column of any format and beside whatever else, is somewhere in what is saved.
@Suite struct ImportLossTests {
    /// The same rows each time.
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state
        }
    }

    private static let formats = ImportFormat.allCases.filter { $0 != .other }

    /// A field of a column, and what has to be found of it afterwards.
    private static func field(_ use: ImportFormat.Use, _ number: Int, _ random: inout Numbers) -> (
        text: String, sought: String
    ) {
        func one(of texts: [(String, String)]) -> (String, String) { texts.randomElement(using: &random) ?? ("", "") }
        let word = "w\(number)x"
        return switch use {
        case .address, .addresses:
            one(of: [
                ("https://\(word).example/login", "\(word).example"), ("android://hash@com.\(word)/", "com.\(word)"),
                ("", ""),
                ("My \(word)", word),
            ])
        case .moreAddresses: one(of: [("[\"\"https://\(word).example\"\"]", "\(word).example"), ("", "")])
        case .kind: one(of: [("login", ""), ("note", ""), ("credit_card", "credit_card")])
        case .authenticator:
            one(of: [("otpauth://totp/\(word)?secret=GEZDGNBV", word), ("no key: \(word)", word), ("", "")])
        case .favorite: one(of: [("1", ""), ("0", ""), ("", ""), (word, word)])
        case .flag: one(of: [("1", ""), ("0", ""), ("", "")])
        case .fields: one(of: [("name: \(word)\nother: y\(word)", "y\(word)"), ("tags: \(word), z", word), ("", "")])
        case .folder: one(of: [("Root/\(word)", word), ("", "")])
        case .bookkeeping: ("1", "")
        case .user, .otherUser, .password, .notes, .title, .content, .tag, .tags: one(of: [(word, word), ("", "")])
        }
    }

    private static func texts(of item: NewItem) -> String {
        let secrets = [item.password.bytes, item.notes?.bytes, item.authenticator?.bytes].compactMap { $0?.testText }
        return (item.services + [item.user, item.title ?? ""] + (item.tags ?? []) + secrets).joined(separator: "\n")
    }

    @Test(arguments: formats, 0..<5) func nothingThatSomebodyWroteIsLost(format: ImportFormat, seed: Int) throws {
        var random = Numbers(state: UInt64(seed) &* 977 &+ 11)
        let columns = format.uses.sorted { $0.key < $1.key }
        var (text, sought, number) = (columns.map(\.key).joined(separator: ",") + "\n", [(Int, String)](), 0)
        for row in 0..<40 {
            let fields = columns.map { _, use in
                number += 1
                return Self.field(use, number, &random)
            }
            guard fields.contains(where: { !$0.sought.isEmpty }) else { continue }
            sought += fields.filter { !$0.sought.isEmpty }.map { (row + 2, $0.sought) }
            text += fields.map { "\"\($0.text)\"" }.joined(separator: ",") + "\n"
        }
        let plan = try ImportPlan(SecretBytes(utf8: text), format: format)
        #expect(plan.skipped.isEmpty)
        let all = plan.candidates.map { Self.texts(of: $0.item) }.joined(separator: "\n")
        #expect(sought.count > 40)
        for (line, word) in sought where !all.contains(word) { Issue.record("\(word) of line \(line)") }
        #expect(plan.candidates.allSatisfy { !$0.item.services.isEmpty || $0.item.title?.isEmpty == false })
        #expect(plan.candidates.allSatisfy { $0.item.services.isEmpty || $0.item.password.bytes.count > 0 })
    }
}
