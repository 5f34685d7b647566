// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC

/// Which addresses are asked for a site's file, in which order, and what their answers mean.
///
/// A value: it says what to download next and is told what became of it.
///
/// 1. From a content network: `BASE/a/v1/HOST`. Only where the network says so (`Apple-Try-Direct`) is the site itself asked.
/// 2. From the site: `/.well-known/apple-app-site-association`.
/// 3. Only where that was answered by 300 to 499, and the entry has no mode: `/apple-app-site-association`. A file that is there
///    and says something wrong is the site's answer, and nothing else is looked for; neither is it where the site cannot be
///    asked, since an old file at the other place must not decide meanwhile.
///
/// 200 delivers the file. Everything else below 500 is a no, redirects included. 500 and more, and whatever keeps an answer
/// from coming whole and from the right server, is trouble that passes.
struct AssociationInquiry: Sendable {
    /// What to do next.
    enum Step: Equatable {
        case get(Download)
        case done(AssociationFetch.Answer)
    }

    private enum Place: Equatable {
        case network, wellKnown, root
    }

    private enum Reading {
        case apps([String])
        case denied(String, isStatus: Bool)
        case trouble(String)
        case elsewhere(String)
    }

    private static let file = "apple-app-site-association"
    /// Of one request. Apple's own network gives sites about half of it.
    private static let deadline = Duration.seconds(10)
    private static let textLimit = 300

    private let host: String
    private let isDeveloper: Bool
    private let hasMode: Bool
    private let base: String?
    private var place: Place
    private var steps: [AssociationFetch.Step] = []

    /// - Throws: `invalidParams` where the request names no host or no source.
    init(_ request: AssociationFetch.Request) throws(WireError) {
        guard Self.isHost(request.host) else { throw WireError(.invalidParams, "The host is not a host name.") }
        guard request.mode.allSatisfy({ $0 == "developer" || $0 == "managed" }) else {
            throw WireError(.invalidParams, "The mode is not known.")
        }
        host = request.host
        isDeveloper = request.mode.contains("developer")
        hasMode = !request.mode.isEmpty
        if request.source == "direct" || hasMode {
            base = nil
        } else {
            guard request.source.hasPrefix("https://") else {
                throw WireError(.invalidParams, "The source is neither direct nor https.")
            }
            base = request.source
        }
        place = base == nil ? .wellKnown : .network
    }

    /// What comes first.
    var first: Step { .get(download) }

    /// Takes what became of the download that was last asked for.
    mutating func take(_ outcome: DownloadOutcome) -> Step {
        let url = download.address
        switch read(outcome) {
        case .apps(let apps):
            note(url, "200 OK", "delivered")
            return .done(.init(steps: steps, apps: apps))
        case .denied(let reason, let isStatus):
            note(url, reason, "denied")
            if place == .wellKnown, isStatus, !hasMode {
                place = .root
                return .get(download)
            }
            return .done(.init(steps: steps, denied: Self.plain(reason)))
        case .trouble(let reason):
            note(url, reason, "failed")
            return .done(.init(steps: steps, trouble: Self.plain(reason)))
        case .elsewhere(let reason):
            note(url, reason, "denied")
            place = .wellKnown
            return .get(download)
        }
    }

    private var download: Download {
        let address =
            switch place {
            case .network: "\(base ?? "")/a/v1/\(host)"
            case .wellKnown: "https://\(host)/.well-known/\(Self.file)"
            case .root: "https://\(host)/\(Self.file)"
            }
        return Download(
            address, limit: AssociationFile.byteLimit, deadline: Self.deadline,
            contentEncodings: Set(Download.ContentEncoding.allCases), trust: isDeveloper ? .any : .system)
    }

    private func read(_ outcome: DownloadOutcome) -> Reading {
        switch outcome {
        case .answered(200, let headers, let body):
            do throws(AssociationFile.Fault) {
                return .apps(try AssociationFile(body, type: headers["content-type"]).apps)
            } catch {
                return .denied("200 OK, but \(error.reason)", isStatus: false)
            }
        case .answered(let status, let headers, _):
            var line = HTTPStatus.line(status)
            if place == .network, let reason = headers["apple-failure-reason"] { line += " (\(reason))" }
            if place == .network, status == 404, headers["apple-try-direct"]?.lowercased() == "true" {
                return .elsewhere(line + "; the site itself is asked")
            }
            switch status {
            case 200..<300: return .denied(line, isStatus: false)
            case 300..<500: return .denied(line, isStatus: true)
            default: return .trouble(line)
            }
        case .redirected(let status, let address):
            return .denied("\(HTTPStatus.line(status)) to \(address); redirects are not followed", isStatus: true)
        case .tooLarge:
            return .denied("200 OK, but it is larger than 128 KiB", isStatus: false)
        case .badCertificate, .unreachable, .timedOut, .brokenBody:
            return .trouble(outcome.summary)
        }
    }

    private mutating func note(_ url: String, _ outcome: String, _ kind: String) {
        steps.append(.init(url: url, outcome: Self.plain(outcome), kind: kind))
    }

    /// What a server wrote, on one line of printable ASCII.
    static func plain(_ text: String) -> String {
        let scalars = text.unicodeScalars.prefix(textLimit).map {
            (0x20...0x7E).contains($0.value) ? Character($0) : "?"
        }
        return String(scalars) + (text.unicodeScalars.count > textLimit ? "..." : "")
    }

    /// A name in plain form, so that nothing else can come to stand in an address.
    private static func isHost(_ host: String) -> Bool {
        (1...253).contains(host.utf8.count) && !host.hasPrefix(".") && !host.hasSuffix(".") && !host.contains("..")
            && host.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
                    || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
            }
    }
}
