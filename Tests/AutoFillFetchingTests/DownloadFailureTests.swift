// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import CCurl
import Glibc
import Testing

@testable import AutoFillFetching

/// What libcurl says of a transfer, in the words of this room.
@Suite struct DownloadFailureTests {
    private func outcome(
        _ code: CURLcode, _ systemError: Int32 = 0, verification: Int = 0, proxyStatus: Int = 0, inBody: Bool = false
    ) -> DownloadOutcome {
        DownloadFailure(
            code, systemError: Int(systemError), verification: verification, proxyStatus: proxyStatus,
            host: "a.example", whileReadingBody: inBody
        ).outcome
    }

    @Test func namesWhatFailedBeforeTheAnswer() {
        #expect(outcome(CURLE_COULDNT_RESOLVE_HOST) == .unreachable(reason: "the host a.example has no address"))
        #expect(outcome(CURLE_COULDNT_CONNECT, ECONNREFUSED) == .unreachable(reason: "the connection was refused"))
        #expect(outcome(CURLE_COULDNT_CONNECT, ENETUNREACH) == .unreachable(reason: "the network is not reachable"))
        #expect(outcome(CURLE_COULDNT_CONNECT, 77) == .unreachable(reason: "no address of a.example answers"))
        #expect(outcome(CURLE_OPERATION_TIMEDOUT) == .timedOut && outcome(CURLE_ABORTED_BY_CALLBACK) == .timedOut)
        #expect(outcome(CURLE_GOT_NOTHING) == .unreachable(reason: "the connection was closed"))
        #expect(outcome(CURLE_FAILED_INIT) == .unreachable(reason: "the connection failed"))
    }

    @Test func tellsAHostFromAChain() {
        for verdict in [0, 1, 62, 64] {
            #expect(
                outcome(CURLE_PEER_FAILED_VERIFICATION, verification: verdict)
                    == .badCertificate(reason: "it is for another host"))
        }
        // Expired, not valid yet, self-signed, of an unknown authority, revoked.
        for verdict in [9, 10, 18, 19, 20, 21, 23] {
            guard
                case .badCertificate(let reason) = outcome(CURLE_PEER_FAILED_VERIFICATION, verification: verdict)
            else {
                Issue.record("\(verdict)")
                continue
            }
            #expect(reason.contains("expired"))
        }
        #expect(
            outcome(CURLE_SSL_CACERT_BADFILE)
                == .badCertificate(reason: "this system has no root certificates to check it by"))
    }

    @Test func aProxyThatRefusesIsNamed() {
        #expect(outcome(CURLE_RECV_ERROR, proxyStatus: 403) == .unreachable(reason: "the proxy refused"))
        #expect(outcome(CURLE_COULDNT_CONNECT, proxyStatus: 502) == .unreachable(reason: "the proxy refused"))
        #expect(
            outcome(CURLE_RECV_ERROR, proxyStatus: 407)
                == .unreachable(reason: "the proxy requires a user name and a password"))
        #expect(outcome(CURLE_GOT_NOTHING, proxyStatus: 200) == .unreachable(reason: "the connection was closed"))
    }

    @Test func theWayOutSaysWhyItLeadsNowhere() {
        func refusal(_ status: Int) -> DownloadOutcome {
            DownloadFailure(CURLE_RECV_ERROR, proxyStatus: status, isExit: true, host: "a.example").outcome
        }
        #expect(refusal(403) == .unreachable(reason: "the host a.example has no address on the internet"))
        #expect(refusal(502) == .unreachable(reason: "the proxy refused"))
        #expect(refusal(503) == .unreachable(reason: "the connection was refused"))
        #expect(refusal(504) == .unreachable(reason: "the host does not answer"))
    }

    @Test func aBodyThatBreaksOffIsBroken() {
        #expect(outcome(CURLE_PARTIAL_FILE, inBody: true) == .brokenBody(reason: "the connection was closed"))
        #expect(outcome(CURLE_RECV_ERROR, ECONNRESET, inBody: true) == .brokenBody(reason: "the connection was reset"))
        #expect(outcome(CURLE_FAILED_INIT, inBody: true) == .brokenBody(reason: "the connection failed"))
        #expect(
            outcome(CURLE_UNSUPPORTED_PROTOCOL) == .brokenBody(reason: "this is not HTTP, or was cut off"))
    }
}
