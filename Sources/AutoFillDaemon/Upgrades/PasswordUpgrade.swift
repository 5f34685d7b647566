// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The way of one account to a strong password, as decisions: what has happened goes in, what is to be done next comes out.
///
/// No password gets lost on it, wherever it ends: the new one is kept by the provider that has the account, and the daemon has
/// noted that it is not known which of the two counts, before the extension is asked for the first time. Only an extension that
/// says the service has taken the new one, and a provider that has taken it over, end the uncertainty.
struct PasswordUpgrade: Equatable, Sendable {
    /// What is to be done next.
    enum Step: Equatable, Sendable {
        /// A password is to be made by the extension's rules.
        case make
        /// The provider that has the account is to keep it as pending.
        case keep
        /// The uncertainty is to be written down.
        case note
        /// The extension is to change it at the service.
        case change(withInterface: Bool)
        /// The extension has set another password than was proposed: that one is to be kept as pending.
        case keepOther
        /// The provider is to take over what the service has now; the old one goes into its history.
        case save
        /// It is over.
        case end(Ending)
    }

    /// How it ends.
    enum Ending: Equatable, Sendable {
        /// Service and provider have the new password.
        case changed
        /// The service was not asked: everything is as it was.
        case untouched(Reason)
        /// It failed as far as the extension knows. Both passwords are kept.
        case failed(String?)
        /// The user cancelled. Both passwords are kept.
        case canceled
        /// Nobody knows whether the service has the new one. Both passwords are kept.
        case unknown(AccountChangeLoss)
        /// The service has the new one, and the provider did not take it over: it is pending.
        case notSaved

        /// Whether both passwords may count now, so that what was noted stays.
        var isUnsettled: Bool {
            switch self {
            case .changed, .untouched: false
            case .failed, .canceled, .unknown, .notSaved: true
            }
        }
    }

    /// Why the extension was not asked, or did not begin.
    enum Reason: Equatable, Sendable {
        case notMade, notKept, notNoted
        /// It needs the user, and there is nowhere to ask.
        case nowhereToAsk
        /// Whoever asked took it back.
        case canceled
        /// Something came that cannot come here.
        case malfunction
    }

    /// What has happened.
    enum Event: Equatable, Sendable {
        case made(Bool)
        case kept(Bool)
        case noted(Bool)
        /// The extension says that the service has a password: the proposed one, or another.
        case changed(isProposed: Bool)
        /// The extension has to ask the user first; whether that can be done.
        case needsUser(canAsk: Bool)
        case failed(String?)
        case canceled
        case lost(AccountChangeLoss)
        case otherKept(Bool)
        case saved(Bool)
    }

    private enum State: Equatable {
        case making, keeping, noting
        case changing(withInterface: Bool)
        case keepingOther, saving, ended
    }

    private var state = State.making

    /// What is to be done first.
    var first: Step { .make }

    /// Whether the service may have been told of a new password.
    var mayHaveChanged: Bool {
        switch state {
        case .making, .keeping, .noting, .ended: false
        case .changing, .keepingOther, .saving: true
        }
    }

    /// Takes what has happened, and decides what is to be done.
    mutating func take(_ event: Event) -> Step {
        let step = decide(event)
        state =
            switch step {
            case .make: .making
            case .keep: .keeping
            case .note: .noting
            case .change(let withInterface): .changing(withInterface: withInterface)
            case .keepOther: .keepingOther
            case .save: .saving
            case .end: .ended
            }
        return step
    }

    private func decide(_ event: Event) -> Step {
        switch (state, event) {
        case (.making, .made(true)): .keep
        case (.making, .made(false)): .end(.untouched(.notMade))
        case (.keeping, .kept(true)): .note
        case (.keeping, .kept(false)): .end(.untouched(.notKept))
        case (.noting, .noted(true)): .change(withInterface: false)
        case (.noting, .noted(false)): .end(.untouched(.notNoted))
        case (.making, .canceled), (.keeping, .canceled), (.noting, .canceled): .end(.untouched(.canceled))
        case (.changing, .changed(isProposed: true)): .save
        case (.changing, .changed(isProposed: false)): .keepOther
        case (.changing(withInterface: false), .needsUser(canAsk: true)): .change(withInterface: true)
        // It has said so before it did anything.
        case (.changing(withInterface: false), .needsUser(canAsk: false)): .end(.untouched(.nowhereToAsk))
        // Its interface is there: it cannot ask for another one.
        case (.changing, .needsUser): .end(.failed(nil))
        case (.changing, .failed(let sentence)): .end(.failed(sentence))
        case (.changing, .canceled): .end(.canceled)
        case (.changing, .lost(let loss)): .end(.unknown(loss))
        // Whether or not it could be kept as pending: to save it is all that is left.
        case (.keepingOther, .otherKept): .save
        case (.saving, .saved(true)): .end(.changed)
        case (.saving, .saved(false)): .end(.notSaved)
        case (.ended, _): .end(.untouched(.malfunction))
        default: .end(mayHaveChanged ? .unknown(.malfunction) : .untouched(.malfunction))
        }
    }
}
