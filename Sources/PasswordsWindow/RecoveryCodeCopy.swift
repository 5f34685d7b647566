// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import CAdwaita
internal import MainLoop

/// A copy of the recovery code on paper, or in a file that the user then takes elsewhere.
@DesktopActor enum RecoveryCodeCopy {
    private static let heading = "Recovery code of Latchkey"

    /// Has the user choose a printer, and prints.
    static func print(_ code: SecretBytes, _ context: PageContext) {
        let page = text(code)
        let isPrinted = page.withUnsafeBytes { bytes in
            latchkey_print(context.parent, heading, bytes.baseAddress?.assumingMemoryBound(to: CChar.self))
        }
        if isPrinted < 0 { context.say("It could not be printed.") }
    }

    /// Has the user choose where, and writes a file that only they can read.
    static func save(_ code: SecretBytes, _ context: PageContext) {
        Task { @DesktopActor in
            let path = await FileChoice.ask(
                before: context.parent, "Save the Recovery Code", "Save", saves: "latchkey-recovery-code.txt")
            guard let path else { return }
            var bytes = text(code).withUnsafeBytes { Array($0.dropLast()) }
            defer { for index in bytes.indices { bytes[index] = 0 } }
            do {
                try AtomicFile.write(bytes, to: path)
                context.say("It is saved. Take the file to another place, and delete it here.")
            } catch {
                context.say("It could not be saved there.")
            }
        }
    }

    /// The heading and the code, and a zero behind them, as C wants it; in locked memory.
    private static func text(_ code: SecretBytes) -> SecretBytes {
        let before = Array((heading + "\n\n").utf8)
        let whole = SecretBytes(count: before.count + code.count + 2)
        whole.withUnsafeMutableBytes { target in
            target.copyBytes(from: before)
            code.withUnsafeBytes { source in
                for (index, byte) in source.enumerated() { target[before.count + index] = byte }
            }
            target[before.count + code.count] = 0x0A
            target[before.count + code.count + 1] = 0
        }
        return whole
    }
}
