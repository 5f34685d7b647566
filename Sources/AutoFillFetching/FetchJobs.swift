// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC

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
