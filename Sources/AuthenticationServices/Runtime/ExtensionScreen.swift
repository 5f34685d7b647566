// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC

/// What the user sees of one request: sends the interface whenever it has changed.
///
/// Changes are put together: one message is on its way at a time, and what changes meanwhile goes with the next one, as
/// it is then. The same interface is not sent twice in a row.
@MainActor
final class ExtensionScreen {
    typealias Send = @MainActor (InterfaceStatement) async throws -> Void

    /// No more than one message in this time, so that a view that never rests is no flood.
    static let interval = Duration.milliseconds(20)

    private let controller: UIViewController
    private let name: String
    private let send: Send
    private var hasChanged = false
    /// What sends now; `nil` where everything that has changed was sent.
    private var sending: Task<Void, Never>?
    private var hasStopped = false
    private var last: InterfaceStatement?

    /// - Parameters:
    ///   - name: Stands above an interface whose controller has no title.
    ///   - send: Sends an interface and waits until it has been taken.
    init(of controller: UIViewController, name: String, send: @escaping Send) {
        self.controller = controller
        self.name = name
        self.send = send
    }

    /// Has the interface sent soon, if it is another one than before.
    func interfaceDidChange() {
        hasChanged = true
        guard sending == nil, !hasStopped else { return }
        sending = Task { await sendChanges() }
    }

    /// Returns when everything that has changed was sent, and the interval after it is over.
    func rest() async {
        while let sending { await sending.value }
    }

    /// Sends nothing any more.
    func stop() {
        hasStopped = true
    }

    /// What is to be done for an act of the user's; throws where the element is not shown or has no such act.
    func response(to act: InterfaceAct) throws(WireError) -> (() -> Void) {
        guard let view = builder.views[act.element] else {
            throw WireError(.notFound, "This element no longer exists.")
        }
        return try view.response(to: act)
    }

    /// Puts what the user has typed into the fields that are shown.
    func take(_ typed: [FieldContents]) {
        let views = builder.views
        for contents in typed { (views[contents.id] as? TextField)?.take(SecretText(contents.text.bytes)) }
    }

    private var builder: InterfaceBuilder { InterfaceBuilder(controller.topmost.view) }

    private func sendChanges() async {
        defer { sending = nil }
        while hasChanged, !hasStopped {
            hasChanged = false
            let title = controller.topmost.title ?? controller.title ?? name
            let interface = InterfaceStatement(title: title.inInterface, elements: builder.elements)
            // Nothing at all is not sent before there was something: the provider may still be loading.
            guard interface != last, last != nil || !interface.elements.isEmpty else { continue }
            do {
                try await send(interface)
                last = interface
            } catch let error as WireError where error.code == .busy {
                hasChanged = true
            } catch let error as WireError where error.code == .expired || error.code == .providerUnavailable {
                hasStopped = true
            } catch {
                // Whoever draws it could not take this one; the next may be another.
                last = interface
            }
            try? await Task.sleep(for: Self.interval)
        }
    }
}
