// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import TerminalRendering

/// One requirement for a provider, and the outcome of checking it.
package struct ConformanceCheck: Equatable, Sendable {
    package enum Outcome: Equatable, Sendable {
        case passed
        case failed(String)
        case skipped(String)
    }

    package let name: String
    package let outcome: Outcome
}

/// The reason why a check failed.
package struct ConformanceFault: Error, Equatable {
    package let reason: String

    package init(_ reason: String) {
        self.reason = reason
    }
}

/// The reason why a check was skipped.
package struct ConformanceSkip: Error, Equatable {
    package let reason: String

    package init(_ reason: String) {
        self.reason = reason
    }
}

/// The results of a run, for users and for scripts.
package struct ConformanceReport: Equatable {
    package let identifier: String
    package let checks: [ConformanceCheck]

    package var passed: Int { checks.count { $0.outcome == .passed } }
    package var failed: Int { checks.count { if case .failed = $0.outcome { true } else { false } } }
    package var skipped: Int { checks.count - passed - failed }

    /// Whether at least one check passed and none failed.
    package var isPassed: Bool { failed == 0 && passed > 0 }

    package var summary: String {
        "\(identifier): \(passed) passed, \(failed) failed, \(skipped) skipped."
    }

    /// A check as one line. All text from the provider is escaped.
    package static func line(_ check: ConformanceCheck) -> String {
        let (word, reason): (String, String?) =
            switch check.outcome {
            case .passed: ("passed ", nil)
            case .failed(let reason): ("FAILED ", reason)
            case .skipped(let reason): ("skipped", reason)
            }
        return TerminalText.escaped("\(word)  \(check.name)" + (reason.map { ": \($0)" } ?? ""))
    }

    package var json: JSONText {
        let list = checks.map { check -> JSONText in
            let (word, reason): (String, String?) =
                switch check.outcome {
                case .passed: ("passed", nil)
                case .failed(let reason): ("failed", reason)
                case .skipped(let reason): ("skipped", reason)
                }
            return .object([
                ("name", .string(check.name)), ("outcome", .string(word)), ("reason", .optional(reason)),
            ])
        }
        return .object([
            ("identifier", .string(identifier)), ("passed", .integer(Int64(passed))),
            ("failed", .integer(Int64(failed))), ("skipped", .integer(Int64(skipped))), ("checks", .array(list)),
        ])
    }
}
