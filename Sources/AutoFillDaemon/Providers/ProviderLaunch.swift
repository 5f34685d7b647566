// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillSecrets
internal import Synchronization

extension ProviderSupervisor {
    /// What a start needs, which only an unlocked daemon has.
    struct Launch: Sendable {
        /// An app group of the provider's.
        struct Group: Sendable {
            let identifier: String
            let folder: String
            let key: SecretBytes
        }

        let program: String
        let container: String
        let key: SecretBytes
        /// How often Latchkey had been locked when this was made; after the next lock it starts nothing.
        var epoch = 0
        var groups: [Group] = []
        /// What it may see, and by what it is kept to that; nothing where it runs as the user does.
        var isolation: (Isolation, Isolation.Rooms)?
        /// How long it may take without the user's interaction; nothing for a debug build.
        var timeLimit: Duration? = .seconds(5)
        /// Where its output goes when its author looks for a defect; it is stopped when it starts then.
        var debugLog: String?
        /// A debug build: its memory may be looked at.
        var isDebug = false

        /// The parameters of `provider.start`.
        func start(_ identifier: String) -> Provider.Start.Params {
            .init(
                protocol: wireVersion, identifier: identifier, container: container, key: WireSecret(key.base64),
                groups: groups.map { group in
                    GroupStatement(
                        identifier: group.identifier, folder: group.folder, key: WireSecret(group.key.base64))
                }, debug: isDebug ? true : nil)
        }
    }

    /// What the user is shown an interface for.
    enum InterfaceRequest: Sendable {
        case credential(CredentialIdentity)
        case list([ServiceIdentifier], type: CredentialType = .password)
        case configuration
        /// A password is to be saved that the provider cannot save without asking.
        case save(Saving.Save.Params)
        /// The user wants to see a password before it is used, in the interface of who makes it; `kept` is who is going to keep it.
        case generate(Saving.Generate.Params, for: CredentialIdentity, kept: BundleIdentifier, ChosenKind)
    }

    /// Of what kind the password is that was chosen in an interface.
    final class ChosenKind: Sendable {
        private let kept = Mutex<String?>(nil)

        var word: String? { kept.withLock { $0 } }

        func note(_ word: String) {
            kept.withLock { $0 = word }
        }
    }
}
