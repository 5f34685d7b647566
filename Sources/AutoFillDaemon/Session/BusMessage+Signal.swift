// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension BusMessage {
    /// The message decoded as a signal; `nil` if it is not one. A body that cannot be read is `other`, which is ignored.
    func signal() -> BusSignal? {
        guard isSignal else { return nil }
        let body: BusSignal.Body
        do throws(BusError) {
            body = try readBody()
        } catch {
            body = .other
        }
        return BusSignal(sender: sender, path: path, interface: interface, member: member, body: body)
    }

    private func readBody() throws(BusError) -> BusSignal.Body {
        switch signature {
        case "": .empty
        case "b": .flag(try readFlag())
        case "s": .text(try readText())
        case "ob": .arrival(path: try readText(.object), isReceived: try readFlag())
        case "so": .object(name: try readText(), path: try readText(.object))
        case "sss": .owner(name: try readText(), old: try readText(), new: try readText())
        case "sa{sv}as": .properties(interface: try readText(), flags: try readFlags())
        case "us": .action(try readNumber(), try readText())
        case "uu": .closed(try readNumber())
        default: .other
        }
    }

    private func readFlags() throws(BusError) -> [String: Bool] {
        var flags: [String: Bool] = [:]
        guard try enter(.array, "{sv}") else { return flags }
        while try enter(.entry, "sv") {
            let name = try readText()
            if isVariant(of: .flag), try enter(.variant, "b") {
                flags[name] = try readFlag()
                try exit()
            } else {
                try skip("v")
            }
            try exit()
        }
        try exit()
        return flags
    }
}
