// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillMatching
internal import FormAnalysis

extension AssetLinksFile {
    /// The site's file; whoever reads it does not follow redirects.
    static func download(_ site: HTTPSAddress) -> Download {
        Download(
            site.origin.description + "/.well-known/assetlinks.json", limit: byteLimit, deadline: .seconds(10),
            contentEncodings: Set(Download.ContentEncoding.allCases))
    }

    /// What came, in the doctor's terms.
    static func fact(_ outcome: DownloadOutcome) -> SiteFacts.File {
        switch outcome {
        case .answered(200, let headers, let body):
            let type = (headers["content-type"] ?? "").prefix { $0 != ";" }.lowercased().filter { $0 != " " }
            do throws(Fault) {
                _ = try AssetLinksFile(body)
            } catch {
                return .faulty(error.reason)
            }
            return type == "application/json" ? .present : .faulty("it does not come as application/json")
        case .answered(let status, _, _): return status < 500 ? .absent : .unknown(outcome.summary)
        case .redirected: return .faulty("it is a redirect, which is not followed")
        case .tooLarge: return .faulty("it is larger than 128 KiB")
        case .badCertificate, .unreachable, .timedOut, .brokenBody: return .unknown(outcome.summary)
        }
    }
}
