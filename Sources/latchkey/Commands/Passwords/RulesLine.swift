// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import PasswordRules

/// What rules mean, as JSON on one line; what `RulesReport` says in the same words, without a value for each member on the way.
enum RulesLine {
    static func append(_ reading: PasswordRulesReading, to bytes: inout [UInt8]) {
        let rules = reading.rules
        add("{\"canonical\":", to: &bytes)
        quote(rules.description, to: &bytes)
        add(",\"required\":[", to: &bytes)
        for (index, classes) in rules.required.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            quote(classes.description, to: &bytes)
        }
        add("],\"allowed\":", to: &bytes)
        quote(rules.allowed.description, to: &bytes)
        add(",\"minlength\":", to: &bytes)
        add(rules.minLength, to: &bytes)
        add(",\"maxlength\":", to: &bytes)
        add(rules.maxLength, to: &bytes)
        add(",\"maxConsecutive\":", to: &bytes)
        add(rules.maxConsecutive, to: &bytes)
        add(",\"diagnostics\":[", to: &bytes)
        for (index, diagnostic) in reading.diagnostics.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            add("{\"column\":", to: &bytes)
            add(diagnostic.column, to: &bytes)
            add(",\"message\":", to: &bytes)
            quote("\(diagnostic.message) \(diagnostic.fix)", to: &bytes)
            bytes.append(UInt8(ascii: "}"))
        }
        add("]}\n", to: &bytes)
    }

    private static func add(_ text: StaticString, to bytes: inout [UInt8]) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    private static func add(_ number: Int?, to bytes: inout [UInt8]) {
        if let number { bytes.append(contentsOf: String(number).utf8) } else { add("null", to: &bytes) }
    }

    /// Of a text that is printable; what is printed of rules is, whatever they were read from.
    private static func quote(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
