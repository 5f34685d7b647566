// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillIPC
internal import AutoFillSecrets
internal import Synchronization

/// A client of the daemon: its conversation, and what the daemon knows about it.
final class ClientConnection: QuestionClient {
    let number: Int
    /// The role, which decides what the peer may ask; `hello` has to come first in every role.
    let role: PeerRole
    /// The peer's executable, or the browser's that started it, for prompts, the audit log and the journal.
    let program: String
    /// For git's credential helper: the program that made git ask.
    let gitCaller: GitCaller?
    /// The peer's process, where the kernel named it.
    let process: PeerProcess?
    /// Whether it is in a sandbox, where displays have names of their own.
    private let isSandboxed: Bool
    private let conversation: Mutex<Peer?>
    private let greeted = Mutex(false)
    private let seated = Mutex(false)
    private let statedDisplay = Mutex<DisplayStatement?>(nil)

    init(
        number: Int, role: PeerRole, program: String, process: PeerProcess? = nil, gitCaller: GitCaller? = nil,
        isSandboxed: Bool = false
    ) {
        self.isSandboxed = isSandboxed
        self.gitCaller = gitCaller
        self.number = number
        self.role = role
        self.program = program
        self.process = process
        conversation = Mutex(nil)
    }

    /// The requester's name in a prompt.
    var requester: String {
        program.lastPathPart
    }

    /// Ties the conversation to the connection; the connection is made first because the peer's handler needs it.
    func attach(_ peer: Peer) {
        conversation.withLock { $0 = peer }
    }

    /// Lets go of the conversation, which holds this connection through its handler.
    func detach() {
        conversation.withLock { $0 = nil }
    }

    var peer: Peer? {
        conversation.withLock { $0 }
    }

    var isGreeted: Bool {
        greeted.withLock { $0 }
    }

    func setGreeted(display: DisplayStatement? = nil) {
        let isFirst = greeted.withLock { isGreeted in
            defer { isGreeted = true }
            return !isGreeted
        }
        // The host says the first hello by itself; any other one is what the browser had it pass on.
        if isFirst, !isSandboxed { statedDisplay.withLock { $0 = display } }
    }

    /// The display of its windows, as its host stated it; `nil` if it stated none.
    var display: DisplayStatement? {
        statedDisplay.withLock { $0 }
    }

    /// Whether it draws the system's questions in windows of its own.
    var hasWindows: Bool { role == .browser }

    /// Whether it draws the system's questions: a browser, and the command line while it draws for an app.
    var drawsQuestions: Bool {
        role == .browser || seated.withLock { $0 }
    }

    func setSeated(_ isSeated: Bool) {
        seated.withLock { $0 = isSeated }
    }
}
