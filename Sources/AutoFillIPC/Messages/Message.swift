// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillSecrets

/// The content of a frame: a JSON-RPC 2.0 request, notification or response.
public enum Message: Sendable, Equatable {
    /// Connects a response to its request.
    public enum Identifier: Hashable, Sendable {
        case integer(Int64)
        case string(String)
        /// For errors only: the request could not be read (JSON-RPC 2.0, section 5).
        case null
    }

    case request(id: Identifier, method: String, params: JSONValue)
    case notification(method: String, params: JSONValue)
    case response(id: Identifier, Result<JSONValue, WireError>)

    /// Reads the bytes of one frame.
    ///
    /// - Parameter arena: The share of locked memory that its secrets are charged to.
    /// - Throws: `parseError` or `invalidRequest`.
    public init(decoding bytes: UnsafeRawBufferPointer, in arena: SecretArena = .own) throws(WireError) {
        let value: JSONValue
        do {
            value = try JSONParser.parse(bytes, in: arena)
        } catch {
            throw WireError(.parseError, "This is not JSON: \(error.reason) at byte \(error.offset).")
        }
        guard case .object(let members) = value, members["jsonrpc"] == .string("2.0") else {
            throw WireError(.invalidRequest, "This is not a JSON-RPC 2.0 message.")
        }
        let id: Identifier?
        switch members["id"] {
        case .integer(let integer): id = .integer(integer)
        case .string(let string) where string.utf8.count <= 256: id = .string(string)
        case .null: id = .null
        case nil: id = nil
        default: throw WireError(.invalidRequest, "An id is an integer or a string.")
        }
        if let method = members["method"] {
            guard case .string(let method) = method else {
                throw WireError(.invalidRequest, "A method is a string.")
            }
            guard id != .null else { throw WireError(.invalidRequest, "An id is an integer or a string.") }
            let params = members["params"] ?? .object([:])
            guard case .object = params else { throw WireError(.invalidRequest, "Params are an object.") }
            self =
                id.map { .request(id: $0, method: method, params: params) }
                ?? .notification(method: method, params: params)
        } else if let id, let error = members["error"] {
            self = .response(id: id, .failure(WireError(error)))
        } else if let id, id != .null, let result = members["result"] {
            self = .response(id: id, .success(result))
        } else {
            throw WireError(.invalidRequest, "This is neither a request nor an answer.")
        }
    }

    /// The bytes of the frame's body, in locked memory.
    public func encoded(in arena: SecretArena = .own) -> SecretBytes {
        var members: [String: JSONValue] = ["jsonrpc": .string("2.0")]
        switch self {
        case .request(let id, let method, let params):
            members["id"] = id.value
            members["method"] = .string(method)
            members["params"] = params
        case .notification(let method, let params):
            members["method"] = .string(method)
            members["params"] = params
        case .response(let id, .success(let result)):
            members["id"] = id.value
            members["result"] = result
        case .response(let id, .failure(let error)):
            members["id"] = id.value
            members["error"] = error.value
        }
        return JSONPrinter.encode(.object(members), in: arena)
    }
}

extension Message.Identifier {
    var value: JSONValue {
        switch self {
        case .integer(let integer): .integer(integer)
        case .string(let string): .string(string)
        case .null: .null
        }
    }
}
