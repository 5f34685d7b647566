// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import Foundation
internal import PassStore

/// Where the user's store and keys are. It stands in the provider's container; the environment says nothing here, since
/// the daemon's is not the shell's.
struct PassConfiguration: Codable, Equatable, Sendable {
    private static let file = "configuration.json"

    /// The store's folder; nothing for `~/.password-store`.
    var store: String?
    /// The folder of keys; nothing for gpg's own choice.
    var gnupg: String?
    /// Whether changes are committed where the store is a git repository.
    var commits = true

    /// What the container says; what it does not say, or not so that it can be read, is as usual.
    static func read(from container: URL) -> PassConfiguration {
        let data = try? Data(contentsOf: container.appendingPathComponent(file))
        return data.flatMap { try? BoundedJSON.decode(PassConfiguration.self, from: $0) } ?? PassConfiguration()
    }

    func write(to container: URL) throws {
        let data = try JSONEncoder().encode(self)
        try AtomicFile.write([UInt8](data), to: container.appendingPathComponent(Self.file).path)
    }

    /// The path of the store.
    var storePath: String { Self.expanded(store ?? "~/.password-store") }

    /// The path of the folder of keys, when it is not gpg's own choice.
    var gnupgPath: String? { gnupg.map(Self.expanded) }

    private static func expanded(_ path: String) -> String {
        guard path == "~" || path.hasPrefix("~/") else { return path }
        return (ProcessInfo.processInfo.environment["HOME"] ?? NSHomeDirectory()) + path.dropFirst()
    }
}

/// Where the programs are, and what they are given of this process's environment.
enum PassPlace {
    private static let folders = ["/usr/bin", "/usr/local/bin", "/bin", "/run/current-system/sw/bin"]
    /// What gpg hands on to the agent for its pinentry, and what finds the user's own settings.
    private static let passedOn = [
        "HOME", "USER", "LOGNAME", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS",
        "XDG_RUNTIME_DIR", "LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES",
    ]

    /// A program in one of the system's folders; the search path is not asked, since it may be anybody's.
    static func program(_ name: String) -> String? {
        folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    static var environment: [String: String] {
        var environment = ProcessInfo.processInfo.environment.filter { passedOn.contains($0.key) }
        environment["PATH"] = "/usr/local/bin:/usr/bin:/bin"
        return environment
    }

    static func gnupg(_ configuration: PassConfiguration, _ programs: any ProgramRunning) -> Gnupg {
        Gnupg(
            Gnupg.Place(
                gpg: program("gpg") ?? "/usr/bin/gpg",
                connectAgent: program("gpg-connect-agent") ?? "/usr/bin/gpg-connect-agent",
                home: configuration.gnupgPath, environment: environment
            ),
            programs: programs
        )
    }

    static func git(_ container: URL) -> GitRepository.Place? {
        program("git").map { GitRepository.Place(git: $0, scratch: container.path, environment: environment) }
    }
}
