// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillMatching
internal import FormAnalysis

/// Asks a site whether its `/.well-known/change-password` can be relied on; see `ChangePasswordInquiry`.
struct ChangePasswordJob: FetchJob {
    static let name = ChangePasswordFetch.job
    static let maximumAnswer = 4_096

    private let address: HTTPSAddress

    init(_ request: JSONValue) throws(WireError) {
        let request: ChangePasswordFetch.Request = try request.decoded()
        guard let address = HTTPSAddress(request.address) else {
            throw WireError(.invalidParams, "This is not an https address, plainly written.")
        }
        self.address = address
    }

    func run(_ downloader: Downloader) async throws(WireError) -> JSONValue {
        var inquiry = ChangePasswordInquiry(address)
        while let download = inquiry.next { inquiry.take(await downloader.get(download)) }
        let answer = ChangePasswordFetch.Answer(
            isUsable: inquiry.isUsable, reason: inquiry.isUsable ? nil : Self.reason(inquiry.answer))
        guard let value = try? JSONValue(encoding: answer) else {
            throw WireError(.internalError, "The answer cannot be written.")
        }
        return value
    }

    private static func reason(_ answer: SiteFacts.File) -> String {
        switch answer {
        case .faulty(let reason), .unknown(let reason): AssociationInquiry.plain(reason)
        case .unasked, .absent, .present: "the site has no such page"
        }
    }
}
