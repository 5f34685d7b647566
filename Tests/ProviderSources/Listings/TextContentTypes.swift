// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file
// Listings stand here as they are printed.

import UIKit

// "Introducing Password AutoFill for Apps" (WWDC 2017, session 206): what its slides print of UIKit.

/// A field of one's own with the member that the slide prints.
final class RevealedPasswordField: UIView, UITextInputTraits {
    // Indicates the semantic meaning of a text-entry area
    var textContentType: UITextContentType!
}

/// The slide's table, read line by line. Where it prints ".typeLocation" UIKit has `.location`.
let contentTypes: [UITextContentType] = [
.name,                .addressCity,
.namePrefix,          .addressState,
.givenName,           .addressCityAndState,
.middleName,          .sublocality,
.familyName,          .countryName,
.nameSuffix,          .postalCode,
.nickname,            .telephoneNumber,
.jobTitle,            .emailAddress,
.organizationName,    .URL,
.location,            .creditCardNumber,
.fullStreetAddress,   .username,
.streetAddressLine1, .password,
.streetAddressLine2,
]

/// The fields of the slides' sign-in screen.
@MainActor
func makeSignInFields() -> [UITextField] {
    let (username, password) = (UITextField(), UITextField())
    username.textContentType = UITextContentType.username
    username.keyboardType = UIKeyboardType.emailAddress
    password.textContentType = UITextContentType.password
    return [username, password]
}
