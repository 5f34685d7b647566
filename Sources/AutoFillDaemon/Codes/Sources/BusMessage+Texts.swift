// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import CSystemd
internal import Glibc

extension BusMessage {
    /// The next string, in locked memory. The size of the message bounds its length.
    func readSecret() throws(BusError) -> SecretBytes {
        var text: UnsafePointer<CChar>?
        let result = withUnsafeMutablePointer(to: &text) { place in
            withPointer { sd_bus_message_read_basic($0, CChar(UInt8(ascii: "s")), place) }
        }
        guard try BusError.check(result) > 0, let text else { throw BusError(code: EBADMSG) }
        return SecretBytes(copying: UnsafeRawBufferPointer(start: text, count: strlen(text)))
    }

    /// The string in the next variant; `nil` if it holds another type, which is skipped.
    func readSecretVariant() throws(BusError) -> SecretBytes? {
        guard isVariant(of: .text), try enter(.variant, "s") else {
            try skip("v")
            return nil
        }
        let text = try readSecret()
        try exit()
        return text
    }
}

extension BusConnection {
    /// A string property, in locked memory; `nil` if it has another type.
    func text(_ name: String, _ interface: String, of path: String, _ service: String) throws(BusError) -> SecretBytes?
    {
        try call(service, path, "org.freedesktop.DBus.Properties", "Get", interface, name).readSecretVariant()
    }

    /// An unsigned number property; `nil` if it has another type.
    func number(_ name: String, _ interface: String, of path: String, _ service: String) throws(BusError) -> UInt32? {
        let answer = try call(service, path, "org.freedesktop.DBus.Properties", "Get", interface, name)
        guard answer.isVariant(of: .number), try answer.enter(.variant, "u") else { return nil }
        return try answer.readNumber()
    }
}
