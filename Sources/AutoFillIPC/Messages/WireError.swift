// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import ShownText

/// An error on the wire: code, one line for users, and data.
///
/// Unknown codes are kept unchanged.
public struct WireError: Error, Equatable, Sendable {
    /// The kind of error, as numbered in section 3 of `docs/protocol.md`.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        public static let parseError = Code(rawValue: -32700)
        public static let invalidRequest = Code(rawValue: -32600)
        public static let methodNotFound = Code(rawValue: -32601)
        public static let invalidParams = Code(rawValue: -32602)
        public static let internalError = Code(rawValue: -32603)
        public static let notInitialized = Code(rawValue: 1)
        public static let locked = Code(rawValue: 2)
        public static let authenticationRequired = Code(rawValue: 3)
        public static let wrongPassphrase = Code(rawValue: 4)
        public static let tooManyAttempts = Code(rawValue: 5)
        public static let refused = Code(rawValue: 6)
        public static let notFound = Code(rawValue: 7)
        public static let notPermitted = Code(rawValue: 8)
        public static let userCanceled = Code(rawValue: 9)
        public static let providerUnavailable = Code(rawValue: 10)
        public static let timedOut = Code(rawValue: 11)
        public static let busy = Code(rawValue: 12)
        public static let alreadyExists = Code(rawValue: 13)
        public static let storageFailed = Code(rawValue: 14)
        public static let unsupportedVersion = Code(rawValue: 15)
        public static let expired = Code(rawValue: 16)
        public static let invalidItem = Code(rawValue: 17)

        /// `ASExtensionError.Code` on the wire.
        public static func providerExtension(_ raw: Int) -> Code { Code(rawValue: 1000 + raw) }
        /// `ASCredentialIdentityStoreError.Code` on the wire.
        public static func identityStore(_ raw: Int) -> Code { Code(rawValue: 1200 + raw) }
    }

    /// The reason of a change of which it is not known whether the disk keeps it.
    public static let unsettled = "unsettled"

    public var code: Code
    /// One line for people; never holds a secret.
    public var message: String
    public var reason: String?
    public var hint: String?
    /// The time until another attempt is allowed, in seconds.
    public var retryAfter: Int?
    /// For `authenticationRequired`: whether the PIN does as well as the passphrase.
    public var takesPIN: Bool

    public init(
        _ code: Code, _ message: String, reason: String? = nil, hint: String? = nil, retryAfter: Int? = nil,
        takesPIN: Bool = false
    ) {
        self.code = code
        self.message = message
        self.reason = reason
        self.hint = hint
        self.retryAfter = retryAfter
        self.takesPIN = takesPIN
    }

    init(_ value: JSONValue) {
        let data = value["data"]
        var code = Code.internalError.rawValue
        if case .integer(let raw) = value["code"], let exact = Int(exactly: raw) { code = exact }
        self.init(Code(rawValue: code), Self.line(value["message"]) ?? "an error without a message")
        reason = Self.line(data?["reason"])
        hint = Self.line(data?["hint"])
        if case .integer(let seconds) = data?["retryAfter"] { retryAfter = Int(exactly: seconds) }
        takesPIN = data?["takesPIN"] == .bool(true)
    }

    /// Cleans a text for display, because the other side words it: a provider, an app, or a program that is not the daemon.
    private static func line(_ value: JSONValue?) -> String? {
        value?.text.map { TextCleaner.cleaned($0, TextCleaner.Limit(characters: 4_096, bytes: 16_384)) }
    }

    var value: JSONValue {
        var members: [String: JSONValue] = ["code": .integer(Int64(code.rawValue)), "message": .string(message)]
        var data: [String: JSONValue] = [:]
        if let reason { data["reason"] = .string(reason) }
        if let hint { data["hint"] = .string(hint) }
        if let retryAfter { data["retryAfter"] = .integer(Int64(retryAfter)) }
        if takesPIN { data["takesPIN"] = .bool(true) }
        if !data.isEmpty { members["data"] = .object(data) }
        return .object(members)
    }
}

extension JSONValue {
    var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }
}
