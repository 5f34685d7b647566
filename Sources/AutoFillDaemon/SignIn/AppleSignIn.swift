// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillProviders
internal import AutoFillSecrets
internal import Crypto
internal import Foundation

/// One sign-in with Apple for the conversion of an account: the request to the identity provider, and the check of its answer.
///
/// It is the web flow that Apple documents for other platforms: OAuth 2's authorization code with an identity token beside it,
/// posted as a form to the client's return URL.
struct AppleSignIn: Sendable {
    /// A posted answer, parsed.
    enum Return: Equatable, Sendable {
        /// The fields for the job `sign-in`, which does not trust them either.
        case answer([String: String])
        /// The user said no on the identity provider's page.
        case canceled
        case refused(String)
    }

    /// Maximum length of a state or nonce in bytes.
    static let textLimit = 1_024
    private static let fieldLimit = 32_768

    let client: AppleClient
    /// The state that the extension wants back with the credential.
    let ownState: String?
    private let state: String
    /// The nonce that the identity token must contain.
    let nonce: String

    /// Makes a sign-in for an extension's request. A missing state or nonce is generated, so that an answer is always bound to its request.
    ///
    /// - Returns: `nil` for a state or nonce that binds nothing: an empty or overlong one, or one with control characters.
    init?(for client: AppleClient, state: String?, nonce: String?) {
        for text in [state, nonce].compactMap(\.self) {
            guard (1...Self.textLimit).contains(text.utf8.count),
                text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
            else { return nil }
        }
        self.client = client
        ownState = state
        self.state = state ?? RandomName.make()
        self.nonce = nonce ?? RandomName.make()
    }

    /// The page that the window opens on.
    var url: String {
        let query = [
            ("response_type", "code id_token"), ("response_mode", "form_post"), ("scope", "name email"),
            ("client_id", client.identifier), ("redirect_uri", client.returnURL), ("state", state), ("nonce", nonce),
        ]
        let text = query.map { "\($0)=\(Self.encoded($1))" }.joined(separator: "&")
        return "\(client.issuer)/auth/authorize?\(text)"
    }

    /// Digests under which the state and the nonce are remembered as used. They do not reveal them.
    ///
    /// - Parameter extension: the extension; the same state of another extension has another digest.
    func marks(for extension: String) -> [Data] {
        [("state", state), ("nonce", nonce)].map { kind, text in
            Data(SHA256.hash(data: Data([kind, `extension`, text].joined(separator: "\u{0}").utf8)))
        }
    }

    /// Reads what was posted to the return URL.
    func read(_ fields: [String: String]) -> Return {
        // RFC 6749, 10.12: an answer without this window's state belongs to another request, or to none.
        guard let answered = fields["state"], answered.utf8.count <= Self.textLimit,
            SecretBytes(utf8: answered) == SecretBytes(utf8: state)
        else { return .refused("the answer belongs to another request") }
        if let error = fields["error"] {
            return error == "user_cancelled_authorize" || error == "access_denied"
                ? .canceled : .refused("the identity provider reported an error")
        }
        var kept: [String: String] = [:]
        for name in ["code", "id_token", "user"] {
            guard let text = fields[name] else { continue }
            guard text.utf8.count <= Self.fieldLimit else { return .refused("the answer is too long") }
            kept[name] = text
        }
        guard kept["code"] != nil, kept["id_token"] != nil else {
            return .refused("the answer has no code, or no identity token")
        }
        return .answer(kept)
    }

    /// Percent-encodes all characters except the unreserved ones (RFC 3986, 2.3).
    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                String(UnicodeScalar(byte))
            default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }
}
