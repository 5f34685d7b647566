// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

// Sources name these types where they cast (`query as CFDictionary`, `kSecClass as String`). Here they are Swift's own
// types, because Linux bridges none. A variable that takes a result is `CFTypeRef?` or `AnyObject?`, as on iOS.

/// Stands in for Core Foundation's type.
public typealias CFString = String
/// Stands in for Core Foundation's type.
public typealias CFData = Data
/// Stands in for Core Foundation's type.
public typealias CFBoolean = Bool
/// Stands in for Core Foundation's type.
public typealias CFDictionary = [AnyHashable: Any]
/// Stands in for Core Foundation's type.
public typealias CFTypeRef = AnyObject

/// True.
public let kCFBooleanTrue: CFBoolean! = true
/// False.
public let kCFBooleanFalse: CFBoolean! = false
