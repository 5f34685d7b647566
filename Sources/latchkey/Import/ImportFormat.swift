// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The CSV of a browser or password manager, told by its header.
enum ImportFormat: String, CaseIterable, ExpressibleByArgument {
    case chrome, firefox, safari, bitwarden

    /// Where the parts of an item stand in a row.
    struct Columns: Equatable {
        let count: Int
        let address: Int
        let user: Int
        let password: Int
        var notes: Int?
        var type: Int?
        /// What Latchkey does not keep, by the word for it.
        var unkept: [String: Int] = [:]
    }

    /// Which format a header is of. The most telling first: Chrome's columns are in nearly every CSV.
    static func detect(_ header: [String]) -> ImportFormat? {
        [.bitwarden, .firefox, .safari, .chrome].first { $0.columns(header) != nil }
    }

    /// The columns by a header, whatever their order; nothing where one is missing that the format has.
    func columns(_ header: [String]) -> Columns? {
        var places: [String: Int] = [:]
        for (index, name) in header.enumerated() where !name.isEmpty {
            // A name that stands twice leaves open which one is meant.
            guard places.updateValue(index, forKey: name.lowercased()) == nil else { return nil }
        }
        guard tellingNames.allSatisfy({ places[$0] != nil }) else { return nil }
        let prefix = self == .bitwarden ? "login_" : ""
        guard let address = places[self == .bitwarden ? "login_uri" : "url"], let user = places[prefix + "username"],
            let password = places[prefix + "password"]
        else { return nil }
        var columns = Columns(count: header.count, address: address, user: user, password: password)
        columns.notes = places[self == .chrome ? "note" : "notes"]
        columns.type = self == .bitwarden ? places["type"] : nil
        columns.unkept["one-time code"] = places[self == .bitwarden ? "login_totp" : "otpauth"]
        if self == .bitwarden { columns.unkept["custom fields"] = places["fields"] }
        return columns
    }

    /// Columns, beside those of the item itself, that only this format has.
    private var tellingNames: [String] {
        switch self {
        case .chrome: ["name"]
        case .firefox: ["httprealm"]
        case .safari: ["title"]
        case .bitwarden: ["type"]
        }
    }

    /// The header to expect, for people.
    var expectedHeader: String {
        switch self {
        case .chrome: "name,url,username,password,note"
        case .firefox: "url,username,password,httpRealm,formActionOrigin,guid,…"
        case .safari: "Title,URL,Username,Password,Notes,OTPAuth"
        case .bitwarden: "folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,…"
        }
    }
}
