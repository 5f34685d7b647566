// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Where other programs are started in: bubblewrap, entered through `latchkey-enter`, which leaves the session keyring and
/// has the kernel filter what the program may call.
public struct Sandbox: Sendable, Equatable {
    /// Which system calls are left; the word is `latchkey-enter`'s.
    public enum Filter: String, Sendable {
        /// A provider's that was given sockets of the user's, or a folder that it shares with its app.
        case provider
        /// Without Unix sockets: any other provider's, since a folder that it may read can have some in it, and those of programs
        /// of ours.
        case network
    }

    public let bubblewrap: Bubblewrap
    /// Where `latchkey-enter` and `latchkey-net` are.
    let programFolder: String

    public init(bubblewrap: Bubblewrap, programFolder: String = DaemonConnector.programFolder) {
        self.bubblewrap = bubblewrap
        self.programFolder = programFolder
    }

    /// Whether there is one here; without it programs run as the user does.
    public var isAvailable: Bool { bubblewrap.program != nil }

    /// What is started so that bubblewrap is started with these arguments; `nil` where there is none.
    public func command(_ filter: Filter, _ arguments: [String]) -> (program: String, arguments: [String])? {
        bubblewrap.program.map { (programFolder + "/latchkey-enter", [filter.rawValue, $0] + arguments) }
    }

    /// The end of bubblewrap's arguments, the program last.
    ///
    /// - Parameters:
    ///   - channel: the descriptor there of a `NetworkExit.channel`; the program then finds a proxy in its environment.
    ///   - port: where that proxy is; the program knows it already, and its environment says nothing.
    public func running(_ program: String, channel: Int32?, port: UInt16? = nil) -> [String] {
        guard let channel else { return ["--", program] }
        let (mounts, place) = showing("latchkey-enter")
        let listening = port.map { ["listen-at", "\(channel)", "\($0)"] } ?? ["listen", "\(channel)"]
        return mounts + ["--", place] + listening + [program]
    }

    /// The arguments that show a program of Latchkey, and its path inside, which does not reveal the user's folders. Swift's libraries
    /// stand beside it in an installation.
    ///
    /// - Parameter path: where the program is, if not in the folder of the others.
    func showing(_ name: String, at path: String? = nil) -> (arguments: [String], place: String) {
        let path = path ?? programFolder + "/" + name
        guard SwiftRuntime.folder == programFolder, path == programFolder + "/" + name else {
            return (Bubblewrap.runtimeArguments + ["--ro-bind", path, "/" + name], "/" + name)
        }
        return (["--ro-bind", programFolder, "/latchkey"], "/latchkey/" + name)
    }
}
