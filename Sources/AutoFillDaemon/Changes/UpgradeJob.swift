// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillRelease
internal import ShownText

/// One change of how an account signs in: of which account, by which extension, for whom.
struct UpgradeJob: Sendable {
    /// The saved account; it has no record identifier if an app asks for an account that nobody has saved.
    let account: CredentialIdentity
    /// The provider that has the account, or is to have it.
    let keeper: BundleIdentifier
    let origin: Origin
    let target: UpgradeTarget
    /// The proof that the user agreed.
    let proof: UserProof
    /// The saved password; `nil` if an app asked, because its extension does not get the password.
    let existing: HeldCredential?
    /// Whether a provider has saved the account, under whatever record identifier.
    let isSaved: Bool
    /// The `userInfo` that the app passed.
    let userInfo: WireSecret?
    /// The name of the requester, for display.
    let requester: String
    /// The client that draws the extension's interface.
    let renderer: ClientConnection
    /// Called with the name of each step.
    let progress: @Sendable (String) -> Void

    /// Whether an app asked for its own account.
    var isForApp: Bool { existing == nil }

    /// One change of an account runs at a time.
    var key: String { Self.key(keeper.rawValue, origin.written, account.user) }

    static func key(_ keeper: String, _ service: String, _ user: String) -> String {
        [keeper, service, user].joined(separator: "\n")
    }
}

extension PasswordUpgrade.Ending {
    /// The error for the requester; `nil` for a success.
    ///
    /// - Parameters:
    ///   - fault: the error that a provider or the disk reported.
    func error(_ job: UpgradeJob, keeper: String, fault: WireError?) -> WireError? {
        let name = job.target.name
        let both = "The old password stays saved, and the new one is kept, too."
        let settle = "Sign in to \(job.origin.written) with either; `latchkey upgrade --unsettled` shows both."
        switch self {
        case .changed: return nil
        case .untouched(let reason):
            let why =
                switch reason {
                case .notMade: "no password could be made"
                case .notKept: "\(keeper) did not keep the new one"
                case .notNoted: "it could not be begun"
                case .nowhereToAsk: "\(name) has to ask you, but there is no window or terminal to ask in"
                case .canceled: "it was canceled"
                case .malfunction: "something went wrong"
                }
            let detail = fault.map { " (\($0.message))" } ?? ""
            return WireError(
                reason == .canceled ? .userCanceled : fault?.keeperCode ?? .internalError,
                "The password was not changed: \(why).\(detail)", reason: fault?.reason, hint: fault?.hint)
        case .failed(let sentence):
            let said = sentence.map { TextCleaner.cleaned($0, .sentence) }
            return WireError(
                .providerExtension(0), said.map { "\(name): \($0)" } ?? "\(name) could not change the password.",
                reason: said, hint: both)
        case .canceled: return WireError(.userCanceled, "The change was canceled.", hint: both)
        case .unknown(let loss):
            return WireError(
                loss.code,
                "\(name) \(loss.words): it is not known which password is valid. \(both)", hint: settle)
        case .notSaved:
            return WireError(
                .storageFailed,
                "The site changed the password, but \(keeper) did not save the new one"
                    + (fault.map { " (\($0.message))" } ?? "") + ". \(both)", hint: settle)
        }
    }
}

extension UnsettledUpgrade {
    /// The same key as `UpgradeJob.key`.
    var jobKey: String { UpgradeJob.key(provider, service, user) }
}

extension AppleConversion.Ending {
    /// The error for the requester; `nil` for a success.
    ///
    /// - Parameters:
    ///   - isAuthorized: whether the extension was given a credential.
    ///   - fault: the error that an extension or the disk reported.
    func error(_ job: UpgradeJob, isAuthorized: Bool, fault: WireError?) -> WireError? {
        let name = job.target.name
        let stays =
            isAuthorized
            ? "The password stays saved. See at \(job.origin.written) whether it still counts."
            : "The password stays saved, and still counts."
        switch self {
        case .converted: return nil
        case .untouched(let reason):
            let why =
                switch reason {
                case .notPrepared: "its extension was not asked"
                case .nowhereToAsk: "\(name) has to ask you, but there is no window or terminal to ask in"
                case .canceled: "it was canceled"
                case .malfunction: "something went wrong"
                }
            let detail = fault.map { " (\($0.message))" } ?? ""
            return WireError(
                reason == .canceled ? .userCanceled : fault?.keeperCode ?? .internalError,
                "The account was not changed: \(why).\(detail)", reason: fault?.reason, hint: fault?.hint)
        case .failed(let sentence):
            let said = sentence.map { TextCleaner.cleaned($0, .sentence) }
            return WireError(
                .providerExtension(0),
                said.map { "\(name): \($0)" } ?? "\(name) could not change the account to Sign in with Apple.",
                reason: said, hint: stays)
        case .canceled: return WireError(.userCanceled, "The change was canceled.", hint: stays)
        case .unknown(let loss):
            return WireError(
                loss.code,
                "\(name) \(loss.words): it is not known whether the account signs in with Apple now.", hint: stays)
        case .notRecorded:
            return WireError(
                .storageFailed,
                "The account signs in with Apple now, and that could not be written down"
                    + (fault.map { " (\($0.message))" } ?? "") + ".",
                hint: "The saved password no longer works. Remove it yourself.")
        }
    }
}
