// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import FormAnalysis
internal import FormReading
internal import FormStatements

/// The page that a site's author asks about.
enum SitePage {
    /// Longer than the longest pages that were seen, and far from what a machine cannot hold.
    static let byteLimit = 8 << 20

    /// The page, as a browser asks for it; where it leads elsewhere, that is another page.
    static func download(_ address: HTTPSAddress) -> Download {
        Download(
            address.description, limit: byteLimit, deadline: .seconds(30),
            contentEncodings: Set(Download.ContentEncoding.allCases))
    }

    /// What came, read.
    static func read(_ outcome: DownloadOutcome, from address: HTTPSAddress) -> Result<
        PageDescription, SiteFetch.Refusal
    > {
        switch outcome {
        case .answered(200, let headers, let body):
            guard isHTML(headers["content-type"] ?? "") else {
                let type = AssociationInquiry.plain(headers["content-type"] ?? "")
                return .failure(
                    .init(
                        kind: .refused,
                        reason: type.isEmpty
                            ? "The site does not state its content type." : "It is not a page of HTML but \(type).",
                        hint: "Pages come as text/html."))
            }
            guard let html = try? HTMLPage(parsing: body) else {
                return .failure(.init(kind: .refused, reason: "The page is too large to be read."))
            }
            var page = html.description
            // What the site is asked for is what a browser shows, whatever the page calls itself.
            page.path = String(address.target.prefix { $0 != "?" })
            return .success(page)
        case .answered(let status, _, _):
            let kind: SiteFetch.Refusal.Kind =
                status >= 500 ? .unavailable : [404, 410].contains(status) ? .absent : .refused
            return .failure(.init(kind: kind, reason: "The site answers \(HTTPStatus.line(status))."))
        case .redirected(let status, let place):
            let target = address.resolving(place)?.description
            return .failure(
                .init(
                    kind: .refused, reason: "The address leads elsewhere (\(HTTPStatus.line(status))).",
                    hint: target.map { "Ask for \($0)" } ?? "It leads to no https address."))
        case .tooLarge:
            return .failure(
                .init(
                    kind: .refused, reason: "The page is larger than \(byteLimit >> 20) MB.",
                    hint: "Save it without its pictures and scripts, and give the file."))
        case .badCertificate(let reason):
            return .failure(
                .init(
                    kind: .refused, reason: "The site's certificate is not to be trusted: \(reason).",
                    hint: "A certificate of your own authority: name its root in fetch.json (docs/quirks.md)."))
        case .unreachable, .timedOut, .brokenBody:
            return .failure(.init(kind: .unavailable, reason: "The site cannot be asked: \(outcome.summary)."))
        }
    }

    private static func isHTML(_ type: String) -> Bool {
        let name = type.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
        return name == "text/html" || name == "application/xhtml+xml"
    }
}

extension SiteFetch.Refusal: Error {}
