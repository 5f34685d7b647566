// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Something that arrives later.
@MainActor
public final class Arrival<Value: Sendable> {
    private let stream: AsyncStream<Value>
    private let continuation: AsyncStream<Value>.Continuation

    /// Nothing has arrived yet.
    public init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    /// One more.
    public func arrive(_ value: Value) {
        continuation.yield(value)
    }

    /// Nothing arrives any more.
    public func finish() {
        continuation.finish()
    }

    /// The next one that arrives, or that has arrived; nothing where none does any more.
    public func next() async -> Value? {
        for await value in stream { return value }
        return nil
    }
}
