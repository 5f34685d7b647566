// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillNetwork
internal import AutoFillSecrets
internal import Glibc
internal import Synchronization

/// Starts `latchkey-fetch` for one job, away from everything of the user's, and reads what it made of the network's bytes.
///
/// The process has the system's libraries and certificates, to be read only, and a network namespace whose one way out is a
/// `latchkey-net` of its own; no home, no runtime directory, no environment. Where there is no bubblewrap it judges addresses
/// itself, still has no sockets of this machine, no other programs and no way to write a file (see `latchkey_confine`), but can
/// read what the user can.
public struct FetchProcess: Sendable {
    private let program: String
    private let sandbox: Sandbox
    private let configurationFile: String

    /// Where the program finds its way out. In a network namespace of its own no port is anybody else's.
    private static let exitPort: UInt16 = 3_128
    /// All that the program finds in its environment.
    private static let environment = ["SWIFT_BACKTRACE": "enable=no"]

    /// - Parameters:
    ///   - programFolder: where the programs of this Latchkey are.
    ///   - configurationFolder: where `fetch.json` is.
    public init(programFolder: String, bubblewrap: Bubblewrap, configurationFolder: String) {
        program = programFolder + "/latchkey-fetch"
        sandbox = Sandbox(bubblewrap: bubblewrap)
        configurationFile = configurationFolder + "/fetch.json"
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
        var configuration = try FetchFile.configuration(contentsOf: configurationFile)
        let exit = sandbox.isAvailable ? try NetworkExit(Self.policy(configuration), in: sandbox) : nil
        defer { exit?.close() }
        if exit != nil {
            // latchkey-net is told where hosts are, and of the proxy. A user and a password of it do not go inside.
            configuration.resolve = nil
            configuration.proxy = nil
            configuration.noProxy = nil
            configuration.exit = Self.exitPort
        }
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
        // Above every descriptor that the job has.
        let channel = (files.map(\.to).max() ?? 2) + 1
        let (program, arguments) = command(channel: exit == nil ? nil : channel)
        let descriptors = files + (exit.map { [($0.channel, channel)] } ?? [])
        let output = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // A thread of its own: bubblewrap is asked to end with the thread that started it (prctl(2)).
                let isRunning = DetachedThread.start {
                    continuation.resume(
                        returning: conversation.hold(
                            program, arguments, files: descriptors, environment: Self.environment, exit: exit))
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
    ///
    /// - Parameter channel: the descriptor there of its way to the network.
    func command(channel: Int32?) -> (program: String, arguments: [String]) {
        var arguments = sandbox.bubblewrap.namespaceArguments + Bubblewrap.systemArguments + Bubblewrap.processArguments
        // Mounted under a name that does not reveal the user's folders. Its libraries stand beside it in an installation.
        let folder = program.pathParent ?? ""
        let place: String
        if SwiftRuntime.folder == folder {
            place = "/latchkey/latchkey-fetch"
            arguments += ["--ro-bind", folder, "/latchkey"]
        } else {
            place = "/latchkey-fetch"
            arguments += Bubblewrap.runtimeArguments + ["--ro-bind", program, place]
        }
        let running = sandbox.running(place, channel: channel, port: Self.exitPort)
        let mounts = running.prefix { $0 != "--" }
        arguments += mounts + ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/"]
        return sandbox.command(.network, arguments + running[mounts.count...]) ?? (program, [])
    }

    /// Where a job may lead: to the internet, and where the user's own file says.
    private static func policy(_ configuration: FetchConfiguration) -> NetworkPolicy {
        var policy = NetworkPolicy()
        policy.internet = true
        policy.take(configuration)
        policy.tellsProxyNames = true
        return policy
    }
}
