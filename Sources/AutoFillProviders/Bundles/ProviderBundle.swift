// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillCredentials
internal import AutoFillMatching
internal import AutoFillSecrets
internal import Foundation
internal import Glibc
internal import PropertyLists
internal import ShownText

/// A provider's bundle as it lies on disk (section 7 of `docs/protocol.md`, "Bundles").
package struct ProviderBundle: Sendable, Equatable {
    /// The reason why a folder is not a valid provider bundle, in words for its author.
    package struct Problem: Error, Equatable {
        package let folder: String
        /// The bundle's identifier, if at least that could be read.
        package var identifier: BundleIdentifier?
        package let reason: String
    }

    package let identifier: BundleIdentifier
    package let name: String
    package let version: String
    /// The folder that is installed, checked and removed as a whole: the app folder around `PlugIns`, or the `.appex` itself.
    package let root: String
    /// The path of the `.appex`.
    package let folder: String
    package let executable: String
    /// A subset of `passwords`, `one-time-codes`, `passkeys`, `text`.
    package let provides: [String]
    package let showsConfiguration: Bool
    /// Whether the provider saves passwords that the user has typed or that were generated.
    package let savesPasswords: Bool
    /// Whether the provider generates passwords.
    package let generatesPasswords: Bool
    /// Whether the provider has an interface for generating passwords; the default is `true` for one that generates them.
    package let generatesWithInterface: Bool
    /// The support for account upgrades, or `nil` for a credential provider.
    package let modification: ModificationSupport?
    package let entitlements: Entitlements
    package let owner: UInt32

    package static let extensionPoint = "com.apple.authentication-services-credential-provider-ui"
    /// Maximum size of `Info.plist` and of the entitlements file, in bytes.
    private static let fileLimit = PropertyListBounds.standard.size

    private struct Info {
        struct Extension {
            let point: String?
            let attributes: Attributes?
            /// Apple's documentation has these keys here; its templates have them among the attributes.
            let modification: ModificationSupport.Attributes

            init(_ members: PropertyListMembers) throws(PropertyListRefusal) {
                point = try members.string("NSExtensionPointIdentifier")
                attributes = try members.dictionary("NSExtensionAttributes").map {
                    (members) throws(PropertyListRefusal) in try Attributes(members)
                }
                modification = try ModificationSupport.Attributes(members)
            }
        }

        struct Attributes {
            let showsConfiguration: Bool?
            let capabilities: Capabilities?
            let modification: ModificationSupport.Attributes

            init(_ members: PropertyListMembers) throws(PropertyListRefusal) {
                showsConfiguration = try members.boolean("ASCredentialProviderExtensionShowsConfigurationUI")
                capabilities = try members.dictionary("ASCredentialProviderExtensionCapabilities").map {
                    (members) throws(PropertyListRefusal) in try Capabilities(members)
                }
                modification = try ModificationSupport.Attributes(members)
            }
        }

        struct Capabilities {
            let passwords: Bool?
            let oneTimeCodes: Bool?
            let passkeys: Bool?
            let text: Bool?
            let showsConfiguration: Bool?
            let savesPasswords: Bool?
            let generatesPasswords: Bool?
            let generatesWithInterface: Bool?

            init(_ members: PropertyListMembers) throws(PropertyListRefusal) {
                passwords = try members.boolean("ProvidesPasswords")
                oneTimeCodes = try members.boolean("ProvidesOneTimeCodes")
                passkeys = try members.boolean("ProvidesPasskeys")
                text = try members.boolean("ProvidesTextToInsert")
                showsConfiguration = try members.boolean("ShowsConfigurationUI")
                savesPasswords = try members.boolean("SupportsSavePasswordCredentials")
                generatesPasswords = try members.boolean("SupportsGeneratePasswordCredentials")
                generatesWithInterface = try members.boolean("SupportsGeneratePasswordCredentialsWithUI")
            }
        }

        let identifier: String?
        let displayName: String?
        let name: String?
        let version: String?
        let executable: String?
        let `extension`: Extension?

        init(_ bytes: [UInt8]) throws(PropertyListRefusal) {
            let members = try PropertyListMembers(reading: bytes)
            identifier = try members.string("CFBundleIdentifier")
            displayName = try members.string("CFBundleDisplayName")
            name = try members.string("CFBundleName")
            version = try members.string("CFBundleShortVersionString")
            executable = try members.string("CFBundleExecutable")
            `extension` = try members.dictionary("NSExtension").map {
                (members) throws(PropertyListRefusal) in try Extension(members)
            }
        }
    }

    /// Whether a name can be taken for one of Latchkey's own. A provider with such a name is shown by its identifier.
    private static func isReserved(_ name: String) -> Bool {
        let shown = ShownName(name)
        return ["Passwords", "Latchkey", "Latchkey Passwords"].contains { ShownName($0) == shown }
    }

    /// The identifiers of bundles that come with Latchkey.
    private static let shipped: Set = ["org.latchkey.pass"]

    /// Whether an identifier is one of Latchkey's own, or could be taken for one.
    private static func isOfLatchkey(_ identifier: BundleIdentifier) -> Bool {
        guard !shipped.contains(identifier.rawValue) else { return false }
        return ShownName(String(identifier.rawValue.prefix(13))) == ShownName("org.latchkey.")
    }

    /// Reads a bundle.
    ///
    /// - Parameters:
    ///   - folder: The path of the `.appex`.
    ///   - root: The app folder around it, or the same path.
    package init(folder: String, root: String) throws(Problem) {
        func problem(_ reason: String, _ identifier: BundleIdentifier? = nil) -> Problem {
            Problem(folder: folder, identifier: identifier, reason: reason)
        }
        self.folder = folder
        self.root = root
        guard let bytes = Self.read(folder + "/Info.plist") else { throw problem("it has no readable Info.plist") }
        let info: Info
        do throws(PropertyListRefusal) {
            info = try Info(bytes)
        } catch {
            throw problem("its Info.plist is not a property list of the expected shape: \(error.reason)")
        }
        guard let identifier = info.identifier.flatMap(BundleIdentifier.init) else {
            throw problem("its Info.plist has no usable CFBundleIdentifier")
        }
        guard !Self.isOfLatchkey(identifier) else { throw problem("its identifier belongs to Latchkey", identifier) }
        // It is shown where a name cannot be, so it has to look like what it is.
        guard identifier.rawValue.contains(".") else {
            throw problem(
                "its identifier has no dot; write it in reverse-DNS form, as in com.example.vault", identifier)
        }
        self.identifier = identifier
        let isModification = info.extension?.point == ModificationSupport.extensionPoint
        guard isModification || info.extension?.point == Self.extensionPoint else {
            throw problem("it is not a credential provider extension", identifier)
        }
        let stated = TextCleaner.cleaned(
            info.displayName ?? info.name ?? "", TextCleaner.Limit(characters: 64, bytes: 512))
        name = stated.isEmpty || Self.isReserved(stated) ? identifier.rawValue : stated
        version = TextCleaner.cleaned(info.version ?? "0", TextCleaner.Limit(characters: 64, bytes: 512))
        guard let program = info.executable, !program.hasSlash, !program.hasPrefix("."), !program.isEmpty
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
        // Providers written before this dictionary existed have none; they provide passwords.
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
        // A generated password that the provider does not save would be lost.
        generatesPasswords = savesPasswords && capabilities?.generatesPasswords == true
        generatesWithInterface = generatesPasswords && capabilities?.generatesWithInterface != false
        showsConfiguration =
            !isModification
            && (attributes?.showsConfiguration == true || capabilities?.showsConfiguration == true)
        let files = SmallFile.names(in: folder, atMost: BundleTree.Bounds().entries) ?? []
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
            throw problem("it is not a folder", identifier)
        }
        owner = information.st_uid
        guard owner == 0 || owner == geteuid() else { throw problem("it belongs to another user", identifier) }
    }

    /// Everything that the bundle states, which is all that the provider is asked for.
    package var capabilities: [ProviderCapability] {
        provides.compactMap(ProviderCapability.init) + (savesPasswords ? [.saving] : [])
            + (generatesPasswords ? [.generating] : [])
    }

    /// Whether an executable belongs to this bundle.
    package func contains(_ path: String) -> Bool {
        path.isBelow(root)
    }

    /// Reads a regular file, or returns `nil` if it is too large.
    package static func read(_ path: String) -> [UInt8]? {
        SmallFile.read(path, atMost: fileLimit)
    }
}
