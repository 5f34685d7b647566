// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import Logging
internal import Synchronization

/// Runs the sources of codes, each on a thread of its own, and passes on their messages. A source that hangs delays nothing else.
final class CodeListener: Sendable {
    private struct Running {
        var waker: Waker?
        var maildir: (path: String, waker: Waker)?
    }

    private let environment: [String: String]
    private let codes: CodeMessages
    private let mail: MailProcess
    private let logger: Logger
    private let running = Mutex(Running())

    /// - Parameter mail: the process that reads mail from the maildir.
    init(environment: [String: String], codes: CodeMessages, mail: MailProcess, logger: Logger) {
        self.mail = mail
        self.environment = environment
        self.codes = codes
        self.logger = logger
    }

    /// Begins to listen, until `stop()`.
    func start() {
        let made: Waker? = running.withLock { running in
            guard running.waker == nil else { return nil }
            running.waker = Waker()
            return running.waker
        }
        guard let made else { return }
        begin(
            BusCodeSource(listener: ModemMessages(), address: Bus.system.address(in: environment)), until: made)
        let session = Bus.session.address(in: environment)
        begin(BusCodeSource(listener: KDEConnectNotifications(), address: session), until: made)
        begin(GSConnectNotifications(address: session), until: made)
    }

    /// Watches a maildir in place of the one before; `nil` watches none.
    func watch(maildir path: String?) {
        let made: (String, Waker)? = running.withLock { running in
            guard running.maildir?.path != path else { return nil }
            running.maildir?.waker.wake()
            running.maildir = nil
            guard let path, let waker = Waker() else { return nil }
            running.maildir = (path, waker)
            return (path, waker)
        }
        if let (path, waker) = made {
            begin(MaildirSource(path: path, reader: mail), until: waker)
        } else if path == nil {
            tell(.maildir, .off("`latchkey preferences set --code-maildir` names one"), while: nil)
        }
    }

    /// Ends listening.
    func stop() {
        running.withLock { running in
            running.waker?.wake()
            running.maildir?.waker.wake()
            running = Running()
        }
    }

    private func begin(_ source: some CodeSource, until waker: Waker) {
        let origin = source.origin
        let last = Mutex<CodeSourceState?>(nil)
        source.start(
            until: waker,
            report: { [self] state in
                guard last.withLock({ $0.replace(by: state) }), !waker.isAwake else { return }
                logger.debug("a source of codes", metadata: ["name": "\(origin.rawValue)", "state": "\(state.word)"])
                tell(origin, state, while: waker)
            },
            deliver: { [codes] delivery in
                Task {
                    guard !waker.isAwake else { return }
                    await codes.received(delivery, from: origin)
                }
            })
    }

    private func tell(_ origin: CodeOrigin, _ state: CodeSourceState, while waker: Waker?) {
        Task { [codes] in
            guard waker?.isAwake != true else { return }
            await codes.codeSource(origin, is: state)
        }
    }
}

extension Optional where Wrapped: Equatable {
    /// Replaces the value, and returns whether it changed.
    fileprivate mutating func replace(by value: Wrapped) -> Bool {
        guard self != value else { return false }
        self = value
        return true
    }
}
