// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What the person, or the app for the person, shows to the service.
package struct Proof: Sendable {
    package let user: String
    package let password: String?
    package let token: String?
    package var code: String?

    package init(user: String, password: String? = nil, token: String? = nil, code: String? = nil) {
        self.user = user
        self.password = password
        self.token = token
        self.code = code
    }

    package func with(code: String) -> Proof {
        var proof = self
        proof.code = code
        return proof
    }
}
