// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import Glibc

extension ConformanceRun {
    package func checkWire() async {
        await check("goes on after a message that is not JSON, or ends") {
            let provider = try await start(store: StorePlayer(mood: .disabled))
            provider.write(raw: Self.frame(Array("{\"jsonrpc\":".utf8)))
            do {
                try await requireAlive(provider)
            } catch {
                try await requireEnd(provider)
            }
        }
        let broken: [(String, [UInt8])] = [
            ("a frame of more than 1 MiB", Self.length(Frame.maximumSize + 1) + [0x7B]),
            ("a frame of no bytes", Self.length(0)),
        ]
        for (name, bytes) in broken {
            await check("ends after \(name)") {
                let provider = try await start(store: StorePlayer(mood: .disabled))
                provider.write(raw: bytes)
                // If the provider does not end by itself, the connection is closed from here, as the daemon would.
                guard await provider.end(within: .seconds(2)) == nil else { return }
                provider.hangUp()
                try await requireEnd(provider)
            }
        }
        await check("ends after half a frame") {
            let provider = try await start(store: StorePlayer(mood: .disabled))
            provider.write(raw: Self.length(100) + Array("{\"json".utf8))
            provider.hangUp()
            try await requireEnd(provider)
        }
        await check("ends when the connection ends, also in the middle of a request") {
            let provider = try await start(store: StorePlayer())
            let answer = beginSomething(provider)
            try await Task.sleep(for: .milliseconds(200))
            provider.hangUp()
            answer.cancel()
            try await requireEnd(provider)
        }
        await check("ends when the connection ends") {
            let provider = try await running()
            provider.hangUp()
            try await requireEnd(provider)
            forgetRunning()
        }
    }

    /// Begins a request that most likely has no answer yet when the connection ends.
    private func beginSomething(_ provider: ProviderUnderTest) -> Task<Void, any Error> {
        let request = nextRequest()
        if let claims = bundle.modification {
            let change = madeUpChange(request, claims)
            return Task {
                _ = try await provider.call(Modification.PrepareChangePassword.self, change, within: Self.patience)
            }
        }
        let params = Provider.PrepareCredentialList.Params(services: [], type: "password", request: request)
        return Task { _ = try await provider.call(Provider.PrepareCredentialList.self, params, within: Self.patience) }
    }

    package func checkOutput() async {
        await check("prints no secret") {
            guard output.total > 0 else { return }
            let isPrinted = secrets.contains { output.contains($0) }
            guard !isPrinted else {
                throw ConformanceFault("a secret, or its key, stands on its standard output or error")
            }
        }
    }

    /// Checks that the bundle is unchanged. Latchkey notices a changed bundle, and the user has to enable it again.
    package func checkBundle(_ before: [String]) async {
        await check("leaves its own bundle as it is") {
            let after = bundle.contents
            guard before == after else {
                let changed = Set(before).symmetricDifference(after).sorted().first ?? ""
                throw ConformanceFault("it changed \(changed.split(separator: "\t").first ?? "its bundle")")
            }
        }
    }

    private func requireEnd(_ provider: ProviderUnderTest) async throws {
        guard let status = await provider.end(within: .seconds(5)) else {
            throw ConformanceFault("its process has not ended after 5 s")
        }
        guard status & 0x7F == 0 else { throw ConformanceFault("its process was ended by the signal \(status & 0x7F)") }
    }

    package static func length(_ count: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: count)) { Array($0) }
    }

    package static func frame(_ body: [UInt8]) -> [UInt8] { length(body.count) + body }
}
