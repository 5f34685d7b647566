// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CCurl
internal import Glibc

/// Why a transfer failed, in the terms of this room.
struct DownloadFailure: Error {
    let outcome: DownloadOutcome

    init(_ outcome: DownloadOutcome) {
        self.outcome = outcome
    }

    /// Reads what libcurl says of a transfer.
    ///
    /// libcurl adds codes with every release; one that is not known here is a connection that did not come about, or a broken body.
    ///
    /// - Parameters:
    ///   - systemError: `errno` of the last connection that failed, or 0.
    ///   - verification: OpenSSL's verdict on the certificate (`X509_V_…`).
    ///   - proxyStatus: what a proxy answered to `CONNECT`, or 0.
    ///   - isExit: whether that proxy is `latchkey-net`.
    ///   - refusedAddress: whether an address was not connected to because it is not of the internet, and none was.
    init(
        _ code: CURLcode, systemError: Int = 0, verification: Int = 0, proxyStatus: Int = 0, isExit: Bool = false,
        refusedAddress: Bool = false, host: String = "", proxy: String? = nil, whileReadingBody: Bool = false
    ) {
        func broken(_ reason: String) -> DownloadOutcome {
            whileReadingBody ? .brokenBody(reason: reason) : .unreachable(reason: reason)
        }
        if refusedAddress, code == CURLE_COULDNT_CONNECT {
            outcome = .notOfTheInternet(host)
            return
        }
        if isExit, let outcome = Self.refusal(proxyStatus, host) {
            self.outcome = outcome
            return
        }
        if proxyStatus != 0, !(200..<300).contains(proxyStatus) {
            outcome = .unreachable(
                reason: proxyStatus == 407 ? "the proxy requires a user name and a password" : "the proxy refused")
            return
        }
        outcome =
            switch code {
            case CURLE_OPERATION_TIMEDOUT, CURLE_ABORTED_BY_CALLBACK: .timedOut
            case CURLE_COULDNT_RESOLVE_HOST: .unreachable(reason: "the host \(host) has no address")
            case CURLE_COULDNT_RESOLVE_PROXY: .unreachable(reason: "the host \(proxy ?? host) has no address")
            case CURLE_COULDNT_CONNECT:
                .unreachable(
                    reason: Self.text(systemError) ?? "no address of \(proxy ?? host) answers")
            case CURLE_PEER_FAILED_VERIFICATION: .badCertificate(reason: Self.reason(verification))
            case CURLE_SSL_CACERT_BADFILE:
                .badCertificate(reason: "this system has no root certificates to check it by")
            case CURLE_SSL_CONNECT_ERROR:
                .unreachable(
                    reason: "the server and this program have no version of TLS in common, or it is not a TLS server")
            case CURLE_SEND_ERROR, CURLE_RECV_ERROR: broken(Self.text(systemError) ?? "the connection was closed")
            case CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE: broken("the connection was closed")
            case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING,
                CURLE_HTTP2, CURLE_OUT_OF_MEMORY:
                .brokenBody(reason: "this is not HTTP, or was cut off")
            default: broken("the connection failed")
            }
    }

    /// What `latchkey-net` means by a status; `nil` where the user's own proxy refused, or nobody did.
    private static func refusal(_ status: Int, _ host: String) -> DownloadOutcome? {
        switch status {
        case 403: .notOfTheInternet(host)
        case 503: .unreachable(reason: "the connection was refused")
        case 504: .unreachable(reason: "the host does not answer")
        default: nil
        }
    }

    private static func reason(_ verification: Int) -> String {
        switch verification {
        // X509_V_ERR_HOSTNAME_MISMATCH and …_IP_ADDRESS_MISMATCH; OK and …_UNSPECIFIED where libcurl found it by itself.
        case 0, 1, 62, 64: "it is for another host"
        default: "it has expired, or no authority that is trusted here vouches for it"
        }
    }

    private static func text(_ number: Int) -> String? {
        switch Int32(truncatingIfNeeded: number) {
        case ECONNREFUSED: "the connection was refused"
        case ECONNRESET: "the connection was reset"
        case ENETUNREACH, EHOSTUNREACH: "the network is not reachable"
        case ETIMEDOUT: "the host does not answer"
        default: nil
        }
    }
}

extension DownloadOutcome {
    /// The host is on this computer or a network around it, or is nowhere.
    static func notOfTheInternet(_ host: String) -> DownloadOutcome {
        .unreachable(reason: "the host \(host) has no address on the internet")
    }
}
