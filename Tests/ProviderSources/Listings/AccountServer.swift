// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The server in the places of the article's comments: one JSON object there, a status back. Its address stands in the bundle.
final class AccountServer: Sendable {
    enum Answer: Sendable {
        case changed, codeNeeded, refused, unreachable
    }

    static let shared = AccountServer()
    private let address: URL?

    private init() {
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let file = program.deletingLastPathComponent().appendingPathComponent("Info.plist")
        let list = (try? Data(contentsOf: file)).flatMap {
            try? PropertyListSerialization.propertyList(from: $0, options: [], format: nil)
        }
        address = ((list as? [String: Any])?["ShinyServiceURL"] as? String).flatMap(URL.init(string:))
    }

    @MainActor
    func send(
        _ credential: ASPasswordCredential, token: String?, newPassword: String, code: String?,
        completion: @escaping @MainActor (Answer) -> Void
    ) {
        // In a request of an app there is no existing password.
        let password = credential.password.isEmpty ? nil : credential.password
        let change = [
            "user": credential.user, "password": password, "token": token, "newPassword": newPassword, "code": code,
        ]
        let body = try? JSONEncoder().encode(change.compactMapValues { $0 })
        Task { completion(await post(body)) }
    }

    /// Says on standard error what happened, for the test that looks.
    func note(_ words: [String]) {
        FileHandle.standardError.write(Data((words.joined(separator: " ") + "\n").utf8))
    }

    private func post(_ body: Data?) async -> Answer {
        guard let address else { return .unreachable }
        var request = URLRequest(url: address, timeoutInterval: 20)
        request.httpMethod = "POST"
        request.httpBody = body
        let answer = try? await URLSession.shared.data(for: request)
        switch (answer?.1 as? HTTPURLResponse)?.statusCode {
        case 200: return .changed
        case 403: return .codeNeeded
        case 401: return .refused
        default: return .unreachable
        }
    }
}
