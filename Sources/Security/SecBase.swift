// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What a function of Security answers.
public typealias OSStatus = Int32

/// Nothing went wrong.
public var noErr: OSStatus { 0 }

/// Nothing went wrong.
public var errSecSuccess: OSStatus { 0 }

/// This keychain does not have what was asked for.
public var errSecUnimplemented: OSStatus { -4 }

/// The disk failed, or another process changes the items for too long; nothing was changed.
public var errSecIO: OSStatus { -36 }

/// A parameter is missing, is of the wrong type, or does not belong there.
public var errSecParam: OSStatus { -50 }

/// Latchkey does not run, or does not know this program as part of an enabled provider.
public var errSecNotAvailable: OSStatus { -25291 }

/// There is such an item.
public var errSecDuplicateItem: OSStatus { -25299 }

/// There is no such item.
public var errSecItemNotFound: OSStatus { -25300 }

/// An item has more than 64 KiB, or all of a group more than a MiB.
public var errSecDataTooLarge: OSStatus { -25302 }

/// There is no such key, or the class does not have it.
public var errSecNoSuchAttr: OSStatus { -25303 }

/// Latchkey is locked.
public var errSecInteractionNotAllowed: OSStatus { -25308 }

/// The file of items is damaged, or was written by a newer version. It is left as it is, until `SecItemDelete` of a whole class
/// removes a damaged one.
public var errSecDecode: OSStatus { -26275 }

/// The access group is none of the provider's.
public var errSecMissingEntitlement: OSStatus { -34018 }

// swift-format-ignore: AlwaysUseLowerCamelCase
/// What a status means, in words; `nil` for a number that is none.
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
    switch status {
    case errSecSuccess: "No error."
    case errSecUnimplemented: "Function or operation not implemented."
    case errSecIO: "I/O error."
    case errSecParam: "One or more parameters passed to a function were not valid."
    case errSecNotAvailable: "No keychain is available."
    case errSecDuplicateItem: "The specified item already exists in the keychain."
    case errSecItemNotFound: "The specified item could not be found in the keychain."
    case errSecDataTooLarge: "The data is too large for this attribute."
    case errSecNoSuchAttr: "The attribute does not exist."
    case errSecInteractionNotAllowed: "User interaction is not allowed."
    case errSecDecode: "Unable to decode the provided data."
    case errSecMissingEntitlement: "A required entitlement isn't present."
    default: nil
    }
}
