// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
internal import AutoFillSecrets
internal import TerminalRendering

/// Checks of the configuration. A provider that seals its accounts gets some here, under the key of this run.
extension ConformanceRun {
    private static let screenLimit = 8

    package func checkConfigured() async {
        await check("takes what --answers types into its configuration") {
            guard bundle.showsConfiguration else { throw ConformanceSkip("it declares none") }
            guard !answers.isEmpty else { throw ConformanceSkip("--answers gives the text to type there") }
            try await configure()
        }
    }

    package func checkConfiguration() async {
        await check("shows its configuration and ends it when cancelled, or completes at once") {
            guard bundle.showsConfiguration else { throw ConformanceSkip("it declares none") }
            let provider = try await running()
            let request = nextRequest()
            let answer = begin(provider, request)
            defer { answer.task.cancel() }
            guard try await shows(provider, request, beyond: 0, or: answer) else {
                _ = try await answer.task.value
                return try await requireAlive(provider)
            }
            try await cancel(provider, request, answer.task)
        }
    }

    /// A name that is written wrongly would go unnoticed otherwise.
    package func checkAnswersMet() async {
        await check("shows each element that --answers names") {
            guard !answers.isEmpty else { throw ConformanceSkip("--answers names none") }
            guard !shownNames.isEmpty else { throw ConformanceSkip("it shows nothing that can be answered") }
            let missing = answers.keys.filter { !shownNames.contains($0) }.sorted()
            guard missing.isEmpty else {
                throw ConformanceFault(
                    "no \(missing.joined(separator: ", ")) among \(shownNames.sorted().joined(separator: ", "))")
            }
        }
    }

    /// A running configuration request, and whether it was answered.
    @MainActor
    private final class Answering {
        var isDone = false
        let task: Task<Empty, any Error>

        init(_ task: Task<Empty, any Error>) {
            self.task = task
        }
    }

    private func begin(_ provider: ProviderUnderTest, _ request: Int) -> Answering {
        let answering = Answering(
            Task { try await provider.call(Provider.Configure.self, .init(request: request), within: .seconds(60)) })
        Task {
            _ = await answering.task.result
            answering.isDone = true
        }
        return answering
    }

    /// Waits for more than `count` interfaces. Returns `false` if the request was answered instead.
    private func shows(
        _ provider: ProviderUnderTest,
        _ request: Int,
        beyond count: Int,
        or answer: Answering
    ) async throws -> Bool {
        let deadline = ContinuousClock.now + Self.patience
        while ContinuousClock.now < deadline {
            if answer.isDone { return false }
            if provider.interfaces(request).count > count { return true }
            if let fault = provider.faults.last { throw ConformanceFault(fault) }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw ConformanceFault(
            count == 0 ? "it showed no interface" : "nothing happened after the typed text was sent")
    }

    private func configure() async throws {
        let provider = try await running()
        let request = nextRequest()
        let answer = begin(provider, request)
        defer { answer.task.cancel() }
        var pressed: Set<String> = []
        var changed: Set<String> = []
        for screen in 0..<Self.screenLimit {
            if screen == 0, !(try await shows(provider, request, beyond: 0, or: answer)) {
                // Throws if the provider answered with an error, because then it has not completed.
                _ = try await answer.task.value
                throw ConformanceSkip("it completes at once")
            }
            guard !answer.isDone, let interface = provider.interfaces(request).last else { break }
            shownNames.formUnion(ConformanceAnswers.names(in: interface))
            guard screen > 0 || ConformanceAnswers(answers).names(interface) else {
                try await cancel(provider, request, answer.task)
                throw ConformanceSkip("--answers names no field that it shows")
            }
            for change in ConformanceAnswers(answers).changes(of: interface, without: changed) {
                changed.insert(change.element)
                _ = try await provider.call(
                    Provider.Act.self, .init(request: request, act: change), within: Self.patience)
            }
            // A toggle may have brought other fields, which are shown before a later request is answered.
            if !changed.isEmpty { try await requireAlive(provider) }
            let latest = provider.interfaces(request).last ?? interface
            shownNames.formUnion(ConformanceAnswers.names(in: latest))
            let count = provider.interfaces(request).count
            guard let act = ConformanceAnswers(answers).act(on: latest, without: pressed) else {
                try await cancel(provider, request, answer.task)
                throw ConformanceFault("it shows no button that could be pressed; --answers can name one")
            }
            pressed.insert(act.element)
            try note(act, in: latest)
            _ = try await provider.call(Provider.Act.self, .init(request: request, act: act), within: Self.patience)
            guard try await shows(provider, request, beyond: max(count, 1), or: answer) else { break }
        }
        guard answer.isDone else {
            try await cancel(provider, request, answer.task)
            throw ConformanceFault("it has not completed after \(Self.screenLimit) buttons")
        }
        _ = try await answer.task.value
        await settle(provider)
    }

    /// Records text typed into secure fields as secrets that must not be printed.
    package func note(_ act: InterfaceAct, in interface: InterfaceStatement) throws {
        let secure = Set(interface.elements.filter { $0.kind == "secure" }.map(\.id))
        secrets += (act.fields ?? []).filter { secure.contains($0.id) && $0.text.bytes.count >= 4 }.map(\.text.bytes)
    }
}

/// The author's answers: what to type and press, by the `id` or the label of an element.
package struct ConformanceAnswers {
    private let texts: [String: String]

    package init(_ texts: [String: String]) {
        self.texts = texts
    }

    private func text(for element: InterfaceElement) -> String? {
        texts[element.id] ?? element.label.flatMap { texts[$0] }
            ?? (element.label ?? "" == "" ? element.placeholder.flatMap { texts[$0] } : nil)
    }

    /// How answers can name what is on display.
    package static func names(in interface: InterfaceStatement) -> [String] {
        interface.elements.filter { ["text", "secure", "button", "toggle"].contains($0.kind) }.flatMap { element in
            let label = element.label ?? ""
            return [element.id, label.isEmpty ? element.placeholder ?? "" : label].filter { !$0.isEmpty }
        }
    }

    /// Whether an element on display has an answer.
    package func names(_ interface: InterfaceStatement) -> Bool {
        interface.elements.contains {
            ["text", "secure", "button", "toggle"].contains($0.kind) && text(for: $0) != nil
        }
    }

    /// The acts that set the toggles of an interface as the answers say, `on` or `off`, where they are not set so.
    package func changes(of interface: InterfaceStatement, without changed: Set<String> = []) -> [InterfaceAct] {
        var form = InterfaceForm()
        form.show(interface)
        return interface.elements.filter { $0.kind == "toggle" && !changed.contains($0.id) }.compactMap { element in
            let wanted = text(for: element).flatMap { ["on": true, "off": false][$0] }
            return wanted == nil || wanted == (element.on ?? false) ? nil : form.act(on: .toggle(element.id))
        }
    }

    /// The act for an interface: types into all fields that have an answer, and presses a button.
    ///
    /// The button is the first one with an answer that was not pressed before, else the default button, else the only one.
    package func act(on interface: InterfaceStatement, without pressed: Set<String> = []) -> InterfaceAct? {
        var form = InterfaceForm()
        form.show(interface)
        for element in interface.elements where element.kind == "text" || element.kind == "secure" {
            if let text = text(for: element) { form.setText(TypedText(text), of: .field(element.id)) }
        }
        let buttons = interface.elements.filter { $0.kind == "button" && $0.enabled != false }
        let named = buttons.first { text(for: $0) != nil && !pressed.contains($0.id) }.map {
            InterfaceTarget.button($0.id)
        }
        let only = buttons.count == 1 ? InterfaceTarget.button(buttons[0].id) : nil
        return (named ?? form.defaultButton ?? only).flatMap { form.act(on: $0) }
    }
}
