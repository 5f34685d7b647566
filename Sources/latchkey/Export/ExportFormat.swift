// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import AutoFillSecrets
import Foundation

/// A layout of CSV in which accounts leave: as the program of that name writes it, and as Latchkey's own import reads it.
enum ExportFormat: String, CaseIterable, ExpressibleByArgument {
    case bitwarden, keepassxc, chrome

    /// What people call it.
    var name: String {
        switch self {
        case .bitwarden: "Bitwarden"
        case .keepassxc: "KeePassXC"
        case .chrome: "Chrome"
        }
    }

    var header: String {
        switch self {
        case .bitwarden:
            "folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,login_totp"
        case .keepassxc:
            #""Group","Title","Username","Password","URL","Notes","TOTP","Icon","Last Modified","Created""#
        case .chrome: "name,url,username,password,note"
        }
    }

    /// The rows of an account. Bitwarden lists all addresses in one; in the other layouts each address has a row of its own.
    func rows(of account: Items.Export.Account) -> [SecretBytes] {
        let item = account.item
        let addresses = item.services.map(Self.address)
        let title = item.title ?? item.services.first.map(Self.title) ?? ""
        let tags = item.tags ?? []
        switch self {
        case .bitwarden:
            // A login has one folder there; the other tags become a field.
            let fields = tags.count > 1 ? "tags: " + tags.dropFirst().joined(separator: ", ") : ""
            return [
                Self.row([
                    .text(tags.first ?? ""), .text(item.favorite == true ? "1" : ""),
                    .text(item.isNote ? "note" : "login"), .text(title),
                    .secret(account.notes), .text(fields), .text("0"),
                    .text(addresses.map { $0.replacing(",", with: "%2C") }.joined(separator: ",")),
                    .text(item.user), .secret(account.password), .secret(account.authenticator),
                ])
            ]
        case .keepassxc:
            let group = (["Root"] + tags.prefix(1).map { $0.replacing("/", with: " ") }).joined(separator: "/")
            // An item without a website is a row with an empty address.
            return (addresses.isEmpty ? [""] : addresses).map { address in
                Self.row(
                    [
                        .text(group), .text(title), .text(item.user), .secret(account.password), .text(address),
                        .secret(account.notes), .secret(account.authenticator), .text("0"),
                        .text(Self.time(item.modified)), .text(Self.time(item.created)),
                    ], quotesAll: true)
            }
        case .chrome:
            return addresses.map { address in
                Self.row([
                    .text(title), .text(address), .text(item.user), .secret(account.password), .secret(account.notes),
                ])
            }
        }
    }

    /// What of an account the layout has no place for.
    func lost(of item: Item) -> [Lost] {
        var lost: [Lost] = []
        if self == .chrome, item.services.isEmpty { return [.noSite] }
        if self == .chrome, item.authenticator == true { lost.append(.codes) }
        if self != .bitwarden, item.favorite == true { lost.append(.favorite) }
        if let tags = item.tags, tags.count > (self == .keepassxc ? 1 : 0), self != .bitwarden { lost.append(.tags) }
        if item.strict == true { lost.append(.strict) }
        return lost
    }

    /// Something that a layout has no place for.
    enum Lost: String, CaseIterable {
        case noSite = "all of it, since it is for no website"
        case codes = "the set-up keys of their codes"
        case favorite = "that they are favorites"
        case tags = "tags"
        case strict = "that they are for exactly their addresses"
    }

    // MARK: CSV (RFC 4180)

    private enum Field {
        case text(String)
        case secret(WireSecret?)
    }

    /// A line with its end. A field is quoted where it has to be, or where the program quotes all.
    private static func row(_ fields: [Field], quotesAll: Bool = false) -> SecretBytes {
        SecretBytes.written { put in
            for (index, field) in fields.enumerated() {
                if index > 0 { put(UInt8(ascii: ",")) }
                switch field {
                case .text(let text):
                    var text = text
                    text.withUTF8 { write(UnsafeRawBufferPointer($0), quotesAll, put) }
                case .secret(let secret):
                    guard let secret else {
                        write(UnsafeRawBufferPointer(start: nil, count: 0), quotesAll, put)
                        continue
                    }
                    secret.bytes.withUnsafeBytes { write($0, quotesAll, put) }
                }
            }
            put(UInt8(ascii: "\n"))
        }
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, _ isQuoted: Bool, _ put: (UInt8) -> Void) {
        let quote = UInt8(ascii: "\"")
        let special: Set<UInt8> = [quote, UInt8(ascii: ","), 0x0A, 0x0D]
        let ends = [bytes.first, bytes.last]
        guard isQuoted || bytes.contains(where: special.contains) || ends.contains(UInt8(ascii: " ")) else {
            return bytes.forEach(put)
        }
        put(quote)
        for byte in bytes {
            if byte == quote { put(quote) }
            put(byte)
        }
        put(quote)
    }

    // MARK: Values

    /// A service as an address: programs take a host without a scheme for a name.
    static func address(_ service: String) -> String {
        service.contains("://") || service.contains(" ") || !service.contains(".") && service != "localhost"
            ? service : "https://" + service
    }

    /// The host of a service, which names the account.
    static func title(_ service: String) -> String {
        URL(string: service)?.host ?? service
    }

    private static func time(_ seconds: Int64) -> String {
        Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601)
    }
}

extension Item {
    /// Whether it has notes alone.
    fileprivate var isNote: Bool {
        services.isEmpty && user.isEmpty && hasPassword == false && authenticator != true
    }
}
