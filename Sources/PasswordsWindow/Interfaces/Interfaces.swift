// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import MainLoop
internal import PasswordsModel

/// The interfaces that the daemon has this app show, while something that it asked for is done.
@DesktopActor final class Interfaces {
    private let context: PageContext
    private var open: [String: InterfaceDialog] = [:]

    init(_ context: PageContext) {
        self.context = context
    }

    /// Takes what the daemon asks or tells.
    ///
    /// - Throws: `methodNotFound` for anything but interfaces.
    func take(_ method: String, _ params: JSONValue) throws {
        switch method {
        case Browser.Present.name:
            let name = try (params.decoded() as Browser.Present.Params).prompt
            open.updateValue(dialog(name), forKey: name)?.close()
            draw(name)
        case Browser.Update.name: draw(try (params.decoded() as Browser.Update.Params).prompt)
        case Browser.Dismiss.name:
            open.removeValue(forKey: try (params.decoded() as Browser.Dismiss.Params).prompt)?.close()
        default: throw WireError(.methodNotFound, "There is no method \(method.prefix(64)) here.")
        }
    }

    private func dialog(_ name: String) -> InterfaceDialog {
        InterfaceDialog(
            before: context.parent,
            act: { [context] act in
                Task {
                    // An act that came too late is for an interface that is gone; its end is told by itself.
                    _ = try? await context.daemon.call(Renderer.Act.self, .init(prompt: name, act: act))
                }
            }, cancel: { [weak self] in self?.refuse(name) })
    }

    private func draw(_ name: String) {
        Task { @DesktopActor in
            guard let shown = try? await context.daemon.call(Renderer.Prompt.self, .init(prompt: name)) else { return }
            // It has not been stated yet, or it is a question that this app does not ask.
            guard let interface = shown.interface else { return shown.kind == "interface" ? () : refuse(name) }
            // The daemon refuses what is beyond the bounds; what gets here all the same is not drawn.
            guard (try? interface.check()) != nil else { return refuse(name) }
            open[name]?.show(shown)
        }
    }

    private func refuse(_ name: String) {
        open.removeValue(forKey: name)?.close()
        Task {
            _ = try? await context.daemon.call(Renderer.Answer.self, .init(prompt: name, accept: false))
        }
    }
}
