// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillMatching
import TerminalRendering

/// What an account is saved for, as people write it.
enum ItemService {
    /// The services as they are saved, and what the user should know of them. Throws for what is meant as an address and is not one of a page.
    static func read(_ services: [String]) throws(CommandFailure) -> (services: [String], notes: [String]) {
        var read: (services: [String], notes: [String]) = ([], [])
        for service in services {
            let written = WrittenService(service)
            let text = written.text
            if let refusal = written.refusal {
                throw CommandFailure(.invalidInput, refusal.sentence, hint: refusal.hint)
            }
            if let mark = text.firstRange(of: "://"),
                !["http", "https"].contains(text[..<mark.lowerBound].lowercased())
            {
                throw CommandFailure(
                    .invalidInput, "\(text) is not a web address: passwords are saved for http and https.",
                    hint: "Name the host alone where the scheme does not count.")
            }
            if written.namedUser { read.notes.append("The address is saved without the user name in it: \(text)") }
            if Origin(written: text) == nil {
                read.notes.append(
                    "\(text) is not the address of a site, so it is not suggested anywhere. "
                        + "`latchkey edit` gives it one with --add-service shiny.example.com.")
            }
            read.services.append(text)
        }
        return read
    }
}
