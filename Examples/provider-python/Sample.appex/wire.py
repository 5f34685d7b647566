# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Sections 1 to 3 of docs/protocol.md: frames, JSON-RPC 2.0, errors."""

import json
import os
import socket
import struct

LIMIT = 1 << 20


class WireError(Exception):
    """An error as it travels."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code, self.message = code, message


def reject_duplicates(pairs):
    """No member twice in one object (section 2)."""
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member stands twice")
    return members


class Connection:
    """The connection that Latchkey gives a provider."""

    def __init__(self, connected):
        self.socket = connected
        self.next = 1
        self.waiting = {}

    @classmethod
    def inherited(cls):
        try:
            # Taken out of the environment: nothing that this process starts inherits it.
            connected = socket.socket(fileno=int(os.environ.pop("LATCHKEY_PROVIDER_FD")))
        except (KeyError, ValueError, OSError):
            raise WireError(0, "this program is started by Latchkey, not by hand") from None
        connected.set_inheritable(False)
        return cls(connected)

    def serve(self, handle):
        """Until the connection ends; what is no frame ends it too."""
        while True:
            header = self._read(4)
            if len(header) < 4:
                return
            (size,) = struct.unpack("=I", header)
            if not 1 <= size <= LIMIT:
                return
            body = self._read(size)
            if len(body) < size:
                return
            self._take(body, handle)

    def ask(self, method, params, then=None):
        """Asks Latchkey; `then` is called with the result and the error."""
        number = self.next
        self.next += 1
        self.waiting[number] = then
        self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})

    def _take(self, body, handle):
        try:
            message = json.loads(body, object_pairs_hook=reject_duplicates)
        except (ValueError, RecursionError):
            self._send({"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "This is not JSON."}})
            return
        if not isinstance(message, dict):
            self._send({"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "This is not a message."}})
        elif "method" in message:
            self._handle(message, handle)
        else:
            then = self.waiting.pop(message.get("id"), None)
            if then:
                then(message.get("result"), message.get("error"))

    def _handle(self, message, handle):
        number = message.get("id")

        def reply(result=None, error=None):
            if number is None:
                return
            answer = {"jsonrpc": "2.0", "id": number}
            if error is None:
                answer["result"] = result
            else:
                answer["error"] = {"code": error.code, "message": error.message}
            self._send(answer)

        try:
            handle(message["method"], message.get("params") or {}, reply)
        except WireError as error:
            reply(error=error)

    def _send(self, message):
        body = json.dumps(message, separators=(",", ":")).encode()
        try:
            self.socket.sendall(struct.pack("=I", len(body)) + body)
        except OSError:
            # Latchkey is gone; the next read says so.
            pass

    def _read(self, count):
        data = b""
        while len(data) < count:
            try:
                part = self.socket.recv(count - len(data))
            except OSError:
                return data
            if not part:
                return data
            data += part
        return data
