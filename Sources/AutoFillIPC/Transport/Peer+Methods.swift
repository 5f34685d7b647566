// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension Peer {
    /// Calls a method with its own types.
    ///
    /// - Throws: as `call(_:_:timeout:)` does, and `invalidParams` when the answer has the wrong form.
    public func call<M: WireMethod>(_ method: M.Type, _ params: M.Params, timeout: Duration? = nil) async throws
        -> M.Answer
    {
        try await call(M.name, JSONValue(encoding: params), timeout: timeout).decoded()
    }
}
