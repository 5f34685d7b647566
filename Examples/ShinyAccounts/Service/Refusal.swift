// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes

/// Why the service does not do what was asked: a word for programs, a sentence for people.
public struct Refusal: Error, Equatable, Sendable {
    /// The word. It is part of the service's API.
    public enum Reason: String, Sendable {
        case malformed
        case wrongCredentials
        case codeRequired
        case wrongCode
        case policy
        case taken
        case tokenRefused
        case notOffered
        case unavailable
    }

    public let reason: Reason
    public let message: String

    init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }

    var status: HTTPResponse.Status {
        switch reason {
        case .malformed: .badRequest
        case .wrongCredentials, .tokenRefused: .unauthorized
        case .codeRequired, .wrongCode: .forbidden
        case .notOffered: .notFound
        case .taken: .conflict
        case .policy: .unprocessableContent
        case .unavailable: .serviceUnavailable
        }
    }

    /// The same whether there is such an account or not.
    static let wrongCredentials = Refusal(.wrongCredentials, "The user name or the password is not right.")
    static let codeRequired = Refusal(.codeRequired, "The code of your authenticator is needed.")
    static let wrongCode = Refusal(.wrongCode, "The code is not right, or was used already.")
    static let malformed = Refusal(.malformed, "The service does not understand this.")
    static let unavailable = Refusal(.unavailable, "Shiny is being polished. Please try again later.")
}
