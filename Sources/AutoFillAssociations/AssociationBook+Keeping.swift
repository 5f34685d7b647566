// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import FoundationEssentials

extension AssociationBook {
    /// Everything that is kept.
    struct Content: Sendable {
        var isDeveloperModeOn = false
        var source = AssociationSource.direct
        var apps: [App] = []
        var log = AssociationLog()
    }

    /// An app, in the order in which they came.
    struct App: Sendable {
        let identifier: AppIdentifier
        var isDebugBuild = false
        var domains: [Domain] = []
    }

    /// A domain of an app.
    struct Domain: Sendable {
        let domain: AssociatedDomain
        var isStatedByApp = false
        var isAddedByUser = false
        var isRemoved = false
        var state: AssociationState
    }

    static let byteLimit = 16 << 20
    private static let associated = Array("latchkey associations v1".utf8)

    static func read(_ path: String, _ key: SealKey, at now: Int64) throws -> Content {
        guard SmallFile.isThere(path) else { return Content() }
        guard let bytes = SmallFile.read(path, atMost: byteLimit) else { return setAside(path, at: now) }
        // Whatever does not open under this key was not written by this Latchkey.
        guard let plain = try? key.open(bytes, associated: associated) else {
            return setAside(path, at: now)
        }
        func decoded<Value: Decodable>(_ type: Value.Type) -> Value? {
            plain.withUnsafeBytes { try? BoundedJSON.decode(type, from: Data($0)) }
        }
        if let version = decoded(AssociationFileVersion.self)?.version, version != 1 {
            throw AssociationBookError(.unsupportedVersion, "\(path) was written by a newer Latchkey")
        }
        return decoded(AssociationFileContent.self)?.content ?? setAside(path, at: now)
    }

    /// Writes everything down; when this returns, it survives a power cut.
    func save() throws {
        guard let key else { throw AssociationBookError(.closed, "Latchkey was locked") }
        let plain = try JSONEncoder().encode(AssociationFileContent(content))
        try AtomicFile.write(key.seal(Array(plain), associated: Self.associated), to: path)
    }

    /// Changes what is kept, and writes it down; nothing is changed when it cannot be written.
    func change<Result>(_ body: (inout Content) throws -> Result) throws -> Result {
        let old = content
        do {
            let result = try body(&content)
            try save()
            return result
        } catch {
            content = old
            throw error
        }
    }

    /// A new book in place of a damaged file. Where the file cannot be moved, the folder takes no new one either, and the book is in
    /// memory.
    private static func setAside(_ path: String, at now: Int64) -> Content {
        _ = try? SetAside.move(path, as: .damaged)
        var content = Content()
        content.log.add(
            "The stored associations were damaged or changed by another program; all are checked again.", at: now)
        return content
    }
}
