// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC

/// Decides which process may change a provider's identity store now: the extension or its containing app, one at a time.
struct StoreLeases: Sendable {
    /// One of a provider's processes, by its connection.
    struct Writer: Hashable, Sendable {
        let provider: BundleIdentifier
        /// The client's number for a containing app; `nil` for the extension.
        let client: Int?
    }

    /// Time after the last addition when an open batch no longer blocks other writers.
    static let patience = Duration.seconds(30)

    private struct Lease {
        let writer: Writer
        /// Writes that run now.
        var writes = 0
        /// When the open batch was last added to; `nil` if none is open.
        var batch: ContinuousClock.Instant?
    }

    private var leases: [BundleIdentifier: Lease] = [:]

    /// Begins a write; false where another process of the provider is at it.
    mutating func begin(_ writer: Writer, at now: ContinuousClock.Instant) -> Bool {
        guard mayWrite(writer, at: now) else { return false }
        var lease = leases[writer.provider] ?? Lease(writer: writer)
        lease.writes += 1
        leases[writer.provider] = lease
        return true
    }

    /// Ends a write.
    mutating func end(_ writer: Writer) {
        guard var lease = leases[writer.provider], lease.writer == writer else { return }
        lease.writes -= 1
        leases[writer.provider] = lease.writes <= 0 && lease.batch == nil ? nil : lease
    }

    /// Opens a batch or extends it; `false` if another process is writing.
    mutating func touchBatch(_ writer: Writer, at now: ContinuousClock.Instant) -> Bool {
        guard mayWrite(writer, at: now) else { return false }
        var lease = leases[writer.provider] ?? Lease(writer: writer)
        lease.batch = now
        leases[writer.provider] = lease
        return true
    }

    /// Ends a batch that was committed.
    mutating func endBatch(_ writer: Writer) {
        guard var lease = leases[writer.provider], lease.writer == writer else { return }
        lease.batch = nil
        leases[writer.provider] = lease.writes <= 0 ? nil : lease
    }

    /// Ends the batch of a process that is gone. Its running writes end by themselves.
    mutating func forget(_ writer: Writer) {
        endBatch(writer)
    }

    private mutating func mayWrite(_ writer: Writer, at now: ContinuousClock.Instant) -> Bool {
        guard let lease = leases[writer.provider], lease.writer != writer else { return true }
        guard lease.writes <= 0, let batch = lease.batch, batch + Self.patience <= now else { return false }
        leases[writer.provider] = nil
        return true
    }
}
