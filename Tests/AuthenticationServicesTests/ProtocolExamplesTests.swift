// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Foundation
import ProviderTesting
import Testing

@testable import AuthenticationServices

/// The examples of section 7 of `docs/protocol.md` that are a credential provider's, replayed: what the daemon says is sent as it stands there, and what
/// the provider says is compared byte for byte, but for the names that it gives itself.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct ProtocolExamplesTests {
    @Test
    func answersTheExamplesOfTheDocument() async throws {
        var lines = try Self.examples()
        #expect(lines.count == 10)
        let (ours, theirs) = try SocketPair.streams()
        let runtime = ExtensionRuntime(name: "Passwords", version: "0.1.0") {
            ScriptedController(
                provide: { controller, identity in
                    #expect(identity.serviceIdentifier.identifier == "shiny.example.com")
                    #expect(identity.recordIdentifier == "0f8e6a52c1d94b7f8e21a6d3b5c47f90")
                    controller.complete()
                },
                list: { controller, services in
                    #expect(services.map(\.identifier) == ["https://shiny.example.com", "example.com"])
                    let list = ListView()
                    let row = ListView.Row(identifier: "r", title: "rmondello", subtitle: "shiny.example.com")
                    list.sections = [.init(title: "Suggested", rows: [row])]
                    list.onSelect = { _ in controller.complete() }
                    controller.show(list)
                }
            )
        } prepare: { launch in
            #expect(launch.identifier == "org.latchkey.passwords")
            #expect(launch.key.withUnsafeBytes { Array($0) } == Array(0..<32))
            #expect(launch.container.path == "/home/me/.local/share/latchkey/containers/org.latchkey.passwords")
            return FixedItems()
        }
        runtime.connect(theirs, store: ASCredentialIdentityStore(connection: StoreConnection())).start()
        // The page's names of the request, the element and the row, and what stands in their place here.
        var names: [String: String] = [:]
        while let line = lines.first {
            lines.removeFirst()
            if line.isOurs {
                try ours.send(SecretBytes(utf8: names.reduce(line.text) { $0.replacing($1.key, with: $1.value) }))
                continue
            }
            var said = [line.text]
            // Two answers in a row come in any order.
            if let next = lines.first, !next.isOurs { said.append(lines.removeFirst().text) }
            for _ in said.indices {
                let received = try #require(await Self.receive(ours))
                var text = received.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
                if text.contains("interface.show") {
                    let message = try received.withUnsafeBytes { try Message(decoding: $0) }
                    guard case .request(.integer(let id), _, let params) = message else { continue }
                    let shown: Provider.Show.Params = try params.decoded()
                    let list = try #require(shown.interface.elements.first)
                    let row = try #require(list.sections?.first?.rows.first)
                    names = [
                        #""id":"a""#: #""id":\#(id)"#, #""element":"l""#: #""element":"\#(list.id)""#,
                        #""row":"0""#: #""row":"\#(row.id)""#,
                    ]
                    text = text.replacing(#""id":\#(id),"#, with: #""id":"a","#)
                        .replacing(#""id":"\#(list.id)","kind""#, with: #""id":"l","kind""#)
                        .replacing(#""id":"\#(row.id)","subtitle""#, with: #""id":"0","subtitle""#)
                }
                #expect(said.contains(text), "\(text)")
            }
        }
        ours.close()
    }

    /// The lines of the page's first conversation in order, and whether the daemon says them.
    private static func examples() throws -> [(isOurs: Bool, text: String)] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: root.appendingPathComponent("docs/protocol.md"), encoding: .utf8)
        let start = try #require(page.range(of: "\n## 7. "))
        let end = try #require(page.range(of: "\n## 8. "))
        let section = page[start.upperBound..<end.lowerBound]
        let first = try #require(section.range(of: "```json\n→ "))
        return section[first.lowerBound...].split(separator: "\n").dropFirst().prefix { $0 != "```" }.compactMap {
            line in
            guard line.hasPrefix("→ ") || line.hasPrefix("← ") else { return nil }
            return (line.hasPrefix("→ "), String(line.dropFirst(2)))
        }
    }

    /// Reading blocks, so it gets a thread of its own.
    private static func receive(_ stream: FramedStream) async -> SecretBytes? {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: try? stream.receive()) }
        }
    }
}

extension ScriptedController {
    fileprivate func complete() {
        extensionContext.completeRequest(
            withSelectedCredential: ASPasswordCredential(user: "rmondello", password: "correct horse")
        )
    }
}
