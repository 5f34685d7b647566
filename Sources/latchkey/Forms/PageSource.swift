// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import FormAnalysis
import TerminalRendering

/// Where the doctor gets a page, and what it can find out about the page's site.
///
/// A file knows nothing of its site. An address is asked for through `latchkey-fetch`, which alone talks to the network and reads
/// what comes from it.
enum PageSource {
    case file(String)
    case site(SiteAsking, address: String)

    /// A page, and what its site said.
    struct Found {
        let name: String
        let page: PageDescription
        /// Nothing for a file.
        var site: SiteSeen?
    }

    init(_ argument: String) throws(CommandFailure) {
        let scheme = argument.prefix { $0 != ":" }.lowercased()
        guard argument.dropFirst(scheme.count).hasPrefix("://") else {
            self = .file(argument)
            return
        }
        guard scheme == "https" else {
            throw CommandFailure(
                .refused, "\(argument) does not come encrypted; pages are asked for over https only.",
                hint: "Where the site has no https yet, save the page and give the file.")
        }
        self = .site(try SiteAsking(), address: argument)
    }

    func find() async throws(CommandFailure) -> Found {
        switch self {
        case .file(let path): Found(name: PageFile.name(path), page: try PageFile.read(path))
        case .site(let asking, let address): try await asking.ask(address)
        }
    }
}
