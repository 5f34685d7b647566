// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillIPC
internal import FoundationEssentials

/// Reads what an identity provider answered: fetches its keys, verifies the identity token, and says who signed in.
///
/// Request: `SignInCheck.Request`; result: `SignInCheck.Answer`. Everything in the request's `fields` is a stranger's; none of it was
/// looked at before.
public struct IdentityTokenJob: FetchJob {
    public static let name = SignInCheck.job
    public static let maximumAnswer = 65_536

    private static let codeLimit = 4_096

    private let request: SignInCheck.Request
    private let now: @Sendable () -> Int64

    public init(_ request: JSONValue) throws(WireError) {
        try self.init(request.decoded(), now: { Int64(Date().timeIntervalSince1970) })
    }

    init(_ request: SignInCheck.Request, now: @escaping @Sendable () -> Int64) throws(WireError) {
        self.request = request
        self.now = now
    }

    /// Fetches the keys of the issuer, and reads the token by them.
    public func run(_ downloader: Downloader) async throws(WireError) -> JSONValue {
        let outcome = await downloader.get(
            Download(
                request.issuer + "/auth/keys", limit: IssuerKeys.maximumSize, deadline: .seconds(15),
                contentEncodings: [.gzip, .deflate]))
        let answer: SignInCheck.Answer
        if case .answered(status: 200, _, let body) = outcome {
            answer = reading(keys: body)
        } else {
            answer = .init(unreachable: "the keys of \(request.issuer) could not be had: \(outcome.summary)")
        }
        guard let value = try? JSONValue(encoding: answer) else {
            throw WireError(.internalError, "The answer cannot be written.")
        }
        return value
    }

    /// What is understood of the fields, with the issuer's keys.
    func reading(keys: [UInt8]) -> SignInCheck.Answer {
        guard let code = request.fields["code"], let token = request.fields["id_token"], Self.isCode(code) else {
            return .init(refusal: "the answer has no code, or no identity token")
        }
        do throws(IdentityTokenRefusal) {
            let claims = try IdentityToken(token).verify(
                .init(issuer: request.issuer, client: request.client, nonce: request.nonce, code: code, now: now()),
                keys: IssuerKeys(keys))
            var answer = SignInCheck.Answer(user: claims.subject, code: code, token: token)
            answer.email = claims.email
            // Told once, and by the browser alone: it is not signed, so the token's word on the address stands above it.
            let name = request.fields["user"].flatMap(Self.name)
            answer.givenName = name?.given
            answer.familyName = name?.family
            return answer
        } catch {
            return .init(refusal: "the identity token is not believed: \(error)")
        }
    }

    /// `{"name": {"firstName", "lastName"}, "email"}`.
    private static func name(_ text: String) -> (given: String?, family: String?)? {
        guard text.utf8.count <= 4_096, let value = try? JSONValue(readingText: Array(text.utf8)) else { return nil }
        func part(_ member: String) -> String? {
            guard case .string(let text)? = value["name"]?[member], !text.isEmpty, text.utf8.count <= 256,
                text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
            else { return nil }
            return text
        }
        return (part("firstName"), part("lastName"))
    }

    /// Visible ASCII (RFC 6749, appendix A.11), and not for ever.
    private static func isCode(_ text: String) -> Bool {
        (1...codeLimit).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }
}
