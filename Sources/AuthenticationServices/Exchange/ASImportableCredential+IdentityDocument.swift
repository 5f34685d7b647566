// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension ASImportableCredential {
    /// A card or paper that says who somebody is.
    public struct IdentityDocument: Codable, Hashable, Sendable {
        /// The country that issued it.
        public var issuingCountry: ASImportableEditableField?
        /// Its number.
        public var documentNumber: ASImportableEditableField?
        /// The number of the person.
        public var identificationNumber: ASImportableEditableField?
        /// The person's nationality.
        public var nationality: ASImportableEditableField?
        /// The person's name.
        public var fullName: ASImportableEditableField?
        /// When they were born.
        public var birthDate: ASImportableEditableField?
        /// Where they were born.
        public var birthPlace: ASImportableEditableField?
        /// The person's sex.
        public var sex: ASImportableEditableField?
        /// When it was issued.
        public var issueDate: ASImportableEditableField?
        /// Until when it is good.
        public var expiryDate: ASImportableEditableField?
        /// Who issued it.
        public var issuingAuthority: ASImportableEditableField?

        /// A document of what there is.
        public init(
            issuingCountry: ASImportableEditableField?,
            documentNumber: ASImportableEditableField?,
            identificationNumber: ASImportableEditableField?,
            nationality: ASImportableEditableField?,
            fullName: ASImportableEditableField?,
            birthDate: ASImportableEditableField?,
            birthPlace: ASImportableEditableField?,
            sex: ASImportableEditableField?,
            issueDate: ASImportableEditableField?,
            expiryDate: ASImportableEditableField?,
            issuingAuthority: ASImportableEditableField?
        ) {
            self.issuingCountry = issuingCountry
            self.documentNumber = documentNumber
            self.identificationNumber = identificationNumber
            self.nationality = nationality
            self.fullName = fullName
            self.birthDate = birthDate
            self.birthPlace = birthPlace
            self.sex = sex
            self.issueDate = issueDate
            self.expiryDate = expiryDate
            self.issuingAuthority = issuingAuthority
        }
    }
}
