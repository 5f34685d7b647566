// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillSecrets
internal import FoundationEssentials
internal import Glibc
package import TerminalRendering

/// Reads the files that an author passes to `latchkey providers test`, within bounds.
package enum ConformanceFile {
    /// Maximum size of the files with answers and accounts, in bytes.
    package static let limit = 1 << 16

    /// The content of a file. Reading a device or an endless pipe stops at the limit.
    package static func read(_ path: String, atMost limit: Int = limit) throws(CommandFailure) -> SecretBytes {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            let reason = errno
            throw CommandFailure(
                reason == ENOENT ? .notFound : .storage,
                "\(path) cannot be read: \(String(cString: strerror(reason))).")
        }
        defer { close(file) }
        do throws(Descriptor.ReadFailure) {
            return try Descriptor.readAll(file, limit: limit)
        } catch {
            switch error {
            case .tooLong: throw CommandFailure(.invalidInput, "\(path) holds more than \(limit) bytes.")
            case .system(let reason):
                throw CommandFailure(.storage, "\(path) cannot be read: \(String(cString: strerror(reason))).")
            }
        }
    }

    /// Reads the base64 text of 32 bytes, with an optional final newline.
    ///
    /// The key comes from a file, because all users can see arguments.
    package static func key(_ path: String) throws(CommandFailure) -> SecretBytes {
        let refusal = CommandFailure(.invalidInput, "\(path) does not hold the base64 of 32 bytes.")
        let bytes = try read(path, atMost: 64)
        let text = bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }.filter { !$0.isWhitespace }
        guard Data(base64Encoded: text)?.count == 32 else { throw refusal }
        return SecretBytes(utf8: text)
    }

    /// Reads a flat object of texts.
    package static func texts(_ path: String) throws(CommandFailure) -> [String: String] {
        let bytes = try read(path).withUnsafeBytes { Data($0) }
        guard let texts = try? JSONDecoder().decode([String: String].self, from: bytes) else {
            throw CommandFailure(.invalidInput, "\(path) is not a JSON object of texts.")
        }
        return texts
    }
}

/// An account at the extension's service, provided by the author for the test.
package struct TestedAccount {
    package let user: String
    package let password: String
    /// The password to change to. It is changed back afterwards.
    package let newPassword: String

    /// Reads a file with exactly `user`, `password` and `newPassword`.
    package static func read(_ path: String) throws(CommandFailure) -> TestedAccount {
        let texts = try ConformanceFile.texts(path)
        guard texts.count == 3, let user = texts["user"], let password = texts["password"],
            let newPassword = texts["newPassword"], !user.isEmpty, !password.isEmpty, !newPassword.isEmpty,
            password != newPassword
        else {
            throw CommandFailure(
                .invalidInput, "\(path) does not hold an account.",
                hint: "It is {\"user\": …, \"password\": …, \"newPassword\": …}, with two passwords that differ.")
        }
        return TestedAccount(user: user, password: password, newPassword: newPassword)
    }
}
