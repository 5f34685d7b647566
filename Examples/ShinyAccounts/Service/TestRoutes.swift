// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Hummingbird

/// What tests ask for, and nobody else may: they are there only where the service was started for tests.
struct TestRoutes: Sendable {
    let accounts: AccountBook
    let trouble: Trouble
    let issuer: Issuer?

    private struct NewAccount: Decodable {
        var user: String
        var password: String
        /// The authenticator's set-up key in hexadecimal digits.
        var key: String?
    }

    private struct NewTrouble: Decodable {
        var kind: Trouble.Kind?
        var times: Int?
    }

    private struct NewFlaw: Decodable {
        var flaw: Issuer.Flaw?
    }

    private struct Asked: Decodable {
        var user: String
    }

    func add(to router: Router<BasicRequestContext>) {
        // An account from before there was a policy.
        router.post("/test/account") { request, _ in
            let asked = try await APIRoutes.read(NewAccount.self, request)
            let factor = asked.key.flatMap(Self.bytes).map(SecondFactor.init(key:))
            try await accounts.add(asked.user, password: asked.password, secondFactor: factor, isOld: true)
            return APIRoutes.json([:])
        }
        router.post("/test/trouble") { request, _ in
            let asked = try await APIRoutes.read(NewTrouble.self, request)
            await trouble.begin(asked.kind, times: asked.times ?? .max)
            return APIRoutes.json([:])
        }
        router.post("/test/issuer") { request, _ in
            await issuer?.have(try await APIRoutes.read(NewFlaw.self, request).flaw)
            return APIRoutes.json([:])
        }
        router.post("/test/method") { request, _ in
            let user = try await APIRoutes.read(Asked.self, request).user
            return APIRoutes.json(["method": await accounts.method(of: user) ?? "none"])
        }
    }

    private static func bytes(_ text: String) -> [UInt8]? {
        guard text.utf8.count.isMultiple(of: 2) else { return nil }
        let digits = Array(text)
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0...($0 + 1)]), radix: 16)
        }
        return bytes.count == digits.count / 2 ? bytes : nil
    }
}
