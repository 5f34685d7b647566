// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillAssociations
import AutoFillRelease
import Foundation
import Testing

@testable import AutoFillDaemon
@testable import DaemonTesting

@Suite struct AppEntitlementTests {
    private static func list(_ body: String) -> [UInt8] {
        Array("<?xml version=\"1.0\"?><plist version=\"1.0\"><dict>\(body)</dict></plist>".utf8)
    }

    private static let identifier = "<key>application-identifier</key><string>E5336VM85F.com.example.Shiny</string>"
    private static let executable = "<key>org.latchkey.application-executable</key>"

    @Test func statesWhatItHolds() throws {
        let entitlement = try AppEntitlement(
            propertyList: Self.list(
                Self.identifier
                    + "<key>com.apple.developer.associated-domains</key><array><string>webcredentials:a.example</string>"
                    + "<string>applinks:a.example</string></array>\(Self.executable)<string>/usr/bin/shiny</string>"
                    + "<key>get-task-allow</key><true/><key>unknown</key><integer>1</integer>"))
        #expect(entitlement.identifier.rawValue == "E5336VM85F.com.example.Shiny")
        #expect(entitlement.domains == ["webcredentials:a.example", "applinks:a.example"])
        #expect(entitlement.executable == "/usr/bin/shiny")
        #expect(entitlement.isDebugBuild)
    }

    @Test func onlyTheIdentifierIsNecessary() throws {
        let entitlement = try AppEntitlement(propertyList: Self.list(Self.identifier))
        #expect(entitlement.domains.isEmpty && entitlement.executable == nil && !entitlement.isDebugBuild)
    }

    @Test(
        "S21: what states no usable identifier or executable states nothing",
        arguments: [
            "", "<key>application-identifier</key><string></string>",
            "<key>application-identifier</key><string>com.example.Shiny</string>",
            "<key>application-identifier</key><string>E5336VM85F</string>",
            "<key>application-identifier</key><string>E5336VM85F.../../etc</string>",
            "<key>application-identifier</key><integer>1</integer>",
            identifier + executable + "<string>bin/shiny</string>",
            identifier + executable + "<string>/usr/bin/../../home/me/shiny</string>",
            identifier + executable + "<string>/usr//bin/shiny</string>",
            identifier + executable + "<string></string>",
            identifier + "<key>com.apple.developer.associated-domains</key><string>webcredentials:a</string>",
            identifier + "<key>com.apple.developer.associated-domains</key><array>"
                + String(repeating: "<string>a</string>", count: 101) + "</array>",
            identifier + "<key>com.apple.developer.associated-domains</key><array><string>"
                + String(repeating: "a", count: 513) + "</string></array>",
        ])
    func refuses(body: String) {
        #expect(throws: AppEntitlement.Refusal.self) { try AppEntitlement(propertyList: Self.list(body)) }
    }

    @Test(
        "S21: bytes that are no property list are refused", arguments: ["", "{", "bplist00", "<plist>", "\u{0}\u{1}"])
    func refusesNonsense(text: String) {
        #expect(throws: AppEntitlement.Refusal.self) { try AppEntitlement(propertyList: Array(text.utf8)) }
    }

    @Test("S21: a link, a folder and a file that is too large are refused; none is nothing")
    func files() throws {
        let folder = try TemporaryFolder(inMemory: true)
        #expect(try AppEntitlement(file: folder.path + "/none") == nil)
        let file = try folder.write(String(decoding: Self.list(Self.identifier), as: UTF8.self), to: "a.entitlements")
        #expect(try AppEntitlement(file: file) != nil)
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: file)
        #expect(throws: AppEntitlement.Refusal.self) { try AppEntitlement(file: folder.path + "/link") }
        #expect(throws: AppEntitlement.Refusal.self) { try AppEntitlement(file: folder.path) }
        let large = try folder.write(String(repeating: " ", count: (1 << 20) + 1), to: "large")
        #expect(throws: AppEntitlement.Refusal.self) { try AppEntitlement(file: large) }
    }
}
