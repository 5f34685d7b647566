// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Hummingbird
internal import NIOCore

/// The pages and addresses of the identity provider, at the paths that Apple's has.
struct IssuerRoutes: Sendable {
    let issuer: Issuer

    private struct Asked: Decodable {
        var client: String
        var returnURL: String
        var responseType: String?
        var responseMode: String?
        var state: String?
        var nonce: String?
        var email: String?
        var choice: String?

        private enum CodingKeys: String, CodingKey {
            case client = "client_id"
            case returnURL = "redirect_uri"
            case responseType = "response_type"
            case responseMode = "response_mode"
            case state, nonce, email, choice
        }
    }

    private struct Exchange: Decodable {
        var grantType: String
        var code: String
        var client: String
        var returnURL: String

        private enum CodingKeys: String, CodingKey {
            case grantType = "grant_type"
            case code
            case client = "client_id"
            case returnURL = "redirect_uri"
        }
    }

    func add(to router: Router<BasicRequestContext>) {
        router.get("/auth/authorize") { request, _ in
            guard let asked = try? URLEncodedFormDecoder().decode(Asked.self, from: request.uri.query ?? ""),
                issuer.knows(client: asked.client, returnURL: asked.returnURL),
                asked.responseType == "code id_token", asked.responseMode == "form_post"
            else {
                return Page.answer(
                    Page.message("This is not a request of an app that is known here."), status: .badRequest)
            }
            return Page.answer(
                Page.agreement(
                    client: asked.client,
                    hidden: [("client_id", asked.client), ("redirect_uri", asked.returnURL)]
                        + [("state", asked.state), ("nonce", asked.nonce)].compactMap { name, value in
                            value.map { (name, $0) }
                        }))
        }
        router.post("/auth/authorize") { request, _ in
            guard let asked = await Page.form(Asked.self, request),
                issuer.knows(client: asked.client, returnURL: asked.returnURL)
            else {
                return Page.answer(
                    Page.message("This is not a request of an app that is known here."), status: .badRequest)
            }
            let answer =
                asked.choice == "continue"
                ? try await issuer.authorize(
                    email: asked.email ?? "johnny@example.com", state: asked.state, nonce: asked.nonce)
                : await issuer.refuse(state: asked.state)
            return Page.answer(Page.post(to: answer.returnURL, fields: answer.fields))
        }
        router.post("/auth/token") { request, _ in
            guard let asked = await Page.form(Exchange.self, request), asked.grantType == "authorization_code" else {
                return APIRoutes.refused(.malformed)
            }
            do {
                let token = try await issuer.redeem(asked.code, client: asked.client, returnURL: asked.returnURL)
                return APIRoutes.json(["id_token": token, "token_type": "Bearer"])
            } catch let refusal as Refusal {
                return APIRoutes.refused(refusal)
            }
        }
        router.get("/auth/keys") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/json"],
                body: .init(byteBuffer: ByteBuffer(string: try await issuer.keySet())))
        }
    }
}
