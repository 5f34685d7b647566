// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import Foundation

@testable import AutoFillIPC

/// Reads JSON text as the wire does.
func parse(_ text: String) throws -> JSONValue {
    try parse(Array(text.utf8))
}

func parse(_ bytes: [UInt8]) throws -> JSONValue {
    try bytes.withUnsafeBytes { try JSONParser.parse($0) }
}

/// The JSON text of a value, secrets included.
func printed(_ value: JSONValue) -> String {
    JSONPrinter.encode(value).text
}

/// Reads a frame's body.
func message(_ text: String) throws -> Message {
    try Array(text.utf8).withUnsafeBytes { try Message(decoding: $0) }
}

extension SecretBytes {
    /// For comparing in tests only; the product never does this.
    var text: String {
        withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
}

/// The code of a wire error, or nothing for any other error.
func code(_ error: any Error) -> WireError.Code? {
    (error as? WireError)?.code
}

/// A generator that gives the same numbers in every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// A folder of its own for one test, gone with it.
final class TemporaryFolder {
    let path: String

    init() throws {
        path = "/tmp/latchkey-ipc-\(UUID().uuidString.prefix(13))"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Directories that point into this folder.
    var directories: Directories? {
        Directories(environment: [
            "HOME": path, "XDG_RUNTIME_DIR": path + "/run", "XDG_STATE_HOME": path + "/state",
            "XDG_DATA_HOME": path + "/data", "XDG_CONFIG_HOME": path + "/config",
        ])
    }
}
