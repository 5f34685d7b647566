// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// `fuzzers list`, `fuzzers seeds FOLDER PAGE`, `fuzzers NAME LIBFUZZER-ARGUMENT...`
@main
enum Fuzzers {
    /// Every parser of bytes from outside.
    static let all: [Fuzzer] = [
        .message, .stream, .origin, .pair, .groups, .suffixes, .git, .keyring, .recoveryCode, .record, .registry,
        .backup, .auditLog, .vault, .identityStore, .quirks, .suffixList, .rules, .associationFile, .associationEntry,
        .assetLinks, .answer, .token,
        .html, .description, .codes, .mail, .breaches, .strength, .propertyList, .nestedPropertyList, .nestedJSON,
        .entitlements,
    ]

    static func main() {
        let arguments = CommandLine.arguments
        switch arguments.dropFirst().first {
        case "list":
            for fuzzer in all { print(fuzzer.name) }
        case "seeds" where arguments.count == 4:
            do {
                try Seeds(page: arguments[3]).write(to: arguments[2])
            } catch {
                fail("the seeds cannot be made: \(error)")
            }
        case let name? where Fuzzer.chosen != nil:
            var arguments = CommandLine.arguments
            arguments.removeAll { $0 == name }
            exit(runLibFuzzer(arguments))
        default:
            fail("usage: fuzzers list | fuzzers seeds FOLDER PAGE | fuzzers NAME LIBFUZZER-ARGUMENT...")
        }
    }

    private static func fail(_ sentence: String) -> Never {
        FileHandle.standardError.write(Data("fuzzers: \(sentence)\n".utf8))
        exit(64)
    }

    private static func runLibFuzzer(_ arguments: [String]) -> Int32 {
        // libFuzzer keeps the pointers for as long as the process lives.
        var count = Int32(arguments.count)
        let pointers = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: arguments.count + 1)
        for (index, argument) in arguments.enumerated() { pointers[index] = strdup(argument) }
        pointers[arguments.count] = nil
        var vector = pointers
        return runDriver(&count, &vector, testOneInput)
    }
}

extension Fuzzer {
    /// The one named on the command line.
    static let chosen: Fuzzer? = CommandLine.arguments.dropFirst().first.flatMap { name in
        (Fuzzers.all + [.canary]).first { $0.name == name }
    }
}

/// libFuzzer's own `main` without being one (FuzzerInterface.h).
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// The library asks for this name when it is linked.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    Fuzzer.chosen?.run(UnsafeRawBufferPointer(start: bytes, count: count))
    return 0
}
