// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
package import AutoFillRelease
internal import AutoFillSecrets
package import ShownText

/// Presents providers' interfaces on a renderer, outside of every page, and returns the user's acts to the provider.
package actor InterfaceDesk {
    /// The user's authentication for an interface: by the passphrase, the PIN or a finger.
    package struct Proof: Sendable {
        /// The lock epoch in which it was given.
        package let epoch: UserAct.Epoch
        package let means: UserAct.Authentication

        package init(epoch: UserAct.Epoch, means: UserAct.Authentication) {
            self.epoch = epoch
            self.means = means
        }
    }

    /// The header above an interface. The provider cannot change it.
    package struct Header: Sendable {
        package var requester: DisplayText
        /// The provider's name, or `nil` for one of Latchkey's own interfaces.
        package var provider: DisplayText?
        package var site: DisplayText?
        package var user: DisplayText?
        /// The subject: `save` in a Latchkey interface that is not about an app's password, `change` in the interface
        /// of an extension that changes one.
        package var thing: String?
        /// The user's authentication when it was opened; `nil` if nobody was asked.
        package var proof: Proof?

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
        /// The user's authentication; `nil` if there was none yet.
        var proof: Proof?
        /// Whether the renderer was notified of a change that it has not fetched yet.
        var isTold = false
    }

    /// The reason given when the user had to be asked and no surface was available.
    package static let nowhere = "there was no window or terminal to ask in"
    /// How long an interface may stand without an act of the user.
    package static let patience = Duration.seconds(600)
    /// How long after the last act in it the passphrase that was given for it counts.
    package static let proofLifetime = Duration.seconds(300)

    private let now: @Sendable () -> ContinuousClock.Instant
    private var open: [String: Open] = [:]

    package init(now: @escaping @Sendable () -> ContinuousClock.Instant) {
        self.now = now
    }

    /// Opens a surface for an interface that the provider will show, and returns the surface's name.
    ///
    /// - Parameter cancel: Called once, when the user cancels or the renderer disconnects.
    package func present(
        _ header: Header, over connection: any QuestionClient, act: @escaping Act,
        cancel: @escaping @Sendable () -> Void
    ) async throws -> String {
        guard let peer = connection.peer else {
            throw WireError(.userCanceled, "The program that asked has disconnected.")
        }
        let name = RandomName.make()
        open[name] = Open(
            header: header, connection: connection.number, peer: peer, act: act, cancel: cancel, lastAct: now(),
            proof: header.proof)
        do {
            _ = try await peer.call(Browser.Present.self, .init(prompt: name), timeout: .seconds(10))
        } catch {
            open[name] = nil
            // The user did not decide this, so it is not `userCanceled`.
            throw WireError(.providerUnavailable, "The interface could not be shown.", reason: Self.nowhere)
        }
        return name
    }

    /// Shows an interface of the provider, or replaces the one shown before.
    package func show(_ interface: InterfaceStatement, on name: String) {
        guard var surface = open[name] else { return }
        surface.interface = ShownInterface(interface)
        let isTold = surface.isTold
        surface.isTold = true
        open[name] = surface
        // At most one notice is pending for each surface, however often the provider shows something.
        if !isTold { notify(surface.peer, Browser.Update.name, name) }
    }

    /// The content for the renderer to draw, or `nil` if the surface has ended or belongs to another renderer.
    package func prompt(_ name: String, on connection: Int) -> Renderer.Prompt.Answer? {
        guard let surface = open[name], surface.connection == connection else { return nil }
        open[name]?.isTold = false
        return .init(
            kind: "interface", requester: surface.header.requester, site: surface.header.site,
            user: surface.header.user, provider: surface.header.provider, interface: surface.interface?.statement,
            thing: surface.header.thing)
    }

    /// Passes on an act of the user.
    ///
    /// - Throws: `expired` when the surface has ended, or when the act is not one that the current interface offers.
    package func act(_ params: Renderer.Act.Params, on connection: Int) async throws {
        guard let surface = open[params.prompt], surface.connection == connection else {
            throw WireError(.expired, "The interface has ended.")
        }
        guard let interface = surface.interface?.statement, interface.allows(params.act) else {
            throw WireError(.expired, "The interface has changed; nothing was done.")
        }
        acted(in: params.prompt)
        try await surface.act(params.act)
    }

    /// How the user authenticated for this interface; `nil` if they did not, or have not acted in it for too long since.
    package func proof(in name: String, on connection: Int, in epoch: UserAct.Epoch) -> UserAct.Authentication? {
        guard let surface = open[name], surface.connection == connection, let proof = surface.proof,
            proof.epoch == epoch, now() < surface.lastAct + Self.proofLifetime
        else { return nil }
        return proof.means
    }

    /// Notes an act of the user. After a long pause the proof that was given before it counts no more.
    private func acted(in name: String) {
        guard let surface = open[name] else { return }
        if now() >= surface.lastAct + Self.proofLifetime { open[name]?.proof = nil }
        open[name]?.lastAct = now()
    }

    /// Records how the user has authenticated for this interface.
    package func noteProof(_ proof: Proof, in name: String, on connection: Int) {
        guard open[name]?.connection == connection else { return }
        open[name]?.proof = proof
    }

    /// The item whose password an element of the current interface stands for.
    ///
    /// - Throws: `expired` when the surface has ended, or when the interface has no such element.
    package func record(of element: String, in name: String, on connection: Int) throws -> String {
        guard let surface = open[name], surface.connection == connection else {
            throw WireError(.expired, "The interface has ended.")
        }
        let elements = surface.interface?.statement.elements ?? []
        guard let record = elements.first(where: { $0.id == element && $0.kind == "saved" })?.record else {
            throw WireError(.expired, "The interface has changed; nothing was shown.")
        }
        acted(in: name)
        return record
    }

    /// Ends a surface that the user canceled. Returns whether there was such a surface.
    package func cancel(_ name: String, on connection: Int) -> Bool {
        guard let surface = open[name], surface.connection == connection else { return false }
        end(name)
        surface.cancel()
        return true
    }

    /// Removes the surface of a request that has ended.
    package func end(_ name: String) {
        guard let surface = open.removeValue(forKey: name) else { return }
        notify(surface.peer, Browser.Dismiss.name, name)
    }

    /// Ends all interfaces of a renderer that has disconnected.
    package func forget(_ connection: Int) {
        for (name, surface) in open where surface.connection == connection {
            open[name] = nil
            surface.cancel()
        }
    }

    /// Ends interfaces without an act of the user for longer than `patience`.
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
