// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import FoundationEssentials
internal import Glibc
internal import PropertyLists
internal import TerminalRendering

/// A provider's bundle in its author's folder, read by the rules of section 7 of `docs/protocol.md`, "Bundles".
package struct TestedBundle: Equatable, Sendable {
    package static let extensionPoint = "com.apple.authentication-services-credential-provider-ui"
    package static let entitlement = "com.apple.developer.authentication-services.autofill-credential-provider"
    /// Maximum size of `Info.plist` and of the entitlements file, in bytes.
    package static let fileLimit = 1 << 20

    package var identifier: String
    package var executable: String
    /// A subset of `passwords`, `one-time-codes`, `passkeys`, `text`.
    package var provides: [String]
    package var showsConfiguration: Bool
    /// Whether it declares that it saves passwords, and that it generates them.
    package var saves = false
    package var generates = false
    /// Whether it has an interface for generating passwords; the default is `true` for one that generates them.
    package let generatesWithInterface: Bool
    package var groups: [String]
    /// The statements of an account modification extension, or `nil` for a credential provider.
    package let modification: ModificationClaims?

    /// Reads the folder.
    ///
    /// - Throws: A `ConformanceFault` when Latchkey would refuse the bundle.
    package init(folder: String) throws(ConformanceFault) {
        guard folder.hasSuffix(".appex") else {
            throw ConformanceFault("the name of the bundle's folder does not end in .appex")
        }
        let info = try Self.propertyList(folder + "/Info.plist", "Info.plist")
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let lists = files.filter { $0.hasSuffix(".entitlements") }
        guard lists.count == 1 else {
            throw ConformanceFault("there are \(lists.count) files that end in .entitlements, and there has to be one")
        }
        let entitlements = try Self.propertyList(folder + "/" + lists[0], lists[0])
        try self.init(
            info: info, entitlements: entitlements, folder: folder,
            app: Self.isModification(info) ? try Self.appEntitlements(around: folder) : nil)
        var information = stat()
        guard lstat(executable, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
            throw ConformanceFault("the executable of CFBundleExecutable is not there, or no file")
        }
        guard access(executable, X_OK) == 0 else {
            throw ConformanceFault("the executable of CFBundleExecutable cannot be executed")
        }
    }

    private static func isModification(_ info: [String: Any]) -> Bool {
        let point = info["NSExtension"] as? [String: Any]
        return point?["NSExtensionPointIdentifier"] as? String == ModificationClaims.extensionPoint
    }

    /// The entitlements of the app whose `PlugIns` contains the extension.
    private static func appEntitlements(around folder: String) throws(ConformanceFault) -> [String: Any] {
        let plugIns = FilePath.folder(of: folder)
        guard plugIns.hasSuffix("/PlugIns") else {
            throw ConformanceFault("it is not inside an app: put it into the PlugIns folder of its app")
        }
        let root = FilePath.folder(of: plugIns)
        let files = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        let lists = files.filter { $0.hasSuffix(".entitlements") }
        guard lists.count == 1 else { throw ConformanceFault("its app's folder has no entitlements file, or several") }
        return try propertyList(root + "/" + lists[0], lists[0])
    }

    /// Reads the property lists.
    ///
    /// - Parameter app: The entitlements of its app, for an account modification extension.
    package init(
        info: [String: Any],
        entitlements: [String: Any],
        folder: String,
        app: [String: Any]? = nil
    ) throws(ConformanceFault) {
        guard let identifier = (info["CFBundleIdentifier"] as? String).flatMap(BundleIdentifier.init) else {
            throw ConformanceFault("CFBundleIdentifier is missing or cannot be used")
        }
        guard identifier != .builtIn else { throw ConformanceFault("CFBundleIdentifier is Latchkey's own") }
        self.identifier = identifier.rawValue
        guard let program = info["CFBundleExecutable"] as? String, !program.isEmpty, !program.contains("/"),
            !program.hasPrefix(".")
        else { throw ConformanceFault("CFBundleExecutable is missing, or no plain file name") }
        executable = folder + "/" + program
        let point = info["NSExtension"] as? [String: Any]
        let attributes = point?["NSExtensionAttributes"] as? [String: Any]
        if Self.isModification(info) {
            modification = try ModificationClaims(
                [attributes ?? [:], point ?? [:]], identifier: identifier.rawValue, app: app ?? [:])
        } else {
            modification = nil
            guard point?["NSExtensionPointIdentifier"] as? String == Self.extensionPoint else {
                throw ConformanceFault(
                    "NSExtensionPointIdentifier is neither \(Self.extensionPoint) nor \(ModificationClaims.extensionPoint)"
                )
            }
        }
        let capabilities = attributes?["ASCredentialProviderExtensionCapabilities"] as? [String: Any]
        let words = [
            ("ProvidesPasswords", "passwords"), ("ProvidesOneTimeCodes", "one-time-codes"),
            ("ProvidesPasskeys", "passkeys"), ("ProvidesTextToInsert", "text"),
        ]
        // Providers written before this dictionary existed have none; they provide passwords.
        provides = capabilities.map { list in words.filter { list[$0.0] as? Bool == true }.map(\.1) } ?? ["passwords"]
        saves = capabilities?["SupportsSavePasswordCredentials"] as? Bool == true
        generates = capabilities?["SupportsGeneratePasswordCredentials"] as? Bool == true
        generatesWithInterface =
            generates && capabilities?["SupportsGeneratePasswordCredentialsWithUI"] as? Bool != false
        guard saves || !generates else {
            throw ConformanceFault(
                "SupportsGeneratePasswordCredentials needs SupportsSavePasswordCredentials beside it")
        }
        showsConfiguration =
            attributes?["ASCredentialProviderExtensionShowsConfigurationUI"] as? Bool == true
            || capabilities?["ShowsConfigurationUI"] as? Bool == true
        guard modification != nil || entitlements[Self.entitlement] as? Bool == true else {
            throw ConformanceFault("the entitlement \(Self.entitlement) is not true")
        }
        groups = entitlements["com.apple.security.application-groups"] as? [String] ?? []
        guard groups.allSatisfy({ BundleIdentifier($0) != nil }) else {
            throw ConformanceFault("the name of an app group cannot be used")
        }
    }

    /// The content of the folder: one line for each file, with name, size and time.
    package var contents: [String] {
        let folder = FilePath.folder(of: executable)
        let files = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        return files.sorted().map { file in
            var information = stat()
            lstat(folder + "/" + file, &information)
            // A folder's time adds no information to its files.
            let time = information.st_mode & S_IFMT == S_IFDIR ? 0 : information.st_mtim.tv_sec
            return "\(file)\t\(information.st_size)\t\(time)"
        }
    }

    private static func propertyList(_ path: String, _ name: String) throws(ConformanceFault) -> [String: Any] {
        var information = stat()
        guard lstat(path, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
            throw ConformanceFault("there is no \(name), or it is not a file")
        }
        guard information.st_size <= fileLimit, let bytes = FileManager.default.contents(atPath: path),
            bytes.count <= fileLimit
        else { throw ConformanceFault("\(name) is larger than 1 MiB, or cannot be read") }
        let list: PropertyList
        do throws(PropertyListRefusal) {
            // This is the daemon's reader, so Latchkey refuses the same lists.
            list = try PropertyList(Array(bytes))
        } catch {
            throw ConformanceFault("\(name) is not a property list: \(error.reason)")
        }
        guard let members = list.plain as? [String: Any] else {
            throw ConformanceFault("\(name) is not a property list")
        }
        return members
    }
}

extension PropertyList {
    /// The value in types of the standard library. The reader limits the depth of lists.
    fileprivate var plain: Any {
        switch self {
        case .dictionary(let members): members.mapValues(\.plain)
        case .array(let elements): elements.map(\.plain)
        case .string(let string): string
        case .integer(let integer): integer
        case .real(let real): real
        case .boolean(let boolean): boolean
        case .data(let bytes): bytes
        case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
        }
    }
}
