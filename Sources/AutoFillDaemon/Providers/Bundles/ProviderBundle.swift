// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import Foundation
internal import Glibc

/// A provider's bundle as it lies on disk (section 7 of `docs/protocol.md`, "Bundles").
struct ProviderBundle: Sendable, Equatable {
    /// Why a folder is no provider's bundle, in words for its author.
    struct Problem: Error, Equatable {
        let folder: String
        /// Where the bundle at least says who it is.
        var identifier: BundleIdentifier?
        let reason: String
    }

    let identifier: BundleIdentifier
    let name: String
    let version: String
    /// What is installed, checked and removed as one: the app folder around `PlugIns`, or the `.appex` itself.
    let root: String
    /// The `.appex`.
    let folder: String
    let executable: String
    /// A part of `passwords`, `one-time-codes`, `passkeys`, `text`.
    let provides: [String]
    let showsConfiguration: Bool
    /// Whether it keeps passwords that the user has typed, or that were generated.
    let savesPasswords: Bool
    /// Whether it makes passwords.
    let generatesPasswords: Bool
    /// Whether it has an interface for that; so it is where it does not say otherwise.
    let generatesWithInterface: Bool
    /// What it does as an account authentication modification extension; nothing for a credential provider.
    let modification: ModificationSupport?
    let entitlements: Entitlements
    let owner: UInt32

    static let extensionPoint = "com.apple.authentication-services-credential-provider-ui"
    /// Of `Info.plist` and of the entitlements file, in bytes.
    private static let fileLimit = 1 << 20

    private struct Info: Decodable {
        struct Extension: Decodable {
            var point: String?
            var attributes: Attributes?
            /// Apple's page has its keys here, templates have them among the attributes.
            var modification: ModificationSupport.Attributes

            enum CodingKeys: String, CodingKey {
                case point = "NSExtensionPointIdentifier"
                case attributes = "NSExtensionAttributes"
            }

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                point = try container.decodeIfPresent(String.self, forKey: .point)
                attributes = try container.decodeIfPresent(Attributes.self, forKey: .attributes)
                modification = try ModificationSupport.Attributes(from: decoder)
            }
        }

        struct Attributes: Decodable {
            var showsConfiguration: Bool?
            var capabilities: Capabilities?
            var modification: ModificationSupport.Attributes

            enum CodingKeys: String, CodingKey {
                case showsConfiguration = "ASCredentialProviderExtensionShowsConfigurationUI"
                case capabilities = "ASCredentialProviderExtensionCapabilities"
            }

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                showsConfiguration = try container.decodeIfPresent(Bool.self, forKey: .showsConfiguration)
                capabilities = try container.decodeIfPresent(Capabilities.self, forKey: .capabilities)
                modification = try ModificationSupport.Attributes(from: decoder)
            }
        }

        struct Capabilities: Decodable {
            var passwords: Bool?
            var oneTimeCodes: Bool?
            var passkeys: Bool?
            var text: Bool?
            var showsConfiguration: Bool?
            var savesPasswords: Bool?
            var generatesPasswords: Bool?
            var generatesWithInterface: Bool?

            enum CodingKeys: String, CodingKey {
                case savesPasswords = "SupportsSavePasswordCredentials"
                case generatesPasswords = "SupportsGeneratePasswordCredentials"
                case generatesWithInterface = "SupportsGeneratePasswordCredentialsWithUI"
                case passwords = "ProvidesPasswords"
                case oneTimeCodes = "ProvidesOneTimeCodes"
                case passkeys = "ProvidesPasskeys"
                case text = "ProvidesTextToInsert"
                case showsConfiguration = "ShowsConfigurationUI"
            }
        }

        var identifier: String?
        var displayName: String?
        var name: String?
        var version: String?
        var executable: String?
        var `extension`: Extension?

        enum CodingKeys: String, CodingKey {
            case identifier = "CFBundleIdentifier"
            case displayName = "CFBundleDisplayName"
            case name = "CFBundleName"
            case version = "CFBundleShortVersionString"
            case executable = "CFBundleExecutable"
            case `extension` = "NSExtension"
        }
    }

    /// Reads a bundle.
    ///
    /// - Parameters:
    ///   - folder: the `.appex`.
    ///   - root: the app folder around it, or the same.
    init(folder: String, root: String) throws(Problem) {
        func problem(_ reason: String, _ identifier: BundleIdentifier? = nil) -> Problem {
            Problem(folder: folder, identifier: identifier, reason: reason)
        }
        self.folder = folder
        self.root = root
        guard let bytes = Self.read(folder + "/Info.plist") else { throw problem("it has no readable Info.plist") }
        guard let info = try? PropertyListDecoder().decode(Info.self, from: bytes) else {
            throw problem("its Info.plist is no property list of the expected shape")
        }
        guard let identifier = info.identifier.flatMap(BundleIdentifier.init) else {
            throw problem("its Info.plist has no usable CFBundleIdentifier")
        }
        guard identifier != .builtIn, identifier != .receivedCodes else {
            throw problem("its identifier belongs to Latchkey", identifier)
        }
        self.identifier = identifier
        let isModification = info.extension?.point == ModificationSupport.extensionPoint
        guard isModification || info.extension?.point == Self.extensionPoint else {
            throw problem("it is no credential provider extension", identifier)
        }
        name = Self.shown(info.displayName ?? info.name ?? identifier.rawValue)
        version = Self.shown(info.version ?? "0")
        guard let program = info.executable, !program.contains("/"), !program.hasPrefix("."), !program.isEmpty
        else { throw problem("its Info.plist has no usable CFBundleExecutable", identifier) }
        executable = folder + "/" + program
        var information = stat()
        guard lstat(executable, &information) == 0, information.st_mode & S_IFMT == S_IFREG,
            information.st_mode & S_IXUSR != 0
        else { throw problem("its executable \(program) is missing or cannot be run", identifier) }
        let attributes = info.extension?.attributes
        let capabilities = attributes?.capabilities
        if isModification {
            do throws(ModificationSupport.Refusal) {
                modification = try ModificationSupport(
                    [attributes?.modification, info.extension?.modification].compactMap(\.self),
                    identifier: identifier.rawValue, root: root)
            } catch {
                throw problem(error.reason, identifier)
            }
        } else {
            modification = nil
        }
        // Providers older than the dictionary have none, and provide passwords.
        provides =
            isModification
            ? []
            : capabilities.map { capabilities in
                [
                    (capabilities.passwords, "passwords"),
                    (capabilities.oneTimeCodes, "one-time-codes"),
                    (capabilities.passkeys, "passkeys"), (capabilities.text, "text"),
                ].filter { $0.0 == true }.map(\.1)
            } ?? ["passwords"]
        savesPasswords = !isModification && capabilities?.savesPasswords == true
        // Who makes a password without keeping any would have it lost.
        generatesPasswords = savesPasswords && capabilities?.generatesPasswords == true
        generatesWithInterface = generatesPasswords && capabilities?.generatesWithInterface != false
        showsConfiguration =
            !isModification
            && (attributes?.showsConfiguration == true || capabilities?.showsConfiguration == true)
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let lists = files.filter { $0.hasSuffix(".entitlements") }
        guard let list = lists.first, lists.count == 1, let text = Self.read(folder + "/" + list) else {
            throw problem("it has no entitlements file, or several", identifier)
        }
        do {
            entitlements = try Entitlements(propertyList: text)
        } catch {
            throw problem(error.reason, identifier)
        }
        guard modification?.apple?.isOfApple ?? true || entitlements.isDebug else {
            throw problem("only a debug build (get-task-allow) has another issuer than Apple", identifier)
        }
        guard isModification || entitlements.isCredentialProvider else {
            throw problem("its entitlements do not make it a credential provider", identifier)
        }
        guard lstat(root, &information) == 0, information.st_mode & S_IFMT == S_IFDIR else {
            throw problem("its folder is no folder", identifier)
        }
        owner = information.st_uid
        guard owner == 0 || owner == geteuid() else { throw problem("it belongs to another user", identifier) }
    }

    /// Whether an executable is one of this bundle's.
    func contains(_ path: String) -> Bool {
        path.hasPrefix(root + "/")
    }

    /// A regular file that is not too large.
    static func read(_ path: String) -> Data? {
        var information = stat()
        guard lstat(path, &information) == 0, information.st_mode & S_IFMT == S_IFREG,
            information.st_size <= fileLimit
        else { return nil }
        return FileManager.default.contents(atPath: path)
    }

    /// A name as it may stand in a prompt: one short line without anything that could turn a sentence around.
    private static func shown(_ text: String) -> String {
        let harmless = text.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
            default: true
            }
        }
        return String(String(String.UnicodeScalarView(harmless)).prefix(64))
    }
}
