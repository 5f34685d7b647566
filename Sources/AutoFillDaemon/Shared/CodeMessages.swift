// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillRelease
internal import AutoFillSecrets
internal import Logging
internal import SecurityCodes

/// Keeps the codes received in messages, and the states of the sources that bring them.
@DaemonActor final class CodeMessages: SessionObserver {
    let broker: Broker
    var codes = CodeShelf()
    /// The last state that each source reported.
    private var codeSources: [CodeOrigin: CodeSourceState] = [:]
    /// Called with the maildir to watch.
    private var watchMaildir: (@Sendable (String?) -> Void)?

    init(_ broker: Broker) {
        self.broker = broker
    }

    func sessionEnded() {
        codes.wipe()
    }

    func preferencesChanged(from old: Preferences) async {
        watchMaildir?(broker.preferences.codeMaildir)
        tellOfChange()
    }

    /// Tells every bar, and every surface on which an app asks for a code, that the set of codes has changed.
    func tellOfChange() {
        broker.tellBrowsers()
        broker.tellObservers { $0.codesChanged() }
    }

    /// Takes a message from a source: the first of its texts with a code counts. The texts are read on the source's side, so nothing else
    /// waits for a long one.
    nonisolated func received(_ delivery: CodeDelivery, from origin: CodeOrigin) async {
        let texts: [SecretBytes]
        switch delivery {
        case .mail(let mail):
            await keep(ReceivedCode(mail, from: origin, at: broker.time.now()))
            return
        case .texts(let found): texts = found
        }
        for text in texts {
            guard let code = ReceivedCode.read(text, from: origin, at: broker.time.now()).code else { continue }
            await keep(code)
            return
        }
    }

    /// Reads a message for `latchkey code offer`.
    nonisolated func offerCode(_ params: Codes.Offer.Params) async throws -> Codes.Offer.Answer {
        let (code, reason) = ReceivedCode.read(params.message.bytes, from: .command, at: broker.time.now())
        guard await broker.isInitialized else { throw await broker.notInitialized }
        guard let code else { return .init(found: false, reason: reason.description) }
        guard await keep(code) != .used else {
            return .init(
                found: true, offered: false, reason: "It was used already.", boundTo: code.shownHost,
                embedded: code.shownEmbedded)
        }
        return .init(
            found: true, offered: true, reason: reason.description, boundTo: code.shownHost,
            embedded: code.shownEmbedded,
            seconds: Int(await broker.preferences.codeSpan.components.seconds))
    }

    /// Keeps a code; an open bar and the open surface of an app that may have it show it at once.
    @discardableResult private func keep(_ code: ReceivedCode) -> CodeShelf.Addition {
        guard broker.isInitialized else { return .known }
        let addition = codes.add(code, lifetime: broker.preferences.codeSpan)
        guard addition == .new else { return addition }
        // The log contains neither the text nor the code, nor the site it is for.
        broker.logger.info("a code came in", metadata: ["from": "\(code.origin.rawValue)"])
        tellOfChange()
        return .new
    }

    /// Records the state that a source reports.
    func codeSource(_ origin: CodeOrigin, is state: CodeSourceState) {
        codeSources[origin] = state
    }

    /// The states of all sources, for `status`.
    func codeStatements() -> [CodeSourceStatement] {
        CodeOrigin.allCases.map { origin in
            guard origin != .command else {
                return .init(name: origin.rawValue, state: "ready", detail: "`latchkey code offer` reads a message")
            }
            let state = codeSources[origin] ?? .off("it has not begun")
            return .init(name: origin.rawValue, state: state.word, detail: state.detail)
        }
    }

    /// Sets the function that watches a maildir, and calls it with the current maildir.
    func setMaildirWatch(_ watch: @escaping @Sendable (String?) -> Void) {
        watchMaildir = watch
        watch(broker.preferences.codeMaildir)
    }

    /// Explains for each code whether it would be offered at a place, and why.
    func explainedCodes(_ standing: (CodeOffers, SecurityCode) -> CodeOffers.Standing) -> [ExplainedCode] {
        let offers = CodeOffers(broker.rules.policy.suffixes)
        let now = broker.time.now()
        return codes.codes(at: now, lifetime: broker.preferences.codeSpan).map { code in
            let verdict = standing(offers, code.binding)
            var reasons: [String] = []
            if let host = code.shownHost {
                let frame = code.shownEmbedded.map { ", for frames of \($0)" } ?? ""
                reasons.append("Its message binds it to \(host)\(frame).")
            }
            reasons.append(verdict.sentence)
            var isOffered = broker.preferences.autoFill
            if case .refused = verdict { isOffered = false }
            if !broker.preferences.autoFill { reasons.append("AutoFill is switched off.") }
            return ExplainedCode(
                source: code.origin.words, age: Int((now - code.received).components.seconds), boundTo: code.shownHost,
                embedded: code.shownEmbedded, offered: isOffered, reasons: reasons)
        }
    }
}
