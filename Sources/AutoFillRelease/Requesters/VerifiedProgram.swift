// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import Crypto
internal import Foundation

/// A native program whose fields may be filled. Only `ProgramPolicy` creates these.
package struct VerifiedProgram: Hashable, Sendable {
    package let program: CallerProgram
    package let sandbox: CallerIdentity.Sandbox?

    fileprivate init(_ program: CallerProgram, _ sandbox: CallerIdentity.Sandbox?) {
        self.program = program
        self.sandbox = sandbox
    }

    /// What stays the same from one start of the program to the next: the executable's path, or the sandboxed app's name.
    package var place: String {
        switch sandbox {
        case .flatpak(let identifier, _, _): "flatpak:" + identifier
        case .snap(let name, _, _): "snap:" + name
        case nil: program.path
        }
    }

    /// Whether only root can put another program in its place. What users other than root can change is known by its digest.
    package var isRoots: Bool { program.isRootOwned }

    /// Whether it only draws a question for whatever program or script has started it, and passes the answer on.
    package var isDialogTool: Bool {
        Self.dialogTools.contains(program.path.lastPathPart)
    }

    private static let dialogTools: Set<String> = [
        "zenity", "yad", "kdialog", "Xdialog", "qarma", "matedialog", "xmessage", "gxmessage", "gtkdialog",
    ]
}

/// Decides in which native programs anything is filled.
///
/// What a window says of itself counts for nothing: the kernel says which file the process runs.
package enum ProgramPolicy {
    package static func verified(_ caller: CallerIdentity) throws(CallerRefusal) -> VerifiedProgram {
        let program = caller.program
        if let reason = program.interpreter {
            throw CallerRefusal("whoever wrote the script would get it: \(reason)")
        }
        if let code = program.foreignCode {
            throw CallerRefusal("it has loaded code that users other than root can change: \(code)")
        }
        if caller.sandbox != nil, !program.isRootOwned {
            throw CallerRefusal("its executable does not belong to the app: users other than root can change it")
        }
        return VerifiedProgram(program, caller.sandbox)
    }
}

/// An account that the user has bound to a program, with the passphrase: it is offered in that program's forms from then on.
package struct ProgramBinding: Codable, Hashable, Sendable {
    /// `VerifiedProgram.place`.
    package var program: String
    /// The digest of an executable that users other than root can change; `nil` if only root can.
    package var digest: String?
    /// The package that the executable belonged to.
    package var package: String?
    package var provider: String
    package var record: String
    package var service: String
    package var user: String
    /// Seconds since 1970.
    package var date: Int64

    package init(
        to program: VerifiedProgram, package: String?, provider: String, record: String, service: String, user: String,
        date: Int64
    ) {
        self.program = program.place
        digest = program.isRoots ? nil : program.program.digest
        self.package = package
        self.provider = provider
        self.record = record
        self.service = service
        self.user = user
        self.date = date
    }

    /// Maximum number of bindings kept; beyond it the oldest is forgotten.
    package static let limit = 500

    /// Whether it is for this program as it is now.
    package func covers(_ program: VerifiedProgram) -> Bool {
        guard self.program == program.place else { return false }
        return digest.map { $0 == program.program.digest } ?? program.isRoots
    }

    /// A short name by which the user can take it back.
    package var id: String {
        var hash = SHA256()
        for part in [program, digest ?? "", provider, record, service, user] {
            hash.update(data: withUnsafeBytes(of: UInt64(part.utf8.count)) { Data($0) })
            hash.update(data: Data(part.utf8))
        }
        return hash.finalize().prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Whether two bindings are of one account to one program.
    package func isSame(as other: ProgramBinding) -> Bool {
        (program, provider, record, service, user)
            == (other.program, other.provider, other.record, other.service, other.user)
    }
}
