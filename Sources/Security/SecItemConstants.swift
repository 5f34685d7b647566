// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

// The names and words are Apple's. What is not here does not exist here: a query with a key that is not known is refused.

// MARK: Classes

/// The class of an item; every query has it, but for one by persistent reference.
public let kSecClass: CFString = "class"

/// A password, told from others by account and service.
public let kSecClassGenericPassword: CFString = "genp"

/// A password, told from others by account, server and the other attributes of its place.
public let kSecClassInternetPassword: CFString = "inet"

// MARK: Attributes of every item

/// When an item can be read. Kept: here every item can be read while Latchkey is unlocked.
public let kSecAttrAccessible: CFString = "pdmn"

/// The provider's identifier or an app group's; other groups are refused.
public let kSecAttrAccessGroup: CFString = "agrp"

/// Whether an item goes to other devices. Kept, and part of what tells items apart: nothing is sent.
public let kSecAttrSynchronizable: CFString = "sync"

/// Asks for items whatever their synchronizability.
public let kSecAttrSynchronizableAny: CFString = "syna"

/// When an item was added; set by the keychain.
public let kSecAttrCreationDate: CFString = "cdat"

/// When an item was changed last; set by the keychain.
public let kSecAttrModificationDate: CFString = "mdat"

/// A kind of item, in words.
public let kSecAttrDescription: CFString = "desc"

/// A comment.
public let kSecAttrComment: CFString = "icmt"

/// Who made an item, as a number.
public let kSecAttrCreator: CFString = "crtr"

/// A kind of item, as a number.
public let kSecAttrType: CFString = "type"

/// A name for people.
public let kSecAttrLabel: CFString = "labl"

/// Whether an item is not to be shown.
public let kSecAttrIsInvisible: CFString = "invi"

/// Whether an item stands for a password that is not kept.
public let kSecAttrIsNegative: CFString = "nega"

/// An account's name.
public let kSecAttrAccount: CFString = "acct"

// MARK: Attributes of generic passwords

/// A service's name.
public let kSecAttrService: CFString = "svce"

/// Bytes of the owner's.
public let kSecAttrGeneric: CFString = "gena"

// MARK: Attributes of internet passwords

/// A security domain.
public let kSecAttrSecurityDomain: CFString = "sdmn"

/// A server's name or address.
public let kSecAttrServer: CFString = "srvr"

/// A protocol.
public let kSecAttrProtocol: CFString = "ptcl"

/// A way to authenticate.
public let kSecAttrAuthenticationType: CFString = "atyp"

/// A port.
public let kSecAttrPort: CFString = "port"

/// A path.
public let kSecAttrPath: CFString = "path"

// MARK: When an item can be read

/// While unlocked.
public let kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString = "akpu"

/// While unlocked; what counts where nothing is said.
public let kSecAttrAccessibleWhenUnlocked: CFString = "ak"

/// While unlocked.
public let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = "aku"

/// While unlocked, which is stricter than on iOS.
public let kSecAttrAccessibleAfterFirstUnlock: CFString = "ck"

/// While unlocked, which is stricter than on iOS.
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"

// MARK: Protocols

/// FTP.
public let kSecAttrProtocolFTP: CFString = "ftp "

/// HTTP.
public let kSecAttrProtocolHTTP: CFString = "http"

/// HTTP over TLS.
public let kSecAttrProtocolHTTPS: CFString = "htps"

/// SSH.
public let kSecAttrProtocolSSH: CFString = "ssh "

/// IMAP.
public let kSecAttrProtocolIMAP: CFString = "imap"

/// IMAP over TLS.
public let kSecAttrProtocolIMAPS: CFString = "imps"

/// POP3.
public let kSecAttrProtocolPOP3: CFString = "pop3"

/// SMTP.
public let kSecAttrProtocolSMTP: CFString = "smtp"

/// LDAP.
public let kSecAttrProtocolLDAP: CFString = "ldap"

// MARK: Ways to authenticate

/// HTTP Basic.
public let kSecAttrAuthenticationTypeHTTPBasic: CFString = "http"

/// HTTP Digest.
public let kSecAttrAuthenticationTypeHTTPDigest: CFString = "httd"

/// A form.
public let kSecAttrAuthenticationTypeHTMLForm: CFString = "form"

/// The usual one.
public let kSecAttrAuthenticationTypeDefault: CFString = "dflt"

// MARK: What is asked for

/// How many items at most: one of the two below, or a number.
public let kSecMatchLimit: CFString = "m_Limit"

/// One, which counts where nothing is said.
public let kSecMatchLimitOne: CFString = "m_LimitOne"

/// All.
public let kSecMatchLimitAll: CFString = "m_LimitAll"

/// Whether the password is wanted.
public let kSecReturnData: CFString = "r_Data"

/// Whether the attributes are wanted.
public let kSecReturnAttributes: CFString = "r_Attributes"

/// Whether what finds the item again is wanted.
public let kSecReturnPersistentRef: CFString = "r_PersistentRef"

/// The password's bytes.
public let kSecValueData: CFString = "v_Data"

/// What finds an item again.
public let kSecValuePersistentRef: CFString = "v_PersistentRef"

/// Whether the data protection keychain is meant. It always is: there is no other.
public let kSecUseDataProtectionKeychain: CFString = "nleg"
