// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillProviders
internal import AutoFillRelease
internal import AutoFillSecrets
internal import Foundation
internal import Glibc

/// Detects the sandbox of a process, from facts that the sandbox's builder set and the process cannot change.
struct SandboxReader: Sendable {
    /// A sandbox, and the paths outside it of the folders that it sees.
    struct Finding: Sendable, Equatable {
        let sandbox: CallerIdentity.Sandbox
        /// Path prefixes inside the sandbox, each with the prefix that replaces it outside.
        let places: [(inside: String, outside: String)]

        static func == (one: Finding, other: Finding) -> Bool {
            one.sandbox == other.sandbox && one.places.elementsEqual(other.places) { $0 == $1 }
        }
    }

    /// `$XDG_RUNTIME_DIR`, where flatpak keeps what it knows of running instances.
    let runtime: String
    let user: UInt32
    /// Where snaps are mounted.
    var snapFolders = ["/snap", "/var/lib/snapd/snap"]

    /// In bytes; flatpak writes less than a hundredth of it.
    private static let infoLimit = 1 << 18

    /// The sandbox of a process; `nil` if it is in none.
    ///
    /// - Throws: `CallerRefusal` when it is in a sandbox that cannot be checked.
    func sandbox(of process: PeerProcess) throws(CallerRefusal) -> Finding? {
        if let text = try flatpakInfo(of: process) { return try flatpak(text, process) }
        return try snap(of: process)
    }

    // MARK: Flatpak

    /// The content of `/.flatpak-info`; `nil` if there is none, or if the process has the same root as the daemon.
    private func flatpakInfo(of process: PeerProcess) throws(CallerRefusal) -> String? {
        guard let root = process.openRoot() else { throw CallerRefusal("its root cannot be seen") }
        defer { close(root) }
        var own = stat()
        var its = stat()
        guard stat("/", &own) == 0, fstat(root, &its) == 0 else { throw CallerRefusal("its root cannot be seen") }
        if own.st_dev == its.st_dev && own.st_ino == its.st_ino { return nil }
        let file = openat(root, ".flatpak-info", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw CallerRefusal("its /.flatpak-info cannot be read")
        }
        defer { close(file) }
        var information = stat()
        var place = statvfs()
        // Flatpak mounts a file of the user's there, read-only, so that nothing inside can change it.
        guard fstat(file, &information) == 0, fstatvfs(file, &place) == 0, information.st_mode & S_IFMT == S_IFREG,
            information.st_uid == user, information.st_mode & (S_IWGRP | S_IWOTH) == 0,
            place.f_flag & UInt(ST_RDONLY) != 0, information.st_size <= Self.infoLimit
        else { throw CallerRefusal("its /.flatpak-info is not as flatpak makes it") }
        return try Self.text(file, limit: Self.infoLimit)
    }

    private func flatpak(_ text: String, _ process: PeerProcess) throws(CallerRefusal) -> Finding {
        guard let info = FlatpakInfo(text) else { throw CallerRefusal("its /.flatpak-info names no app") }
        let folder = "\(runtime)/.flatpak/\(info.instance)"
        guard let kept = SmallFile.text(folder + "/info", atMost: Int(Self.infoLimit)), FlatpakInfo(kept) == info,
            let number = SmallFile.text(folder + "/pid", atMost: 64),
            let builder = Int32(number.trimmingCharacters(in: .whitespacesAndNewlines)),
            ([process] + process.ancestors(limit: 64)).contains(where: { $0.process == builder })
        else { throw CallerRefusal("flatpak knows no running instance \(info.instance) of \(info.name)") }
        guard info.isDeployed, TrustedPath.standing(ofFolder: info.appPath) == .rootOwned else {
            throw CallerRefusal("\(info.name) is installed where users other than root can change it")
        }
        var places = [(inside: "/app", outside: info.appPath)]
        if let runtimePath = info.runtimePath, TrustedPath.standing(ofFolder: runtimePath) == .rootOwned {
            places.append((inside: "/usr", outside: runtimePath))
        }
        return Finding(
            sandbox: .flatpak(identifier: info.name, instance: info.instance, deployment: info.appPath), places: places)
    }

    // MARK: Snap

    private func snap(of process: PeerProcess) throws(CallerRefusal) -> Finding? {
        let labelled = process.securityLabel.flatMap(Self.snap(label:))
        let grouped = process.controlGroup.flatMap(ControlGroup.snap)
        // Anyone can create a control group: without the kernel's label a program counts as not in a snap. A program outside can take on
        // the label too, so its executable must also lie in the snap.
        guard let (name, app) = labelled else { return nil }
        if let grouped, name != grouped.name {
            throw CallerRefusal("its label says \(name) and its control group \(grouped.name)")
        }
        guard let path = process.executable?.path,
            let mount = snapFolders.first(where: { path.isBelow($0) }), let inside = path.pathPart(below: mount)
        else { return nil }
        let parts = inside.pathParts
        guard parts.count >= 3 else { throw CallerRefusal("its executable does not belong to a snap") }
        let deployment: String
        if parts[0] == name {
            deployment = "\(mount)/\(name)/\(parts[1])"
        } else {
            // An interpreter of the base, say: the label ties it to the snap.
            guard let current = FileManager.default.realPath(of: "\(mount)/\(name)/current") else {
                throw CallerRefusal("its executable does not belong to the snap \(name)")
            }
            deployment = current
        }
        guard TrustedPath.standing(ofFolder: deployment) == .rootOwned else {
            throw CallerRefusal("the snap \(name) is mounted where users other than root can change it")
        }
        return Finding(
            sandbox: .snap(name: name, app: app, deployment: deployment),
            places: [(inside: mount, outside: mount)])
    }

    /// The snap and its app, from `snap.NAME.APP (enforce)`. A profile in complain mode confines nothing and does not count.
    static func snap(label: String) -> (name: String, app: String)? {
        guard label.hasPrefix("snap."), label.hasSuffix(" (enforce)") else { return nil }
        let parts = label.dropLast(10).split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[1].isEmpty, !parts[2].isEmpty else { return nil }
        return (String(parts[1]), String(parts[2]))
    }

    private static func text(_ file: Int32, limit: Int) throws(CallerRefusal) -> String {
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        var count = 0
        while count < bytes.count {
            let got = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress?.advanced(by: count), $0.count - count) }
            if got < 0 && errno == EINTR { continue }
            guard got >= 0 else { throw CallerRefusal("its /.flatpak-info cannot be read") }
            if got == 0 { break }
            count += got
        }
        guard count <= limit, let text = String(validating: bytes[..<count], as: UTF8.self) else {
            throw CallerRefusal("its /.flatpak-info is not as flatpak makes it")
        }
        return text
    }
}
