// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPCompression
internal import NIOPosix
internal import NIOSSL

/// What the libraries throw, in the terms of this room.
struct DownloadFailure: Error {
    let outcome: DownloadOutcome

    init(_ outcome: DownloadOutcome) {
        self.outcome = outcome
    }

    /// Libraries add errors with every release; one that is not known here is a connection that did not come about, or a broken body.
    static func outcome(of error: any Error, whileReadingBody: Bool) -> DownloadOutcome {
        func broken(_ reason: String) -> DownloadOutcome {
            whileReadingBody ? .brokenBody(reason: reason) : .unreachable(reason: reason)
        }
        switch error {
        case let failure as DownloadFailure:
            return failure.outcome
        case is CancellationError:
            return .timedOut
        case let error as HTTPClientError:
            return outcome(of: error, broken)
        case let error as NIOConnectionError:
            return .unreachable(reason: reason(error))
        case let error as ChannelError:
            if case .connectTimeout = error { return .timedOut }
            return broken("the connection was closed")
        case let error as NIOSSLExtraError where error == .failedToValidateHostname:
            return .badCertificate(reason: "it is for another host")
        case let error as NIOSSLError:
            return outcome(of: error, broken)
        case is NIOSSLExtraError, is BoringSSLError:
            return broken("TLS failed")
        case let error as NIOHTTPDecompression.DecompressionError where error == .limit:
            return .tooLarge
        case is NIOHTTPDecompression.DecompressionError, is NIOHTTPDecompression.ExtraDecompressionError:
            return .brokenBody(reason: "the compressed body is damaged")
        case is HTTPParserError:
            return .brokenBody(reason: "this is not HTTP, or was cut off")
        case let error as IOError:
            return broken(text(error.errnoCode))
        default:
            return broken("the connection failed")
        }
    }

    private static func outcome(of error: HTTPClientError, _ broken: (String) -> DownloadOutcome) -> DownloadOutcome {
        switch error {
        case .readTimeout, .writeTimeout, .connectTimeout, .tlsHandshakeTimeout, .httpProxyHandshakeTimeout,
            .deadlineExceeded, .getConnectionFromPoolTimeout, .cancelled:
            .timedOut
        case .invalidProxyResponse: .unreachable(reason: "the proxy refused")
        case .proxyAuthenticationRequired: .unreachable(reason: "the proxy wants a user and a password")
        case .remoteConnectionClosed: broken("the connection was closed")
        default: broken(error.shortDescription.lowercased())
        }
    }

    private static func outcome(of error: NIOSSLError, _ broken: (String) -> DownloadOutcome) -> DownloadOutcome {
        switch error {
        case .handshakeFailed(.sslError(let stack)) where "\(stack)".contains("CERTIFICATE_VERIFY_FAILED"):
            .badCertificate(reason: "it has expired, or no authority that is trusted here vouches for it")
        case .noCertificateToValidate, .unableToValidateCertificate:
            .badCertificate(reason: "there is none that could be checked")
        case .handshakeFailed:
            .unreachable(reason: "the server and this program have no version of TLS in common, or it is no TLS server")
        case .uncleanShutdown: broken("the connection was cut off")
        default: broken("TLS failed")
        }
    }

    private static func reason(_ error: NIOConnectionError) -> String {
        if let failure = error.connectionErrors.first?.error as? IOError { return text(failure.errnoCode) }
        if error.dnsAError != nil || error.dnsAAAAError != nil { return "the host \(error.host) has no address" }
        return "no address of \(error.host) answers"
    }

    private static func text(_ number: Int32) -> String {
        switch number {
        case 111: "the connection was refused"
        case 104: "the connection was reset"
        case 101, 113: "the network is not reachable"
        case 110: "the host does not answer"
        default: "error \(number) of the system"
        }
    }
}
