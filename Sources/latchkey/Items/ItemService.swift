// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import TerminalRendering

/// What an account is saved for, as people write it.
enum ItemService {
    /// Throws for a URL that no page has; a host or any other text is a service.
    static func require(_ services: [String]) throws(CommandFailure) {
        for service in services {
            guard let mark = service.firstRange(of: "://") else { continue }
            guard ["http", "https"].contains(service[..<mark.lowerBound].lowercased()) else {
                throw CommandFailure(
                    .invalidInput, "\(service) is not a web address: passwords are saved for http and https.",
                    hint: "Name the host alone where the scheme does not count.")
            }
        }
    }
}
