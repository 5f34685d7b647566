// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillSecrets

/// Writes what a helper answers to `get`.
public enum GitCredentialWriter {
    /// The lines, in locked memory; nothing where a value does not fit into a line, because the rest of it would be another
    /// attribute. A user name has no other control either: git shows it on the terminal.
    public static func write(username: String, password: SecretBytes, expiry: Int64? = nil) -> SecretBytes? {
        guard !username.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }),
            password.isPrintableText
        else { return nil }
        let begin = Array("username=\(username)\npassword=".utf8)
        let end = Array(("\n" + (expiry.map { "password_expiry_utc=\($0)\n" } ?? "")).utf8)
        let lines = SecretBytes(count: begin.count + password.count + end.count)
        lines.withUnsafeMutableBytes { output in
            output.copyBytes(from: begin)
            password.withUnsafeBytes { output[begin.count...].copyBytes(from: $0) }
            output[(begin.count + password.count)...].copyBytes(from: end)
        }
        return lines
    }

    /// Tells git to stop, instead of asking other helpers and the user.
    public static let quit = "quit=1\n"
}
