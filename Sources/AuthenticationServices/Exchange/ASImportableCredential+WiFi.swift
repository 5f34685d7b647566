// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension ASImportableCredential {
    /// A wireless network.
    public struct WiFi: Codable, Hashable, Sendable {
        /// The network's name.
        public var ssid: ASImportableEditableField?
        /// How it is protected.
        public var networkSecurityType: ASImportableEditableField?
        /// The secret.
        public var passphrase: ASImportableEditableField?
        /// Whether it keeps its name to itself.
        public var hidden: ASImportableEditableField?

        /// A network of what there is.
        public init(
            ssid: ASImportableEditableField?,
            networkSecurityType: ASImportableEditableField?,
            passphrase: ASImportableEditableField?,
            hidden: ASImportableEditableField? = nil
        ) {
            self.ssid = ssid
            self.networkSecurityType = networkSecurityType
            self.passphrase = passphrase
            self.hidden = hidden
        }
    }
}
