// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
    /// Parses untrusted JSON, and files without secrets.
    ///
    /// Parsing is strict: RFC 8259, no duplicate members, at most 32 levels. An object with the member `secret` is an
    /// ordinary object.
    ///
    /// - Throws: `parseError`, whose message states the fault and its byte offset.
    public init(readingText bytes: some Collection<UInt8>) throws(WireError) {
        let copy = Array(bytes)
        let read = copy.withUnsafeBytes { buffer in
            Result { () throws(JSONParser.Failure) in try JSONParser.parse(buffer, readsSecrets: false) }
        }
        do {
            self = try read.get()
        } catch {
            throw WireError(.parseError, "not JSON: \(error.reason) at byte \(error.offset)")
        }
    }

    /// The value as JSON in ordinary memory: members sorted by name, no white space, all secrets omitted.
    public var textWithoutSecrets: [UInt8] {
        var text: [UInt8] = []
        JSONPrinter.print(withoutSecrets, redacting: true) { text.append($0) }
        return text
    }
}
