// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CSystemd
internal import Glibc

/// A message of sd-bus, read from its beginning to its end.
struct BusMessage: ~Copyable {
    /// The types that are read here (D-Bus specification, "Type System").
    enum Kind: Character {
        case flag = "b"
        case number = "u"
        case text = "s"
        case object = "o"
        case descriptor = "h"
        case array = "a"
        case structure = "r"
        case entry = "e"
        case variant = "v"

        fileprivate var code: CChar { CChar(rawValue.asciiValue ?? 0) }
    }

    private let pointer: OpaquePointer

    /// - Parameter pointer: one reference, which is given up with this value.
    init(owning pointer: OpaquePointer) { self.pointer = pointer }

    deinit { sd_bus_message_unref(pointer) }

    /// Hands the message to a call of sd-bus.
    func withPointer<Result>(_ body: (OpaquePointer) -> Result) -> Result { body(pointer) }

    /// The types of the whole body.
    var signature: String { Self.string(sd_bus_message_get_signature(pointer, 1)) }
    var isSignal: Bool { sd_bus_message_is_signal(pointer, nil, nil) > 0 }
    var sender: String { Self.string(sd_bus_message_get_sender(pointer)) }
    var path: String { Self.string(sd_bus_message_get_path(pointer)) }
    var interface: String { Self.string(sd_bus_message_get_interface(pointer)) }
    var member: String { Self.string(sd_bus_message_get_member(pointer)) }

    func append(_ text: String) throws(BusError) {
        let result = text.withCString { sd_bus_message_append_basic(pointer, Kind.text.code, $0) }
        try BusError.check(result)
    }

    func append(_ number: UInt32) throws(BusError) { try append(number, Kind.number.code) }
    func append(_ number: Int32) throws(BusError) { try append(number, CChar(UInt8(ascii: "i"))) }

    func append(_ texts: [String]) throws(BusError) {
        try BusError.check(sd_bus_message_open_container(pointer, Kind.array.code, "s"))
        for text in texts { try append(text) }
        try BusError.check(sd_bus_message_close_container(pointer))
    }

    /// Appends an `a{sv}` whose values are booleans.
    func append(flags: [String: Bool]) throws(BusError) {
        try BusError.check(sd_bus_message_open_container(pointer, Kind.array.code, "{sv}"))
        for (name, flag) in flags {
            try BusError.check(sd_bus_message_open_container(pointer, Kind.entry.code, "sv"))
            try append(name)
            try BusError.check(sd_bus_message_open_container(pointer, Kind.variant.code, "b"))
            // As wide as a C int (sd_bus_message_append_basic(3)).
            try append(Int32(flag ? 1 : 0), Kind.flag.code)
            try BusError.check(sd_bus_message_close_container(pointer))
            try BusError.check(sd_bus_message_close_container(pointer))
        }
        try BusError.check(sd_bus_message_close_container(pointer))
    }

    private func append<Value>(_ value: Value, _ type: CChar) throws(BusError) {
        try BusError.check(withUnsafePointer(to: value) { sd_bus_message_append_basic(pointer, type, $0) })
    }

    func readFlag() throws(BusError) -> Bool { try read(.flag, as: Int32(0)) != 0 }
    func readNumber() throws(BusError) -> UInt32 { try read(.number, as: 0) }

    /// The next string, or object path.
    func readText(_ kind: Kind = .text) throws(BusError) -> String {
        Self.string(try read(kind, as: UnsafePointer<CChar>?.none))
    }

    /// Reads a descriptor. The message closes it, so copy it.
    func readDescriptor() throws(BusError) -> Int32 { try read(.descriptor, as: -1) }

    /// Enters the next container. Returns whether there was one.
    func enter(_ kind: Kind, _ contents: String) throws(BusError) -> Bool {
        try BusError.check(sd_bus_message_enter_container(pointer, kind.code, contents)) > 0
    }

    /// Whether nothing is left of the container that was entered.
    var isAtEnd: Bool {
        get throws(BusError) { try BusError.check(sd_bus_message_at_end(pointer, 0)) > 0 }
    }

    func exit() throws(BusError) { try BusError.check(sd_bus_message_exit_container(pointer)) }
    func skip(_ types: String) throws(BusError) { try BusError.check(sd_bus_message_skip(pointer, types)) }

    /// Whether the next value is a variant that holds just this.
    func isVariant(of kind: Kind) -> Bool {
        sd_bus_message_verify_type(pointer, Kind.variant.code, String(kind.rawValue)) > 0
    }

    /// Reads a basic value. sd-bus has checked it: UTF-8, booleans that are 0 or 1, paths, bounds. A failed check is an error here.
    private func read<Value>(_ kind: Kind, as initial: Value) throws(BusError) -> Value {
        var value = initial
        let result = withUnsafeMutablePointer(to: &value) { sd_bus_message_read_basic(pointer, kind.code, $0) }
        guard try BusError.check(result) > 0 else { throw BusError(code: EBADMSG) }
        return value
    }

    private static func string(_ text: UnsafePointer<CChar>?) -> String { text.map(String.init(cString:)) ?? "" }
}
