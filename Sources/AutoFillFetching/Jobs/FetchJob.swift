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

/// The jobs there are, and how one is done.
public enum FetchJobs {
    static let all: [any FetchJob.Type] = [
        AssociationJob.self, ChangePasswordJob.self, IdentityTokenJob.self, QuirksJob.self, RangeJob.self, SiteJob.self,
        SuffixesJob.self,
    ]

    /// Does the job that an envelope names.
    ///
    /// - Parameter input: a `FetchEnvelope` as JSON.
    /// - Returns: `{"result": …}` or `{"error": {code, message}}` as JSON, and whether it is a result.
    public static func answer(_ input: [UInt8]) async -> (text: [UInt8], isResult: Bool) {
        do {
            let result = try await result(input)
            return (JSONValue.object(["result": result]).textWithoutSecrets, true)
        } catch {
            let members: [String: JSONValue] = [
                "code": .integer(Int64(error.code.rawValue)), "message": .string(error.message),
            ]
            return (JSONValue.object(["error": .object(members)]).textWithoutSecrets, false)
        }
    }

    private static func result(_ input: [UInt8]) async throws(WireError) -> JSONValue {
        guard input.count <= FetchEnvelope.maximumSize else {
            throw WireError(.invalidRequest, "The request is too long.")
        }
        let envelope = try FetchEnvelope(JSONValue(readingText: input))
        guard let kind = all.first(where: { $0.name == envelope.job }) else {
            throw WireError(.methodNotFound, "There is no such job.")
        }
        let job = try kind.init(envelope.request)
        let result = try await job.run(Downloader(.init(envelope.configuration)))
        guard result.textWithoutSecrets.count <= kind.maximumAnswer else {
            throw WireError(.internalError, "The answer is too long.")
        }
        return result
    }
}
