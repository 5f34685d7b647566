// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillGit
internal import AutoFillIPC
internal import AutoFillSecrets
internal import CLinux
internal import FoundationEssentials
internal import Glibc
internal import ShownText

/// Git's credential helper (gitcredentials(7)): passes on what git says, and has the user asked on the terminal.
///
/// It decides nothing. Whatever goes wrong ends quickly with nothing said to git, which then goes on as if it were not there.
@main
enum GitCredentialHelper {
    enum Operation: String {
        case get, store, erase
    }

    /// How long git may wait where nobody can be asked: a provider's own time, and some.
    private static let quietPatience = Duration.seconds(20)
    /// Where somebody is asked: a few questions of two minutes each.
    private static let patience = Duration.seconds(400)

    static func main() async {
        signal(SIGPIPE, SIG_IGN)
        guard CommandLine.arguments.count == 2, !CommandLine.arguments[1].hasPrefix("-") else {
            end(64, "It is called by git: `latchkey git install` has git do so.")
        }
        // What a newer git may ask is to be ignored in silence.
        guard let operation = Operation(rawValue: CommandLine.arguments[1]) else { exit(0) }
        guard let input = Input.read(limit: GitCredentialReader.limit) else { end(1, "Git's request is too long.") }
        let credential: GitCredential
        do {
            credential = try GitCredentialReader.read(input)
        } catch {
            end(1, "Git's request is not valid: \(error.reason)")
        }
        guard credential.isWeb else { exit(0) }
        do {
            try await run(operation, credential)
        } catch let error as WireError {
            report(error)
        } catch {
            end(0, nil)
        }
        exit(0)
    }

    private static func run(_ operation: Operation, _ credential: GitCredential) async throws {
        let environment = ProcessInfo.processInfo.environment
        guard let directories = Directories(environment: environment) else { return }
        let terminal = Terminal(environment: environment)
        let hasDisplay = environment["WAYLAND_DISPLAY"] != nil || environment["DISPLAY"] != nil
        let canAsk = terminal != nil || hasDisplay
        // Where nobody could unlock it, a daemon that is started now could only say that it is locked.
        guard
            let stream = try canAsk
                ? DaemonConnector.connectOrStart(directories) : DaemonConnector.connect(directories)
        else { return }
        let desk = TerminalDesk(terminal: terminal)
        let peer = Peer(stream: stream) { method, params in try await desk.answer(method, params) }
        peer.start()
        let hello = try await peer.call(
            Session.Hello.self,
            .init(protocol: 1, client: Program(name: "git-credential-latchkey", version: latchkeyVersion)),
            timeout: .seconds(10))
        // Only now, because before the hello the daemon has to see what program this is; nothing secret has come yet.
        _ = latchkey_forbid_dumps()
        guard hello.initialized else { return }
        let patience = canAsk ? Self.patience : quietPatience
        let target = GitTarget(
            scheme: credential.protocolName ?? "", host: credential.host ?? "", path: credential.path,
            user: credential.username)
        switch operation {
        case .get:
            let answer = try await peer.call(
                Git.Get.self, .init(target: target, terminal: terminal != nil), timeout: patience)
            if answer.quit == true { return Output.write(GitCredentialWriter.quit) }
            guard let user = answer.user, let password = answer.password?.bytes else { return }
            guard let lines = GitCredentialWriter.write(username: user, password: password, expiry: answer.expires)
            else { end(0, "The saved login contains a line break, which git does not accept.") }
            Output.write(lines)
        case .store:
            guard let password = credential.password, credential.username != nil, !credential.isEphemeral else {
                return
            }
            _ = try await peer.call(
                Git.Store.self,
                .init(
                    target: target, password: WireSecret(password), expires: credential.expiry,
                    terminal: terminal != nil),
                timeout: patience)
        case .erase:
            _ = try await peer.call(
                Git.Erase.self, .init(target: target, password: credential.password.map(WireSecret.init)),
                timeout: quietPatience)
        }
    }

    /// What a person should know of; everything else is git's to go on from.
    private static func report(_ error: WireError) {
        switch error.code {
        case .locked, .userCanceled, .authenticationRequired, .notInitialized, .methodNotFound, .timedOut, .busy:
            exit(0)
        default: end(0, error.message)
        }
    }

    private static func end(_ status: Int32, _ sentence: String?) -> Never {
        if let sentence { Output.error("git-credential-latchkey: \(DisplayText(sentence, .sentence))\n") }
        exit(status)
    }
}
