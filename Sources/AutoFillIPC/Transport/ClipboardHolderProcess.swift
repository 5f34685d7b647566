// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillSecrets
internal import ChildProcesses
internal import Glibc

/// Copies by `latchkey clipboard-holder`, which marks a secret for clipboard histories, stays, and takes it away again.
///
/// It outlives the program that starts it. On its output it says `ready` once the secret is on the clipboard, or otherwise one of the words
/// of `Problem.Kind`, a space, and a sentence.
package enum ClipboardHolderProcess {
    package static let command = "clipboard-holder"
    package static let ready = "ready"
    /// How long a secret stays on the clipboard where the user has not said otherwise.
    package static let seconds = 45

    /// Why a secret is not on the clipboard.
    package struct Problem: Error, Equatable {
        package enum Kind: String, Sendable {
            /// The clipboard can be reached, and nothing there tells its histories to leave the secret out.
            case unmarked
            case unreachable
        }

        package let kind: Kind
        package let message: String

        package init(_ kind: Kind, _ message: String) {
            self.kind = kind
            self.message = message
        }

        /// What the program writes.
        package var written: String { "\(kind.rawValue) \(message)" }

        init(written: String) {
            let parts = written.split(separator: " ", maxSplits: 1)
            if parts.count == 2, let kind = Kind(rawValue: String(parts[0])) {
                self.init(kind, String(parts[1]))
            } else {
                self.init(.unreachable, "The clipboard cannot be reached.")
            }
        }
    }

    /// Returns once the secret is on the clipboard; blocks until then, 15 seconds at most.
    ///
    /// - Parameters:
    ///   - secret: What is copied; `nil` to find out only whether it could be.
    ///   - seconds: How long it stays there.
    ///   - allowsUnmarked: Whether it is copied even where histories cannot be told to leave it out.
    ///   - environment: The program's environment, which names the display; `nil` for this process's own.
    package static func start(
        _ secret: SecretBytes?, clearAfter seconds: Int = seconds, allowsUnmarked: Bool = false,
        programFolder: String = DaemonConnector.programFolder, environment: [String: String]? = nil
    ) throws(Problem) {
        guard let toHolder = PipeEnds(), let fromHolder = PipeEnds() else {
            throw Problem(.unreachable, "No pipe can be made.")
        }
        let arguments =
            [command, "--clear-after", String(seconds)] + (allowsUnmarked ? ["--unmarked"] : [])
            + (secret == nil ? ["--check"] : [])
        // A session of its own: it outlives the terminal, and control-C in it.
        let process = ChildProcess.spawn(
            programFolder + "/latchkey", arguments: arguments,
            descriptors: [(toHolder.reading, 0), (fromHolder.writing, 1)], environment: environment, isNewSession: true)
        toHolder.closeReading()
        fromHolder.closeWriting()
        guard let process else {
            throw Problem(.unreachable, "latchkey cannot be started: \(String(cString: strerror(errno))).")
        }
        // It ends by itself; nobody else waits for it.
        _ = DetachedThread.start(stackSize: 64 << 10) { waitpid(process, nil, 0) }
        // A program that has ended already has said why; writing to it fails then.
        secret?.withUnsafeBytes { _ = FileCalls.writeAll($0, to: toHolder.writing) }
        toHolder.closeWriting()
        guard let answer = fromHolder.readAll(limit: 1_000, milliseconds: 15_000) else {
            throw Problem(.unreachable, "The clipboard does not answer.")
        }
        let said = answer.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        guard said == ready else { throw Problem(written: said) }
    }
}
