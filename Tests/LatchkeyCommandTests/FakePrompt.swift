// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import ShownText
import Synchronization

@testable import TerminalRendering
@testable import latchkey

/// The daemon's side of an interface: presents it, hears what the person does, ends as the test says.
final class FakePrompt: Sendable {
    /// What an act leads to.
    enum Next: Sendable {
        case show(InterfaceStatement)
        case finish
        case nothing
    }

    private struct State {
        var interface: InterfaceStatement?
        var acts: [InterfaceAct] = []
        var hasEnded = false
    }

    /// A choice at the end, or a configuration without a result.
    static let chosen = Providers.ChooseCredential.Answer(
        user: "rmondello", password: WireSecret(SecretBytes(utf8: "chosen secret")))

    private let state: Mutex<State>
    private let next: @Sendable (InterfaceAct) -> Next
    private let ends: AsyncStream<Result<JSONValue, WireError>>
    private let end: AsyncStream<Result<JSONValue, WireError>>.Continuation

    init(_ interface: InterfaceStatement?, _ next: @escaping @Sendable (InterfaceAct) -> Next = { _ in .finish }) {
        state = Mutex(State(interface: interface))
        self.next = next
        (ends, end) = AsyncStream.makeStream()
    }

    var acts: [InterfaceAct] { state.withLock { $0.acts } }

    /// Answers what has to do with interfaces; nothing for other methods.
    func answer(_ method: String, _ params: JSONValue, _ peer: Peer?) async throws -> JSONValue? {
        switch method {
        case Providers.Configure.name, Providers.ChooseCredential.name:
            _ = try await peer?.call("browser.present", .object(["prompt": .string("p1")]))
            for await result in ends {
                peer?.notify("browser.dismiss", .object(["prompt": .string("p1")]))
                let answer = try result.get()
                return method == Providers.Configure.name ? .object([:]) : answer
            }
            return nil
        case Renderer.Prompt.name:
            return try JSONValue(
                encoding: Renderer.Prompt.Answer(
                    kind: "interface", requester: "latchkey", site: "a.example",
                    provider: DisplayText("Acme\u{1B}[2J" as String),
                    interface: state.withLock { $0.interface }))
        case Renderer.Act.name:
            let act = try params.decoded(as: Renderer.Act.Params.self).act
            state.withLock { $0.acts.append(act) }
            switch next(act) {
            case .show(let interface):
                state.withLock { $0.interface = interface }
                peer?.notify("browser.update", .object(["prompt": .string("p1")]))
            case .finish: end.yield(.success(try JSONValue(encoding: Self.chosen)))
            case .nothing: break
            }
            return .object([:])
        case Renderer.Answer.name:
            end.yield(.failure(WireError(.userCanceled, "The user cancelled.")))
            return .object([:])
        default: return nil
        }
    }
}

/// Interfaces for tests.
enum FakeInterfaces {
    /// A passphrase, a toggle and two buttons.
    static let unlock = InterfaceStatement(
        title: "Unlock",
        elements: [
            InterfaceElement(kind: "heading", id: "h", text: "Your vault"),
            InterfaceElement(kind: "message", id: "m", text: "It is\u{202E} locked.", style: "error"),
            InterfaceElement(kind: "text", id: "user", label: "Account", value: "me", contents: "username"),
            InterfaceElement(kind: "secure", id: "pass", label: "Master\u{1B}[31m password"),
            InterfaceElement(kind: "toggle", id: "stay", label: "Stay unlocked", on: true),
            InterfaceElement(kind: "button", id: "go", label: "Unlock", style: "default"),
            InterfaceElement(kind: "button", id: "off", label: "Forget", style: "destructive", enabled: false),
            InterfaceElement(kind: "hologram", id: "x", text: "from the future"),
        ])

    /// A list with two sections.
    static func list(rows: Int = 3, more: Bool = false) -> InterfaceStatement {
        let rows = (0..<rows).map { ListRow(id: "r\($0)", title: "user \($0)", subtitle: $0 == 0 ? "" : "a.example") }
        return InterfaceStatement(
            title: "Accounts",
            elements: [
                InterfaceElement(
                    kind: "list", id: "l",
                    sections: [
                        ListSection(title: "Suggested", rows: Array(rows.prefix(1))),
                        ListSection(title: "All", rows: Array(rows.dropFirst())),
                    ], search: true, more: more)
            ])
    }
}
