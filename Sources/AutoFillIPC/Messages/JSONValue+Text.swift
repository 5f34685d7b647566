// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
    /// Reads JSON of strangers, and of files that hold no secrets: strict (RFC 8259, no member twice, at most 32 levels deep), and
    /// an object with the member `secret` is an object like any other.
    ///
    /// - Throws: `parseError`, which says what is wrong and at which byte.
    public init(readingText bytes: some Collection<UInt8>) throws(WireError) {
        let copy = Array(bytes)
        let read = copy.withUnsafeBytes { buffer in
            Result { () throws(JSONParser.Failure) in try JSONParser.parse(buffer, readsSecrets: false) }
        }
        do {
            self = try read.get()
        } catch {
            throw WireError(.parseError, "no JSON: \(error.reason) at byte \(error.offset)")
        }
    }

    /// The value as JSON in ordinary memory: members sorted by name, no white space, every secret left out.
    public var textWithoutSecrets: [UInt8] {
        var text: [UInt8] = []
        JSONPrinter.print(withoutSecrets, redacting: true) { text.append($0) }
        return text
    }
}
