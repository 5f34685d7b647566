// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillQuirks
import FoundationEssentials
import Glibc
import TerminalRendering

/// Where a set of quirks is brought from.
enum QuirksOrigin: Equatable {
    /// Apple's repository and publicsuffix.org.
    case publishers
    /// An https address that every file's name is put behind.
    case address(String)
    case folder(String)

    static let resources = "https://raw.githubusercontent.com/apple/password-manager-resources/main/quirks/"
    static let suffixes = "https://publicsuffix.org/list/"

    /// Reads what `--from` says.
    init(_ text: String?) throws(CommandFailure) {
        guard let text else {
            self = .publishers
            return
        }
        guard let scheme = text.firstRange(of: "://") else {
            self = .folder(FilePath.absolute(text))
            return
        }
        guard text[..<scheme.lowerBound].lowercased() == "https" else {
            throw CommandFailure(
                .usage, "\(text) is not an https address.",
                hint: "Quirks are fetched over https, or taken from a folder.")
        }
        guard !text.contains(where: { $0 == "?" || $0 == "#" }) else {
            throw CommandFailure(.usage, "\(text) ends in a query.", hint: "Name the folder that the files are in.")
        }
        self = .address(text.hasSuffix("/") ? text : text + "/")
    }

    /// What `set.json` says of a file.
    func source(of file: QuirksFile) -> String {
        switch self {
        case .publishers: file == .suffixes ? Self.suffixes : Self.resources
        case .address(let address): address
        case .folder(let folder): folder
        }
    }

    /// Where it came from, as one line for people.
    var description: String {
        switch self {
        case .publishers: "Apple's password-manager-resources and publicsuffix.org"
        case .address(let address): address
        case .folder(let folder): folder
        }
    }
}

/// One job's request, and the files that are open for it.
struct QuirksRequest {
    /// The first number of a file in `latchkey-fetch`; below are its standard input and output.
    private static let firstDescriptor: Int32 = 3

    private(set) var files: [String: JSONValue] = [:]
    private(set) var descriptors: [(from: Int32, to: Int32)] = []
    /// What is not even asked for.
    private(set) var outcomes: [QuirksFile: QuirksOutcome] = [:]

    init(_ wanted: [QuirksFile], from origin: QuirksOrigin) throws(CommandFailure) {
        if case .folder(let folder) = origin, !FilePath.isFolder(folder) {
            throw CommandFailure(.notFound, "There is no folder \(folder).")
        }
        for file in wanted {
            guard case .folder(let folder) = origin else {
                files[file.rawValue] = .object(["address": .string(origin.source(of: file) + file.rawValue)])
                continue
            }
            do {
                let opened = try PlainFile.opened(folder + "/" + file.rawValue)
                let number = Self.firstDescriptor + Int32(descriptors.count)
                descriptors.append((from: opened, to: number))
                files[file.rawValue] = .object(["descriptor": .integer(Int64(number))])
            } catch {
                switch error {
                case .missing: outcomes[file] = .missing("it is not there")
                case .noFile(let reason): outcomes[file] = .bad(reason)
                }
            }
        }
    }

    func close() {
        for (descriptor, _) in descriptors { Glibc.close(descriptor) }
    }
}
