// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

@testable import AutoFillAssociations

// The fuzzing package compiles the two files alone, without the room that downloads them.
#if canImport(AssociationFiles)
    @testable import AssociationFiles
#else
    @testable import AutoFillFetching
#endif

/// What sites and apps state of one another.
extension Fuzzer {
    /// Whatever names apps names them again when it is written anew, and nothing else.
    static let associationFile = Fuzzer(
        "association-file",
        words: ["webcredentials", "apps", "applinks", "E5336VM85F.com.example.Shiny", "\u{FEFF}", "\"apps\":["],
        seeds: {
            [
                #"{"webcredentials":{"apps":["E5336VM85F.com.example.Shiny"]}}"#,
                #"{"applinks":{"apps":[],"details":[{"appID":"x"}]},"webcredentials":{"apps":["ABCDE12345.a.b",""]}}"#,
                "\u{FEFF}{}", "<html>", #"{"webcredentials":{"apps":[1,null]}}"#,
            ].map { Array($0.utf8) } + [[0x30, 0x82, 0x01, 0x00]]
        },
        run: { bytes in
            guard let file = try? AssociationFile(Array(bytes)) else { return }
            precondition(file.apps.count == Set(file.apps).count, "an app is named twice")
            precondition(file.apps.allSatisfy { (12...266).contains($0.utf8.count) }, "it names what is no identifier")
            let apps = file.apps.map { "\"\($0)\"" }.joined(separator: ",")
            let again = try? AssociationFile(Array("{\"webcredentials\":{\"apps\":[\(apps)]}}".utf8))
            precondition(again == file || bytes.count > 100_000, "a file changed on its way")
        })

    /// Any file is read or refused with a reason; what is read names somebody.
    static let assetLinks = Fuzzer(
        "asset-links",
        words: [
            "delegate_permission/common.get_login_creds", "\"relation\":[", "\"target\":{",
            "\"namespace\":\"android_app\"",
            "\"namespace\":\"web\"", "\"site\":", "\"package_name\":", "\"sha256_cert_fingerprints\":[",
        ],
        seeds: {
            [
                #"[{"relation":["delegate_permission/common.get_login_creds"],"target":{"namespace":"web","site":"https://a.example"}}]"#,
                #"[{"relation":["delegate_permission/common.get_login_creds"],"target":{"namespace":"android_app","package_name":"a.b","sha256_cert_fingerprints":["00:11"]}}]"#,
                #"[{"relation":[]}]"#, "<html>",
            ].map { Array($0.utf8) }
        },
        run: { bytes in
            do throws(AssetLinksFile.Fault) {
                let file = try AssetLinksFile(Array(bytes))
                precondition(!file.targets.isEmpty, "a file that names nobody is in order")
            } catch {
                precondition(!error.reason.isEmpty, "a refusal without a reason")
            }
        })

    /// Whatever is an entry is one again when it is written anew, and covers what it should.
    static let associationEntry = Fuzzer(
        "association-entry",
        words: [
            "webcredentials:", "applinks:", "*.", "?mode=developer", "?mode=managed", "xn--", "example.com", ":443",
        ],
        seeds: {
            [
                "webcredentials:shiny.example.com", "webcredentials:*.example.com?mode=developer+managed",
                "E5336VM85F.com.example.Shiny",
            ].map { Array($0.utf8) }
        },
        run: { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            if let app = AppIdentifier(text) {
                precondition(app.rawValue.utf8.elementsEqual(text.utf8), "an identifier changed on its way")
                precondition(app.prefix.utf8.count == 10, "a prefix of another length")
            }
            guard let domain = try? AssociatedDomain(entry: text) else { return }
            precondition((try? AssociatedDomain(entry: domain.description)) == domain, "an entry changed on its way")
            precondition(
                domain.host.utf8.allSatisfy { (0x2D...0x7A).contains($0) && $0 != 0x2F && $0 != 0x3A }, "no host")
            precondition(domain.covers(host: domain.host) != domain.isWildcard, "a host that is not itself")
            precondition(domain.covers(host: "a." + domain.host) == domain.isWildcard, "a parent that is a child")
            precondition(!domain.covers(host: "a" + domain.host), "a label without its dot")
        })
}
