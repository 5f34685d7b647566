// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
internal import AutoFillSecrets
package import ShownText

/// Has providers' interfaces drawn by a renderer, outside of every page, and carries back what the user does there.
package actor InterfaceDesk {
    /// What stands above an interface, which the provider has no say in.
    package struct Header: Sendable {
        package var requester: DisplayText
        /// Nothing where the interface is Latchkey's own.
        package var provider: DisplayText?
        package var site: DisplayText?
        package var user: DisplayText?
        /// What it is about: `save` in an interface of Latchkey's own that is about no password for an app, `change` in that of an
        /// extension that changes one.
        package var thing: String?

        package init(
            requester: String, provider: String? = nil, site: String? = nil, user: String? = nil, thing: String? = nil
        ) {
            self.requester = DisplayText(requester, keeping: .end)
            self.provider = provider.map { DisplayText($0) }
            self.site = site.map { DisplayText($0) }
            self.user = user.map { DisplayText($0, placeholder: "(no user name)") }
            self.thing = thing
        }
    }

    /// Tells the provider what the user did.
    package typealias Act = @Sendable (InterfaceAct) async throws -> Void

    private struct Open {
        let header: Header
        let connection: Int
        let peer: Peer
        let act: Act
        let cancel: @Sendable () -> Void
        var interface: ShownInterface?
        var lastAct: ContinuousClock.Instant
        /// Whether the renderer knows of a change that it has not fetched yet.
        var isTold = false
    }

    /// Why something failed that had to ask the user.
    package static let nowhere = "there was nowhere to ask"
    /// How long an interface may stand without an act of the user.
    package static let patience = Duration.seconds(600)

    private let now: @Sendable () -> ContinuousClock.Instant
    private var open: [String: Open] = [:]

    package init(now: @escaping @Sendable () -> ContinuousClock.Instant) {
        self.now = now
    }

    /// Opens a surface for an interface that the provider will show; returns the surface's name.
    ///
    /// - Parameter cancel: called once when the user cancels, or the renderer is gone.
    package func present(
        _ header: Header, over connection: any QuestionClient, act: @escaping Act,
        cancel: @escaping @Sendable () -> Void
    ) async throws -> String {
        guard let peer = connection.peer else { throw WireError(.userCanceled, "The one who asked is gone.") }
        let name = RandomName.make()
        open[name] = Open(
            header: header, connection: connection.number, peer: peer, act: act, cancel: cancel, lastAct: now())
        do {
            _ = try await peer.call(Browser.Present.self, .init(prompt: name), timeout: .seconds(10))
        } catch {
            open[name] = nil
            // That is no word of the user's.
            throw WireError(.providerUnavailable, "The interface could not be shown.", reason: Self.nowhere)
        }
        return name
    }

    /// The provider shows something, for the first time or anew.
    package func show(_ interface: InterfaceStatement, on name: String) {
        guard var surface = open[name] else { return }
        surface.interface = ShownInterface(interface)
        let isTold = surface.isTold
        surface.isTold = true
        open[name] = surface
        // However often a provider shows something, the renderer has one notice at a time.
        if !isTold { notify(surface.peer, Browser.Update.name, name) }
    }

    /// What the renderer draws; nothing for a surface that has ended or is another renderer's.
    package func prompt(_ name: String, on connection: Int) -> Renderer.Prompt.Answer? {
        guard let surface = open[name], surface.connection == connection else { return nil }
        open[name]?.isTold = false
        return .init(
            kind: "interface", requester: surface.header.requester, site: surface.header.site,
            user: surface.header.user, provider: surface.header.provider, interface: surface.interface?.statement,
            thing: surface.header.thing)
    }

    /// What the user did. Only what is shown can be acted on.
    package func act(_ params: Renderer.Act.Params, on connection: Int) async throws {
        guard let surface = open[params.prompt], surface.connection == connection else {
            throw WireError(.expired, "The interface has ended.")
        }
        guard let interface = surface.interface?.statement, interface.allows(params.act) else {
            throw WireError(.expired, "The interface has changed; nothing was done.")
        }
        open[params.prompt]?.lastAct = now()
        try await surface.act(params.act)
    }

    /// The user cancelled; whether there was such a surface.
    package func cancel(_ name: String, on connection: Int) -> Bool {
        guard let surface = open[name], surface.connection == connection else { return false }
        end(name)
        surface.cancel()
        return true
    }

    /// The request is over: takes the surface away.
    package func end(_ name: String) {
        guard let surface = open.removeValue(forKey: name) else { return }
        notify(surface.peer, Browser.Dismiss.name, name)
    }

    /// Ends every interface of a renderer that is gone.
    package func forget(_ connection: Int) {
        for (name, surface) in open where surface.connection == connection {
            open[name] = nil
            surface.cancel()
        }
    }

    /// Ends what nobody has touched for too long.
    package func endForgotten() {
        for (name, surface) in open where surface.lastAct + Self.patience <= now() {
            end(name)
            surface.cancel()
        }
    }

    private func notify(_ peer: Peer, _ method: String, _ name: String) {
        guard let params = try? JSONValue(encoding: Browser.Present.Params(prompt: name)) else { return }
        peer.notify(method, params)
    }
}

extension InterfaceStatement {
    /// Whether an act is one that this interface offers.
    package func allows(_ act: InterfaceAct) -> Bool {
        guard let element = elements.first(where: { $0.id == act.element }) else { return false }
        let fields = Set(elements.filter { $0.kind == "text" || $0.kind == "secure" }.map(\.id))
        guard (act.fields ?? []).allSatisfy({ fields.contains($0.id) }) else { return false }
        switch (element.kind, act.action) {
        case ("button", "press"): return element.enabled != false
        case ("toggle", "change"): return act.text != nil
        case ("list", "more"): return element.more == true
        case ("list", "search"): return element.search == true && act.text != nil
        case ("list", "select"):
            return (element.sections ?? []).contains { section in section.rows.contains { $0.id == act.row } }
        default: return false
        }
    }
}
