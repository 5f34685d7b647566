// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// A sandbox for other programs: bubblewrap, started through `latchkey-enter`.
///
/// `latchkey-enter` leaves the session keyring and has the kernel filter the program's system calls.
public struct Sandbox: Sendable, Equatable {
    /// The allowed system calls. The raw values are arguments of `latchkey-enter`.
    public enum Filter: String, Sendable {
        /// For a provider with granted sockets, or with a folder that it shares with its app.
        case provider
        /// Without Unix sockets, for other providers and for Latchkey's own programs. A folder granted for reading may
        /// contain sockets.
        case network
    }

    public let bubblewrap: Bubblewrap
    /// The folder that contains `latchkey-enter` and `latchkey-net`.
    let programFolder: String

    public init(bubblewrap: Bubblewrap, programFolder: String = DaemonConnector.programFolder) {
        self.bubblewrap = bubblewrap
        self.programFolder = programFolder
    }

    /// Whether a sandbox is available. Without one, programs run unconfined, as the user.
    public var isAvailable: Bool { bubblewrap.program != nil }

    /// The command that starts bubblewrap with the given arguments, or `nil` if bubblewrap is not available.
    public func command(_ filter: Filter, _ arguments: [String]) -> (program: String, arguments: [String])? {
        bubblewrap.program.map { (programFolder + "/latchkey-enter", [filter.rawValue, $0] + arguments) }
    }

    /// The end of bubblewrap's arguments, with the program last.
    ///
    /// - Parameters:
    ///   - channel: The program's descriptor of a `NetworkExit.channel`. The program then finds a proxy in its
    ///     environment.
    ///   - port: The proxy's port, for a program that knows it; its environment does not mention the proxy then.
    public func running(_ program: String, channel: Int32?, port: UInt16? = nil) -> [String] {
        guard let channel else { return ["--", program] }
        let (mounts, place) = showing("latchkey-enter")
        let listening = port.map { ["listen-at", "\(channel)", "\($0)"] } ?? ["listen", "\(channel)"]
        return mounts + ["--", place] + listening + [program]
    }

    /// The arguments that make one of Latchkey's programs available, and its path inside, which does not reveal the user's folders.
    ///
    /// In an installation Swift's libraries are in the same folder.
    ///
    /// - Parameter path: The program's path, if it is not in the folder of the others.
    func showing(_ name: String, at path: String? = nil) -> (arguments: [String], place: String) {
        let path = path ?? programFolder + "/" + name
        guard SwiftRuntime.folder == programFolder, path == programFolder + "/" + name else {
            return (Bubblewrap.runtimeArguments + ["--ro-bind", path, "/" + name], "/" + name)
        }
        return (["--ro-bind", programFolder, "/latchkey"], "/latchkey/" + name)
    }
}
