// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import Foundation
import ProcessTesting
import Testing

@testable import TerminalRendering
@testable import latchkey

@Suite struct ExtensionFolderTests {
    @Test func findsTheInstalledOneAndTheOneOfTheCheckout() throws {
        let home = TestHome()
        let id = "malldjagemimmcmdgodgcdpnfmccpage"
        for place in ["usr/share/latchkey/BrowserExtension", "checkout/BrowserExtension"] {
            try FileManager.default.createDirectory(
                atPath: home.folder + "/" + place, withIntermediateDirectories: true)
            home.write(place + "/manifest.json", "{}")
            home.write(place + "/ID", id + "\n")
        }
        let installed = try ExtensionFolder.find(programFolder: home.folder + "/usr/bin")
        #expect(installed == .init(path: home.folder + "/usr/share/latchkey/BrowserExtension", identifier: id))
        let built = try ExtensionFolder.find(programFolder: home.folder + "/checkout/.build/x86_64/debug")
        #expect(built.path == home.folder + "/checkout/BrowserExtension")
        home.write("checkout/BrowserExtension/ID", "chrome-extension://x/")
        #expect(throws: CommandFailure.self) {
            try ExtensionFolder.find(programFolder: home.folder + "/checkout/.build/debug")
        }
    }

    @Test(arguments: [
        "", "a", String(repeating: "a", count: 33), String(repeating: "q", count: 32),
        "../../../../../../../../../../etc",
    ])
    func refusesWhatIsNoIdentifier(text: String) {
        #expect(!ExtensionFolder.isIdentifier(text))
    }
}

@Suite struct HostManifestTests {
    private let id = String(repeating: "a", count: 32)

    @Test func writesWhatBrowsersRead() throws {
        let home = TestHome()
        let program = home.write("bin/host", "#!/bin/sh\n", mode: 0o700)
        let manifest = HostManifest(program: program, extensionIdentifier: id)
        let path = HostManifest.path(in: home.folder + "/profile with spaces")
        #expect(manifest.fault(at: path) == "nothing tells this browser of Latchkey yet")
        try manifest.write(to: path)
        #expect(manifest.fault(at: path) == nil)
        #expect(HostManifest.isOurs(at: path))
        let data = try #require(FileManager.default.contents(atPath: path))
        let content = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        #expect(Set(content?.keys.map { $0 } ?? []) == ["name", "description", "path", "type", "allowed_origins"])
        #expect(content?["name"] as? String == "org.latchkey.browser")
        #expect(content?["allowed_origins"] as? [String] == ["chrome-extension://\(id)/"])
        #expect(content?["path"] as? String == program)
    }

    @Test func writesWhatFirefoxReads() throws {
        let home = TestHome()
        let program = home.write("bin/host", "#!/bin/sh\n", mode: 0o700)
        let manifest = HostManifest(program: program, extensionIdentifier: id, family: .firefox)
        let path = HostManifest.path(in: home.folder + "/.mozilla", family: .firefox)
        #expect(path == home.folder + "/.mozilla/native-messaging-hosts/org.latchkey.browser.json")
        try manifest.write(to: path)
        #expect(manifest.fault(at: path) == nil)
        #expect(HostManifest.isOurs(at: path))
        let data = try #require(FileManager.default.contents(atPath: path))
        let content = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        #expect(Set(content?.keys.map { $0 } ?? []) == ["name", "description", "path", "type", "allowed_extensions"])
        #expect(content?["allowed_extensions"] as? [String] == ["latchkey@latchkey.org"])
        let chromium = HostManifest(program: program, extensionIdentifier: id)
        #expect(chromium.fault(at: path) == "the manifest names another extension")
        try chromium.write(to: path)
        #expect(manifest.fault(at: path) == "the manifest names another extension")
    }

    @Test func findsWhatIsWrong() throws {
        let home = TestHome()
        let program = home.write("bin/host", "x", mode: 0o700)
        let path = home.folder + "/org.latchkey.browser.json"
        let manifest = HostManifest(program: program, extensionIdentifier: id)
        try HostManifest(program: program, extensionIdentifier: String(repeating: "b", count: 32)).write(to: path)
        #expect(manifest.fault(at: path) == "the manifest names another extension")
        try HostManifest(program: "/elsewhere", extensionIdentifier: id).write(to: path)
        #expect(manifest.fault(at: path) == "the manifest names /elsewhere, this Latchkey has \(program)")
        try manifest.write(to: path)
        chmod(program, 0o600)
        // Root may execute anything that anybody may.
        #expect(manifest.fault(at: path) == "\(program) cannot be executed")
        home.write("org.latchkey.browser.json", "{")
        #expect(manifest.fault(at: path) == "the manifest cannot be read")
        #expect(!HostManifest.isOurs(at: path))
    }
}

@Suite struct PeersListTests {
    @Test func keepsWhatItDoesNotKnow() throws {
        let home = TestHome()
        let path = home.write("peers.json", #"{"settings":["/x"],"future":{"a":1}}"#)
        var peers = try PeersList(path: path)
        let added = [peers.addBrowser("/opt/b"), peers.addBrowser("/opt/b")]
        #expect(added == [true, false])
        try peers.write()
        var read = try PeersList(path: path)
        #expect(read.browsers == ["/opt/b"])
        let removed = [read.removeBrowser("/opt/b"), read.removeBrowser("/opt/b")]
        #expect(removed == [true, false])
        try read.write()
        let data = try #require(FileManager.default.contents(atPath: path))
        let content = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        #expect(content?["settings"] as? [String] == ["/x"])
        #expect(content?["future"] as? [String: Int] == ["a": 1])
    }

    @Test(arguments: ["", "[]", "{", "nonsense"]) func leavesADamagedFileAlone(content: String) {
        let home = TestHome()
        let path = home.write("peers.json", content)
        #expect(throws: CommandFailure.self) { try PeersList(path: path) }
        #expect(FileManager.default.contents(atPath: path) == Data(content.utf8))
    }

    @Test(.tags(.startsProcess)) func trustsProgramsOnly() async throws {
        let home = TestHome()
        let script = home.write("bin/browser", "#!/bin/sh\nexec /opt/real\n", mode: 0o700)
        let refused = await home.run("browser", "trust", script)
        #expect(refused.status == 13)
        #expect(refused.error.contains("is a script that starts a browser, not the browser."))
        #expect(await home.run("browser", "trust", home.folder).status == 13)
        #expect(await home.run("browser", "trust", "/absent").status == 5)
        #expect(!FileManager.default.fileExists(atPath: home.directories.config + "/peers.json"))
        let trusted = await home.run("browser", "trust", "/usr/bin/env")
        #expect(trusted.status == 0)
        let peers = try PeersList(path: home.directories.config + "/peers.json")
        #expect(peers.browsers == ["/usr/bin/env"])
        #expect(await home.run("browser", "untrust", "/usr/bin/env").status == 0)
        #expect(await home.run("browser", "untrust", "/usr/bin/env").status == 5)
    }
}

@Suite struct BrowserTests {
    @Test func channelsOfABrowserAreFoundByTheirOwnFolders() throws {
        let home = TestHome()
        let places = BrowserPlaces(home: home.folder, config: home.folder + "/config", root: home.folder)
        for folder in ["config/BraveSoftware/Brave-Browser-Beta", "config/google-chrome-unstable"] {
            try FileManager.default.createDirectory(
                atPath: home.folder + "/" + folder, withIntermediateDirectories: true)
        }
        let found = BrowserSelection.places(of: nil, places)
        #expect(found.map(\.title) == ["Google Chrome Unstable", "Brave Beta"])
        let manifest = "/config/BraveSoftware/Brave-Browser-Beta/NativeMessagingHosts/org.latchkey.browser.json"
        #expect(found.last?.manifest == home.folder + manifest)
        let named = BrowserSelection.places(of: .brave, places)
        #expect(named.map(\.title) == ["Brave", "Brave Beta"])
    }

    @Test func browsersOfOtherNamesAreNamedWithWhatToDo() throws {
        let home = TestHome()
        let places = BrowserPlaces(home: home.folder, config: home.folder + "/config", root: home.folder)
        #expect(UnservedBrowser.found(places).isEmpty)
        for folder in [".librewolf", "config/opera", "usr/bin/ungoogled-chromium"] {
            try FileManager.default.createDirectory(
                atPath: home.folder + "/" + folder, withIntermediateDirectories: true)
        }
        let found = UnservedBrowser.found(places)
        #expect(found == [.librewolf, .ungoogled, .opera])
        let limits = found.map { $0.limit(places) }
        #expect(limits[0].hasPrefix("LibreWolf (\(home.folder)/.librewolf) is not served: "))
        #expect(
            limits[0].contains("copy the manifest that it writes to \(home.folder)/.librewolf/native-messaging-hosts/"))
        #expect(limits.allSatisfy { $0.contains("`latchkey browser trust PATH`") })
    }

    @Test func findsBrowsersByFolderOrProgram() throws {
        let home = TestHome()
        let places = BrowserPlaces(home: home.folder, config: home.folder + "/config", root: home.folder)
        #expect(Browser.allCases.filter { $0.isFound(places) } == [])
        mkdir(home.folder + "/config/vivaldi", 0o700)
        try FileManager.default.createDirectory(atPath: home.folder + "/usr/bin", withIntermediateDirectories: true)
        home.write("usr/bin/brave-browser", "")
        #expect(Browser.allCases.filter { $0.isFound(places) } == [.brave, .vivaldi])
        #expect(
            HostManifest.path(in: Browser.brave.folder(places))
                == home.folder + "/config/BraveSoftware/Brave-Browser/NativeMessagingHosts/org.latchkey.browser.json"
        )
    }

    @Test func findsFirefoxByItsProfiles() throws {
        let home = TestHome()
        let places = BrowserPlaces(home: home.folder, config: home.folder + "/config", root: home.folder)
        // Other programs look for manifests there too.
        mkdir(home.folder + "/.mozilla", 0o700)
        #expect(!Browser.firefox.isFound(places))
        mkdir(home.folder + "/.mozilla/firefox", 0o700)
        #expect(Browser.allCases.filter { $0.isFound(places) } == [.firefox])
        #expect(
            BrowserSelection.manifest(of: .firefox, places)
                == home.folder + "/.mozilla/native-messaging-hosts/org.latchkey.browser.json")
    }

    @Test func findsTheExtensionForFirefoxBesideTheOther() throws {
        let home = TestHome()
        let folder = ExtensionFolder(path: home.folder + "/share/BrowserExtension", identifier: "a")
        #expect(folder.firefox == nil)
        try FileManager.default.createDirectory(
            atPath: home.folder + "/share/FirefoxExtension", withIntermediateDirectories: true)
        home.write("share/FirefoxExtension/manifest.json", "{}")
        #expect(folder.firefox == home.folder + "/share/FirefoxExtension")
    }

    @Test func prefersTheUsersOwnManifestToTheOneOfAllUsers() throws {
        let home = TestHome()
        let places = BrowserPlaces(home: home.folder, config: home.folder + "/config", root: home.folder)
        let ofAllUsers = try #require(Browser.chromium.manifestOfAllUsers(places))
        #expect(ofAllUsers == home.folder + "/etc/chromium/native-messaging-hosts/org.latchkey.browser.json")
        let own = BrowserSelection.manifest(of: .chromium, places)
        let place = BrowserSelection.Place(
            browser: .chromium, title: "Chromium", manifest: own, ofAllUsers: ofAllUsers)
        #expect(place.effective == own)
        try HostManifest(program: "/usr/bin/env", extensionIdentifier: "a").write(to: ofAllUsers)
        #expect(place.effective == ofAllUsers)
        // A broken one too: the browser would not look any further.
        try HostManifest(program: "/gone", extensionIdentifier: "a").write(to: own)
        #expect(place.effective == own)
    }

    @Test func knowsWhichBrowserLoadsThePackagedExtension() throws {
        let home = TestHome()
        let places = BrowserPlaces(home: home.folder, config: home.folder + "/config", root: home.folder)
        let chromium = "usr/share/chromium/extensions/latchkey"
        let firefox = "usr/share/mozilla/extensions/{ec8030f7-c20a-464f-9b0e-13a3a9e97384}/latchkey@latchkey.org"
        for folder in [chromium, firefox, "etc/chromium.d", "usr/bin"] {
            try FileManager.default.createDirectory(
                atPath: home.folder + "/" + folder, withIntermediateDirectories: true)
        }
        home.write(chromium + "/manifest.json", "{}")
        home.write(firefox + "/manifest.json", "{}")
        // Neither is Debian's own: a Chromium without its list of extensions, a Firefox that is not the ESR.
        home.write("usr/bin/chromium", "")
        home.write("usr/bin/firefox", "")
        #expect(Browser.allCases.filter { $0.extensionOfAllUsers(places) != nil } == [])
        #expect(Browser.firefox.limits(places).first?.contains("signature") == true)
        home.write("etc/chromium.d/extensions", "")
        home.write("usr/bin/firefox-esr", "")
        #expect(Browser.allCases.filter { $0.extensionOfAllUsers(places) != nil } == [.chromium, .firefox])
        #expect(Browser.firefox.limits(places).isEmpty)
    }

    @Test func saysWhereTheSandboxIs() throws {
        let home = TestHome()
        let places = BrowserPlaces(home: home.folder, config: home.folder + "/config", root: home.folder)
        #expect(Browser.chromium.snap(places) == nil)
        #expect(Browser.chromium.limits(places).isEmpty)
        for folder in ["/snap/chromium", "/.var/app/org.chromium.Chromium"] {
            try FileManager.default.createDirectory(
                atPath: home.folder + folder, withIntermediateDirectories: true)
        }
        #expect(Browser.chromium.snap(places) == home.folder + "/snap/chromium")
        #expect(Browser.chromium.limits(places).count == 2)
    }

    @Test func aFlatpakOfTheUsersOwnIsNotBelieved() throws {
        let home = TestHome()
        let places = BrowserPlaces(home: home.folder, config: home.folder + "/config", root: home.folder)
        let setup = FlatpakSetup(.firefox, places)
        #expect(!setup.isFound)
        let inside = home.folder + "/.var/app/org.mozilla.firefox"
        #expect(setup.manifest == inside + "/.mozilla/native-messaging-hosts/org.latchkey.browser.json")
        try FileManager.default.createDirectory(
            atPath: home.folder + "/var/lib/flatpak/app/org.mozilla.firefox", withIntermediateDirectories: true)
        #expect(setup.isFound)
        #expect(setup.refusal == nil)
        // Flatpak starts the user's own where there are both.
        let own = home.folder + "/.local/share/flatpak/app/org.mozilla.firefox"
        try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
        #expect(setup.refusal?.contains("--system") == true)
    }

    @Test func takesItsOwnFoldersOutOfTheOverrides() {
        func without(_ text: String) -> String? { FlatpakOverrides.without(["a:ro", "b:ro"], in: text) }
        #expect(without("") == nil)
        #expect(without("[Context]\nfilesystems=home;\n") == nil)
        #expect(without("[Context]\nfilesystems=a:ro;b:ro;\n")?.isEmpty == true)
        #expect(without("[Context]\nfilesystems=b:ro;\n")?.isEmpty == true)
        #expect(
            without("[Context]\nfilesystems=home;a:ro;!host;b:ro;\n\n[Environment]\nA=a:ro;\n")
                == "[Context]\nfilesystems=home;!host;\n\n[Environment]\nA=a:ro;\n")
        #expect(
            without("[Context]\nshared=network;\nfilesystems=a:ro;\n") == "[Context]\nshared=network;\n")
        // The same name in another group is another thing.
        #expect(without("[Other]\nfilesystems=a:ro;\n") == nil)
    }

    /// What a sandbox may put in its own folder.
    @Test(
        "S25: nothing that a sandbox put into its folder leads out of it",
        arguments: ["link", "pipe", "file", "folder", "endless"])
    func whatASandboxPutsThereIsNotFollowed(kind: String) throws {
        let home = TestHome()
        let outside = home.folder + "/outside"
        try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
        home.write("outside/m.json", "kept")
        let app = home.folder + "/app"
        try FileManager.default.createDirectory(atPath: app + "/real", withIntermediateDirectories: true)
        switch kind {
        case "link": try FileManager.default.createSymbolicLink(atPath: app + "/part", withDestinationPath: outside)
        case "pipe": #expect(mkfifo(app + "/part", 0o600) == 0)
        case "file": home.write("app/part", "")
        case "folder": #expect(mkfifo(app + "/real/m.json", 0o600) == 0)
        default:
            try FileManager.default.createSymbolicLink(atPath: app + "/real/m.json", withDestinationPath: "/dev/zero")
        }
        if ["link", "pipe", "file"].contains(kind) {
            #expect(throws: CommandFailure.self) { try SandboxFolder(["part"], below: app, isMade: true) }
            #expect(throws: CommandFailure.self) { try SandboxFolder(["part", "more"], below: app, isMade: true) }
        } else {
            let folder = try #require(try SandboxFolder(["real"], below: app, isMade: false))
            #expect(folder.read("m.json", atMost: 100) == nil)
            try folder.write(Array("new".utf8), to: "m.json")
            #expect(folder.read("m.json", atMost: 100) == Data("new".utf8))
            #expect(folder.read("m.json", atMost: 2) == nil)
            try folder.remove("m.json")
            #expect(try FileManager.default.contentsOfDirectory(atPath: app + "/real").isEmpty)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside) == ["m.json"])
        #expect(FileManager.default.contents(atPath: outside + "/m.json") == Data("kept".utf8))
    }
}
