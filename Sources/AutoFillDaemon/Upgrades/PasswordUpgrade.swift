// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The state machine of an account's change to a strong password: it takes events and returns the next step.
///
/// No password is lost, whatever the ending. Before the extension is first asked, the account's provider keeps the new password, and the
/// daemon notes that it is unknown which of the two counts. That note is settled only when the extension reports that the service has the
/// new password and the provider has saved it.
struct PasswordUpgrade: Equatable, Sendable {
    /// A step of the change.
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
        /// It is unknown whether the service has the new password. Both passwords are kept.
        case unknown(AccountChangeLoss)
        /// The service has the new one, and the provider did not take it over: it is pending.
        case notSaved

        /// Whether either password may count now, so that the note stays.
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
        /// The requester cancelled.
        case canceled
        /// An event occurred that is not possible in this state.
        case malfunction
    }

    /// An event of the change.
    enum Event: Equatable, Sendable {
        case made(Bool)
        case kept(Bool)
        case noted(Bool)
        /// The extension reports which password the service has: the proposed one, or another.
        case changed(isProposed: Bool)
        /// The extension has to ask the user first; `canAsk` is whether that is possible.
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

    /// The first step.
    var first: Step { .make }

    /// Whether the service may have been told of a new password.
    var mayHaveChanged: Bool {
        switch state {
        case .making, .keeping, .noting, .ended: false
        case .changing, .keepingOther, .saving: true
        }
    }

    /// Takes an event, and returns the next step.
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
        // The extension said so before it changed anything.
        case (.changing(withInterface: false), .needsUser(canAsk: false)): .end(.untouched(.nowhereToAsk))
        // Its interface is there: it cannot ask for another one.
        case (.changing, .needsUser): .end(.failed(nil))
        case (.changing, .failed(let sentence)): .end(.failed(sentence))
        case (.changing, .canceled): .end(.canceled)
        case (.changing, .lost(let loss)): .end(.unknown(loss))
        // Whether or not it could be kept as pending, saving is all that is left.
        case (.keepingOther, .otherKept): .save
        case (.saving, .saved(true)): .end(.changed)
        case (.saving, .saved(false)): .end(.notSaved)
        case (.ended, _): .end(.untouched(.malfunction))
        default: .end(mayHaveChanged ? .unknown(.malfunction) : .untouched(.malfunction))
        }
    }
}
