// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC

/// The state machine of one account's change to another way of signing in: it takes events and returns the next step.
///
/// It is a value without side effects; `AccountChanges.run` carries out the steps.
protocol AccountChange: Sendable {
    associatedtype Step: AccountChangeStep
    associatedtype Event: AccountChangeEvent where Event == Step.Event

    /// The first step.
    var first: Step { get }

    /// Whether the service may have been told. From then on the change cannot be taken back.
    var mayHaveChanged: Bool { get }

    /// Takes an event, and returns the next step.
    mutating func take(_ event: Event) -> Step
}

/// A step of a change.
protocol AccountChangeStep: Sendable {
    associatedtype Ending: Sendable
    associatedtype Event

    /// The ending; `nil` if there is more to do.
    var ending: Ending? { get }

    /// The name of the step for progress messages; `nil` for a step that takes no time.
    var word: String? { get }

    /// The event for a failure of this step.
    var failure: Event { get }
}

/// An event that can occur while an extension is asked, whatever it is asked for.
protocol AccountChangeEvent: Sendable {
    /// The requester or the user has cancelled.
    static var canceled: Self { get }
    /// The extension has to ask the user first; `canAsk` is whether that is possible.
    static func needsUser(canAsk: Bool) -> Self
    /// The extension reports a failure.
    static func failed(_ sentence: String?) -> Self
    static func lost(_ loss: AccountChangeLoss) -> Self
}

/// The way in which the extension's answer was lost.
enum AccountChangeLoss: Equatable, Sendable {
    case timeUp, ended, interrupted, malfunction

    /// A predicate for a sentence that begins with the extension's name.
    var words: String {
        switch self {
        case .timeUp: "did not answer in time"
        case .ended: "ended before it answered"
        case .interrupted: "was interrupted"
        case .malfunction: "gave an invalid answer"
        }
    }

    var code: WireError.Code { self == .timeUp ? .timedOut : .providerUnavailable }
}

extension WireError {
    /// The code for the app: an error of the password manager must not look like one of the app's own extension.
    var keeperCode: WireError.Code { (1_000..<1_200).contains(code.rawValue) ? .providerUnavailable : code }
}

extension PasswordUpgrade: AccountChange {}
extension PasswordUpgrade.Event: AccountChangeEvent {}

extension PasswordUpgrade.Step: AccountChangeStep {
    var ending: PasswordUpgrade.Ending? { if case .end(let ending) = self { ending } else { nil } }

    var word: String? {
        switch self {
        case .make: "making"
        case .keep: "keeping"
        case .change(withInterface: false): "changing"
        case .change(withInterface: true): "asking"
        case .save: "saving"
        case .note, .keepOther, .end: nil
        }
    }

    var failure: PasswordUpgrade.Event {
        switch self {
        case .make: .made(false)
        case .keep: .kept(false)
        case .note: .noted(false)
        case .keepOther: .otherKept(false)
        case .save: .saved(false)
        case .change, .end: .lost(.malfunction)
        }
    }
}

extension AppleConversion: AccountChange {}
extension AppleConversion.Event: AccountChangeEvent {}

extension AppleConversion.Step: AccountChangeStep {
    var ending: AppleConversion.Ending? { if case .end(let ending) = self { ending } else { nil } }

    var word: String? {
        switch self {
        case .convert(withInterface: false): "changing"
        case .convert(withInterface: true): "asking"
        case .remove: "removing"
        case .prepare, .record, .end: nil
        }
    }

    var failure: AppleConversion.Event {
        switch self {
        case .prepare: .prepared(false)
        case .record: .recorded(false)
        case .remove: .removed(.pending)
        case .convert, .end: .lost(.malfunction)
        }
    }
}
