// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillCredentials
package import AutoFillIPC
package import AutoFillSecrets
internal import Synchronization

extension ProviderSupervisor {
    /// Everything needed to start a provider. Only an unlocked daemon has it.
    package struct Launch: Sendable {
        /// One of the provider's app groups.
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
        /// The name under which the user knows the provider. What the process says of itself counts where there is none.
        package var name: String?
        /// What the user has agreed to; nothing else is asked of the provider. `nil` for the built-in one.
        package var agreed: Set<ProviderCapability>?
        /// The number of locks before this value was made. After the next lock it no longer starts a provider.
        package var epoch = 0
        package var groups: [Group] = []
        /// The isolation and what it lets the provider see, or `nil` if the provider runs without isolation.
        package var isolation: (Isolation, Isolation.Rooms)?
        /// Time limit for a request without user interaction, or `nil` for a debug build.
        package var timeLimit: Duration? = .seconds(5)
        /// The log for the output of a provider that is being debugged. Such a provider starts stopped.
        package var debugLog: String?
        /// Whether it is a debug build, whose memory may be inspected.
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

    /// The reason why an interface is shown to the user.
    package enum InterfaceRequest: Sendable {
        case credential(CredentialIdentity)
        case list([ServiceIdentifier], type: CredentialType = .password)
        case configuration
        /// The provider cannot save this password without asking.
        case save(Saving.Save.Params)
        /// The user wants to see a password before it is used, in its generator's interface. `kept` names the provider
        /// that will save it.
        case generate(Saving.Generate.Params, for: CredentialIdentity, kept: BundleIdentifier, ChosenKind)
    }

    /// The kind of the password that the user chose in an interface.
    package final class ChosenKind: Sendable {
        private let kept = Mutex<String?>(nil)

        package init() {}

        package var word: String? { kept.withLock { $0 } }

        package func note(_ word: String) {
            kept.withLock { $0 = word }
        }
    }
}
