// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

@testable import AutoFillSecrets

/// The code of an error of this library, or nil for any other error.
func code(_ error: any Error) -> SecretsError.Code? {
    (error as? SecretsError)?.code
}

/// Bytes written in hexadecimal; what is not hexadecimal is left out.
func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = hexadecimal.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

extension SecretBytes {
    static func repeating(_ byte: UInt8, count: Int) -> SecretBytes {
        let secret = SecretBytes(count: count)
        _ = secret.withUnsafeMutableBytes { $0.initializeMemory(as: UInt8.self, repeating: byte) }
        return secret
    }
}

/// A folder of its own for one test, gone with it.
final class TemporaryFolder {
    let path: String

    init() {
        var template = Array("/tmp/latchkey-tests-XXXXXX\0".utf8CString)
        path = mkdtemp(&template).map { String(cString: $0) } ?? "/nonexistent"
    }

    deinit {
        for name in names { unlink(path + "/" + name) }
        rmdir(path)
    }

    /// The names in the folder, sorted.
    var names: [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}
