// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillSecrets
import SecurityCodes
import TerminalRendering

/// Where the set-up key of an authenticator comes from. Never an argument.
struct AuthenticatorOptions: ParsableArguments {
    @Flag(help: "Ask on the terminal for the set-up key of an authenticator, an otpauth:// link, to type or paste.")
    var otp = false
    @Option(
        help: "Read the set-up key of an authenticator, an otpauth:// link, from a file, or from standard input (-).")
    var otpUriFile: String?
    @Option(help: "Read it from a picture of its QR code, or from one on standard input (-); needs zbarimg.")
    var otpQrFile: String?

    func validate() throws {
        guard [otp, otpUriFile != nil, otpQrFile != nil].count(where: { $0 }) <= 1 else {
            throw ValidationError("--otp, --otp-uri-file and --otp-qr-file each name a set-up key; give one.")
        }
    }

    /// Whether any is given.
    var isGiven: Bool { otp || otpUriFile != nil || otpQrFile != nil }

    /// Whether it comes from standard input, which can hold one thing only.
    var readsStandardInput: Bool { otpUriFile == "-" || otpQrFile == "-" }

    /// Throws where another secret comes from standard input too.
    func requireInput(besides source: SecretSource?) throws(CommandFailure) {
        guard readsStandardInput, source == .standardInput else { return }
        throw CommandFailure(
            .usage, "The password and the set-up key cannot both come from standard input.",
            hint: "Name a file with --password-file or --otp-uri-file.")
    }

    /// The link, looked at before it is sent; nothing where none is given.
    func read() throws(CommandFailure) -> SecretBytes? {
        let link: SecretBytes
        if otp {
            link = try SecretSource.terminal.read(
                "Set-up link of the authenticator (otpauth://…)", option: "--otp-uri-file")
        } else if let otpUriFile {
            link = try SecretSource(file: otpUriFile).read("Set-up key of an authenticator")
        } else if let otpQrFile {
            link = try QRPicture(path: otpQrFile).text()
        } else {
            return nil
        }
        var found: [CodeMovement] = []
        do throws(AuthenticatorLinkError) {
            try link.withUnsafeBytes { text throws(AuthenticatorLinkError) in
                _ = try AuthenticatorLink.read(text) { entry, _ in found.append(entry.generator.movement) }
            }
        } catch {
            throw CommandFailure(.invalidInput, error.description)
        }
        guard found.count == 1, let movement = found.first else {
            throw CommandFailure(
                .invalidInput, "The set-up link holds \(found.count) accounts.", hint: "Export one account at a time.")
        }
        guard case .period = movement else {
            throw CommandFailure(.invalidInput, "This key makes counter-based codes (HOTP), which are not supported.")
        }
        return link
    }
}
