// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillCredentials
package import AutoFillIPC
package import AutoFillSecrets
internal import Synchronization

extension ProviderSupervisor {
    /// What a start needs, which only an unlocked daemon has.
    package struct Launch: Sendable {
        /// An app group of the provider's.
        package struct Group: Sendable {
            package let identifier: String
            package let folder: String
            package let key: SecretBytes

            package init(identifier: String, folder: String, key: SecretBytes) {
                self.identifier = identifier
                self.folder = folder
                self.key = key
            }
        }

        package let program: String
        package let container: String
        package let key: SecretBytes
        /// How often Latchkey had been locked when this was made; after the next lock it starts nothing.
        package var epoch = 0
        package var groups: [Group] = []
        /// What it may see, and by what it is kept to that; nothing where it runs as the user does.
        package var isolation: (Isolation, Isolation.Rooms)?
        /// How long it may take without the user's interaction; nothing for a debug build.
        package var timeLimit: Duration? = .seconds(5)
        /// Where its output goes when its author looks for a defect; it is stopped when it starts then.
        package var debugLog: String?
        /// A debug build: its memory may be looked at.
        package var isDebug = false

        package init(
            program: String, container: String, key: SecretBytes, epoch: Int = 0, groups: [Group] = [],
            isolation: (Isolation, Isolation.Rooms)? = nil, timeLimit: Duration? = .seconds(5), debugLog: String? = nil,
            isDebug: Bool = false
        ) {
            self.program = program
            self.container = container
            self.key = key
            self.epoch = epoch
            self.groups = groups
            self.isolation = isolation
            self.timeLimit = timeLimit
            self.debugLog = debugLog
            self.isDebug = isDebug
        }

        /// The parameters of `provider.start`.
        package func start(_ identifier: String) -> Provider.Start.Params {
            .init(
                protocol: wireVersion, identifier: identifier, container: container, key: WireSecret(key.base64),
                groups: groups.map { group in
                    GroupStatement(
                        identifier: group.identifier, folder: group.folder, key: WireSecret(group.key.base64))
                }, debug: isDebug ? true : nil)
        }
    }

    /// What the user is shown an interface for.
    package enum InterfaceRequest: Sendable {
        case credential(CredentialIdentity)
        case list([ServiceIdentifier], type: CredentialType = .password)
        case configuration
        /// A password is to be saved that the provider cannot save without asking.
        case save(Saving.Save.Params)
        /// The user wants to see a password before it is used, in the interface of who makes it; `kept` is who is going to keep it.
        case generate(Saving.Generate.Params, for: CredentialIdentity, kept: BundleIdentifier, ChosenKind)
    }

    /// Of what kind the password is that was chosen in an interface.
    package final class ChosenKind: Sendable {
        private let kept = Mutex<String?>(nil)

        package init() {}

        package var word: String? { kept.withLock { $0 } }

        package func note(_ word: String) {
            kept.withLock { $0 = word }
        }
    }
}
