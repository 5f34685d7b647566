// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import CGIO

/// A value of a D-Bus message. Whoever sent it decides its type, so each reading says what it wants.
struct Variant: ~Copyable {
    private let pointer: OpaquePointer

    /// - Parameter pointer: A value of which the caller gives its reference away.
    init(taking pointer: OpaquePointer) {
        self.pointer = pointer
    }

    /// - Parameter pointer: A value that the caller keeps.
    init(keeping pointer: OpaquePointer) {
        self.pointer = g_variant_ref(pointer)
    }

    deinit {
        g_variant_unref(pointer)
    }

    private func isOf(_ type: String) -> Bool { String(cString: g_variant_get_type_string(pointer)) == type }

    private var isContainer: Bool { g_variant_is_container(pointer) != 0 }

    /// The number of members of a tuple, an array or a variant; 0 for anything else.
    var count: Int { isContainer ? Int(g_variant_n_children(pointer)) : 0 }

    /// A member, or what is in a variant.
    subscript(index: Int) -> Variant? {
        guard index < count, let child = g_variant_get_child_value(pointer, gsize(index)) else { return nil }
        return Variant(taking: child)
    }

    /// The text, cut to what the other program can honestly need.
    func text(atMost limit: Int = 512) -> String? {
        guard isOf("s") || isOf("o") else { return nil }
        var length: gsize = 0
        guard let bytes = g_variant_get_string(pointer, &length) else { return nil }
        return String(
            decoding: UnsafeRawBufferPointer(start: bytes, count: min(Int(length), limit)), as: UTF8.self)
    }

    /// The text's bytes; `nil` where there is none, or more than `limit` bytes.
    func secret(atMost limit: Int) -> SecretBytes? {
        guard isOf("s") else { return nil }
        var length: gsize = 0
        guard let bytes = g_variant_get_string(pointer, &length), (1...limit).contains(Int(length)) else { return nil }
        return SecretBytes(copying: UnsafeRawBufferPointer(start: bytes, count: Int(length)))
    }

    var unsigned: UInt32? { isOf("u") ? g_variant_get_uint32(pointer) : nil }
    var signed: Int32? { isOf("i") ? g_variant_get_int32(pointer) : nil }
    var boolean: Bool? { isOf("b") ? g_variant_get_boolean(pointer) != 0 : nil }
}
