// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CArgon2
internal import CLinux

/// What one guess at the passphrase costs: the parameters of Argon2id (RFC 9106).
public struct Argon2Cost: Hashable, Sendable {
    /// Memory in KiB.
    public let memoryKiB: UInt32
    /// Passes over the memory.
    public let iterations: UInt32
    /// Lanes, each of which may use a processor.
    public let parallelism: UInt32

    private init(uncheckedMemoryKiB: UInt32, iterations: UInt32, parallelism: UInt32) {
        self.memoryKiB = uncheckedMemoryKiB
        self.iterations = iterations
        self.parallelism = parallelism
    }

    /// - Throws: `SecretsError` with `costOutOfBounds` below `lowerBound` in any member, and above 1 GiB, 64 passes or
    ///   16 lanes: the numbers come from a file, and a hostile one must neither weaken nor exhaust.
    public init(memoryKiB: UInt32, iterations: UInt32, parallelism: UInt32) throws {
        let least = Self.lowerBound
        guard memoryKiB >= least.memoryKiB, iterations >= least.iterations, parallelism >= least.parallelism else {
            throw SecretsError(.costOutOfBounds, "the passphrase cost is below the lower bound")
        }
        guard memoryKiB <= 1024 * 1024, iterations <= 64, parallelism <= 16 else {
            throw SecretsError(.costOutOfBounds, "the passphrase cost is above the upper bound")
        }
        self.init(uncheckedMemoryKiB: memoryKiB, iterations: iterations, parallelism: parallelism)
    }

    /// 64 MiB, 5 passes, 4 lanes: 0.4 s of processor time, shared by the cores there are. RFC 9106 recommends 3 passes
    /// for this memory.
    public static let standard = Argon2Cost(uncheckedMemoryKiB: 64 * 1024, iterations: 5, parallelism: 4)
    /// 19 MiB, 2 passes, 1 lane: OWASP's least. A stored cost below it is refused.
    public static let lowerBound = Argon2Cost(uncheckedMemoryKiB: 19 * 1024, iterations: 2, parallelism: 1)
    /// The lower bound, so that tests are quick. Never for a person's keyring.
    public static let testOnlyFast = lowerBound

    /// A key of 32 bytes from a passphrase.
    ///
    /// The passphrase's bytes are taken as they are, without Unicode normalisation: normalising needs a `String`, which
    /// cannot be wiped. libargon2 wipes its memory by default (`FLAG_clear_internal_memory`).
    func derive(from passphrase: SecretBytes, salt: [UInt8]) throws -> SecretBytes {
        let key = SecretBytes(count: 32, in: .keys)
        var status = run(threads: parallelism, passphrase: passphrase, salt: salt, into: key)
        if status == ARGON2_THREAD_FAIL.rawValue {
            // Lanes are part of the result, threads are not: one thread takes longer and gives the same key.
            status = run(threads: 1, passphrase: passphrase, salt: salt, into: key)
        }
        switch status {
        case ARGON2_OK.rawValue:
            return key
        case ARGON2_MEMORY_ALLOCATION_ERROR.rawValue:
            throw SecretsError(.outOfMemory, "there are not \(memoryKiB / 1024) MiB free to check the passphrase")
        default:
            throw SecretsError(.damaged, "the passphrase cannot be checked", context: "argon2 error \(status)")
        }
    }

    private func run(threads: UInt32, passphrase: SecretBytes, salt: [UInt8], into key: SecretBytes) -> Int32 {
        var salt = salt
        return passphrase.withUnsafeBytes { passphrase in
            key.withUnsafeMutableBytes { key in
                salt.withUnsafeMutableBufferPointer { salt in
                    var context = argon2_context()
                    context.out = key.bindMemory(to: UInt8.self).baseAddress
                    context.outlen = UInt32(key.count)
                    // Not written to: only ARGON2_FLAG_CLEAR_PASSWORD would, and it is not set.
                    context.pwd = UnsafeMutablePointer(mutating: passphrase.bindMemory(to: UInt8.self).baseAddress)
                    context.pwdlen = UInt32(clamping: passphrase.count)
                    context.salt = salt.baseAddress
                    context.saltlen = UInt32(clamping: salt.count)
                    context.t_cost = iterations
                    context.m_cost = memoryKiB
                    context.lanes = parallelism
                    context.threads = threads
                    context.version = UInt32(ARGON2_VERSION_13.rawValue)
                    context.allocate_cbk = { latchkey_argon2_allocate($0, $1) }
                    context.free_cbk = { latchkey_argon2_free($0, $1) }
                    return argon2id_ctx(&context)
                }
            }
        }
    }
}
