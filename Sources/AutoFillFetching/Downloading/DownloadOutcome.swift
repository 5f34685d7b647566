// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What became of a download. Every way in which a server can misbehave is a value; none is an error that is thrown.
public enum DownloadOutcome: Sendable, Equatable {
    /// The server answered completely and within the limit; the status may be any but a redirect's (3xx with `Location`).
    ///
    /// - Parameter headers: those of `AnswerReader.keptHeaders` that were sent, by lower-case name, each bounded in length.
    case answered(status: Int, headers: [String: String], body: [UInt8])
    /// The server pointed elsewhere, and that was not to be followed: the address as the server wrote it, bounded.
    case redirected(status: Int, to: String)
    /// The body, uncompressed, is larger than the limit.
    case tooLarge
    /// The certificate is not valid for the host, now, from a trusted root.
    case badCertificate(reason: String)
    /// No connection came about, or it ended before there was an answer.
    case unreachable(reason: String)
    /// The deadline passed first.
    case timedOut
    /// The answer is cut off, is not what HTTP says, or came in an encoding that was not asked for.
    case brokenBody(reason: String)
}

extension DownloadOutcome {
    /// One clause for people: "404 Not Found", "no answer in time".
    public var summary: String {
        switch self {
        case .answered(let status, _, _): HTTPStatus.line(status)
        case .redirected(let status, let address): "\(HTTPStatus.line(status)) to \(address)"
        case .tooLarge: "more than was to be expected"
        case .badCertificate(let reason): "the certificate is not to be trusted: \(reason)"
        case .unreachable(let reason): "no connection: \(reason)"
        case .timedOut: "no complete answer in time"
        case .brokenBody(let reason): "a broken answer: \(reason)"
        }
    }
}
