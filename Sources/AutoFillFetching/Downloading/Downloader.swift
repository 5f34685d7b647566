// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AsyncHTTPClient
internal import AutoFillIPC
internal import AutoFillMatching
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPCompression
internal import NIOSSL

/// Fetches over HTTPS within bounds: TLS 1.2 or newer, the certificate and host name checked, no cookies, nothing kept.
public struct Downloader: Sendable {
    /// The headers of an answer that are handed on.
    public static let keptHeaders: Set<String> = [
        "apple-failure-reason", "apple-try-direct", "content-type", "date", "etag", "last-modified", "retry-after",
    ]
    static let maximumHeader = 256

    private let configuration: DownloaderConfiguration

    public init(_ configuration: DownloaderConfiguration = DownloaderConfiguration()) {
        self.configuration = configuration
    }

    /// Carries out one download; returns when it ended or its deadline passed, whichever is first.
    public func get(_ download: Download) async -> DownloadOutcome {
        let (outcomes, outcome) = AsyncStream.makeStream(of: DownloadOutcome.self, bufferingPolicy: .bufferingOldest(1))
        // Not children of this task: finding a host's address cannot be interrupted, and nobody waits for it beyond the deadline.
        let work = Task { outcome.yield(await follow(download)) }
        let alarm = Task {
            guard (try? await Task.sleep(for: configuration.deadline ?? download.deadline)) != nil else { return }
            outcome.yield(.timedOut)
        }
        defer {
            work.cancel()
            alarm.cancel()
        }
        for await first in outcomes { return first }
        return .timedOut
    }

    private func follow(_ download: Download) async -> DownloadOutcome {
        guard var address = HTTPSAddress(download.address) else {
            return .unreachable(reason: "this is no https address")
        }
        var followed = 0
        while true {
            let outcome = await exchange(address, download)
            guard case .redirected(_, let location) = outcome,
                case .followed(let maximum, let onSameHostOnly) = download.redirects, followed < maximum,
                let next = address.resolving(location), !onSameHostOnly || next.origin == address.origin
            else { return outcome }
            followed += 1
            address = next
        }
    }

    /// One request and its answer.
    private func exchange(_ address: HTTPSAddress, _ download: Download) async -> DownloadOutcome {
        let client: HTTPClient
        do {
            client = HTTPClient(
                eventLoopGroupProvider: .singleton, configuration: try clientConfiguration(address, download))
        } catch let error as DownloadFailure {
            return error.outcome
        } catch {
            return .unreachable(reason: "the additional root certificates cannot be read")
        }
        let outcome: DownloadOutcome
        do {
            let response = try await client.execute(request(address, download), deadline: .distantFuture)
            outcome = await read(response, download)
        } catch {
            outcome = DownloadFailure.outcome(of: error, whileReadingBody: false)
        }
        try? await client.shutdown()
        return outcome
    }

    private func request(_ address: HTTPSAddress, _ download: Download) -> HTTPClientRequest {
        // The port that is connected to may be another one (`resolve`); the server hears of the one that was asked for.
        let port = place(of: address)?.port ?? Int(address.origin.port)
        var request = HTTPClientRequest(url: "https://\(address.origin.host):\(port)\(address.target)")
        request.method = .GET
        let encodings = download.contentEncodings.map(\.rawValue).sorted().joined(separator: ", ")
        request.headers = [
            "host": address.authority, "user-agent": "latchkey-fetch/\(latchkeyVersion)", "accept": "*/*",
            "accept-encoding": encodings.isEmpty ? "identity" : encodings, "connection": "close",
        ]
        if download.asksForPadding { request.headers.add(name: "add-padding", value: "true") }
        return request
    }

    /// Where the configuration says that a host is found.
    private func place(of address: HTTPSAddress) -> (address: String, port: Int)? {
        guard let place = configuration.resolve[address.key], let colon = place.lastIndex(of: ":"),
            let port = UInt16(place[place.index(after: colon)...]), port > 0
        else { return nil }
        let host = place[..<colon]
        return (String(host.hasPrefix("[") && host.hasSuffix("]") ? host.dropFirst().dropLast() : host), Int(port))
    }

    private func clientConfiguration(_ address: HTTPSAddress, _ download: Download) throws -> HTTPClient.Configuration {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        tls.certificateVerification = download.trust == .any ? .none : .fullVerification
        var roots = configuration.additionalRoots
        if case .additional(let more) = download.trust { roots += [UInt8(ascii: "\n")] + more }
        if !roots.isEmpty {
            tls.additionalTrustRoots = [.certificates(try NIOSSLCertificate.fromPEMBytes(roots))]
        }
        let time = TimeAmount(self.configuration.deadline ?? download.deadline)
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: tls, redirectConfiguration: .disallow,
            timeout: .init(connect: min(time, .seconds(20)), read: time),
            decompression: download.contentEncodings.isEmpty ? .disabled : .enabled(limit: .size(download.limit)))
        configuration.httpVersion = .http1Only
        if download.trust != .any {
            configuration.http1_1ConnectionDebugInitializer = { [host = address.host] channel in
                channel.nioSSL_peerCertificate().flatMapThrowing { certificate in
                    guard let certificate, HostCertificate.names(host, certificate) else {
                        throw NIOSSLExtraError.failedToValidateHostname
                    }
                }
            }
        }
        configuration.connectionPool.retryConnectionEstablishment = false
        if let place = place(of: address) {
            configuration.dnsOverride = [address.host: place.address]
        } else if let proxy = self.configuration.proxy, !proxy.isEmpty,
            !ProxyStatement.isExempt(
                host: address.host, port: address.origin.port, noProxy: self.configuration.noProxy)
        {
            guard let statement = ProxyStatement(proxy) else {
                throw DownloadFailure(.unreachable(reason: "https_proxy names no proxy that is spoken to over http"))
            }
            configuration.proxy = statement.proxy
        }
        return configuration
    }

    // MARK: Answers

    private func read(_ response: HTTPClientResponse, _ download: Download) async -> DownloadOutcome {
        let status = Int(response.status.code)
        if (300..<400).contains(status), let location = response.headers.first(name: "location") {
            return .redirected(status: status, to: Self.plain(location, HTTPSAddress.maximumLength))
        }
        var headers: [String: String] = [:]
        for name in Self.keptHeaders {
            headers[name] = response.headers.first(name: name).map { Self.plain($0, Self.maximumHeader) }
        }
        // What stands in the page of an error is for people, of whom none is here.
        guard (200..<300).contains(status), status != 204 else {
            return .answered(status: status, headers: headers, body: [])
        }
        if let refusal = Self.refusal(of: response.headers, download) { return refusal }
        var body: [UInt8] = []
        do {
            for try await part in response.body {
                guard body.count + part.readableBytes <= download.limit else { return .tooLarge }
                body.append(contentsOf: part.readableBytesView)
            }
        } catch {
            return DownloadFailure.outcome(of: error, whileReadingBody: true)
        }
        // A body that was cancelled ends like one that is complete.
        return Task.isCancelled ? .timedOut : .answered(status: status, headers: headers, body: body)
    }

    /// What is wrong with an answer before its body was read.
    private static func refusal(of headers: HTTPHeaders, _ download: Download) -> DownloadOutcome? {
        let coding = headers[canonicalForm: "content-encoding"].joined(separator: ",").lowercased()
        let isPlain = coding.isEmpty || coding == "identity"
        guard isPlain || download.contentEncodings.contains(where: { $0.rawValue == coding }) else {
            return .brokenBody(reason: "an encoding that was not asked for")
        }
        let isChunked = headers[canonicalForm: "transfer-encoding"].contains { $0.lowercased() == "chunked" }
        let lengths = headers[canonicalForm: "content-length"]
        // Without either, an answer that was cut off could not be told from one that is complete.
        guard isChunked || !lengths.isEmpty else { return .brokenBody(reason: "it does not say how long it is") }
        if isPlain, let length = lengths.first.flatMap({ Int($0) }), length > download.limit { return .tooLarge }
        return nil
    }

    /// A header as printable ASCII, cut off where it is too long.
    private static func plain(_ text: String, _ maximum: Int) -> String {
        String(
            String.UnicodeScalarView(text.unicodeScalars.filter { (0x20...0x7E).contains($0.value) }.prefix(maximum)))
    }
}

extension TimeAmount {
    fileprivate init(_ duration: Duration) {
        let parts = duration.components
        // An hour is longer than anybody waits, and far from where nanoseconds overflow.
        self = .milliseconds(
            Int64(min(max(parts.seconds, 0), 3_600)) * 1_000 + parts.attoseconds / 1_000_000_000_000_000)
    }
}
