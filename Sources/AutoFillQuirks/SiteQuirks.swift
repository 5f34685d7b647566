// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
public import AutoFillMatching
internal import Glibc

/// What is known of single sites beside who shares accounts: the passwords that they take, and which of them want a code behind
/// the password. Read from the folders of `QuirksFolders`; the first one that has a file has the say over it.
public struct SiteQuirks: Sendable {
    private var rules: [String: (text: String, isExact: Bool)] = [:]
    private var codes: Set<String> = []
    private var changePages: [String: String] = [:]
    /// What was found and not believed, a sentence each.
    public private(set) var problems: [String] = []

    /// Nothing is known of any site.
    public static let none = SiteQuirks()

    private init() {}

    public init(folders: QuirksFolders) {
        if case .object(let hosts)? = Self.read(.passwordRules, folders, &problems) {
            for (host, value) in hosts {
                guard case .string(let text)? = value["password-rules"] else { continue }
                let isExact = if case .bool(true)? = value["exact-domain-match-only"] { true } else { false }
                rules[host] = (text, isExact)
            }
        }
        if case .array(let hosts)? = Self.read(.appendedCodes, folders, &problems) {
            for case .string(let host) in hosts { codes.insert(host) }
        }
        if case .object(let hosts)? = Self.read(.changePassword, folders, &problems) {
            for (host, value) in hosts {
                if case .string(let address) = value { changePages[host] = address }
            }
        }
    }

    /// The rules for passwords of a host: its own, or those of a domain above it that hold for the domains below, too.
    ///
    /// - Parameter host: as `Origin.host` has it.
    public func passwordRules(for host: String) -> String? {
        for (index, domain) in Self.domains(of: host).enumerated() {
            guard let rule = rules[domain], index == 0 || !rule.isExact else { continue }
            return rule.text
        }
        return nil
    }

    /// Whether a site wants a code typed behind the password, in the same field.
    public func appendsCode(_ host: String) -> Bool {
        !codes.isEmpty && Self.domains(of: host).contains(where: codes.contains)
    }

    /// Where a password of a host is changed, as the list says: its own page, or that of a domain above it.
    func changePasswordAddress(for host: String) -> String? {
        Self.domains(of: host).lazy.compactMap { changePages[$0] }.first
    }

    /// A host and the domains above it, label by label; an address has none above it.
    private static func domains(of host: String) -> [String] {
        let labels = host.split(separator: ".")
        guard !host.hasPrefix("["), labels.last?.first?.isNumber != true else { return [host] }
        return labels.indices.map { labels[$0...].joined(separator: ".") }
    }

    private static func read(_ file: QuirksFile, _ folders: QuirksFolders, _ problems: inout [String]) -> JSONValue? {
        for folder in folders.paths {
            let path = folder + "/" + file.rawValue
            let opened: Int32
            do throws(PlainFile.Refusal) {
                opened = try PlainFile.opened(path)
            } catch {
                if case .noFile(let reason) = error { problems.append("\(path) is left out: \(reason).") }
                continue
            }
            defer { close(opened) }
            guard let bytes = PlainFile.read(opened, atMost: file.maximumSize) else {
                problems.append("\(path) is left out: it cannot be read, or is too long.")
                continue
            }
            do throws(QuirksFault) {
                return try QuirksDocument(bytes, of: file).value
            } catch {
                problems.append("\(path) is left out: \(error).")
            }
        }
        return nil
    }
}
