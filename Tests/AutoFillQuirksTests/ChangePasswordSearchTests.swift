// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillMatching
import Foundation
import Testing

@testable import AutoFillQuirks

@Suite struct ChangePasswordSearchTests {
    private let folder = FileManager.default.temporaryDirectory.path + "/latchkey-quirks-\(UUID().uuidString)"

    private func search(
        _ listed: String, shared: String? = nil,
        ask: @escaping @Sendable (ChangePasswordFetch.Request) async throws -> ChangePasswordFetch.Answer = { _ in
            .init(isUsable: false, reason: "the site has no such page")
        }
    ) throws -> ChangePasswordSearch {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data(listed.utf8).write(to: URL(fileURLWithPath: folder + "/change-password-URLs.json"))
        if let shared {
            try Data(shared.utf8).write(to: URL(fileURLWithPath: folder + "/shared-credentials.json"))
        }
        let folders = QuirksFolders(named: folder)
        return ChangePasswordSearch(quirks: SiteQuirks(folders: folders), sites: folders.load(), ask: ask)
    }

    private func place(_ search: ChangePasswordSearch, _ url: String) async -> Result<ChangePasswordPlace, WireError> {
        guard let origin = Origin(url: url) else { return .failure(WireError(.invalidParams, "no origin")) }
        do {
            return .success(try await search.place(for: origin))
        } catch let error as WireError {
            return .failure(error)
        } catch {
            return .failure(WireError(.internalError, "another error"))
        }
    }

    private static let listed = #"{"example.com": "https://account.example.com/password?x=1#y"}"#

    @Test func siteComesFirst() async throws {
        let search = try search(Self.listed) { request in
            #expect(request.address == "https://www.example.com:8443")
            return .init(isUsable: true)
        }
        let expected = ChangePasswordPlace(
            url: "https://www.example.com:8443/.well-known/change-password", source: "site")
        #expect(await place(search, "https://www.example.com:8443/a?b") == .success(expected))
    }

    @Test func listComesNextForTheDomainsBelowToo() async throws {
        let expected = ChangePasswordPlace(url: "https://account.example.com/password?x=1#y", source: "quirks")
        #expect(await place(try search(Self.listed), "https://example.com") == .success(expected))
        #expect(await place(try search(Self.listed), "https://login.example.com") == .success(expected))
    }

    @Test func siteThatCannotBeAskedIsNoEnd() async throws {
        let search = try search(Self.listed) { _ in throw WireError(.timedOut, "no answer") }
        #expect((try? await place(search, "https://example.com").get())?.source == "quirks")
    }

    @Test(arguments: [
        ("https://example.org", WireError.Code.notFound), ("https://notexample.com", .notFound),
        ("http://example.com", .refused),
    ])
    func saysWhyThereIsNone(url: String, code: WireError.Code) async throws {
        guard case .failure(let error) = await place(try search(Self.listed), url) else {
            Issue.record("there is a place")
            return
        }
        #expect(error.code == code)
        #expect(error.reason?.isEmpty == false)
    }

    @Test(arguments: [
        "https://example.org/password", "https://example.com.evil.test/", "https://evil.test/example.com",
    ])
    func refusesPagesOfOtherSites(address: String) async throws {
        let search = try search("{\"example.com\": \"\(address)\"}")
        guard case .failure(let error) = await place(search, "https://example.com") else {
            Issue.record("it is given")
            return
        }
        #expect(error.code == .refused)
    }

    @Test func takesPagesOfSitesThatShareAccounts() async throws {
        let search = try search(
            #"{"example.com": "https://id.example.org/password"}"#,
            shared: #"[{"shared": ["example.com", "example.org"]}]"#)
        #expect((try? await place(search, "https://www.example.com").get())?.url == "https://id.example.org/password")
    }
}
