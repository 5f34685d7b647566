// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension ASImportableCredential {
    /// A licence to drive.
    public struct DriversLicense: Codable, Hashable, Sendable {
        /// Whose it is.
        public var fullName: ASImportableEditableField?
        /// When they were born.
        public var birthDate: ASImportableEditableField?
        /// When it was issued.
        public var issueDate: ASImportableEditableField?
        /// Until when it is good.
        public var expiryDate: ASImportableEditableField?
        /// Who issued it.
        public var issuingAuthority: ASImportableEditableField?
        /// The part of the country in which it was issued.
        public var territory: ASImportableEditableField?
        /// The country in which it was issued.
        public var country: ASImportableEditableField?
        /// Its number.
        public var licenseNumber: ASImportableEditableField?
        /// What may be driven with it.
        public var licenseClass: ASImportableEditableField?

        /// A licence of what there is.
        public init(
            fullName: ASImportableEditableField?,
            birthDate: ASImportableEditableField?,
            issueDate: ASImportableEditableField?,
            expiryDate: ASImportableEditableField?,
            issuingAuthority: ASImportableEditableField?,
            territory: ASImportableEditableField?,
            country: ASImportableEditableField?,
            licenseNumber: ASImportableEditableField?,
            licenseClass: ASImportableEditableField?
        ) {
            self.fullName = fullName
            self.birthDate = birthDate
            self.issueDate = issueDate
            self.expiryDate = expiryDate
            self.issuingAuthority = issuingAuthority
            self.territory = territory
            self.country = country
            self.licenseNumber = licenseNumber
            self.licenseClass = licenseClass
        }
    }
}
