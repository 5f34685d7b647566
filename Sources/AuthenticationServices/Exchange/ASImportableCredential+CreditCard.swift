// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension ASImportableCredential {
    /// A card to pay with.
    public struct CreditCard: Codable, Hashable, Sendable {
        /// The card's number.
        public var number: ASImportableEditableField?
        /// Whom the card belongs to.
        public var fullName: ASImportableEditableField?
        /// Whose card it is.
        public var cardType: ASImportableEditableField?
        /// The number that proves that the card is at hand.
        public var verificationNumber: ASImportableEditableField?
        /// The card's secret number.
        public var pin: ASImportableEditableField?
        /// Until when it is good.
        public var expiryDate: ASImportableEditableField?
        /// From when it is good.
        public var validFrom: ASImportableEditableField?

        /// A card of what there is.
        public init(
            number: ASImportableEditableField?,
            fullName: ASImportableEditableField?,
            cardType: ASImportableEditableField?,
            verificationNumber: ASImportableEditableField?,
            pin: ASImportableEditableField?,
            expiryDate: ASImportableEditableField?,
            validFrom: ASImportableEditableField?
        ) {
            self.number = number
            self.fullName = fullName
            self.cardType = cardType
            self.verificationNumber = verificationNumber
            self.pin = pin
            self.expiryDate = expiryDate
            self.validFrom = validFrom
        }
    }
}
