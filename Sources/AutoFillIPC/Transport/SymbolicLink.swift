// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The target of a symbolic link, or `nil` if it cannot be read.
func targetOfSymbolicLink(_ path: String) -> String? {
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
        count = buffer.withMemoryRebound(to: CChar.self) { characters in
            characters.baseAddress.map { max(0, readlink(path, $0, characters.count)) } ?? 0
        }
    }
    return bytes.isEmpty || bytes.count == Int(PATH_MAX) ? nil : String(decoding: bytes, as: UTF8.self)
}
