// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import AutoFillIPC

@Suite final class FetchFileTests {
    private let folder = NSTemporaryDirectory() + "latchkey-fetch-file-\(UInt64.random(in: 0 ... .max))"

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func read(_ text: String) throws(WireError) -> FetchConfiguration {
        _ = FileManager.default.createFile(atPath: folder + "/fetch.json", contents: Data(text.utf8))
        return try FetchFile.configuration(contentsOf: folder + "/fetch.json")
    }

    @Test func saysNothingWhereItIsNotThere() throws {
        #expect(try FetchFile.configuration(contentsOf: folder + "/fetch.json") == FetchConfiguration())
        #expect(try read("{}") == FetchConfiguration())
    }

    @Test func readsRootsBesideItself() throws {
        let pem = "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n"
        try Data(pem.utf8).write(to: URL(fileURLWithPath: folder + "/roots.pem"))
        let expected = FetchConfiguration(roots: pem, resolve: ["a.example:443": "127.0.0.1:8443"], deadline: 3)
        for path in ["roots.pem", folder + "/roots.pem"] {
            let text =
                #"{"additionalRoots":"\#(path)","resolve":{"a.example:443":"127.0.0.1:8443"},"deadline":3}"#
            #expect(try read(text) == expected)
        }
    }

    @Test func readsTheProxy() throws {
        let text = #"{"proxy":"http://me:secret@proxy.example:3128","noProxy":["a.example","*.b.example:443"]}"#
        let expected = FetchConfiguration(
            proxy: "http://me:secret@proxy.example:3128", noProxy: ["a.example", "*.b.example:443"])
        #expect(try read(text) == expected)
    }

    @Test(arguments: [
        "", "[]", "{", #"{"additionalRoots":1}"#, #"{"additionalRoots":"none.pem"}"#,
        #"{"additionalRoots":"fetch.json"}"#,
        #"{"resolve":["a"]}"#, #"{"deadline":0}"#, #"{"deadline":"1"}"#, #"{"deadline":3601}"#,
        #"{"trustAnybody":true}"#, #"{"exit":3128}"#, #"{"proxy":""}"#, #"{"proxy":1}"#,
        #"{"proxy":"socks5://proxy.example:1080"}"#, #"{"proxy":"https://proxy.example"}"#, #"{"proxy":"http://a b"}"#,
        #"{"noProxy":"a.example"}"#, #"{"noProxy":["a.example,b.example"]}"#, #"{"noProxy":[""]}"#,
        #"{"noProxy":["a\ndirect *"]}"#, #"{"resolve":{"a.example":"127.0.0.1:1"}}"#,
        #"{"resolve":{"a.example:443":"127.0.0.1"}}"#, #"{"resolve":{"a.example:443":"127.0.0.1:99999"}}"#,
    ]) func isNotHalfBelieved(_ text: String) {
        #expect(throws: WireError.self) { try read(text) }
    }
}
