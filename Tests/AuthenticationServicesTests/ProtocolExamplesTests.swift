// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Foundation
import ProviderTesting
import Testing

@testable import AuthenticationServices

/// The examples of section 7 of `docs/protocol.md`, byte for byte.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct ProtocolExamplesTests {
    @Test
    func answersTheExamplesOfTheDocument() async throws {
        let examples = try Self.examples()
        #expect(examples.count == 2)
        let (ours, theirs) = try SocketPair.streams()
        let runtime = ExtensionRuntime(name: "Passwords", version: "0.1.0") {
            ScriptedController(provide: { controller, identity in
                #expect(identity.serviceIdentifier.identifier == "shiny.example.com")
                #expect(identity.recordIdentifier == "0f8e6a52c1d94b7f8e21a6d3b5c47f90")
                controller.extensionContext.completeRequest(
                    withSelectedCredential: ASPasswordCredential(user: identity.user, password: "correct horse")
                )
            })
        } prepare: { launch in
            #expect(launch.identifier == "org.latchkey.passwords")
            #expect(launch.key.withUnsafeBytes { Array($0) } == Array(0..<32))
            #expect(launch.container.path == "/home/me/.local/share/latchkey/containers/org.latchkey.passwords")
            return FixedItems()
        }
        let store = ASCredentialIdentityStore(connection: StoreConnection())
        runtime.connect(theirs, store: store).start()
        for (question, answer) in examples {
            try ours.send(SecretBytes(utf8: question))
            let received = try #require(await Self.receive(ours))
            #expect(received.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } == answer)
        }
        ours.close()
    }

    /// Pairs of what the daemon sends and what the provider answers.
    private static func examples() throws -> [(question: String, answer: String)] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: root.appendingPathComponent("docs/protocol.md"), encoding: .utf8)
        let start = try #require(page.range(of: "\n## 7. "))
        let end = try #require(page.range(of: "\n## 8. "))
        var pairs: [(String, String)] = []
        var question = ""
        for line in page[start.upperBound..<end.lowerBound].split(separator: "\n") {
            if line.hasPrefix("→ ") { question = String(line.dropFirst(2)) }
            if line.hasPrefix("← ") { pairs.append((question, String(line.dropFirst(2)))) }
        }
        return pairs
    }

    /// Reading blocks, so it gets a thread of its own.
    private static func receive(_ stream: FramedStream) async -> SecretBytes? {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: try? stream.receive()) }
        }
    }
}
