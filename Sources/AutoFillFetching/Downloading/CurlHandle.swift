// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CCurl
internal import FoundationEssentials
internal import Glibc

/// One easy handle of libcurl, and what must live as long as it does. Every option that libcurl refuses is an error.
final class CurlHandle {
    private static let isReady = latchkey_curl_start()

    let pointer: UnsafeMutableRawPointer
    private var lists: [UnsafeMutablePointer<curl_slist>] = []
    private var host: UnsafeMutablePointer<CChar>?

    init() throws(DownloadFailure) {
        guard Self.isReady, let pointer = curl_easy_init() else {
            throw DownloadFailure(.unreachable(reason: "libcurl cannot be used here: it must be the one with OpenSSL"))
        }
        self.pointer = pointer
    }

    deinit {
        curl_easy_cleanup(pointer)
        for list in lists { curl_slist_free_all(list) }
        free(host)
    }

    func set(_ option: CURLoption, _ number: Int) throws(DownloadFailure) {
        try Self.check(latchkey_curl_set_number(pointer, option, number))
    }

    func set(_ option: CURLoption, _ text: String) throws(DownloadFailure) {
        guard !text.utf8.contains(0) else { throw Self.failure }
        try Self.check(latchkey_curl_set_text(pointer, option, text))
    }

    func set(_ option: CURLoption, _ texts: [String]) throws(DownloadFailure) {
        var list: UnsafeMutablePointer<curl_slist>?
        for text in texts {
            guard let longer = curl_slist_append(list, text) else {
                curl_slist_free_all(list)
                throw Self.failure
            }
            list = longer
        }
        guard let list else { return }
        lists.append(list)
        try Self.check(latchkey_curl_set_list(pointer, option, list))
    }

    /// Believes these certificates (PEM) as well as those of the system's bundle.
    func addRoots(_ roots: [UInt8]) throws(DownloadFailure) {
        guard latchkey_are_certificates(roots, roots.count) else {
            throw DownloadFailure(.unreachable(reason: "the additional root certificates cannot be read"))
        }
        // libcurl takes either a file or these bytes; so the bytes are both.
        let system = latchkey_curl_system_roots(pointer).flatMap {
            FileManager.default.contents(atPath: String(cString: $0))
        }
        let all = Array(system ?? Data()) + [UInt8(ascii: "\n")] + roots
        try Self.check(latchkey_curl_set_roots(pointer, all, all.count))
    }

    /// Demands a certificate with a subject alternative name of this host. See `latchkey_curl_demand_name`.
    func demandName(_ host: String) throws(DownloadFailure) {
        free(self.host)
        self.host = strdup(host)
        try Self.check(latchkey_curl_demand_name(pointer, self.host))
    }

    func setCallbacks(
        header: @escaping latchkey_curl_part, body: @escaping latchkey_curl_part,
        progress: @escaping curl_xferinfo_callback, context: UnsafeMutableRawPointer
    ) throws(DownloadFailure) {
        try Self.check(latchkey_curl_set_callbacks(pointer, header, body, progress, context))
    }

    /// Has libcurl open no socket by itself. Whatever it would connect to is judged first.
    func setOpening(_ open: @escaping latchkey_curl_opening, context: UnsafeMutableRawPointer) throws(DownloadFailure) {
        try Self.check(latchkey_curl_set_opening(pointer, open, context))
    }

    func number(_ info: CURLINFO) -> Int { latchkey_curl_number(pointer, info) }

    private static let failure = DownloadFailure(.unreachable(reason: "libcurl rejects the request"))

    /// An option that is not in force is never done without: one of them is the check of names.
    private static func check(_ code: CURLcode) throws(DownloadFailure) {
        guard code == CURLE_OK else { throw failure }
    }
}
