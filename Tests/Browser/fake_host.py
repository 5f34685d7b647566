#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""A stand-in for latchkey-browser-host and the daemon behind it.

Browser tests use it where the daemon has to misbehave, so that it is the extension alone that refuses. It follows
docs/protocol.md, keeps its accounts in the JSON file that LATCHKEY_FAKE names, reads that file again for each request,
and writes each message that it gets as a line to LATCHKEY_FAKE.log.
"""

import asyncio
import json
import os
import secrets
import struct
import sys

STATE = os.environ["LATCHKEY_FAKE"]
TEXT = {"", "text", "email", "tel"}


def state() -> dict:
    with open(STATE) as file:
        return json.load(file)


class Refusal(Exception):
    def __init__(self, code: int, message: str, data: dict | None = None):
        super().__init__(message)
        self.code, self.data = code, data


class Host:
    def __init__(self, writer):
        self.writer = writer
        self.sessions: dict[str, dict] = {}
        self.handles: dict[str, tuple[str, dict]] = {}
        self.prompts: dict[str, dict] = {}
        self.waiting: dict[str, asyncio.Future] = {}

    def send(self, message: dict) -> None:
        data = json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":")).encode()
        self.writer.write(struct.pack("=I", len(data)) + data)
        self.writer.flush()

    async def ask(self, method: str, params: dict) -> dict:
        number = f"d{secrets.token_hex(4)}"
        self.waiting[number] = asyncio.get_running_loop().create_future()
        self.send({"id": number, "method": method, "params": params})
        answer = await self.waiting[number]
        if "error" in answer:
            raise Refusal(16, "evidence")
        return answer["result"]

    async def handle(self, message: dict) -> None:
        if "method" not in message:
            if waiting := self.waiting.pop(message.get("id"), None):
                waiting.set_result(message)
            return
        name = "on_" + message["method"].replace(".", "_")
        params = message.get("params") or {}
        try:
            if not hasattr(self, name):
                raise Refusal(-32601, "no such method")
            result = await getattr(self, name)(params)
            answer = {"result": result or {}}
        except Refusal as refusal:
            answer = {"error": {"code": refusal.code, "message": str(refusal), **({"data": refusal.data} if refusal.data else {})}}
        if message["method"] in state().get("unreadable", []):
            # As of what cannot be parsed: nobody knows which request it was.
            self.send({"id": None, "error": {"code": -32700, "message": "A message could not be read."}})
        elif "id" in message:
            self.send({"id": message["id"], **answer})

    async def on_page_focused(self, params: dict) -> dict:
        while state().get("holdsFields"):
            await asyncio.sleep(0.02)
        now = state()
        fields = params["page"]["fields"]
        roles = []
        for field in fields:
            if not now.get("hidden") and not (field.get("visible", True) and field.get("editable", True)):
                continue
            is_area = field.get("tag") == "textarea" and "username" in field.get("autocomplete", "")
            if field.get("tag", "input") != "input" and not is_area:
                continue
            if field.get("type") == "password":
                roles.append({"ref": field["ref"], "role": "current-password"})
            elif field.get("type", "") in TEXT:
                roles.append({"ref": field["ref"], "role": "username"})
        has_password = any(role["role"] == "current-password" for role in roles)
        roles = roles if has_password else []
        if not now.get("everything"):
            first = {}
            for role in roles:
                first.setdefault(role["role"], role)
            roles = list(first.values())
        focused = params.get("focused")
        bar = bool(now["saved"]) and now.get("autoFill", True) and any(r["ref"] == focused for r in roles)
        session = secrets.token_urlsafe(16)
        document = params["frame"]["document"]
        self.sessions = {k: v for k, v in self.sessions.items() if v["frame"]["document"] != document}
        self.sessions[session] = {"frame": params["frame"], "roles": roles}
        return {"bar": bar, "fields": roles, "session": session}

    async def on_page_left(self, params: dict) -> None:
        gone = params.get("document")
        self.sessions = {
            k: v for k, v in self.sessions.items()
            if v["frame"]["tab"] != params["tab"] or (gone and v["frame"]["document"] != gone)
        }

    async def on_renderer_status(self, _params: dict) -> dict:
        now = state()
        return {"initialized": True, "locked": now.get("locked", False), "autoFill": now.get("autoFill", True), "version": "fake"}

    async def on_consents_list(self, _params: dict) -> dict:
        return {"consents": []}

    def session(self, params: dict) -> dict:
        if params.get("session") not in self.sessions:
            raise Refusal(16, "expired")
        return self.sessions[params["session"]]

    def row(self, params: dict, saved: dict) -> dict:
        handle = secrets.token_urlsafe(16)
        self.handles[handle] = (params["session"], saved)
        title = f"password for {saved['service']}"
        return {"handle": handle, "title": title, "user": saved["user"], "provider": "org.latchkey.passwords"}

    def origin(self, session: dict) -> str | None:
        origins = {link["origin"] for link in session["frame"]["chain"]}
        return origins.pop() if len(origins) == 1 and "null" not in origins else None

    async def on_renderer_suggestions(self, params: dict) -> dict:
        # A look-up that takes as long as the test wants.
        while state().get("holds"):
            await asyncio.sleep(0.02)
        session, now = self.session(params), state()
        origin = self.origin(session)
        if now.get("locked"):
            return {"state": "locked", "site": None, "suggestions": []}
        if origin is None:
            return {"state": "ready", "site": None, "suggestions": [], "refusal": "Latchkey does not fill in this frame."}
        saved = [s for s in now["saved"] if f"https://{s['service']}" == origin]
        return {"state": "ready", "site": origin.split("//")[1], "suggestions": [self.row(params, s) for s in saved]}

    async def on_renderer_list(self, params: dict) -> dict:
        origin = self.origin(self.session(params))
        found = [s for s in state()["saved"] if params["search"].lower() in (s["service"] + s["user"]).lower()]
        rows = []
        for saved in found:
            fits = f"https://{saved['service']}" == origin
            rows.append({**self.row(params, saved), "fills": fits, "refusal": None if fits else "Saved for another site."})
        return {"rows": rows, "cursor": None, "providers": state().get("providers", [])}

    async def on_renderer_openList(self, params: dict) -> dict:
        """A provider's list: the interface that the state holds now, until the state says that it has finished."""
        session = self.session(params)
        names = {provider["identifier"]: provider["name"] for provider in state()["providers"]}
        name = secrets.token_urlsafe(12)
        prompt = {
            "kind": "interface", "requester": "Chromium", "site": self.origin(session), "user": None,
            "provider": names[params["provider"]], "message": None, "interface": None,
            "future": asyncio.get_running_loop().create_future(),
        }
        self.prompts[name] = prompt
        await self.ask("browser.present", {"prompt": name})
        try:
            while not prompt["future"].done() and not state().get("finished"):
                if (now := state().get("interface")) != prompt["interface"]:
                    prompt["interface"] = now
                    self.send({"method": "browser.update", "params": {"prompt": name}})
                await asyncio.sleep(0.02)
        finally:
            del self.prompts[name]
            self.send({"method": "browser.dismiss", "params": {"prompt": name}})
        if prompt["future"].done():
            raise Refusal(9, "You canceled.")
        saved = state()["saved"][0]
        return self.filled(session, {"username": saved["user"], "current-password": saved["password"]})

    async def on_renderer_act(self, params: dict) -> None:
        if params["prompt"] not in self.prompts:
            raise Refusal(16, "The interface has ended.")

    async def on_renderer_reveal(self, params: dict) -> dict:
        if params["prompt"] not in self.prompts:
            raise Refusal(16, "The interface has ended.")
        if "revealed" not in state():
            raise Refusal(9, "You canceled.")
        while state().get("reveals_when") and not state().get(state()["reveals_when"]):
            await asyncio.sleep(0.02)
        return {"password": {"secret": state()["revealed"]}}

    async def on_renderer_copySaved(self, params: dict) -> dict:
        if "revealed" not in state() or not params.get("unmarked"):
            raise Refusal(6, "It cannot be marked.", {"reason": "unmarked"})
        return {"seconds": 45}

    def filled(self, session: dict, values: dict) -> dict:
        fills = [{**role, "value": {"secret": values[role["role"]]}} for role in session["roles"]]
        return {**{key: session["frame"][key] for key in ("tab", "frame", "document")}, "fills": fills}

    async def prompt(self, kind: str, site, user) -> dict:
        name = secrets.token_urlsafe(12)
        future = asyncio.get_running_loop().create_future()
        self.prompts[name] = {
            "kind": kind, "requester": "Chromium", "site": site, "user": user, "provider": "Passwords",
            "message": None, "future": future,
        }
        await self.ask("browser.present", {"prompt": name})
        try:
            return await future
        finally:
            del self.prompts[name]
            self.send({"method": "browser.dismiss", "params": {"prompt": name}})

    async def on_renderer_prompt(self, params: dict) -> dict:
        if params["prompt"] not in self.prompts:
            raise Refusal(7, "The request has ended.")
        prompt = self.prompts[params["prompt"]]
        return {key: value for key, value in prompt.items() if key != "future"}

    async def on_renderer_answer(self, params: dict) -> None:
        prompt = self.prompts.get(params["prompt"])
        if not prompt:
            raise Refusal(7, "The request has ended.")
        if params["accept"] and prompt["kind"] != "confirm":
            if params.get("passphrase", {}).get("secret") != state()["passphrase"]:
                raise Refusal(4, "Wrong passphrase.")
        if not prompt["future"].done():
            prompt["future"].set_result({"accept": params["accept"]})

    async def on_renderer_unlock(self, _params: dict) -> None:
        if not (await self.prompt("unlock", None, None))["accept"]:
            raise Refusal(9, "You canceled.")
        now = state()
        now["locked"] = False
        with open(STATE + ".new", "w") as file:
            json.dump(now, file)
        os.replace(STATE + ".new", STATE)
        self.sessions.clear()
        self.send({"method": "browser.changed", "params": {}})

    async def on_renderer_choose(self, params: dict) -> dict:
        name, saved = self.handles.pop(params["handle"], (None, None))
        if name not in self.sessions:
            raise Refusal(16, "expired")
        session, now = self.sessions[name], state()
        if failure := now.get("failure"):
            raise Refusal(**failure)
        frame = session["frame"]
        # The user has said yes before to what a browser does not state.
        is_sure = params["surface"] != "bar" or params["guard"]["held"] or params["guard"]["reason"] == "not stated"
        if not now.get("trusting") and (any(params.get(name) for name in ("unseen", "sends")) or not is_sure):
            if not (await self.prompt("confirm", saved["service"], saved["user"]))["accept"]:
                raise Refusal(9, "You canceled.")
        if now.get("blind"):
            evidence = {"chain": frame["chain"]}
        else:
            place = {key: frame[key] for key in ("tab", "frame", "document")}
            evidence = await self.ask("browser.evidence", place)
        if evidence["chain"] != frame["chain"]:
            raise Refusal(16, "expired")
        values = {"username": saved["user"], "current-password": saved["password"]}
        fills = [{**role, "value": {"secret": values[role["role"]]}} for role in session["roles"]]
        place = {key: frame[key] for key in ("tab", "frame", "document")}
        return {**place, "fills": now.get("fills", fills), **now.get("answer", {})}


async def main() -> None:
    host = Host(os.fdopen(os.dup(1), "wb"))
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=2**21)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin.buffer)
    host.send({"id": "hello", "result": {"protocol": 1, "role": "browser", "version": "fake", "initialized": True, "locked": False}})
    running = set()
    with open(STATE + ".log", "a", buffering=1) as log:
        while True:
            try:
                (length,) = struct.unpack("=I", await reader.readexactly(4))
                data = await reader.readexactly(length)
            except asyncio.IncompleteReadError:
                return
            log.write(data.decode() + "\n")
            task = asyncio.ensure_future(host.handle(json.loads(data)))
            running.add(task)
            task.add_done_callback(running.discard)


asyncio.run(main())
