// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import FoundationEssentials
import Glibc
import TerminalRendering

/// Runs a request of the command line during which a provider shows an interface, and draws that.
@MainActor
final class InterfaceConversation {
    private let daemon: DaemonConnection
    private let desk: PromptDesk
    private let lines: Bool
    private let passphrase: PassphraseOptions
    private var surface: (any InterfaceSurface)?
    private var prompt: String?
    /// What is drawn. The same is not drawn again: what a person has just typed would go with it.
    private var drawn: InterfaceStatement?
    private var isCanceled = false

    /// How long a person may take over an interface.
    static let patience = Duration.seconds(1800)
    /// How long a cancelled request may take to end.
    private let grace: Duration

    /// - Parameters:
    ///   - lines: whether it goes line by line on every terminal.
    ///   - grace: How long a cancelled request may take to end.
    init(
        _ daemon: DaemonConnection, _ desk: PromptDesk, lines: Bool, _ passphrase: PassphraseOptions,
        grace: Duration = .seconds(3)
    ) {
        self.grace = grace
        self.daemon = daemon
        self.desk = desk
        self.lines = lines
        self.passphrase = passphrase
    }

    /// Asks the daemon and draws what it presents until it has answered.
    func run<M: WireMethod>(_ method: M.Type, _ params: M.Params) async throws -> M.Answer {
        let (daemon, desk, passphrase) = (daemon, desk, passphrase)
        let request = Task {
            defer { desk.tell(.answered) }
            return try await daemon.authenticated(method, params, passphrase, patience: Self.patience)
        }
        defer { closeSurface() }
        for await event in desk.events {
            if case .answered = event { break }
            if case .overdue = event {
                request.cancel()
                throw CommandFailure(.canceled, "Canceled.")
            }
            await take(event)
        }
        closeSurface()
        return try await request.value
    }

    private func take(_ event: PromptDesk.Event) async {
        switch event {
        case .present(let id):
            guard let shown = await ask(id) else { return }
            if shown.kind == "interface" {
                prompt = id
                openSurface(InterfaceHeader(provider: shown.provider ?? shown.requester, site: shown.site))
                surface?.show(shown.interface)
                drawn = shown.interface
                if surface == nil { await cancel() }
            } else {
                closeSurface()
                await answer(id, shown)
            }
        case .update(let id) where id == prompt:
            guard let shown = await ask(id), shown.interface != drawn else { return }
            surface?.show(shown.interface)
            drawn = shown.interface
        case .dismiss(let id) where id == prompt:
            prompt = nil
            closeSurface()
        case .deed(.act(let act)):
            guard let prompt else { return }
            // An act that came too late is for an interface that is gone; its end is told by itself.
            _ = try? await daemon.call(Renderer.Act.self, .init(prompt: prompt, act: act))
            surface?.actWasTaken()
        case .deed(.cancel): await cancel()
        case .update, .dismiss, .answered, .overdue: break
        }
    }

    private func ask(_ id: String) async -> Renderer.Prompt.Answer? {
        guard let shown = try? await daemon.call(Renderer.Prompt.self, .init(prompt: id)) else { return nil }
        // An interface beyond the bounds is the daemon's to refuse; one that got here all the same is not drawn.
        guard let interface = shown.interface else { return shown }
        do {
            try interface.check()
            return shown
        } catch {
            return nil
        }
    }

    private func cancel() async {
        guard !isCanceled else { return desk.tell(.overdue) }
        isCanceled = true
        closeSurface()
        if let prompt { _ = try? await daemon.call(Renderer.Answer.self, .init(prompt: prompt, accept: false)) }
        let (desk, grace) = (desk, grace)
        Task {
            try? await Task.sleep(for: grace)
            desk.tell(.overdue)
        }
    }

    /// A question of the daemon's own, which is not a provider's interface.
    private func answer(_ id: String, _ shown: Renderer.Prompt.Answer) async {
        let question = PromptQuestion(shown)
        var params = Renderer.Answer.Params(prompt: id, accept: false)
        do {
            if question.wantsPassphrase {
                for line in question.lines { Output.error(line + "\n") }
                let secret = shown.takesPIN == true ? "PIN or passphrase" : "Passphrase"
                params.passphrase = WireSecret(try passphrase.readOnDemand(secret))
                params.accept = true
            } else {
                params.accept = try TerminalQuestion.confirm(
                    question.lines, question.question, insteadOfAsking: "Nothing")
            }
        } catch {
            params.accept = false
        }
        do {
            _ = try await daemon.call(Renderer.Answer.self, params)
        } catch let error as WireError where error.code == .wrongPassphrase && passphrase.isInteractive {
            Output.note(error.message)
            var shown = shown
            shown.takesPIN = shown.takesPIN == true && error.takesPIN
            await answer(id, shown)
        } catch {
            // The prompt has ended meanwhile, and the request says why.
        }
    }

    private func openSurface(_ header: InterfaceHeader) {
        guard surface == nil else { return }
        let desk = desk
        let tell: @Sendable (SurfaceDeed) -> Void = { desk.tell(.deed($0)) }
        let inputIsTerminal = isatty(STDIN_FILENO) == 1
        let kind = ProcessInfo.processInfo.environment["TERM"]
        guard inputIsTerminal else {
            surface = LineSurface(input: STDIN_FILENO, output: STDERR_FILENO, header: header, tell)
            return
        }
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { return }
        if SurfaceChoice.isScreen(lines: lines, inputIsTerminal: inputIsTerminal, terminal: kind) {
            surface = ScreenSurface(terminal: terminal, header: header, tell)
        }
        if surface == nil { surface = LineSurface(input: terminal, output: terminal, header: header, tell) }
    }

    private func closeSurface() {
        surface?.close()
        surface = nil
    }
}
