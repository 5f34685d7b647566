// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import Glibc

/// The program that makes a room of its own for another: bubblewrap, where it is there and this system lets it.
public struct Bubblewrap: Sendable, Equatable {
    /// The `bwrap` that works here; nothing where there is none.
    public let program: String?
    /// Why there is none.
    public let reason: String?
    /// Whether it can forbid user namespaces inside (bubblewrap 0.8, not installed setuid). The filter of system calls does
    /// so in any case.
    public let forbidsUserNamespaces: Bool
    /// Whether it can be given open folders (`--bind-fd`: bubblewrap 0.10, and older ones with the fix of CVE-2024-42472).
    public let bindsDescriptors: Bool

    public init(
        program: String?, reason: String?, forbidsUserNamespaces: Bool = false, bindsDescriptors: Bool = true
    ) {
        self.program = program
        self.reason = reason
        self.forbidsUserNamespaces = forbidsUserNamespaces
        self.bindsDescriptors = bindsDescriptors
    }

    /// Looks for bubblewrap, and tries whether it can make the namespaces that are asked of it.
    public init(environment: [String: String]) {
        let folders =
            (environment["PATH"] ?? "").split(separator: ":").map(String.init) + ["/usr/local/bin", "/usr/bin"]
        guard let found = folders.map({ $0 + "/bwrap" }).first(where: { access($0, X_OK) == 0 }) else {
            self.init(program: nil, reason: "bubblewrap is not installed")
            return
        }
        let root = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if root >= 0 { close(root) } }
        for (forbids, binds) in [(true, true), (true, false), (false, true), (false, false)] where !binds || root >= 0 {
            let namespaces = ["--unshare-all"] + (forbids ? Self.forbiddingUserNamespaces : [])
            let all = binds ? ["--ro-bind-fd", "3", "/"] : ["--ro-bind", "/", "/"]
            let trial = namespaces + ["--die-with-parent"] + all + ["/bin/true"]
            guard
                let process = ChildProcess.spawn(
                    found, arguments: trial, descriptors: binds ? [(from: root, to: Int32(3))] : [], environment: [:])
            else {
                self.init(program: nil, reason: "\(found) cannot be started")
                return
            }
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0 && errno == EINTR {}
            if status == 0 {
                self.init(
                    program: found, reason: binds ? nil : Self.tooOld, forbidsUserNamespaces: forbids,
                    bindsDescriptors: binds)
                return
            }
        }
        self.init(program: nil, reason: "this system does not let \(found) make namespaces")
    }

    private static let tooOld =
        "this bubblewrap lacks the fix of CVE-2024-42472, so folders and sockets that were granted are not shown"
    private static let forbiddingUserNamespaces = ["--unshare-user", "--disable-userns"]

    /// The arguments that give a program namespaces of its own, the network's among them, and take its privileges.
    public var namespaceArguments: [String] {
        ["--unshare-all"] + (forbidsUserNamespaces ? Self.forbiddingUserNamespaces : [])
            + ["--die-with-parent", "--new-session", "--cap-drop", "ALL", "--hostname", "latchkey"]
    }

    /// What stands in `/etc` that programs need to run and to speak to the network; no machine identifier, no secrets.
    private static let configuration = [
        "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "ssl", "ca-certificates", "pki", "crypto-policies",
        "resolv.conf", "hosts", "host.conf", "nsswitch.conf", "services", "protocols", "gai.conf", "passwd", "group",
        "localtime", "locale.alias",
    ]

    /// The system's programs and libraries, and software that is installed outside of `/usr`.
    static let shownFolders = ["/usr", "/opt", "/nix/store", "/gnu/store"]

    /// The arguments that show the Swift libraries of this installation, to be read only.
    public static var runtimeArguments: [String] { SwiftRuntime.arguments(showing: SwiftRuntime.folder) }

    /// The arguments that give a program `/proc` and `/dev` of its own. No namespace keeps the kernel's keys apart, and the names of
    /// all that the user has stand in two files.
    public static var processArguments: [String] {
        // Where the user is root, what the kernel is set to could be written there.
        var arguments = ["--proc", "/proc", "--dev", "/dev", "--ro-bind", "/proc/sys", "/proc/sys"]
        for file in ["/proc/keys", "/proc/key-users"] where access(file, F_OK) == 0 {
            arguments += ["--ro-bind", "/dev/null", file]
        }
        return arguments
    }

    /// The arguments that show the system's programs, libraries and configuration, to be read only.
    public static var systemArguments: [String] {
        var arguments = ["--ro-bind", "/usr", "/usr"]
        for name in ["bin", "sbin", "lib", "lib32", "lib64", "libx32"] {
            if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/" + name) {
                arguments += ["--symlink", target, "/" + name]
            } else {
                arguments += ["--ro-bind-try", "/" + name, "/" + name]
            }
        }
        for folder in shownFolders.dropFirst() { arguments += ["--ro-bind-try", folder, folder] }
        for name in configuration { arguments += ["--ro-bind-try", "/etc/" + name, "/etc/" + name] }
        return arguments
    }

    /// The arguments that show what `/etc/resolv.conf` is a link to, often in `/run`.
    public static var nameServerArguments: [String] {
        let file = URL(fileURLWithPath: "/etc/resolv.conf").resolvingSymlinksInPath().path
        return file == "/etc/resolv.conf" ? [] : ["--ro-bind-try", file, file]
    }
}
