#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""A provider that does what a test says (`providers.py` puts it into bundles).

It behaves as `behaviour.json` in its container says, and answers by itself for the accounts there. Where the container has a
folder `hand`, it tells the test every message that comes, and carries out the test's orders.
"""

import sys

# A bundle that changes has to be enabled again.
sys.dont_write_bytecode = True

import json
import os
import socket
import struct
import threading


class Provider:
    def __init__(self):
        self.wire = socket.socket(fileno=int(os.environ.pop("LATCHKEY_PROVIDER_FD")))
        self.sending = threading.Lock()
        self.telling = threading.Lock()
        self.arrived = threading.Condition()
        self.answers = {}
        self.asked = 0
        self.hand = None
        #: Requests that wait for the test, by their `request` number.
        self.held = {}
        self.accounts = []

    # The wire

    def receive(self):
        size = struct.unpack("=I", self.take(4))[0]
        return json.loads(self.take(size))

    def take(self, count):
        data = b""
        while len(data) < count:
            part = self.wire.recv(count - len(data))
            if not part:
                os._exit(0)
            data += part
        return data

    def send(self, **message):
        self.write(json.dumps(dict(message, jsonrpc="2.0"), separators=(",", ":")).encode())

    def write(self, body):
        with self.sending:
            self.wire.sendall(struct.pack("=I", len(body)) + body)

    def ask(self, method, **params):
        """The whole answer; never on the thread that reads."""
        with self.arrived:
            self.asked += 1
            number = self.asked
        self.send(id=number, method=method, params=params)
        with self.arrived:
            self.arrived.wait_for(lambda: number in self.answers)
            return self.answers.pop(number)

    # The test's hand

    def tell(self, **line):
        if self.hand is None:
            return
        try:
            with self.telling:
                self.hand.write(json.dumps(line).encode() + b"\n")
        except OSError:
            self.hand = None

    def obey(self, orders):
        names = {"provider": self, "os": os, "socket": socket}
        for line in orders:
            order = json.loads(line)
            if order["do"] == "send":
                self.send(**order["message"])
            elif order["do"] == "ask":
                self.tell(ran=self.ask(order["method"], **order["params"]))
            else:
                try:
                    exec(order["code"], names)
                    self.tell(ran=names.pop("value", None))
                except Exception as error:
                    self.tell(ran={"raised": type(error).__name__})

    # Behaving

    def run(self):
        while True:
            message = self.receive()
            if message.get("method") == "provider.start":
                self.begin(message)
                continue
            if message.get("method") in self.behaviour.get("holds", []):
                # Held before it is told of: the test may say at once what is to become of it.
                self.held[message["params"]["request"]] = message
                self.tell(message=message)
                continue
            self.tell(message=message)
            if "method" in message:
                self.handle(message)
            else:
                with self.arrived:
                    self.answers[message["id"]] = message
                    self.arrived.notify_all()

    def begin(self, message):
        params = message["params"]
        self.container, self.groups = params["container"], params.get("groups", [])
        self.behaviour = {"accounts": [["fresh.example.com", "of a fresh container"]]}
        if os.path.exists(self.container + "/behaviour.json"):
            with open(self.container + "/behaviour.json") as file:
                self.behaviour = json.load(file)
        self.accounts = self.behaviour.get("accounts", [])
        if os.path.exists(self.container + "/hand"):
            folder = self.container + "/hand/"
            number = min(name[:4] for name in os.listdir(folder) if name.endswith(".free"))
            # For both ways, which waits for nobody.
            self.hand = open(os.open(folder + number + ".lines", os.O_RDWR), "wb", buffering=0)
            orders = open(os.open(folder + number + ".orders", os.O_RDWR), "rb")
            os.rename(folder + number + ".free", folder + number + ".taken")
            threading.Thread(target=self.obey, args=[orders], daemon=True).start()
        if self.behaviour.get("prints"):
            threading.Thread(target=self.shout, daemon=True).start()
        self.tell(message=message)
        how = self.behaviour.get("start", "answer")
        if how == "hang":
            return
        if how == "exit":
            os._exit(3)
        self.send(id=message["id"], result={"name": "Obedient", "version": "1", "capabilities": []})
        threading.Thread(target=self.fill, daemon=True).start()

    def shout(self):
        while True:
            os.write(1, b"NOISE " * 500 + b"\n")
            os.write(2, b"NOISE " * 500 + b"\n")

    def fill(self):
        if self.behaviour.get("fills", True):
            state = self.ask("store.state").get("result", {})
            if state.get("supportsIncrementalUpdates") is False:
                self.ask("store.replace", identities=[self.identity(*account) for account in self.accounts])
        self.tell(filled=True)

    @staticmethod
    def identity(service, user, password=None, rank=0):
        return {
            "type": "password",
            "service": {"type": 0, "identifier": service},
            "user": user,
            "recordIdentifier": f"{service}/{user}",
            "rank": rank,
        }

    def batch(self, operation, generation, count, part=1000, commit=True):
        """Many identities by `begin`, `append`, `commit`; the codes of what was refused."""
        answer = self.ask("store.begin", operation=operation)
        if "error" in answer:
            return [answer["error"]["code"]]
        batch, codes = answer["result"]["batch"], []
        identities = [self.identity(f"site{n % 100}-example.com", f"{generation}-user-{n:05}") for n in range(count)]
        for start in range(0, count, part):
            answer = self.ask("store.append", batch=batch, identities=identities[start : start + part])
            if "error" in answer:
                codes.append(answer["error"]["code"])
        if commit:
            self.tell(committing=True)
            answer = self.ask("store.commit", batch=batch)
            if "error" in answer:
                codes.append(answer["error"]["code"])
        return codes

    def credential(self, message):
        identity = message["params"]["identity"]
        for service, user, password, *_ in self.accounts:
            if (service, user) == (identity["service"]["identifier"], identity["user"]):
                credential = {"type": "password", "user": user, "password": {"secret": password}}
                return self.send(id=message["id"], result={"credential": credential})
        if self.behaviour.get("answers") == "everything":
            credential = {"type": "password", "user": identity["user"], "password": {"secret": "any"}}
            return self.send(id=message["id"], result={"credential": credential})
        self.send(id=message["id"], error={"code": 1101, "message": "There is no such account."})

    def handle(self, message):
        method, params = message["method"], message.get("params", {})
        if method == "provider.cancel":
            held = self.held.pop(params["request"], None)
            if held is None or self.behaviour.get("cancel") == "ignore":
                return
            if self.behaviour.get("cancel") == "late":
                return self.credential(held)
            self.send(id=held["id"], error={"code": 1001, "message": "Cancelled."})
        elif method == "provider.provideCredential":
            self.credential(message)
        elif method == "provider.configure" and self.behaviour.get("configures"):
            self.held[params["request"]] = message
            button = {"kind": "button", "id": "done", "title": "Done"}
            interface = {"title": "Set Up Obedient", "elements": [button]}
            show = {"request": params["request"], "interface": interface}
            threading.Thread(target=self.ask, args=["interface.show"], kwargs=show, daemon=True).start()
        elif method == "provider.act":
            self.send(id=message["id"], result={})
            if self.held.get(params["request"], {}).get("method") == "provider.configure":
                self.send(id=self.held.pop(params["request"])["id"], result={})
        elif "id" in message:
            self.send(id=message["id"], error={"code": -32601, "message": "There is no such method."})


if __name__ == "__main__":
    Provider().run()
