// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillIPC
internal import AutoFillRelease
internal import Dispatch

/// The input and output of a native messaging host, by which a browser speaks to it.
///
/// Which process started a host does not prove which browser it serves: some services start hosts for anybody who asks, and a process can
/// execute another program later. So this looks for the process that holds the other ends of the host's pipes; there may be only one.
///
/// A copy of the pipes is not noticed if it is in a process that hides from others of its user, or in a message that is on its way.
struct BrowserPipes {
    /// How long a browser may take to receive the pipes, and how often it is looked: less often the longer it takes.
    private static let patience = Duration.seconds(5)
    private static let pauses = (first: Duration.milliseconds(25), last: Duration.milliseconds(400))
    /// How long it has to have held them. What another program sends it on the bus, it holds for a moment only.
    private static let steadiness = Duration.milliseconds(150)

    private let process: PeerProcess
    private let pipes: Set<String>
    private let user: UInt32

    /// - Throws: `CallerRefusal` where a host's input and output are no pipes.
    init(of process: PeerProcess, user: UInt32) throws(CallerRefusal) {
        guard let input = process.pipe(at: 0), let output = process.pipe(at: 1) else {
            throw CallerRefusal("its input and output are not pipes of a browser's")
        }
        self.process = process
        self.user = user
        pipes = [input, output]
    }

    /// Waits until one process alone holds the other ends, and judges it.
    ///
    /// - Parameter isBrowser: The name of the browser that a process is; it throws where it is none.
    /// - Throws: `CallerRefusal` when that does not come in time.
    func holder(
        time: TimeSource, isBrowser: (PeerProcess) throws(CallerRefusal) -> String
    ) async throws(CallerRefusal) -> String {
        let end = time.now() + Self.patience
        var pause = Self.pauses.first
        var held: (by: PeerProcess.PipeHolder, since: ContinuousClock.Instant)?
        var refusal = CallerRefusal("nobody holds the other ends of its pipes")
        while process.isAlive, time.now() < end {
            let holders = await holders()
            if let holder = holders.first, holders.count == 1, Set(holder.pipes.values) == pipes {
                if held?.by != holder { held = (holder, time.now()) }
                if let since = held?.since, time.now() - since >= Self.steadiness {
                    do throws(CallerRefusal) {
                        return try await judged(holder, isBrowser)
                    } catch {
                        // A service, before it has passed the pipes on, is none either.
                        refusal = error
                    }
                }
            } else {
                held = nil
                if !holders.isEmpty {
                    refusal = CallerRefusal("more than one process holds the other ends of its pipes")
                }
            }
            do { try await time.wait(time.now() + pause) } catch { break }
            pause = min(pause * 1.25, Self.pauses.last)
        }
        throw refusal
    }

    /// Goes through the processes of the user, which may be many: one such look at a time, and not on the threads of tasks.
    private func holders() async -> [PeerProcess.PipeHolder] {
        await withCheckedContinuation { continuation in
            Self.looks.async { [process, pipes, user] in
                continuation.resume(returning: process.otherHolders(of: pipes, user: user))
            }
        }
    }

    private static let looks = DispatchQueue(label: "org.latchkey.pipes")

    private func judged(
        _ holder: PeerProcess.PipeHolder, _ isBrowser: (PeerProcess) throws(CallerRefusal) -> String
    ) async throws(CallerRefusal) -> String {
        guard let process = PeerProcess(number: holder.process), process.user == user else {
            throw CallerRefusal("the process that holds the other ends of its pipes cannot be seen")
        }
        let name = try isBrowser(process)
        // The number still belongs to the process that was looked at, and nobody else has come.
        guard await holders() == [holder], process.isAlive else {
            throw CallerRefusal("the process that holds the other ends of its pipes changes")
        }
        return name
    }
}
