// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Synchronization

/// Starts `latchkey-fetch` for one job, away from everything of the user's, and reads what it made of the network's bytes.
///
/// The process has the network and the system's libraries, certificates and name servers, to be read only; no home, no
/// runtime directory, no environment but the proxy's. Where there is no bubblewrap it still has no sockets of this machine,
/// no other programs and no way to write a file (see `latchkey_confine`), but can read what the user can.
public struct FetchProcess: Sendable {
    private let program: String
    private let bubblewrap: Bubblewrap
    private let environment: [String: String]
    private let configurationFile: String

    /// - Parameters:
    ///   - programFolder: where the programs of this Latchkey are.
    ///   - configurationFolder: where `fetch.json` is.
    public init(
        programFolder: String, bubblewrap: Bubblewrap, environment: [String: String], configurationFolder: String
    ) {
        self.init(
            program: programFolder + "/latchkey-fetch", bubblewrap: bubblewrap, environment: environment,
            configurationFile: configurationFolder + "/fetch.json")
    }

    init(program: String, bubblewrap: Bubblewrap, environment: [String: String], configurationFile: String) {
        self.program = program
        self.bubblewrap = bubblewrap
        self.environment = environment
        self.configurationFile = configurationFile
    }

    /// Does one job and returns its result.
    ///
    /// - Parameters:
    ///   - files: descriptors that the process is to have, and their numbers there (3 and more).
    ///   - patience: after which, and the `deadline` of `fetch.json`, it is killed.
    ///   - maximumAnswer: the most bytes that are read of it; one that says more is killed.
    /// - Throws: what the job threw; `timedOut`; `providerUnavailable` when the process ended without an answer.
    public func run(
        _ job: String, _ request: JSONValue, files: [(from: Int32, to: Int32)] = [],
        patience: Duration = .seconds(120), maximumAnswer: Int = 1 << 20
    ) async throws(WireError) -> JSONValue {
        let configuration = try FetchFile.configuration(contentsOf: configurationFile)
        guard let envelope = try? FetchEnvelope(job: job, request: request, configuration: configuration).value else {
            throw WireError(.internalError, "The request for latchkey-fetch cannot be written.")
        }
        let input = envelope.textWithoutSecrets
        guard input.count <= FetchEnvelope.maximumSize else {
            throw WireError(.invalidParams, "The request for latchkey-fetch is too long.")
        }
        // Who has a slow line and says so is not cut off by the bound on the whole.
        let whole = patience + .seconds(configuration.deadline ?? 0)
        let conversation = FetchConversation(
            input: input, maximumAnswer: maximumAnswer, end: ContinuousClock.now + whole)
        let (program, arguments) = command
        let environment = proxies
        let output = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // A thread of its own: bubblewrap is asked to end with the thread that started it (prctl(2)).
                let isRunning = DetachedThread.start {
                    continuation.resume(
                        returning: conversation.hold(program, arguments, files: files, environment: environment))
                }
                if !isRunning {
                    continuation.resume(
                        returning: .failure(WireError(.providerUnavailable, "latchkey-fetch cannot be started.")))
                }
            }
        } onCancel: {
            conversation.cancel()
        }
        return try Self.result(try output.get())
    }

    private static func result(_ output: [UInt8]) throws(WireError) -> JSONValue {
        guard let answer = try? JSONValue(readingText: output) else {
            throw WireError(.providerUnavailable, "latchkey-fetch ended without an answer.")
        }
        if let error = answer["error"] { throw WireError(error) }
        guard let result = answer["result"] else {
            throw WireError(.providerUnavailable, "latchkey-fetch answered nonsense.")
        }
        return result
    }

    /// What is started: the program, inside bubblewrap where that is there.
    var command: (program: String, arguments: [String]) {
        guard let wrapper = bubblewrap.program else { return (program, []) }
        var arguments = [
            "--unshare-all", "--share-net", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--hostname",
            "latchkey",
        ]
        arguments += Bubblewrap.systemArguments + ["--proc", "/proc", "--dev", "/dev"]
        arguments += Bubblewrap.nameServerArguments
        // Mounted under a name that does not reveal the user's folders. Its libraries stand beside it in an installation.
        let folder = String(program[..<(program.lastIndex(of: "/") ?? program.startIndex)])
        let place: String
        if SwiftRuntime.folder == folder {
            place = "/latchkey/latchkey-fetch"
            arguments += ["--ro-bind", folder, "/latchkey"]
        } else {
            place = "/latchkey-fetch"
            arguments += Bubblewrap.runtimeArguments + ["--ro-bind", program, place]
        }
        arguments += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/"]
        return (wrapper, arguments + ["--", place])
    }

    /// The variables that a proxy is stated in; nothing else of the environment is passed on.
    var proxies: [String: String] {
        var kept: [String: String] = ["SWIFT_BACKTRACE": "enable=no"]
        for name in ["https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY"] { kept[name] = environment[name] }
        return kept
    }
}
