// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC

/// Whom a site's `assetlinks.json` lets use what is saved for it (Digital Asset Links).
///
/// Nobody is admitted by it here: the doctor reads it for the site's author, and everything in it that concerns other services
/// is not looked at.
struct AssetLinksFile: Equatable {
    /// What is wrong with a file: a clause that ends the sentence "It is there, but …".
    struct Fault: Error, Equatable {
        let reason: String
    }

    /// At most this many bytes, uncompressed.
    static let byteLimit = 131_072
    static let relation = "delegate_permission/common.get_login_creds"

    /// The apps and sites, in the order of the file: a package's name or an address.
    let targets: [String]

    /// Reads a file.
    init(_ bytes: [UInt8]) throws(Fault) {
        guard bytes.count <= Self.byteLimit else { throw Fault(reason: "it is larger than 128 KiB") }
        let value: JSONValue
        do throws(WireError) {
            value = try JSONValue(readingText: bytes)
        } catch {
            throw Fault(reason: "it is \(error.message)")
        }
        guard case .array(let statements) = value else { throw Fault(reason: "it is not a JSON array") }
        var targets: [String] = []
        for statement in statements {
            guard case .array(let relations)? = statement["relation"], let target = statement["target"] else {
                throw Fault(reason: "it holds a statement without relation or target")
            }
            guard relations.contains(.string(Self.relation)) else { continue }
            targets.append(try Self.name(of: target))
        }
        guard !targets.isEmpty else { throw Fault(reason: "none of its statements has the relation \(Self.relation)") }
        self.targets = targets
    }

    private static func name(of target: JSONValue) throws(Fault) -> String {
        switch target["namespace"] {
        case .string("web"):
            guard case .string(let site)? = target["site"] else { throw Fault(reason: "a web target names no site") }
            return site
        case .string("android_app"):
            guard case .string(let package)? = target["package_name"] else {
                throw Fault(reason: "an app's target names no package")
            }
            guard case .array(let prints)? = target["sha256_cert_fingerprints"], !prints.isEmpty,
                prints.allSatisfy(isFingerprint)
            else { throw Fault(reason: "an app's target has no SHA-256 fingerprints of its certificates") }
            return package
        default: throw Fault(reason: "it names a target that is neither an app nor a site")
        }
    }

    /// Thirty-two bytes in hexadecimal, with colons between them.
    private static func isFingerprint(_ value: JSONValue) -> Bool {
        guard case .string(let text) = value else { return false }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 32 && parts.allSatisfy { $0.utf8.count == 2 && UInt8($0, radix: 16) != nil }
    }
}
