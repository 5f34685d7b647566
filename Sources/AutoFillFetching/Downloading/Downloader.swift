// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillMatching
internal import FoundationEssentials

/// Fetches over HTTPS within bounds: TLS 1.2 or newer, the certificate and host name checked, no cookies, nothing kept.
public struct Downloader: Sendable {
    private let configuration: DownloaderConfiguration

    public init(_ configuration: DownloaderConfiguration = DownloaderConfiguration()) {
        self.configuration = configuration
    }

    /// Carries out one download; returns when it ended or its deadline passed, whichever is first.
    public func get(_ download: Download) async -> DownloadOutcome {
        let (outcomes, outcome) = AsyncStream.makeStream(of: DownloadOutcome.self, bufferingPolicy: .bufferingOldest(1))
        // Not children of this task: libcurl may still wait for a name server, and nobody waits for it beyond the deadline.
        let work = Task { outcome.yield(await follow(download)) }
        let alarm = Task {
            guard (try? await Task.sleep(for: configuration.deadline ?? download.deadline)) != nil else { return }
            outcome.yield(.timedOut)
        }
        defer {
            work.cancel()
            alarm.cancel()
        }
        for await first in outcomes { return first }
        return .timedOut
    }

    private func follow(_ download: Download) async -> DownloadOutcome {
        guard var address = HTTPSAddress(download.address) else {
            return .unreachable(reason: "this is not an https address")
        }
        var followed = 0
        while true {
            let outcome = await exchange(address, download)
            guard case .redirected(_, let location) = outcome,
                case .followed(let maximum, let onSameHostOnly) = download.redirects, followed < maximum,
                let next = address.resolving(location), !onSameHostOnly || next.origin == address.origin
            else { return outcome }
            followed += 1
            address = next
        }
    }

    /// One request and its answer.
    private func exchange(_ address: HTTPSAddress, _ download: Download) async -> DownloadOutcome {
        let transfer: Transfer
        do throws(DownloadFailure) {
            transfer = Transfer(try request(address, download))
        } catch {
            return error.outcome
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // libcurl blocks its thread: run it off the cooperative pool.
                let isRunning = DetachedThread.start { continuation.resume(returning: transfer.run()) }
                if !isRunning {
                    continuation.resume(
                        returning: DownloadFailure(.unreachable(reason: "the system has no thread left")).outcome)
                }
            }
        } onCancel: {
            transfer.cancel()
        }
    }

    private func request(_ address: HTTPSAddress, _ download: Download) throws(DownloadFailure) -> Transfer.Request {
        var request = Transfer.Request(
            address: address, download: download, way: try configuration.way(to: address),
            roots: configuration.additionalRoots,
            deadline: configuration.deadline ?? download.deadline)
        if case .additional(let more) = download.trust { request.roots += [UInt8(ascii: "\n")] + more }
        return request
    }
}
