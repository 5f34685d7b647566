// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC

/// The way of one account to another way of signing in, as decisions: what has happened goes in, what is to be done next comes out.
///
/// A value that touches nothing; `AccountChanges.run` carries out what it says.
protocol AccountChange: Sendable {
    associatedtype Step: AccountChangeStep
    associatedtype Event: AccountChangeEvent where Event == Step.Event

    /// What is to be done first.
    var first: Step { get }

    /// Whether the service may have been told: from then on nobody can take the change back.
    var mayHaveChanged: Bool { get }

    /// Takes what has happened, and decides what is to be done.
    mutating func take(_ event: Event) -> Step
}

/// What is to be done next.
protocol AccountChangeStep: Sendable {
    associatedtype Ending: Sendable
    associatedtype Event

    /// How it has ended; nothing where there is more to do.
    var ending: Ending? { get }

    /// As who runs a change is told; nothing for what takes no time.
    var word: String? { get }

    /// What has happened if this could not be done.
    var failure: Event { get }
}

/// What may happen while an extension is asked, whatever it is asked for.
protocol AccountChangeEvent: Sendable {
    /// Who asked has taken it back, or the user has.
    static var canceled: Self { get }
    /// The extension has to ask the user first; whether that can be done.
    static func needsUser(canAsk: Bool) -> Self
    /// The extension says that it failed.
    static func failed(_ sentence: String?) -> Self
    static func lost(_ loss: AccountChangeLoss) -> Self
}

/// How the extension got lost.
enum AccountChangeLoss: Equatable, Sendable {
    case timeUp, ended, interrupted, malfunction

    /// What the extension did, after its name.
    var words: String {
        switch self {
        case .timeUp: "did not answer in time"
        case .ended: "ended before it answered"
        case .interrupted: "was interrupted"
        case .malfunction: "answered nonsense"
        }
    }

    var code: WireError.Code { self == .timeUp ? .timedOut : .providerUnavailable }
}

extension WireError {
    /// What a password manager said is not what the app's extension said, whose words its app is given.
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
