// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
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
        let downloader = Downloader(.init(proxy: "http://127.0.0.1:\(proxy.port)", deadline: .seconds(1)))
        #expect(await downloader.get(Self.download("https://nowhere.invalid/")) == .timedOut)
        #expect(proxy.wasAsked)
    }

    @Test func endsAtItsDeadlineWhileAServerIsSilent() async throws {
        let silent = try Listener()
        let downloader = Downloader(.init(resolve: ["a.example:443": "127.0.0.1:\(silent.port)"]))
        let start = ContinuousClock.now
        #expect(await downloader.get(Self.download("https://a.example/", seconds: 1)) == .timedOut)
        #expect(ContinuousClock.now - start < .seconds(15) && silent.wasAsked)
    }

    @Test func endsWhenItIsCancelled() async throws {
        let silent = try Listener()
        let downloader = Downloader(.init(resolve: ["a.example:443": "127.0.0.1:\(silent.port)"]))
        let start = ContinuousClock.now
        let task = Task { await downloader.get(Self.download("https://a.example/", seconds: 600)) }
        while !silent.wasAsked { try await Task.sleep(for: .milliseconds(5)) }
        task.cancel()
        #expect(await task.value == .timedOut)
        #expect(ContinuousClock.now - start < .seconds(60))
    }

    @Test(arguments: ["http://a.example/", "ftp://a.example/", "file:///etc/passwd", "gopher://a.example/", ""])
    func asksNobodyForOtherSchemes(address: String) async {
        #expect(await Downloader().get(Self.download(address)) == .unreachable(reason: "this is no https address"))
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
        #expect(outcome == .unreachable(reason: "https_proxy names no proxy that is spoken to over http"))
    }
}
