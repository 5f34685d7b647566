// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillRelease
internal import AutoFillSecrets
internal import Logging
internal import SecurityCodes

/// Codes that come in messages, and the sources that bring them.
@DaemonActor final class CodeMessages: SessionObserver {
    let broker: Broker
    var codes = CodeShelf()
    /// What the sources of codes last said of themselves.
    private var codeSources: [CodeOrigin: CodeSourceState] = [:]
    /// Is told which maildir is to be watched.
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

    /// Other codes are kept by now: says so to every bar and to every surface on which an app asks for one.
    func tellOfChange() {
        broker.tellBrowsers()
        broker.tellObservers { $0.codesChanged() }
    }

    /// What a source brings. Of the texts of a message the first that has a code is it; they are read where the source runs, however
    /// long they are, and nothing else waits for that.
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

    /// `latchkey code offer`.
    nonisolated func offerCode(_ params: Codes.Offer.Params) async throws -> Codes.Offer.Answer {
        let (code, reason) = ReceivedCode.read(params.message.bytes, from: .command, at: broker.time.now())
        guard await broker.isInitialized else {
            throw WireError(.notInitialized, "There is nothing here yet.", hint: "Begin with `latchkey init`.")
        }
        guard let code else { return .init(found: false, reason: reason.description) }
        guard await keep(code) != .used else {
            return .init(
                found: true, offered: false, reason: "It was used already.", boundTo: code.boundTo,
                embedded: code.embedded)
        }
        return .init(
            found: true, offered: true, reason: reason.description, boundTo: code.boundTo, embedded: code.embedded,
            seconds: Int(await broker.preferences.codeSpan.components.seconds))
    }

    /// Keeps a code; an open bar and the open surface of an app that may have it show it at once.
    @discardableResult private func keep(_ code: ReceivedCode) -> CodeShelf.Addition {
        guard broker.isInitialized else { return .known }
        let addition = codes.add(code, lifetime: broker.preferences.codeSpan)
        guard addition == .new else { return addition }
        // Neither the text nor the code, nor for which site it is.
        broker.logger.info("a code came in", metadata: ["from": "\(code.origin.rawValue)"])
        tellOfChange()
        return .new
    }

    /// What a source says of itself.
    func codeSource(_ origin: CodeOrigin, is state: CodeSourceState) {
        codeSources[origin] = state
    }

    /// For `status`.
    func codeStatements() -> [CodeSourceStatement] {
        CodeOrigin.allCases.map { origin in
            guard origin != .command else {
                return .init(name: origin.rawValue, state: "ready", detail: "`latchkey code offer` reads a message")
            }
            let state = codeSources[origin] ?? .off("it has not begun")
            return .init(name: origin.rawValue, state: state.word, detail: state.detail)
        }
    }

    /// Has a maildir watched, the present one at once.
    func setMaildirWatch(_ watch: @escaping @Sendable (String?) -> Void) {
        watchMaildir = watch
        watch(broker.preferences.codeMaildir)
    }

    /// What becomes of each code that is kept, at a place.
    func explainedCodes(_ standing: (CodeOffers, SecurityCode) -> CodeOffers.Standing) -> [ExplainedCode] {
        let offers = CodeOffers(broker.rules.policy.suffixes)
        let now = broker.time.now()
        return codes.codes(at: now, lifetime: broker.preferences.codeSpan).map { code in
            let verdict = standing(offers, code.binding)
            var reasons: [String] = []
            if let host = code.boundTo {
                let frame = code.embedded.map { ", for frames of \($0)" } ?? ""
                reasons.append("Its message binds it to \(host)\(frame).")
            }
            reasons.append(verdict.sentence)
            var isOffered = broker.preferences.autoFill
            if case .refused = verdict { isOffered = false }
            if !broker.preferences.autoFill { reasons.append("AutoFill is switched off.") }
            return ExplainedCode(
                source: code.origin.words, age: Int((now - code.received).components.seconds), boundTo: code.boundTo,
                embedded: code.embedded, offered: isOffered, reasons: reasons)
        }
    }
}
