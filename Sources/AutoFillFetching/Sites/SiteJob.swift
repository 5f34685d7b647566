// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillIPC
internal import AutoFillMatching
internal import FormAnalysis
internal import FormStatements

/// Fetches a page as its author's visitors get it, reads it, and asks its site for the files by which it speaks to password
/// managers.
///
/// Of the page its description goes on: what stands in it, as `FormAnalysis` wants it said. A page that is not there is not
/// asked about any further.
public struct SiteJob: FetchJob {
    public static let name = SiteFetch.job
    public static let maximumAnswer = SiteFetch.maximumAnswer

    private let address: HTTPSAddress

    public init(_ request: JSONValue) throws(WireError) {
        let request: SiteFetch.Request = try request.decoded()
        guard let address = HTTPSAddress(request.address) else {
            throw WireError(.invalidParams, "This is not an https address, plainly written.")
        }
        self.address = address
    }

    /// Fetches the page, and asks its site for what belongs to it.
    public func run(_ downloader: Downloader) async throws(WireError) -> JSONValue {
        var steps: [SiteFetch.Step] = []
        let outcome = await downloader.get(SitePage.download(address))
        steps.append(Self.step(address.description, outcome))
        let answer: SiteFetch.Answer
        switch SitePage.read(outcome, from: address) {
        case .failure(let refusal):
            answer = .init(refusal: refusal, steps: steps)
        case .success(let page):
            let facts = await facts(downloader, &steps)
            answer = .init(page: page, facts: facts, steps: steps)
        }
        guard let value = try? JSONValue(encoding: answer) else {
            throw WireError(.internalError, "The answer cannot be written.")
        }
        return value
    }

    private func facts(_ downloader: Downloader, _ steps: inout [SiteFetch.Step]) async -> SiteFacts {
        var facts = SiteFacts()
        var inquiry = ChangePasswordInquiry(address)
        while let download = inquiry.next {
            let outcome = await downloader.get(download)
            steps.append(Self.step(download.address, outcome))
            inquiry.take(outcome)
        }
        facts.changePassword = inquiry.answer
        // Apps ask at the host's own port and nowhere else.
        guard address.origin.port == 443 else { return facts }
        facts.association = await association(downloader, &steps)
        let download = AssetLinksFile.download(address)
        let outcome = await downloader.get(download)
        steps.append(Self.step(download.address, outcome))
        facts.assetLinks = AssetLinksFile.fact(outcome)
        return facts
    }

    private func association(_ downloader: Downloader, _ steps: inout [SiteFetch.Step]) async -> SiteFacts.File {
        let request = AssociationFetch.Request(host: address.origin.host, mode: [], source: "direct")
        // A host that apps cannot name, an address for one, has no such file either.
        guard var inquiry = try? AssociationInquiry(request) else { return .unasked }
        var step = inquiry.first
        while case .get(let download) = step { step = inquiry.take(await downloader.get(download)) }
        guard case .done(let answer) = step else { return .unasked }
        steps += answer.steps.map { SiteFetch.Step(address: $0.url, outcome: $0.outcome) }
        if let apps = answer.apps {
            return apps.isEmpty ? .faulty("webcredentials.apps names no app") : .present
        }
        if let trouble = answer.trouble { return .unknown(trouble) }
        // What the site itself has counts; the second place is there for old files.
        let first = answer.steps.first?.outcome ?? ""
        if first.hasPrefix("200 OK, but ") { return .faulty(String(first.dropFirst("200 OK, but ".count))) }
        if first.contains(" to ") { return .faulty("it is a redirect, which is not followed") }
        return .absent
    }

    private static func step(_ address: String, _ outcome: DownloadOutcome) -> SiteFetch.Step {
        .init(address: address, outcome: AssociationInquiry.plain(outcome.summary))
    }
}
