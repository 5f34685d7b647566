// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillProviders
internal import AutoFillRelease
internal import Foundation

/// Where entitlement files count: in root's own folders, and in what root installed of flatpak and snap.
struct AppFolders: Sendable {
    /// The first one that names an executable is believed.
    var files = ["/etc/latchkey/apps", "/usr/local/share/latchkey/apps", "/usr/share/latchkey/apps"]
    var flatpaks = ["/var/lib/flatpak/app"]
    var snaps = ["/snap", "/var/lib/snapd/snap"]

    /// Where apps come and go.
    var all: [String] { files + flatpaks + snaps }

    /// Files of one folder that are looked at.
    private static let limit = 1_000

    /// Where a flatpak keeps its file, below its deployment's `files`.
    static func flatpakFile(_ identifier: String) -> String {
        "share/latchkey/apps/" + identifier + AppEntitlement.suffix
    }

    /// Where a snap keeps its file, below its mount.
    static func snapFile(_ name: String) -> String {
        "usr/share/latchkey/apps/" + name + AppEntitlement.suffix
    }

    /// Everything that is stated there.
    func catalog() -> AppCatalog {
        var catalog = AppCatalog()
        for folder in files { addFiles(of: folder, to: &catalog) }
        for folder in flatpaks {
            for name in Self.entries(folder) {
                // Links, which the commands that install them keep: `current` names architecture and branch.
                addDeployment(
                    "\(folder)/\(name)/current/active/files", Self.flatpakFile(name), .flatpak(name), to: &catalog)
            }
        }
        for folder in snaps {
            for name in Self.entries(folder) where name != "bin" {
                addDeployment("\(folder)/\(name)/current", Self.snapFile(name), .snap(name), to: &catalog)
            }
        }
        return catalog
    }

    /// What an app in a sandbox states in the deployment that runs; throws why that does not count.
    static func entitlement(of sandbox: CallerIdentity.Sandbox) throws(AppEntitlement.Refusal) -> AppClaim? {
        switch sandbox {
        case .flatpak(let identifier, _, let deployment):
            try claim("\(deployment)/\(flatpakFile(identifier))", .flatpak(identifier))
        case .snap(let name, _, let deployment):
            try claim("\(deployment)/\(snapFile(name))", .snap(name))
        }
    }

    private func addFiles(of folder: String, to catalog: inout AppCatalog) {
        for name in Self.entries(folder) where name.hasSuffix(AppEntitlement.suffix) {
            let file = "\(folder)/\(name)"
            do throws(AppEntitlement.Refusal) {
                guard let entitlement = try Self.trusted(file) else { continue }
                guard let executable = entitlement.executable else {
                    throw AppEntitlement.Refusal(reason: "it names no org.latchkey.application-executable")
                }
                if InterpreterPolicy.isNamed(String(executable.split(separator: "/").last ?? "")) {
                    throw AppEntitlement.Refusal(reason: "\(executable) carries out what others wrote")
                }
                if case .changeable(let reason) = TrustedPath.standing(of: executable) {
                    throw AppEntitlement.Refusal(reason: "its executable is not root's alone: \(reason)")
                }
                let subject = AppClaim.Subject.executable(executable)
                // One that an earlier folder has said something about is overruled there.
                if catalog.claims(of: subject).contains(where: { !$0.file.hasPrefix(folder + "/") }) { continue }
                catalog.claims.append(AppClaim(subject: subject, entitlement: entitlement, file: file))
            } catch {
                catalog.problems.append(
                    .init(file: file, entitlement: (try? AppEntitlement(file: file)) ?? nil, reason: error.reason))
            }
        }
    }

    private func addDeployment(
        _ folder: String, _ file: String, _ subject: AppClaim.Subject, to catalog: inout AppCatalog
    ) {
        guard let deployment = FileManager.default.realPath(of: folder) else { return }
        do throws(AppEntitlement.Refusal) {
            if let claim = try Self.claim("\(deployment)/\(file)", subject) { catalog.claims.append(claim) }
        } catch {
            catalog.problems.append(.init(file: "\(deployment)/\(file)", reason: error.reason))
        }
    }

    private static func claim(_ file: String, _ subject: AppClaim.Subject) throws(AppEntitlement.Refusal) -> AppClaim? {
        try trusted(file).map { AppClaim(subject: subject, entitlement: $0, file: file) }
    }

    /// A file that nobody but root can change.
    private static func trusted(_ file: String) throws(AppEntitlement.Refusal) -> AppEntitlement? {
        guard FileManager.default.fileExists(atPath: file) else { return nil }
        if case .changeable(let reason) = TrustedPath.standing(of: file) {
            throw AppEntitlement.Refusal(reason: reason)
        }
        return try AppEntitlement(file: file)
    }

    private static func entries(_ folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { !$0.hasPrefix(".") }.sorted()
            .prefix(limit).map(\.self)
    }
}
