// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillIPC
import AutoFillRelease
import Foundation

@testable import AutoFillDaemon
@testable import AutoFillSecrets

/// What comes from small sealed files.
///
/// Authentication keeps random changes out. Where the first byte says so, the rest is sealed or signed with the right key
/// first, so that what lies behind is reached too.
extension Fuzzer {
    /// Keys that are the same in every run, so that what was found once is found again.
    private static let deviceKey = DeviceKey(
        secret: SecretBytes(utf8: "0123456789abcdef0123456789abcdef"), generation: Array(0..<16))

    /// What decodes is exactly what is written.
    static let keyring = Fuzzer(
        "keyring",
        words: ["\"memoryKiB\": ", "\"iterations\": ", "\"parallelism\": ", "\"version\": ", "argon2id", "4294967295"],
        seeds: { [try Keyring.create(passphrase: SecretBytes(utf8: "p"), cost: .testOnlyFast).keyring.encoded()] },
        run: { bytes in
            guard let keyring = try? Keyring(decoding: Array(bytes)) else { return }
            precondition(keyring.encoded() == Array(bytes), "a keyring that is not what was written")
        })

    /// What is read as a recovery code is one, however it was typed.
    static let recoveryCode = Fuzzer(
        "code", words: ["-", " "],
        seeds: { (0..<4).map { _ in RecoveryCode.random().text.withUnsafeBytes { Array($0) } } },
        run: { bytes in
            guard let code = try? RecoveryCode(parsing: SecretBytes(copying: bytes)) else { return }
            guard let again = try? RecoveryCode(parsing: code.text) else {
                preconditionFailure("a code that cannot be typed")
            }
            precondition(again.text == code.text, "a code that changed when it was typed")
        })

    /// A record is read by any script of reads without reaching beyond it; a sealed value opens only whole.
    static let record = Fuzzer(
        "record",
        seeds: {
            var encoder = RecordEncoder()
            encoder.append(42)
            encoder.append("user")
            encoder.append(SecretBytes(utf8: "secret"))
            let payload = encoder.finish()
            return [
                [0b100100] + payload.withUnsafeBytes { Array($0) },
                [0xFF] + deviceKey.registryKey.seal(payload, associated: [1]),
            ]
        },
        run: { bytes in
            guard let script = bytes.first else { return }
            let rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
            _ = try? deviceKey.registryKey.open(rest, associated: [1])
            guard var decoder = try? RecordDecoder(SecretBytes(copying: rest)) else { return }
            do {
                for step in 0..<4 {
                    switch script >> (2 * step) & 3 {
                    case 0: _ = try decoder.readNumber()
                    case 1: _ = try decoder.readText()
                    case 2: _ = try decoder.readSecret()
                    default: _ = try decoder.readNumber(in: 0...10)
                    }
                }
                try decoder.finish()
            } catch {
                precondition(error is SecretsError, "an error of another kind")
            }
        })

    static let registry = Fuzzer(
        "registry",
        words: ["\"version\":", "\"providers\":", "\"released\":", "\"audit\":", "\"salt\":", "\"count\":"],
        seeds: {
            let path = Workbench.folder + "/registry"
            _ = try SealedRegistry(creatingAt: path, key: deviceKey.registryKey)
            let file = try Workbench.read("registry")
            let content = try deviceKey.registryKey.open(file, associated: Array("latchkey registry v1".utf8))
            return [[0] + file, [1] + content.withUnsafeBytes { Array($0) }]
        },
        run: { bytes in
            var content = Array(bytes.dropFirst())
            if bytes.first == 1 {
                content = deviceKey.registryKey.seal(content, associated: Array("latchkey registry v1".utf8))
            }
            let path = Workbench.write(content, to: "registry")
            guard var registry = try? SealedRegistry(contentsOf: path, key: deviceKey.registryKey) else { return }
            _ = registry.provider(.builtIn)
            try? registry.setAudit(registry.audit)
        })

    static let backup = Fuzzer(
        "backup", words: ["LATCHKEY-BACKUP", "\u{1}\u{0}\u{0}", "latchkey-keyring"],
        seeds: {
            let keyring = try Keyring.create(passphrase: SecretBytes(utf8: "p"), cost: .testOnlyFast).keyring.encoded()
            let whole = Backup(keyring: keyring, registry: [1, 2, 3], snapshot: [4, 5]).encoded(
                key: deviceKey.backupKey)
            let bare = Backup(keyring: keyring, registry: [], snapshot: nil).encoded(key: deviceKey.backupKey)
            return [[0] + whole, [0] + bare, [1] + whole.dropLast(AuthenticationKey.codeByteCount)]
        },
        run: { bytes in
            var file = Array(bytes.dropFirst())
            if bytes.first == 1 { file += deviceKey.backupKey.code(for: [file]) }
            guard let unverified = try? Backup.Unverified(decoding: file) else { return }
            guard let backup = try? unverified.verified(with: deviceKey) else { return }
            precondition(
                backup.keyring == unverified.keyring.encoded(), "a keyring that is not the one that is put in place")
        })

    /// Whatever the two files hold: opening, reading, adding and shortening do not trap, and a log without faults has none
    /// after a line was added.
    static let auditLog = Fuzzer(
        "audit",
        words: ["\"nextIndex\":", "\"firstIndex\":", "\"publicKey\":", "9223372036854775807", "-1"],
        seeds: {
            try [1, 3, 9].map { count in
                Workbench.clear()
                let log = AuditLog(folder: Workbench.folder, limit: 4)
                _ = try log.open(seed: deviceKey.auditKeySeed, head: nil, isNew: true)
                for number in 0..<count {
                    try log.append(AuditLine(time: Int64(number), event: "released", requester: "x"))
                    if number % 2 == 0 { try log.settle { _ in } }
                }
                return try Workbench.read("audit.log") + [0] + Workbench.read("audit.key")
            }
        },
        run: { bytes in
            let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
            Workbench.clear()
            Workbench.write(parts[0], to: "audit.log")
            if parts.count == 2 { Workbench.write(parts[1], to: "audit.key") }
            let log = AuditLog(folder: Workbench.folder, limit: 4)
            let seed = deviceKey.auditKeySeed
            guard let before = try? log.open(seed: seed, head: nil) else { return }
            let standing = log.findings(seed: seed, head: nil)
            guard (try? log.append(AuditLine(time: 0, event: "refused", requester: "y"))) != nil else { return }
            try? log.settle { _ in }
            let after = log.findings(seed: seed, head: log.head)
            precondition(!standing.isEmpty || after.isEmpty, "a line made a whole log faulty")
            precondition(log.lines(seed: seed, from: 1, limit: .max).lines.last?.requester == "y", "a line is lost")
            _ = before
        })
}
