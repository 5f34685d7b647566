// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The CSV of a browser or password manager, told by its header.
enum ImportFormat: String, CaseIterable, ExpressibleByArgument {
    case chrome, firefox, safari, bitwarden, lastpass, keepassxc, keepass, proton, nordpass, dashlane, roboform
    case onepassword = "1password"
    /// Any other CSV whose columns have plain names.
    case other

    /// What a column of a format holds.
    enum Use: Hashable {
        case address
        /// Several addresses, joined by commas.
        case addresses
        /// Further addresses of the account: a list, or an array of JSON.
        case moreAddresses
        case user
        /// Used as the user name if the column `user` is empty; the first such column with text counts.
        case otherUser
        case password, notes, authenticator, title
        /// Which kind of item the row is.
        case kind
        /// Text that the user wrote and Latchkey has no field for; it becomes a line of the notes.
        case content
        /// The like, of which `0` and `false` say nothing.
        case flag
        /// Lines of `name: value`, which become lines of the notes.
        case fields
        /// A folder, of which the topmost holds everything and says nothing. The others become a tag.
        case folder
        /// A folder or a word, which becomes a tag.
        case tag
        /// Several of them, with commas or semicolons between them.
        case tags
        case favorite
        /// Times, identifiers and icons, which nobody wrote.
        case bookkeeping
    }

    /// The names of the columns, in lower case and without spaces, and what they hold.
    var uses: [String: Use] {
        switch self {
        case .chrome:
            ["name": .title, "url": .address, "username": .user, "password": .password, "note": .notes]
        case .firefox:
            [
                "url": .address, "username": .user, "password": .password, "httprealm": .bookkeeping,
                "formactionorigin": .bookkeeping, "guid": .bookkeeping, "timecreated": .bookkeeping,
                "timelastused": .bookkeeping, "timepasswordchanged": .bookkeeping,
            ]
        case .safari:
            [
                "title": .title, "url": .address, "username": .user, "password": .password, "notes": .notes,
                "otpauth": .authenticator,
            ]
        case .bitwarden:
            [
                "folder": .tag, "collections": .tags, "favorite": .favorite, "type": .kind, "name": .title,
                "notes": .notes, "fields": .fields, "reprompt": .flag, "login_uri": .addresses,
                "login_username": .user, "login_password": .password, "login_totp": .authenticator,
            ]
        case .lastpass:
            [
                "url": .address, "username": .user, "password": .password, "totp": .authenticator, "extra": .notes,
                "name": .title, "grouping": .tag, "fav": .favorite,
            ]
        case .keepassxc:
            [
                "group": .folder, "title": .title, "username": .user, "password": .password, "url": .address,
                "notes": .notes, "totp": .authenticator, "icon": .bookkeeping, "lastmodified": .bookkeeping,
                "created": .bookkeeping,
            ]
        case .keepass:
            [
                "account": .title, "loginname": .user, "password": .password, "website": .address, "comments": .notes,
            ]
        case .proton:
            [
                "type": .kind, "name": .title, "url": .addresses, "email": .otherUser, "username": .user,
                "password": .password, "note": .notes, "totp": .authenticator, "createtime": .bookkeeping,
                "modifytime": .bookkeeping, "vault": .tag,
            ]
        case .nordpass:
            Dictionary(
                uniqueKeysWithValues: [
                    "cardholdername", "cardnumber", "cvc", "pin", "expirydate", "zipcode",
                    "full_name", "phone_number", "email", "address1", "address2", "city", "country", "state",
                    "custom_fields",
                ].map { ($0, .content) }
            ).merging([
                "name": .title, "url": .address, "username": .user, "password": .password, "note": .notes,
                "type": .kind, "folder": .tag, "additional_urls": .moreAddresses,
            ]) { $1 }
        case .dashlane:
            [
                "username": .user, "username2": .otherUser, "username3": .otherUser, "title": .title,
                "password": .password, "note": .notes, "url": .address, "category": .tag,
                "otpsecret": .authenticator, "otpurl": .authenticator,
            ]
        case .roboform:
            [
                "name": .title, "url": .address, "matchurl": .bookkeeping, "login": .user, "pwd": .password,
                "note": .notes, "folder": .tag, "rffieldsv2": .content,
            ]
        case .onepassword:
            [
                "title": .title, "url": .address, "username": .user, "password": .password, "otpauth": .authenticator,
                "favorite": .favorite, "archived": .flag, "tags": .tags, "notes": .notes,
            ]
        case .other: Self.plainNames
        }
    }

    /// What columns are called where nobody knows the program.
    private static let plainNames: [String: Use] = [
        "name": .title, "title": .title, "account": .title,
        "url": .address, "uri": .address, "website": .address, "site": .address, "address": .address,
        "login_uri": .address, "hostname": .address,
        "username": .user, "user": .user, "login": .user, "loginname": .user, "login_username": .user,
        "email": .otherUser, "e-mail": .otherUser,
        "password": .password, "pwd": .password, "login_password": .password,
        "note": .notes, "notes": .notes, "comment": .notes, "comments": .notes, "extra": .notes,
        "totp": .authenticator, "otp": .authenticator, "otpauth": .authenticator, "otpsecret": .authenticator,
        "login_totp": .authenticator,
        "favorite": .favorite, "fav": .favorite, "tags": .tags, "folder": .tag,
    ]

    /// Columns, beside those of the login itself, that a file of this format has and that tell it from the others.
    var tellingNames: [String] {
        switch self {
        case .chrome: ["name"]
        case .firefox: ["httprealm"]
        case .safari: ["title"]
        case .bitwarden: ["type", "login_uri"]
        case .lastpass: ["extra", "grouping"]
        case .keepassxc: ["group", "title"]
        case .keepass: ["account", "loginname", "website"]
        case .proton: ["type", "createtime"]
        case .nordpass: ["cardholdername"]
        case .dashlane: ["username2", "title"]
        case .roboform: ["matchurl"]
        case .onepassword: ["title", "archived"]
        case .other: []
        }
    }

    /// Kinds of items that are logins, where the format has kinds.
    static let loginKinds: Set<String> = ["login", "password"]

    /// What people call it.
    var name: String {
        switch self {
        case .chrome: "Chrome"
        case .firefox: "Firefox"
        case .safari: "Safari"
        case .bitwarden: "Bitwarden"
        case .lastpass: "LastPass"
        case .keepassxc: "KeePassXC"
        case .keepass: "KeePass"
        case .proton: "Proton Pass"
        case .nordpass: "NordPass"
        case .dashlane: "Dashlane"
        case .roboform: "RoboForm"
        case .onepassword: "1Password"
        case .other: "another program"
        }
    }

    /// The header to expect, for people.
    var expectedHeader: String {
        switch self {
        case .chrome: "name,url,username,password,note"
        case .firefox: "url,username,password,httpRealm,formActionOrigin,guid,…"
        case .safari: "Title,URL,Username,Password,Notes,OTPAuth"
        case .bitwarden: "folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,…"
        case .lastpass: "url,username,password,totp,extra,name,grouping,fav"
        case .keepassxc: "Group,Title,Username,Password,URL,Notes,TOTP,Icon,Last Modified,Created"
        case .keepass: "Account,Login Name,Password,Web Site,Comments"
        case .proton: "type,name,url,email,username,password,note,totp,createTime,modifyTime,vault"
        case .nordpass: "name,url,username,password,note,cardholdername,…"
        case .dashlane: "username,username2,username3,title,password,note,url,category,otpUrl"
        case .roboform: "Name,Url,MatchUrl,Login,Pwd,Note,Folder,RfFieldsV2"
        case .onepassword: "Title,Url,Username,Password,OTPAuth,Favorite,Archived,Tags,Notes"
        case .other: "url,username,password, in any order"
        }
    }

    /// Those that a hint names.
    static var known: String {
        let names = allCases.filter { $0 != .other }.map(\.name)
        return names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
    }
}
