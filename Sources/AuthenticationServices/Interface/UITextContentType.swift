// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Stands in for UIKit's type of the same name: what a text field is for.
///
/// Apple does not say what the constants hold. Here they hold the word that the HTML standard has for the same purpose,
/// and a word in that manner where it has none. A `TextField` or `UITextField` tells the renderer of those that it can
/// help with; the others are kept.
public struct UITextContentType: RawRepresentable, Hashable, Sendable {
    /// The word.
    public let rawValue: String

    /// A purpose by its word.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A whole name.
    public static let name = UITextContentType(rawValue: "name")
    /// What stands before a name, such as a title.
    public static let namePrefix = UITextContentType(rawValue: "honorific-prefix")
    /// A given name.
    public static let givenName = UITextContentType(rawValue: "given-name")
    /// A middle name.
    public static let middleName = UITextContentType(rawValue: "additional-name")
    /// A family name.
    public static let familyName = UITextContentType(rawValue: "family-name")
    /// What stands behind a name.
    public static let nameSuffix = UITextContentType(rawValue: "honorific-suffix")
    /// A name among friends.
    public static let nickname = UITextContentType(rawValue: "nickname")
    /// A job's title.
    public static let jobTitle = UITextContentType(rawValue: "organization-title")
    /// An organisation's name.
    public static let organizationName = UITextContentType(rawValue: "organization")
    /// A place, with its address.
    public static let location = UITextContentType(rawValue: "location")
    /// A street address in full.
    public static let fullStreetAddress = UITextContentType(rawValue: "street-address")
    /// The first line of a street address.
    public static let streetAddressLine1 = UITextContentType(rawValue: "address-line1")
    /// The second line of a street address.
    public static let streetAddressLine2 = UITextContentType(rawValue: "address-line2")
    /// A city.
    public static let addressCity = UITextContentType(rawValue: "address-level2")
    /// A state or region.
    public static let addressState = UITextContentType(rawValue: "address-level1")
    /// A city with its state.
    public static let addressCityAndState = UITextContentType(rawValue: "address-level1+2")
    /// A part of a city.
    public static let sublocality = UITextContentType(rawValue: "address-level3")
    /// A country's name.
    public static let countryName = UITextContentType(rawValue: "country-name")
    /// A postal code.
    public static let postalCode = UITextContentType(rawValue: "postal-code")
    /// A telephone number.
    public static let telephoneNumber = UITextContentType(rawValue: "tel")
    /// An e-mail address.
    public static let emailAddress = UITextContentType(rawValue: "email")
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// A URL.
    public static let URL = UITextContentType(rawValue: "url")
    /// A card's number.
    public static let creditCardNumber = UITextContentType(rawValue: "cc-number")
    /// A user name.
    public static let username = UITextContentType(rawValue: "username")
    /// A password that exists.
    public static let password = UITextContentType(rawValue: "password")
    /// A password that is to be made.
    public static let newPassword = UITextContentType(rawValue: "new-password")
    /// A code for one use.
    public static let oneTimeCode = UITextContentType(rawValue: "one-time-code")
    /// A number by which a parcel is followed.
    public static let shipmentTrackingNumber = UITextContentType(rawValue: "shipment-tracking-number")
    /// A flight's number.
    public static let flightNumber = UITextContentType(rawValue: "flight-number")
    /// A date, a time or both.
    public static let dateTime = UITextContentType(rawValue: "date-time")
    /// A date of birth.
    public static let birthdate = UITextContentType(rawValue: "bday")
    /// The day of a date of birth.
    public static let birthdateDay = UITextContentType(rawValue: "bday-day")
    /// The month of a date of birth.
    public static let birthdateMonth = UITextContentType(rawValue: "bday-month")
    /// The year of a date of birth.
    public static let birthdateYear = UITextContentType(rawValue: "bday-year")
    /// A card's security code.
    public static let creditCardSecurityCode = UITextContentType(rawValue: "cc-csc")
    /// The name on a card.
    public static let creditCardName = UITextContentType(rawValue: "cc-name")
    /// The given name on a card.
    public static let creditCardGivenName = UITextContentType(rawValue: "cc-given-name")
    /// The middle name on a card.
    public static let creditCardMiddleName = UITextContentType(rawValue: "cc-additional-name")
    /// The family name on a card.
    public static let creditCardFamilyName = UITextContentType(rawValue: "cc-family-name")
    /// A card's date of expiry.
    public static let creditCardExpiration = UITextContentType(rawValue: "cc-exp")
    /// The month of a card's date of expiry.
    public static let creditCardExpirationMonth = UITextContentType(rawValue: "cc-exp-month")
    /// The year of a card's date of expiry.
    public static let creditCardExpirationYear = UITextContentType(rawValue: "cc-exp-year")
    /// A card's type.
    public static let creditCardType = UITextContentType(rawValue: "cc-type")
    /// The EID of an eSIM.
    public static let cellularEID = UITextContentType(rawValue: "esim-eid")
    /// The IMEI of a device.
    public static let cellularIMEI = UITextContentType(rawValue: "esim-imei")
    /// The first IMEI of a device.
    public static let cellularIMEI1 = UITextContentType(rawValue: "cellular-imei1")
    /// The second IMEI of a device.
    public static let cellularIMEI2 = UITextContentType(rawValue: "cellular-imei2")
}
