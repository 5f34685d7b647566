// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillProviders
internal import AutoFillRelease
internal import AutoFillSecrets
internal import Foundation

/// The folders whose entitlement files are trusted: root's own folders, and flatpaks and snaps that root installed.
struct AppFolders: Sendable {
    /// Folders in order of precedence: the first that names an executable is used.
    var files = ["/etc/latchkey/apps", "/usr/local/share/latchkey/apps", "/usr/share/latchkey/apps"]
    var flatpaks = ["/var/lib/flatpak/app"]
    var snaps = ["/snap", "/var/lib/snapd/snap"]

    /// All folders, to be watched for apps that are installed or removed.
    var all: [String] { files + flatpaks + snaps }

    /// Maximum number of entries read from one folder.
    private static let limit = 1_000

    /// The path of a flatpak's entitlement file, below its deployment's `files`.
    static func flatpakFile(_ identifier: String) -> String {
        "share/latchkey/apps/" + identifier + AppEntitlement.suffix
    }

    /// The path of a snap's entitlement file, below its mount.
    static func snapFile(_ name: String) -> String {
        "usr/share/latchkey/apps/" + name + AppEntitlement.suffix
    }

    /// Reads every entitlement file in these folders.
    func catalog() -> AppCatalog {
        var catalog = AppCatalog()
        for folder in files { addFiles(of: folder, to: &catalog) }
        for folder in flatpaks {
            for name in Self.entries(folder) {
                // These are links that flatpak and snap maintain; flatpak's `current` names architecture and branch.
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

    /// Reads the claim of a sandboxed app from its running deployment; `nil` if it states none.
    ///
    /// - Throws: `Refusal` with its reason when the file is not trusted or not valid.
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
                if InterpreterPolicy.isNamed(executable.pathParts.last ?? "") {
                    throw AppEntitlement.Refusal(reason: "\(executable) runs code that others wrote")
                }
                if case .changeable(let reason) = TrustedPath.standing(of: executable) {
                    throw AppEntitlement.Refusal(reason: "its executable is not root's alone: \(reason)")
                }
                let subject = AppClaim.Subject.executable(executable)
                // A statement of an earlier folder about this executable takes precedence.
                if catalog.claims(of: subject).contains(where: { !$0.file.isBelow(folder) }) { continue }
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

    /// Reads a file that only root can change; `nil` if there is no such file.
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
