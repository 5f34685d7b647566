// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Asks a site, or who answers for it, which apps it names. `latchkey-fetch` does it for the daemon; nothing of what comes
/// from the network is read by who asks here.
public protocol AssociationFetching: Sendable {
    /// Never throws: what goes wrong on the way is trouble, and part of the answer.
    func ask(_ question: AssociationQuestion) async -> AssociationAnswer
}

/// What is asked about one host.
public struct AssociationQuestion: Hashable, Sendable {
    public let host: String
    public let mode: AssociatedDomain.Mode
    public let source: AssociationSource

    public init(host: String, mode: AssociatedDomain.Mode = [], source: AssociationSource = .direct) {
        self.host = host
        self.mode = mode
        self.source = source
    }
}

/// Who is asked for a site's file.
public enum AssociationSource: Hashable, Sendable, CustomStringConvertible {
    /// The site itself.
    case direct
    /// A content network that fetches and keeps the files of sites, as Apple's devices use.
    case network(base: String)

    /// Reads `direct` or the network's base, `https://cdn.example.com`; nothing for anything else.
    public init?(_ text: String) {
        if text == "direct" {
            self = .direct
            return
        }
        guard text.utf8.count <= 512, text.hasPrefix("https://"), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !text.contains(where: { "?#@\\\"'<>".contains($0) }), !text.dropFirst(8).hasPrefix("/"),
            text.utf8.count > 8
        else { return nil }
        var base = text
        while base.hasSuffix("/") { base.removeLast() }
        self = .network(base: base)
    }

    public var description: String {
        switch self {
        case .direct: "direct"
        case .network(let base): base
        }
    }
}

/// What came of a question, in bounded size: `latchkey-fetch` has read the rest.
public struct AssociationAnswer: Hashable, Sendable {
    /// One request on the way, and what became of it.
    public struct Request: Hashable, Sendable {
        public let url: String
        /// `200 OK`, `404 Not Found`, or why there was no status. One line, safe to show.
        public let outcome: String
        public let kind: Kind

        /// What a request has come to.
        public enum Kind: String, Hashable, Sendable {
            /// The file was delivered.
            case delivered
            /// The site's answer is no.
            case denied
            /// There was no answer, or none that lasts.
            case failed
        }

        public init(url: String, outcome: String, kind: Kind) {
            self.url = url
            self.outcome = outcome
            self.kind = kind
        }
    }

    /// What all requests together have come to.
    public enum Finding: Hashable, Sendable {
        /// The apps that the file names, exactly as it writes them.
        case apps([String])
        case denied(AssociationDenial)
        case trouble(AssociationTrouble)
    }

    public let requests: [Request]
    public let finding: Finding

    public init(requests: [Request], finding: Finding) {
        self.requests = requests
        self.finding = finding
    }

    /// What it means for one app.
    public func finding(for app: AppIdentifier) -> AssociationFinding {
        switch finding {
        case .apps(let apps):
            // Bytes are compared: two spellings that Unicode holds for one are two here.
            apps.contains { $0.utf8.elementsEqual(app.rawValue.utf8) }
                ? .approved : .denied(AssociationDenial(reason: "the site's file does not name the app"))
        case .denied(let denial): .denied(denial)
        case .trouble(let trouble): .trouble(trouble)
        }
    }
}

/// What a site says about one app.
public enum AssociationFinding: Hashable, Sendable {
    case approved
    case denied(AssociationDenial)
    case trouble(AssociationTrouble)
}
