// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillNetwork
internal import AutoFillSecrets
internal import Glibc
internal import Synchronization

/// Runs `latchkey-fetch` for one job, isolated from the user's files, and reads its parsed result.
///
/// The process can read the system's libraries and certificates, and its network namespace has a `latchkey-net` as the
/// only exit. It has no home, no runtime directory and no environment. Without bubblewrap it checks addresses itself.
/// It still cannot open the machine's sockets, start programs or write files (see `latchkey_confine`), but it can read
/// what the user can.
public struct FetchProcess: Sendable {
    private let program: String
    private let sandbox: Sandbox
    private let configurationFile: String

    /// The loopback port of the exit. In a separate network namespace every port is free.
    private static let exitPort: UInt16 = 3_128
    /// The program's whole environment.
    private static let environment = ["SWIFT_BACKTRACE": "enable=no"]

    /// - Parameters:
    ///   - programFolder: The folder of this installation's programs.
    ///   - configurationFolder: The folder of `fetch.json`.
    public init(programFolder: String, bubblewrap: Bubblewrap, configurationFolder: String) {
        program = programFolder + "/latchkey-fetch"
        sandbox = Sandbox(bubblewrap: bubblewrap)
        configurationFile = configurationFolder + "/fetch.json"
    }

    /// Runs one job and returns its result.
    ///
    /// - Parameters:
    ///   - files: Descriptors to pass to the process, and their numbers there (3 and more).
    ///   - patience: The time limit. The process is killed after it plus the `deadline` of `fetch.json`.
    ///   - maximumAnswer: Maximum size of the output in bytes. A process that writes more is killed.
    /// - Throws: The job's error; `timedOut`; `providerUnavailable` when the process ended without an answer.
    public func run(
        _ job: String, _ request: JSONValue, files: [(from: Int32, to: Int32)] = [],
        patience: Duration = .seconds(120), maximumAnswer: Int = 1 << 20
    ) async throws(WireError) -> JSONValue {
        var configuration = try FetchFile.configuration(contentsOf: configurationFile)
        let exit = sandbox.isAvailable ? try NetworkExit(Self.policy(configuration), in: sandbox) : nil
        defer { exit?.close() }
        if exit != nil {
            // latchkey-net gets the addresses and the proxy. The proxy's user and password stay outside the sandbox.
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
        // A `deadline` stated for a slow line extends the overall time limit.
        let whole = patience + .seconds(configuration.deadline ?? 0)
        let conversation = FetchConversation(
            input: input, maximumAnswer: maximumAnswer, end: ContinuousClock.now + whole)
        // The first number above all descriptors of the job.
        let channel = (files.map(\.to).max() ?? 2) + 1
        let (program, arguments) = command(channel: exit == nil ? nil : channel)
        let descriptors = files + (exit.map { [($0.channel, channel)] } ?? [])
        let output = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Needs its own thread: bubblewrap is asked to end with the thread that started it (prctl(2)).
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
            throw WireError(.providerUnavailable, "latchkey-fetch gave an invalid answer.")
        }
        return result
    }

    /// The command to start: the program, in bubblewrap if that is available.
    ///
    /// - Parameter channel: The program's descriptor for its access to the network.
    func command(channel: Int32?) -> (program: String, arguments: [String]) {
        var arguments = sandbox.bubblewrap.namespaceArguments + Bubblewrap.systemArguments + Bubblewrap.processArguments
        // Mounted under a name that does not reveal the user's folders. In an installation its libraries are in the same folder.
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

    /// The destinations allowed for a job: the internet, and the user's overrides.
    private static func policy(_ configuration: FetchConfiguration) -> NetworkPolicy {
        var policy = NetworkPolicy()
        policy.internet = true
        policy.take(configuration)
        policy.tellsProxyNames = true
        return policy
    }
}
