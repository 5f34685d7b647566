// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillIPC
import AutoFillRelease
import AutoFillSecrets
import Foundation
import Glibc
import ProcessTesting
import Synchronization
import Testing

@testable import AutoFillProviders
@testable import DaemonTesting

/// Providers as processes: how they start, misbehave and end. What they say is the matter of `ProviderCallTests`.
@Suite(.timeLimit(.minutes(2))) struct ProviderSupervisorTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func supervisor(
        requestLimit: Duration = .seconds(60), startLimit: Duration = .seconds(60), grace: Duration = .seconds(60),
        idle: Duration = .seconds(600), store: @escaping ProviderSupervisor.StoreHandler = { _, _, _ in .object([:]) }
    ) -> ProviderSupervisor {
        ProviderSupervisor(
            identifier: .builtIn, environment: ["PATH": "/usr/bin:/bin", "CANARY": "1"], logger: silent,
            limits: .init(request: requestLimit, start: startLimit, grace: grace, idle: idle), store: store)
    }

    private func launch(_ script: String, epoch: Int = 0) throws -> ProviderSupervisor.Launch {
        .init(
            program: try ProviderProgram.write(script, in: folder), container: folder.path + "/container",
            key: Array(0..<32 as Range<UInt8>).withUnsafeBytes { SecretBytes(copying: $0) }, epoch: epoch)
    }

    /// The processes that were started, in order.
    private var started: [Int32] {
        String(decoding: folder.read("started"), as: UTF8.self).split(separator: "\n").compactMap { Int32($0) }
    }

    private func isGone(_ process: Int32) -> Bool {
        kill(process, 0) != 0 && errno == ESRCH
    }

    private func expectFailure(
        _ expected: WireError.Code, of supervisor: ProviderSupervisor, _ launch: ProviderSupervisor.Launch,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await #expect(sourceLocation: sourceLocation) {
            try await supervisor.provideCredential(for: .shiny, launch: launch)
        } throws: {
            code($0) == expected
        }
    }

    @Test func credentialIsHeldForTheGate() async throws {
        let supervisor = supervisor()
        let launch = try launch("began(); credential(ask()); forever()")
        let held = try await supervisor.provideCredential(for: .shiny, launch: launch)
        #expect(held.identity == .shiny)
        #expect(held.provider == .builtIn)
        #expect(await supervisor.isRunning)
        await supervisor.endAndWait()
        #expect(started.allSatisfy(isGone))
    }

    @Test(.tags(.startsProcess)) func oneProcessServesManyRequests() async throws {
        let supervisor = supervisor()
        let launch = try launch("began()\nwhile True: credential(ask())")
        for _ in 0..<5 { _ = try await supervisor.provideCredential(for: .shiny, launch: launch) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<5 {
                group.addTask { _ = try await supervisor.provideCredential(for: .shiny, launch: launch) }
            }
            try await group.waitForAll()
        }
        await supervisor.endAndWait()
        #expect(started.count == 1)
    }

    @Test(.tags(.startsProcess)) func startSaysWhatTheProtocolSays() async throws {
        let supervisor = supervisor()
        let launch = try launch(#"began(noted="start"); forever()"#)
        let answer = try await supervisor.warm(launch)
        #expect(answer == .init(name: "Fake", version: "1", capabilities: ["manage"]))
        await supervisor.endAndWait()
        let expected =
            #"{"container": "\#(folder.path)/container", "groups": [], "identifier": "org.latchkey.passwords", "#
            + #""key": {"secret": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="}, "protocol": 1}"# + "\n"
        #expect(String(decoding: folder.read("start"), as: UTF8.self) == expected)
    }

    @Test("S30: a provider gets the environment it is given and no descriptor but its own", .tags(.startsProcess))
    func providerGetsNothingElse() async throws {
        let supervisor = supervisor()
        let launch = try launch(
            """
            note("environment", " ".join(sorted(os.environ)))
            note("descriptors", " ".join(f for f in "0 1 2 3 4 5 6 7 8 9".split() if os.path.exists("/proc/self/fd/" + f)))
            began(); forever()
            """)
        let stray = fcntl(STDERR_FILENO, F_DUPFD, 4)
        defer { close(stray) }
        _ = try await supervisor.warm(launch)
        await supervisor.endAndWait()
        let names = String(decoding: folder.read("environment"), as: UTF8.self).split(separator: "\n").joined()
        #expect(
            Set(names.split(separator: " ")).subtracting(["LC_CTYPE"]) == ["CANARY", "LATCHKEY_PROVIDER_FD", "PATH"])
        #expect(String(decoding: folder.read("descriptors"), as: UTF8.self) == "0 1 2 3\n")
    }

    // MARK: Misbehaviour

    @Test(
        .tags(.startsProcess),
        arguments: [
            "sys.exit(0)", "sys.exit(1)", "os.kill(os.getpid(), signal.SIGKILL)", "receive()", "os.close(descriptor)",
        ])
    func providerThatEndsAtOnceIsUnavailable(script: String) async throws {
        let supervisor = supervisor()
        await expectFailure(.providerUnavailable, of: supervisor, try launch(script))
        #expect(await !supervisor.isRunning)
        #expect(started.allSatisfy(isGone))
    }

    @Test(.tags(.startsProcess), arguments: ["/nonexistent/provider", "/etc/passwd", "/"])
    func programThatCannotBeStartedIsUnavailable(program: String) async {
        let launch = ProviderSupervisor.Launch(
            program: program, container: folder.path + "/container", key: SecretBytes(count: 32))
        await expectFailure(.providerUnavailable, of: supervisor(), launch)
    }

    @Test(.tags(.startsProcess)) func providerThatEndsIsStartedAgainForTheNextRequest() async throws {
        let supervisor = supervisor()
        let launch = try launch("began(); credential(ask())")
        _ = try await supervisor.provideCredential(for: .shiny, launch: launch)
        // It may be noticed now or by the next request; either way there is an answer or a new process.
        var answered = 0
        for _ in 0..<10 where (try? await supervisor.provideCredential(for: .shiny, launch: launch)) != nil {
            answered += 1
        }
        #expect(answered > 0)
        await supervisor.endAndWait()
        #expect(started.count > 1)
        #expect(started.allSatisfy(isGone))
    }

    @Test(.tags(.startsProcess)) func providerThatHangsWhileItStartsIsEnded() async throws {
        let supervisor = supervisor(startLimit: .milliseconds(300))
        await expectFailure(.timedOut, of: supervisor, try launch("forever()"))
        #expect(started.allSatisfy(isGone))
    }

    @Test(.tags(.startsProcess)) func providerThatHangsIsCancelledAndEnded() async throws {
        let supervisor = supervisor(requestLimit: .milliseconds(300), grace: .milliseconds(100))
        let launch = try launch("signal.signal(signal.SIGTERM, signal.SIG_IGN); began(); ask(); forever()")
        await expectFailure(.timedOut, of: supervisor, launch)
        await supervisor.endAndWait()
        #expect(started.count == 1)
        #expect(started.allSatisfy(isGone))
    }

    @Test(.tags(.startsProcess)) func answerAfterTheTimeIsDroppedAndTheProcessStays() async throws {
        let supervisor = supervisor(requestLimit: .milliseconds(300))
        let launch = try launch(
            """
            began()
            late = ask()
            while receive().get("method") != "provider.cancel": pass
            credential(late)
            while True: credential(ask())
            """)
        await expectFailure(.timedOut, of: supervisor, launch)
        var patient = launch
        patient.timeLimit = nil
        let held = try await supervisor.provideCredential(for: .shiny, launch: patient)
        #expect(held.identity == .shiny)
        await supervisor.endAndWait()
        #expect(started.count == 1)
    }

    @Test(.tags(.startsProcess)) func providerThatNobodyAsksIsEnded() async throws {
        let supervisor = supervisor(idle: .milliseconds(50))
        let launch = try launch("began()\nwhile True: credential(ask())")
        _ = try await supervisor.provideCredential(for: .shiny, launch: launch)
        try await eventually { await !supervisor.isRunning }
        await supervisor.endAndWait()
        #expect(started.allSatisfy(isGone))
        _ = try await supervisor.provideCredential(for: .shiny, launch: launch)
        await supervisor.endAndWait()
        #expect(started.count == 2)
    }

    @Test(.tags(.startsProcess)) func debugBuildHasNoTimeLimit() async throws {
        let supervisor = supervisor(requestLimit: .milliseconds(1))
        // It answers when the time of a later request is over.
        let launch = try launch(
            """
            began(); slow = ask(); note("asked"); hurried = ask()
            while receive().get("method") != "provider.cancel": pass
            credential(slow); credential(hurried); forever()
            """)
        var debugged = launch
        debugged.timeLimit = nil
        let (slow, folder) = (debugged, folder)
        let answer = Task { try await supervisor.provideCredential(for: .shiny, launch: slow) }
        try await eventually("it is asked") { !folder.read("asked").isEmpty }
        await expectFailure(.timedOut, of: supervisor, launch)
        _ = try await answer.value
        await supervisor.endAndWait()
    }

    // MARK: Interfaces

    @Test(.tags(.startsProcess)) func interfaceThatIgnoresItsCancellationEndsTheProvider() async throws {
        let supervisor = supervisor(grace: .milliseconds(100))
        let launch = try launch(#"began(); ask(); note("asked"); forever()"#)
        let request = await supervisor.nextRequest()
        let work = Task {
            try await supervisor.present(.credential(.shiny), request: request, launch: launch) { _ in }
        }
        try await eventually { !folder.read("asked").isEmpty }
        work.cancel()
        await #expect(throws: CancellationError.self) { try await work.value }
        await supervisor.endAndWait()
        #expect(started.allSatisfy(isGone))
    }

    @Test(.tags(.startsProcess)) func providerThatPrintsAllTheTimeIsHeardAllTheSame() async throws {
        let supervisor = supervisor()
        let launch = try launch(
            """
            import threading
            def chatter():
                while True:
                    for stream in (sys.stdout, sys.stderr): print("x" * 10000, file=stream, flush=True)
            threading.Thread(target=chatter, daemon=True).start()
            began(); credential(ask()); forever()
            """)
        _ = try await supervisor.provideCredential(for: .shiny, launch: launch)
        await supervisor.endAndWait()
    }

    @Test(
        "a provider that sends what is no frame or answers what nobody asked is ended", .tags(.startsProcess),
        arguments: [
            #"write(struct.pack("=I", 0))"#, #"write(struct.pack("=I", 0xFFFFFFFF))"#,
            #"write(struct.pack("=I", 1 << 20 | 1))"#, #"write(b"hello, world")"#,
            #"write(struct.pack("=I", 100) + b"{}"); os.close(descriptor)"#,
            #"send(id=4711, result={})"#, #"send(id="x", error=dict(code=1, message="x"))"#,
            #"[frame(b"no JSON") for _ in range(300)]"#, #"[frame(b"[]") for _ in range(300)]"#,
        ])
    func nonsenseEndsTheProvider(nonsense: String) async throws {
        let supervisor = supervisor()
        let launch = try launch(
            "signal.signal(signal.SIGPIPE, signal.SIG_IGN)\nbegan()\nask()\ntry:\n    \(nonsense)\nexcept OSError: pass\nforever()"
        )
        await expectFailure(.providerUnavailable, of: supervisor, launch)
        await supervisor.endAndWait()
        #expect(started.allSatisfy(isGone))
    }

    @Test(.tags(.startsProcess)) func floodOfRequestsEndsTheProvider() async throws {
        let supervisor = supervisor { _, _, _ in
            // Nothing is answered before the flood is over.
            try await Task.sleep(for: .seconds(600))
            return .object([:])
        }
        let launch = try launch(
            """
            began(); ask()
            try:
                for number in range(1000): request(number, "store.state")
            except OSError: pass
            forever()
            """)
        await expectFailure(.providerUnavailable, of: supervisor, launch)
        await supervisor.endAndWait()
        #expect(started.allSatisfy(isGone))
    }

    // MARK: Locking

    @Test("S30: a lock waits until the provider's process is gone")
    func lockWaitsUntilTheProcessIsGone() async throws {
        let supervisor = supervisor()
        let launch = try launch("signal.signal(signal.SIGTERM, signal.SIG_IGN); began(); forever()")
        _ = try await supervisor.warm(launch)
        await supervisor.endAndWait(before: 1)
        #expect(await !supervisor.isRunning)
        #expect(started.count == 1)
        #expect(started.allSatisfy(isGone))
    }

    @Test("S30: a lock waits for a process, too, that was ended a moment before")
    func lockWaitsForWhatWasEndedBefore() async throws {
        let supervisor = supervisor()
        let launch = try launch("began(); forever()")
        _ = try await supervisor.warm(launch)
        await supervisor.end()
        await supervisor.endAndWait(before: 1)
        #expect(started.allSatisfy(isGone))
    }

    @Test("S30: a lock does not wait for a provider that is still being started")
    func lockEndsAProviderThatIsBeingStarted() async throws {
        let supervisor = supervisor(startLimit: .seconds(600))
        let launch = try launch(#"note("here"); forever()"#)
        let request = Task { try await supervisor.warm(launch) }
        try await eventually { !folder.read("here").isEmpty }
        await supervisor.endAndWait(before: 1)
        await #expect(throws: WireError.self) { try await request.value }
        #expect(started.count == 1)
        #expect(started.allSatisfy(isGone))
    }

    @Test(.tags(.startsProcess)) func newProcessWaitsForTheEndOfTheOldOne() async throws {
        let ended = Mutex(0)
        let supervisor = ProviderSupervisor(
            identifier: .builtIn, environment: ["PATH": "/usr/bin:/bin"], logger: silent,
            onEnd: { _ in ended.withLock { $0 += 1 } }, store: { _, _, _ in .object([:]) })
        let launch = try launch("began(); forever()")
        for round in 0..<3 {
            _ = try await supervisor.warm(launch)
            #expect(ended.withLock { $0 } == round)
            await supervisor.end()
        }
        await supervisor.endAndWait()
    }

    @Test("S27: a request from before the lock starts no provider after it")
    func requestFromBeforeTheLockStartsNothing() async throws {
        let supervisor = supervisor()
        let early = try launch("began(); credential(ask()); forever()")
        await supervisor.endAndWait(before: 1)
        await expectFailure(.locked, of: supervisor, early)
        await #expect { try await supervisor.warm(early) } throws: { code($0) == .locked }
        #expect(started == [])
        let late = try launch("began(); credential(ask()); forever()", epoch: 1)
        _ = try await supervisor.provideCredential(for: .shiny, launch: late)
        await supervisor.endAndWait(before: 2)
    }

    @Test func lockWhileARequestIsUnderWayEndsTheRequest() async throws {
        let supervisor = supervisor()
        let launch = try launch(#"began(); ask(); note("asked"); forever()"#)
        let request = Task { try await supervisor.provideCredential(for: .shiny, launch: launch) }
        try await eventually { !folder.read("asked").isEmpty }
        await supervisor.endAndWait(before: 1)
        await #expect(throws: WireError.self) { try await request.value }
        #expect(started.allSatisfy(isGone))
    }
}
