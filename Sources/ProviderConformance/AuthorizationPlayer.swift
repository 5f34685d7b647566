// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
internal import AutoFillSecrets

/// Plays Sign in with Apple for an extension under test, and checks its requests strictly.
package struct AuthorizationPlayer: Sendable {
    /// The behaviour of the simulated user.
    package enum Mood: Sendable {
        /// Signs in. The token is made up, and no service may accept it.
        case granted
        /// Refuses.
        case canceled
        /// Fails, as without a network or a browser.
        case failed
        /// Never answers.
        case silent
    }

    /// The faults found in requests.
    package private(set) var faults: [String] = []
    private var moods: [Int: Mood] = [:]
    private var asked: Set<Int> = []
    /// Every `state` and `nonce` so far. A repeated one is refused.
    private var words: Set<String> = []

    /// The answer to a granted request.
    package static let secrets = ["conformance-authorization-code", "conformance-identity-token"]

    /// Allows this request to ask from now on.
    package mutating func begin(_ request: Int, _ mood: Mood) {
        moods[request] = mood
    }

    package func hasAsked(_ request: Int) -> Bool { asked.contains(request) }

    /// Answers a request, or returns `nil` if it is never to be answered.
    package mutating func answer(_ params: JSONValue) throws -> Modification.Authorize.Answer? {
        guard let params = try? params.decoded(as: Modification.Authorize.Params.self) else {
            throw refuse("modification.authorize has parameters of the wrong shape")
        }
        guard let mood = moods[params.request] else {
            throw refuse("it asked for a credential of Sign in with Apple outside of a request to convert an account")
        }
        guard asked.insert(params.request).inserted else {
            throw refuse("it asked twice for a credential of Sign in with Apple in one request")
        }
        for word in [params.state, params.nonce].compactMap({ $0 }) {
            let hasControls = word.unicodeScalars.contains { $0.properties.generalCategory == .control }
            guard (1...1024).contains(word.utf8.count), !hasControls else {
                throw refuse("its state or nonce is empty, longer than 1,024 bytes or of control characters")
            }
        }
        // Within one request, `state` and `nonce` may be equal.
        let new = Set([params.state, params.nonce].compactMap { $0 })
        guard words.isDisjoint(with: new) else { throw refuse("it used a state or nonce a second time") }
        words.formUnion(new)
        switch mood {
        case .granted:
            return .init(
                user: "000000.conformance", state: params.state, code: WireSecret(SecretBytes(utf8: Self.secrets[0])),
                token: WireSecret(SecretBytes(utf8: Self.secrets[1])), email: "nobody@conformance.invalid")
        case .canceled: throw WireError(.providerExtension(1), "The user said no.")
        case .failed: throw WireError(.providerExtension(0), "The browser could not be opened.")
        case .silent: return nil
        }
    }

    private mutating func refuse(_ reason: String) -> WireError {
        faults.append(reason)
        return WireError(.invalidParams, "Refused: \(reason).")
    }
}
