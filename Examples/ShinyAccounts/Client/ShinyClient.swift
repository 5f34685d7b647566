// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
package import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

/// The service's API, as the app and its extension use it.
package struct ShinyClient: Sendable {
    /// What the service says when it does not do what it was asked.
    package struct Refusal: Error {
        package let reason: String
        package let message: String
    }

    private let base: String

    /// The service's address stands in the `Info.plist` beside the program; that it can be another one is for those who try it out.
    package init() {
        base = Bundle.main.shinyService ?? "https://shiny.example.com"
    }

    package func signIn(_ proof: Proof) async throws -> String {
        guard let token = try await ask("session", proof.members)["token"] else { throw Self.nonsense }
        return token
    }

    package func changePassword(_ proof: Proof, to newPassword: String) async throws {
        _ = try await ask("password", proof.members.merging(["newPassword": newPassword]) { $1 })
    }

    package func convert(
        user: String, token: String, authorizationCode: Data, identityToken: Data, nonce: String
    ) async throws {
        _ = try await ask(
            "apple",
            [
                "user": user, "token": token, "authorizationCode": String(decoding: authorizationCode, as: UTF8.self),
                "identityToken": String(decoding: identityToken, as: UTF8.self), "nonce": nonce,
            ])
    }

    /// Uses the proxy that the environment names, which is the only way out of a sandbox.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        if let proxy = ProcessInfo.processInfo.environment["http_proxy"].flatMap({ URL(string: $0) }),
            let host = proxy.host(), let port = proxy.port
        {
            configuration.proxy = .server(host: host, port: port)
        }
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    private static let nonsense = Refusal(
        reason: "nonsense", message: "Shiny cannot be reached now. Please try again later.")

    private func ask(_ method: String, _ members: [String: String]) async throws -> [String: String] {
        var request = HTTPClientRequest(url: "\(base)/api/\(method)")
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(ByteBuffer(data: try JSONEncoder().encode(members)))
        let (status, body): (UInt, Data)
        do {
            let response = try await Self.client.execute(request, timeout: .seconds(20))
            (status, body) = (response.status.code, Data(buffer: try await response.body.collect(upTo: 65_536)))
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw Self.nonsense
        }
        guard let answer = try? JSONDecoder().decode([String: String].self, from: body) else { throw Self.nonsense }
        guard status == 200 else {
            throw Refusal(reason: answer["error"] ?? "", message: answer["message"] ?? Self.nonsense.message)
        }
        return answer
    }
}

extension Proof {
    fileprivate var members: [String: String] {
        ["user": user, "password": password, "token": token, "code": code].compactMapValues(\.self)
    }
}

extension Bundle {
    /// `ShinyService` of the extension's `Info.plist`.
    fileprivate var shinyService: String? {
        guard let folder = executableURL?.resolvingSymlinksInPath().deletingLastPathComponent(),
            let data = try? Data(contentsOf: folder.appending(path: "Info.plist")),
            let information = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
        else { return nil }
        return information["ShinyService"] as? String
    }
}
