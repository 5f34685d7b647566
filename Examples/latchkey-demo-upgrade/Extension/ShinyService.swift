// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Shiny's own server, as its extension talks to it.
struct ShinyService: Sendable {
    /// What the server says to a change of a password.
    enum Answer: Sendable {
        case changed(password: String, session: String?)
        /// It wants a code that it has sent to the user.
        case codeNeeded
        /// It says no, and why.
        case refused(String)
        /// Nobody knows what it has done.
        case unreachable
    }

    /// A change of a password: with the old one, or where the app asks with a token of the user's session.
    struct Change: Encodable, Sendable {
        var user: String
        var password: String?
        var token: String?
        var newPassword: String
        var code: String?
    }

    private struct Reply: Decodable {
        var password: String?
        var session: String?
        var reason: String?
    }

    private let address: URL

    /// The address stands in the bundle's `Info.plist`.
    init?() {
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let file = program.deletingLastPathComponent().appendingPathComponent("Info.plist")
        guard let bytes = try? Data(contentsOf: file),
            let info = try? PropertyListSerialization.propertyList(from: bytes, options: [], format: nil),
            let text = (info as? [String: Any])?["ShinyServiceURL"] as? String, let address = URL(string: text)
        else { return nil }
        self.address = address
    }

    func send(_ change: Change) async -> Answer {
        var request = URLRequest(url: address, timeoutInterval: 20)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try? JSONEncoder().encode(change)
        guard let (body, response) = try? await URLSession.shared.data(for: request),
            let status = (response as? HTTPURLResponse)?.statusCode
        else { return .unreachable }
        let reply = try? JSONDecoder().decode(Reply.self, from: body)
        switch status {
        case 200: return .changed(password: reply?.password ?? change.newPassword, session: reply?.session)
        case 403: return .codeNeeded
        case 400..<500: return .refused(reply?.reason ?? "Authentication failed.")
        default: return .unreachable
        }
    }
}
