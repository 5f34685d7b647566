// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension ASImportableCredential {
    /// A postal address.
    public struct Address: Codable, Hashable, Sendable {
        /// Street and number.
        public var streetAddress: ASImportableEditableField?
        /// The postal code.
        public var postalCode: ASImportableEditableField?
        /// The town.
        public var city: ASImportableEditableField?
        /// The part of the country.
        public var territory: ASImportableEditableField?
        /// The country.
        public var country: ASImportableEditableField?
        /// The telephone number.
        public var telephone: ASImportableEditableField?

        private enum CodingKeys: String, CodingKey {
            case streetAddress
            case postalCode
            case city
            case territory
            case country
            case telephone = "tel"
        }

        /// An address of what there is.
        public init(
            streetAddress: ASImportableEditableField?,
            postalCode: ASImportableEditableField?,
            city: ASImportableEditableField?,
            territory: ASImportableEditableField?,
            country: ASImportableEditableField?,
            telephone: ASImportableEditableField?
        ) {
            self.streetAddress = streetAddress
            self.postalCode = postalCode
            self.city = city
            self.territory = territory
            self.country = country
            self.telephone = telephone
        }
    }
}
