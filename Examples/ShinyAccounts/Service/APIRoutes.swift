// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Hummingbird
internal import NIOCore

/// What extensions and apps ask. A request is JSON, and so is an answer: `{}` or more, or `{"error", "message"}` with the refusal.
struct APIRoutes: Sendable {
    let accounts: AccountBook
    let issuer: Issuer?
    let trouble: Trouble

    private struct Asked: Decodable {
        var user: String
        var password: String?
        var token: String?
        var code: String?
        var newPassword: String?
        var authorizationCode: String?
        var identityToken: String?
        var nonce: String?

        var proof: Proof { Proof(user: user, password: password, token: token, code: code) }
    }

    func add(to router: Router<BasicRequestContext>) {
        router.post("/api/session") { request, _ in
            await answer(request) { asked in ["token": try await accounts.signIn(asked.proof)] }
        }
        router.post("/api/password") { request, _ in
            await answer(request) { asked in
                guard let password = asked.newPassword else { throw Refusal.malformed }
                try await accounts.changePassword(asked.proof, to: password)
                return [:]
            }
        }
        router.post("/api/apple") { request, _ in
            await answer(request) { asked in
                guard let issuer else { throw Refusal(.notOffered, "Nobody signs in with Apple here.") }
                guard let code = asked.authorizationCode, let token = asked.identityToken, let nonce = asked.nonce
                else { throw Refusal.malformed }
                let person = try await issuer.person(for: token, nonce: nonce, code: code)
                try await accounts.convert(asked.proof, subject: person.subject, email: person.email)
                return [:]
            }
        }
    }

    private func answer(
        _ request: Request, _ body: @Sendable (Asked) async throws -> [String: String]
    ) async -> Response {
        let trouble = await trouble.next()
        do {
            if trouble == .silent {
                try? await Task.sleep(for: .seconds(3_600))
                throw Refusal.unavailable
            }
            if trouble == .down { throw Refusal.unavailable }
            let result = try await body(try await Self.read(Asked.self, request))
            if trouble == .cut { return Self.cut }
            return Self.json(result)
        } catch let refusal as Refusal {
            return Self.refused(refusal)
        } catch {
            return Self.refused(.unavailable)
        }
    }

    static func read<Value: Decodable>(_ type: Value.Type, _ request: Request) async throws -> Value {
        guard let body = try? await request.body.collect(upTo: 65_536),
            let value = try? JSONDecoder().decode(type, from: Data(body.readableBytesView))
        else { throw Refusal.malformed }
        return value
    }

    static func json(_ members: [String: String], status: HTTPResponse.Status = .ok) -> Response {
        let text = (try? JSONEncoder().encode(members)) ?? Data("{}".utf8)
        return Response(
            status: status, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(bytes: text)))
    }

    static func refused(_ refusal: Refusal) -> Response {
        json(["error": refusal.reason.rawValue, "message": refusal.message], status: refusal.status)
    }

    /// An answer that promises a body and ends before it.
    private static var cut: Response {
        struct Cut: Error {}
        return Response(
            status: .ok, headers: [.contentType: "application/json"],
            body: .init(contentLength: 1_024) { _ in throw Cut() })
    }
}
