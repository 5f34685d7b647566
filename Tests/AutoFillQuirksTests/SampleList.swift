// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// A public suffix list that is whole, from made-up rules.
struct SampleList {
    var version = "2026-08-19_07-02-11_UTC"
    var header = ["// Comments may stand anywhere."]
    var registry = [
        "com", "org", "net", "edu", "gov", "de", "fr", "jp", "uk", "co.uk", "com.au", "co.jp", "*.ck", "!www.ck",
    ]
    var own = ["github.io", "*.compute.example"]
    var registryCount = 5_000
    var ownCount = 1_000
    var tail = ["// ===END PRIVATE DOMAINS==="]

    var text: String {
        let commit = "// COMMIT: " + String(repeating: "0123456789abcdef", count: 3).prefix(40)
        var lines = header + ["// VERSION: " + version, commit, "", "// ===BEGIN ICANN DOMAINS===", ""]
        lines += registry + (0..<max(0, registryCount - registry.count)).map { "r\($0)" }
        lines += ["// ===END ICANN DOMAINS===", "// ===BEGIN PRIVATE DOMAINS==="]
        lines += own + (0..<max(0, ownCount - own.count)).map { "p\($0).example" }
        return (lines + tail).joined(separator: "\n") + "\n"
    }

    static let now: Int64 = 1_790_000_000
}
