// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import Glibc

/// What git writes to this program, straight into locked memory.
enum Input {
    /// Reads up to an empty line or the end; nothing where that is too much.
    static func read(limit: Int) -> SecretBytes? {
        let buffer = SecretBytes(count: limit + 1)
        var total = 0
        buffer.withUnsafeMutableBytes { bytes in
            while total < bytes.count {
                let count = Glibc.read(STDIN_FILENO, bytes.baseAddress?.advanced(by: total), bytes.count - total)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return }
                total += count
                // Git closes the pipe; a person who tries it out types an empty line.
                if total >= 2, bytes[total - 1] == 0x0A, bytes[total - 2] == 0x0A { return }
            }
        }
        guard total <= limit else { return nil }
        return buffer.withUnsafeBytes { SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0[..<total])) }
    }
}

/// Standard output for git, standard error for people.
enum Output {
    static func write(_ text: String) {
        var text = text
        text.withUTF8 { write(UnsafeRawBufferPointer($0), to: STDOUT_FILENO) }
    }

    static func write(_ bytes: SecretBytes) {
        bytes.withUnsafeBytes { write($0, to: STDOUT_FILENO) }
    }

    static func error(_ text: String) {
        var text = text
        text.withUTF8 { write(UnsafeRawBufferPointer($0), to: STDERR_FILENO) }
    }

    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) {
        var written = 0
        while written < bytes.count {
            let count = Glibc.write(descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return }
            written += count
        }
    }
}
