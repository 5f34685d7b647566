// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import ChildProcesses
internal import FoundationEssentials
internal import Glibc

/// The sandboxing program bubblewrap, if it is installed and this system permits it.
public struct Bubblewrap: Sendable, Equatable {
    /// The path of a working `bwrap`, or `nil` if there is none.
    public let program: String?
    /// The reason why there is no working `bwrap`, or why it is limited.
    public let reason: String?
    /// Whether it can forbid user namespaces inside (bubblewrap 0.8, not installed setuid).
    ///
    /// The system call filter forbids them in any case.
    public let forbidsUserNamespaces: Bool
    /// Whether it can bind open descriptors (`--bind-fd`: bubblewrap 0.10, and older ones with the fix of
    /// CVE-2024-42472).
    public let bindsDescriptors: Bool

    public init(
        program: String?, reason: String?, forbidsUserNamespaces: Bool = false, bindsDescriptors: Bool = true
    ) {
        self.program = program
        self.reason = reason
        self.forbidsUserNamespaces = forbidsUserNamespaces
        self.bindsDescriptors = bindsDescriptors
    }

    /// Finds bubblewrap, and tests whether it can create the required namespaces.
    ///
    /// - Parameter limit: How long each test may take; behind it, bubblewrap counts as one that does not work.
    public init(environment: [String: String], limit: Duration = .seconds(10)) {
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
                    found, arguments: trial, descriptors: binds ? [(from: root, to: Int32(3))] : [], environment: [:],
                    isNewGroup: true)
            else {
                self.init(program: nil, reason: "\(found) cannot be started")
                return
            }
            guard let status = ChildProcess.wait(for: process, limit: limit) else {
                self.init(
                    program: nil, reason: "\(found) does not end: it was stopped after \(limit.components.seconds) s")
                return
            }
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

    /// The arguments that create new namespaces, including the network's, and drop privileges.
    public var namespaceArguments: [String] {
        ["--unshare-all"] + (forbidsUserNamespaces ? Self.forbiddingUserNamespaces : [])
            + ["--die-with-parent", "--new-session", "--cap-drop", "ALL", "--hostname", "latchkey"]
    }

    /// The arguments for a program that has to know the processes of the session by their numbers.
    ///
    /// As `namespaceArguments`, without a namespace of processes. The host's name stays, by which X11 finds its cookie.
    public var sessionArguments: [String] {
        ["--unshare-user", "--unshare-ipc", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
            + (forbidsUserNamespaces ? ["--disable-userns"] : [])
            + ["--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    }

    /// The arguments that show such a program the session's `/proc`, and give it a `/dev` of its own.
    ///
    /// The kernel lets a process in a user namespace look into none that is outside of it. What it shows of each to everybody, its
    /// number and its command line, is shown here, too.
    public static var sessionProcessArguments: [String] {
        ["--ro-bind", "/proc", "/proc", "--dev", "/dev"] + hidingArguments
    }

    /// The entries of `/etc` that programs need to run and to use the network. No machine identifier, no secrets.
    private static let configuration = [
        "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "ssl", "ca-certificates", "pki", "crypto-policies",
        "resolv.conf", "hosts", "host.conf", "nsswitch.conf", "services", "protocols", "gai.conf", "passwd", "group",
        "localtime", "locale.alias",
    ]

    /// The system's programs and libraries, and software installed outside of `/usr`.
    static let shownFolders = ["/usr", "/opt", "/nix/store", "/gnu/store"]

    /// The arguments that make this installation's Swift libraries available read-only.
    public static var runtimeArguments: [String] { SwiftRuntime.arguments(showing: SwiftRuntime.folder) }

    /// The arguments that give a program its own `/proc` and `/dev`.
    ///
    /// The kernel's keys are not in a namespace, and two files list the names of all the user's keys, so these files are hidden.
    public static var processArguments: [String] {
        // Kernel settings are read-only, because a user who is root could change them there.
        ["--proc", "/proc", "--dev", "/dev", "--ro-bind", "/proc/sys", "/proc/sys"] + hidingArguments
    }

    /// Keys of the kernel's keyrings; and how often each device has called, the keyboard among them.
    private static var hidingArguments: [String] {
        let files = ["/proc/keys", "/proc/key-users", "/proc/interrupts", "/proc/softirqs"]
        return files.filter { access($0, F_OK) == 0 }.flatMap { ["--ro-bind", "/dev/null", $0] }
    }

    /// The arguments that make the system's programs, libraries and configuration available read-only.
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

    /// The arguments that make the target of the link `/etc/resolv.conf` available, which is often in `/run`.
    public static var nameServerArguments: [String] {
        let file = URL(fileURLWithPath: "/etc/resolv.conf").resolvingSymlinksInPath().path
        return file == "/etc/resolv.conf" ? [] : ["--ro-bind-try", file, file]
    }
}
