// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillNetwork
internal import CCurl
internal import Synchronization

/// One request and its answer, by libcurl. Blocks the thread that runs it.
///
/// Every option that libcurl would otherwise take from the environment or from a file is set. What libcurl could do by itself is off:
/// redirects, cookies, connections that are kept, uncompressing, other protocols than https.
///
/// Unchecked: `isCancelled` is behind a mutex; everything else belongs to the one thread that runs the transfer.
final class Transfer: @unchecked Sendable {
    struct Request: Sendable {
        var address: HTTPSAddress
        var download: Download
        /// Where the connection goes.
        var way: TransferWay
        /// PEM certificates that are believed as well as the system's.
        var roots: [UInt8] = []
        var deadline: Duration
    }

    /// For finding the address, TCP and TLS together.
    private static let longestConnecting = Duration.seconds(20)

    private let request: Request
    private let isCancelled = Mutex(false)
    private var reader: AnswerReader
    /// How many addresses were connected to, and how many were refused.
    private var opened = 0
    private var refused = 0

    init(_ request: Request) {
        self.request = request
        reader = AnswerReader(request.download)
    }

    /// Ends `run` within about a second.
    func cancel() {
        isCancelled.withLock { $0 = true }
    }

    /// Carries out the request. Call it once.
    func run() -> DownloadOutcome {
        do throws(DownloadFailure) {
            let curl = try CurlHandle()
            try prepare(curl)
            guard request.way.permits(request.address.host, resolve: InternetAddress.resolve) else {
                return .notOfTheInternet(request.address.host)
            }
            let code = curl_easy_perform(curl.pointer)
            if isCancelled.withLock({ $0 }) { return .timedOut }
            if let outcome = reader.outcome { return outcome }
            guard code != CURLE_OK else { return reader.complete() }
            throw DownloadFailure(
                code, systemError: curl.number(CURLINFO_OS_ERRNO),
                verification: curl.number(CURLINFO_SSL_VERIFYRESULT),
                proxyStatus: curl.number(CURLINFO_HTTP_CONNECTCODE), isExit: isExit,
                refusedAddress: refused > 0 && opened == 0, host: request.address.host,
                proxy: request.way.proxy?.place.host, whileReadingBody: reader.isReadingBody)
        } catch {
            return error.outcome
        }
    }

    private var isExit: Bool {
        if case .exit = request.way { return true }
        return false
    }

    // MARK: Options

    private func prepare(_ curl: CurlHandle) throws(DownloadFailure) {
        let (address, download) = (request.address, request.download)
        try curl.set(CURLOPT_PROTOCOLS_STR, "https")
        try curl.set(CURLOPT_REDIR_PROTOCOLS_STR, "https")
        try curl.set(CURLOPT_URL, address.description)
        try curl.set(CURLOPT_PATH_AS_IS, 1)
        try curl.set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        try curl.set(CURLOPT_HTTPGET, 1)
        try curl.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        try curl.set(CURLOPT_HTTP09_ALLOWED, 0)
        try curl.set(CURLOPT_FOLLOWLOCATION, 0)
        try curl.set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
        try curl.set(CURLOPT_FORBID_REUSE, 1)
        // Signals are for programs with one thread.
        try curl.set(CURLOPT_NOSIGNAL, 1)
        try curl.set(CURLOPT_TIMEOUT_MS, Self.milliseconds(request.deadline))
        try curl.set(CURLOPT_CONNECTTIMEOUT_MS, Self.milliseconds(min(request.deadline, Self.longestConnecting)))
        try curl.set(CURLOPT_USERAGENT, "latchkey-fetch/\(latchkeyVersion)")
        let encodings = download.contentEncodings.map(\.rawValue).sorted().joined(separator: ", ")
        var headers = ["Accept-Encoding: \(encodings.isEmpty ? "identity" : encodings)", "Connection: close"]
        if download.asksForPadding { headers.append("Add-Padding: true") }
        try curl.set(CURLOPT_HTTPHEADER, headers)
        // A proxy gets none of them.
        try curl.set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
        try prepareWay(curl)
        try prepareTLS(curl)
        try curl.setCallbacks(
            header: { bytes, size, count, context in
                Transfer.read(bytes, size * count, context) { $0.reader.readHeader($1) }
            },
            body: { bytes, size, count, context in
                Transfer.read(bytes, size * count, context) { $0.reader.readBody($1) }
            },
            progress: { context, _, _, _, _ in
                Transfer.of(context)?.isCancelled.withLock { $0 } == false ? 0 : 1
            },
            context: Unmanaged.passUnretained(self).toOpaque())
    }

    /// Where the host is found, and by which proxy. An empty text keeps libcurl from reading the environment's.
    private func prepareWay(_ curl: CurlHandle) throws(DownloadFailure) {
        try curl.set(CURLOPT_NOPROXY, "")
        // Every socket is opened here, or not at all.
        try curl.setOpening(
            { context, purpose, address in
                guard let address, purpose == CURLSOCKTYPE_IPCXN, Transfer.of(context)?.allows(address) == true else {
                    return CURL_SOCKET_BAD
                }
                return latchkey_curl_open(address)
            }, context: Unmanaged.passUnretained(self).toOpaque())
        if case .place(let place) = request.way { try curl.set(CURLOPT_CONNECT_TO, ["::" + place]) }
        guard let proxy = request.way.proxy else {
            try curl.set(CURLOPT_PROXY, "")
            return
        }
        try curl.set(CURLOPT_PROXY, "http://\(proxy.place)")
        try curl.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        guard let authorization = proxy.authorization else { return }
        try curl.set(CURLOPT_PROXYHEADER, ["Proxy-Authorization: Basic \(authorization)"])
    }

    /// Judges an address that libcurl is about to connect to.
    private func allows(_ address: UnsafePointer<curl_sockaddr>) -> Bool {
        guard let (target, port) = InternetAddress.reading(latchkey_curl_address(address)),
            request.way.allows(target, port: port, policy: .current())
        else {
            refused += 1
            return false
        }
        opened += 1
        return true
    }

    private func prepareTLS(_ curl: CurlHandle) throws(DownloadFailure) {
        try curl.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        try curl.set(CURLOPT_SSL_SESSIONID_CACHE, 0)
        // An intermediate authority is believed for its root only.
        try curl.set(CURLOPT_SSL_OPTIONS, Int(CURLSSLOPT_NO_PARTIALCHAIN))
        let isChecked = request.download.trust != .any
        try curl.set(CURLOPT_SSL_VERIFYPEER, isChecked ? 1 : 0)
        try curl.set(CURLOPT_SSL_VERIFYHOST, isChecked ? 2 : 0)
        if isChecked { try curl.demandName(request.address.host) }
        if !request.roots.isEmpty { try curl.addRoots(request.roots) }
    }

    /// At least one, since libcurl takes 0 for "no limit", and an hour at most.
    private static func milliseconds(_ duration: Duration) -> Int {
        let bounded = max(min(duration, .seconds(3_600)), .milliseconds(1))
        return Int((bounded / .milliseconds(1)).rounded(.up))
    }

    // MARK: Callbacks

    private static func of(_ context: UnsafeMutableRawPointer?) -> Transfer? {
        context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// How many bytes were taken: all, or none to end the transfer. libcurl's own way to say so may not be a part of no bytes.
    private static func read(
        _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
        _ take: (Transfer, UnsafeRawBufferPointer) -> Bool
    ) -> Int {
        guard let transfer = of(context) else { return count &+ 1 }
        return take(transfer, UnsafeRawBufferPointer(start: bytes, count: count)) ? count : count &+ 1
    }
}
