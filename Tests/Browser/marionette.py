# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""The wire of Marionette, by which Firefox is driven: JSON behind its length, one answer for each command."""

import json
import socket


class MarionetteError(Exception):
    """A command that Firefox refused."""

    def __init__(self, error: dict):
        super().__init__(f"{error.get('error')}: {error.get('message')}")
        self.kind = error.get("error")


class Marionette:
    def __init__(self, port: int, patience: float):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=patience)
        self.buffer = b""
        self.number = 0
        assert self._receive()["marionetteProtocol"] == 3

    def send(self, command: str, **parameters):
        """Sends a command and returns what the answer says; raises `MarionetteError`."""
        self.number += 1
        data = json.dumps([0, self.number, command, parameters]).encode()
        self.socket.sendall(f"{len(data)}:".encode() + data)
        _, number, error, result = self._receive()
        assert number == self.number
        if error:
            raise MarionetteError(error)
        return result["value"] if isinstance(result, dict) and set(result) == {"value"} else result

    def close(self) -> None:
        self.socket.close()

    def _receive(self):
        while b":" not in self.buffer:
            self._read()
        length, self.buffer = self.buffer.split(b":", 1)
        while len(self.buffer) < int(length):
            self._read()
        data, self.buffer = self.buffer[:int(length)], self.buffer[int(length):]
        return json.loads(data)

    def _read(self) -> None:
        if not (more := self.socket.recv(1 << 16)):
            raise ConnectionError("Firefox has ended")
        self.buffer += more
