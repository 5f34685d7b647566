// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import ProcessTesting
import Testing

@testable import AutoFillFetching

/// What a downloader asks of the network, and whom; see Tests/Processes for real TLS.
@Suite(.serialized) struct DownloaderTests {
    /// A socket on this machine that listens and answers nobody.
    private final class Listener {
        let descriptor: Int32
        let port: UInt16

        init() throws {
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let descriptor = descriptor
            let status = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    bind(descriptor, pointer, size) + listen(descriptor, 8) + getsockname(descriptor, pointer, &size)
                }
            }
            try #require(status == 0)
            port = UInt16(bigEndian: address.sin_port)
        }

        /// Whether somebody has connected.
        var wasAsked: Bool {
            var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            return poll(&polled, 1, 0) > 0
        }

        deinit { close(descriptor) }
    }

    private static let variables = [
        "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "http_proxy", "HTTP_PROXY", "socks_proxy",
    ]

    private static func download(_ address: String, seconds: Int = 20) -> Download {
        Download(address, limit: 100, deadline: .seconds(seconds))
    }

    @Test func asksNoProxyThatOnlyTheEnvironmentNames() async throws {
        let proxy = try Listener()
        for name in Self.variables { setenv(name, "http://127.0.0.1:\(proxy.port)", 1) }
        defer { for name in Self.variables { unsetenv(name) } }
        // A port that nobody listens on: it was somebody's a moment ago.
        let closed = try Listener().port
        let downloader = Downloader(.init(resolve: ["a.example:443": "127.0.0.1:\(closed)"]))
        let outcome = await downloader.get(Self.download("https://a.example/"))
        #expect(outcome == .unreachable(reason: "the connection was refused"))
        let unknown = await Downloader().get(Self.download("https://nowhere.invalid/"))
        #expect(unknown == .unreachable(reason: "the host nowhere.invalid has no address"))
        #expect(!proxy.wasAsked)
    }

    @Test func asksTheProxyOfItsConfigurationWhateverTheEnvironmentExempts() async throws {
        let proxy = try Listener()
        for name in ["no_proxy", "NO_PROXY"] { setenv(name, "*", 1) }
        defer { for name in ["no_proxy", "NO_PROXY"] { unsetenv(name) } }
        let downloader = Downloader(.init(proxy: "http://127.0.0.1:\(proxy.port)", deadline: .seconds(3)))
        #expect(await downloader.get(Self.download("https://nowhere.invalid/")) == .timedOut)
        #expect(proxy.wasAsked)
    }

    @Test(.timeLimit(.minutes(1))) func endsAtItsDeadlineWhileAServerIsSilent() async throws {
        let silent = try Listener()
        let downloader = Downloader(.init(resolve: ["a.example:443": "127.0.0.1:\(silent.port)"]))
        #expect(await downloader.get(Self.download("https://a.example/", seconds: 3)) == .timedOut)
        #expect(silent.wasAsked)
    }

    @Test(.timeLimit(.minutes(1))) func endsWhenItIsCancelled() async throws {
        let silent = try Listener()
        let downloader = Downloader(.init(resolve: ["a.example:443": "127.0.0.1:\(silent.port)"]))
        let task = Task { await downloader.get(Self.download("https://a.example/", seconds: 600)) }
        try await eventually("it has connected") { silent.wasAsked }
        task.cancel()
        #expect(await task.value == .timedOut)
    }

    @Test(arguments: ["http://a.example/", "ftp://a.example/", "file:///etc/passwd", "gopher://a.example/", ""])
    func asksNobodyForOtherSchemes(address: String) async {
        #expect(await Downloader().get(Self.download(address)) == .unreachable(reason: "this is not an https address"))
    }

    @Test(arguments: ["", "x", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
    func asksNobodyWithRootsThatCannotBeRead(roots: String) async throws {
        let server = try Listener()
        let downloader = Downloader(
            .init(additionalRoots: Array("\n\(roots)".utf8), resolve: ["a.example:443": "127.0.0.1:\(server.port)"]))
        let outcome = await downloader.get(Self.download("https://a.example/"))
        #expect(outcome == .unreachable(reason: "the additional root certificates cannot be read"))
        #expect(!server.wasAsked)
    }

    @Test func speaksToNoOtherKindOfProxy() async {
        let downloader = Downloader(.init(proxy: "socks5://127.0.0.1:1080"))
        let outcome = await downloader.get(Self.download("https://nowhere.invalid/"))
        #expect(outcome == .unreachable(reason: "fetch.json names no proxy that is spoken to over http"))
    }

    @Test(
        "S39: nothing of this computer and its networks is connected to",
        arguments: [
            "127.0.0.1", "127.1.2.3", "localhost", "[::1]", "0.0.0.0", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]",
            "2130706433",
            "0x7f.1", "10.0.0.1", "169.254.169.254", "192.168.1.1", "[fe80::1]", "[fd00::1]", "[64:ff9b::7f00:1]",
        ])
    func connectsToTheInternetOnly(host: String) async throws {
        let listener = try Listener()
        let outcome = await Downloader().get(Self.download("https://\(host):\(listener.port)/"))
        guard case .unreachable(let reason) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        // Some spellings are no address to begin with.
        #expect(reason.hasSuffix("has no address on the internet") || reason == "this is not an https address")
        #expect(!listener.wasAsked)
    }

    @Test("S39: addresses of this computer's interfaces are its own, whatever network they are of")
    func connectsToNoInterface() async throws {
        let listener = try Listener()
        for address in Self.ownAddresses() {
            let outcome = await Downloader().get(Self.download("https://\(address):\(listener.port)/"))
            #expect(outcome == .notOfTheInternet(address), "\(address)")
        }
        #expect(!listener.wasAsked)
    }

    @Test("S39: a place for one host and port is none for others")
    func aPlaceIsForItsHost() async throws {
        let listener = try Listener()
        let place = "127.0.0.1:\(listener.port)"
        let downloader = Downloader(.init(resolve: ["a.example:443": place, "localhost:443": place]))
        for address in [
            "https://\(place)/", "https://localhost:\(listener.port)/", "https://a.example:\(listener.port)/",
        ] {
            guard case .unreachable = await downloader.get(Self.download(address)) else {
                Issue.record("\(address)")
                continue
            }
        }
        #expect(!listener.wasAsked)
    }

    @Test(
        "S39: the user's proxy is not asked for hosts of this network", arguments: ["127.0.0.1", "localhost", "[::1]"])
    func asksNoProxyForNeighbours(host: String) async throws {
        let proxy = try Listener()
        let downloader = Downloader(.init(proxy: "http://127.0.0.1:\(proxy.port)", deadline: .seconds(5)))
        guard case .unreachable(let reason) = await downloader.get(Self.download("https://\(host)/")) else {
            Issue.record("it was asked")
            return
        }
        #expect(reason.hasSuffix("has no address on the internet") && !proxy.wasAsked)
    }

    @Test("S39: with a way out there is no other way")
    func takesTheWayOutOnly() async throws {
        let (exit, other) = (try Listener(), try Listener())
        let configuration = DownloaderConfiguration(
            resolve: ["a.example:443": "127.0.0.1:\(other.port)"], proxy: "http://127.0.0.1:\(other.port)",
            noProxy: ["*"],
            deadline: .seconds(1), exit: exit.port)
        #expect(await Downloader(configuration).get(Self.download("https://a.example/")) == .timedOut)
        #expect(exit.wasAsked && !other.wasAsked)
    }

    /// As a URL has them.
    private static func ownAddresses() -> [String] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var found: [String] = []
        var next = first
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard let address = entry.ifa_addr, address.pointee.sa_family == sa_family_t(AF_INET) else { continue }
            var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let size = socklen_t(MemoryLayout<sockaddr_in>.size)
            guard getnameinfo(address, size, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST) == 0 else {
                continue
            }
            found.append(String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
        }
        return found
    }
}
