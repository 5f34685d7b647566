// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillIPC

/// Fetches and reads a site's `apple-app-site-association`.
public struct AssociationJob: FetchJob {
    public static let name = AssociationFetch.job
    /// A file of 128 KiB names at most this much.
    public static let maximumAnswer = 262_144

    private let inquiry: AssociationInquiry

    public init(_ request: JSONValue) throws(WireError) {
        inquiry = try AssociationInquiry(try request.decoded())
    }

    /// Asks one place after the other, as the answers demand, and says what was found.
    public func run(_ downloader: Downloader) async throws(WireError) -> JSONValue {
        var inquiry = inquiry
        var step = inquiry.first
        while case .get(let download) = step {
            step = inquiry.take(await downloader.get(download))
        }
        guard case .done(let answer) = step, let value = try? JSONValue(encoding: answer) else {
            throw WireError(.internalError, "The answer cannot be written.")
        }
        return value
    }
}
