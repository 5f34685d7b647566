// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension Peer {
    /// Asks the other side with a method's own types; throws as `call(_:_:timeout:)` does, and `invalidParams` for an answer
    /// of the wrong shape.
    public func call<M: WireMethod>(_ method: M.Type, _ params: M.Params, timeout: Duration? = nil) async throws
        -> M.Answer
    {
        try await call(M.name, JSONValue(encoding: params), timeout: timeout).decoded()
    }
}
