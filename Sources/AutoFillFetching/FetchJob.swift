// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillIPC

/// One kind of work that `latchkey-fetch` does: fetch, read what came, and answer with what was understood.
///
/// Whatever a server sends ends in a job. An answer is built anew from what was read and checked; bytes of a server reach the
/// daemon in no other way.
public protocol FetchJob: Sendable {
    /// What a request calls it: the member `job`.
    static var name: String { get }
    /// The most bytes that its answer takes as JSON; one that is longer becomes a failure.
    static var maximumAnswer: Int { get }

    /// Reads the request, which is trusted to be the daemon's or the command line's, but not to be right.
    init(_ request: JSONValue) throws(WireError)

    /// Does the work. A server that misbehaves is part of the answer; throwing means that there is none.
    func run(_ downloader: Downloader) async throws(WireError) -> JSONValue
}
