// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What goes wrong with the service, at a test's wish: extensions meet all of it sooner or later.
actor Trouble {
    enum Kind: String, Codable, Sendable {
        /// Every request of the API is answered 503.
        case down
        /// The request is carried out, and the connection ends before the answer.
        case cut
        /// Nothing is answered, and nothing is done.
        case silent
    }

    private var kind: Kind?
    private var times = 0

    /// Trouble for so many requests; nothing for none.
    func begin(_ kind: Kind?, times: Int) {
        self.kind = kind
        self.times = times
    }

    /// What happens to this request.
    func next() -> Kind? {
        guard times > 0 else { return nil }
        times -= 1
        return kind
    }
}
