# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""The acts whose writes fail, and what is looked at afterwards."""

import contextlib
import hashlib
import json
import re

from faults import ROOTS, FaultyInstallation
from installation import PASSPHRASE, Installation, WireFailure, secret

NEW_PASSPHRASE = "another horse battery staple"
PIN = "271828"
IMPORTED = 50
WRONG_PASSPHRASE, LOCKED = 4, 2
#: What people read where it is not known what holds.
UNKNOWN = re.compile(r"not known|unsettled|failed while the data were exchanged|unknown whether|cannot be known|may hold|may still|may be", re.IGNORECASE)
#: What people read where everything is as it was. Status 10 says so, too (docs/command-line.md).
UNCHANGED = re.compile(r"nothing was changed|nothing was (saved|written|replaced|restored)|(was|were) not (changed|saved|written|removed|replaced)|is as it was|as before", re.IGNORECASE)
#: What is untrue where no file was ever damaged, exchanged or lost, and no passphrase mistyped.
ALARMS = re.compile(r"damaged|older copy|not set up|wrong|not Latchkey's|cannot be opened|newer", re.IGNORECASE)


class Prototype:
    """The folders that each run begins with a copy of: three accounts, and a backup that was made before the third was added."""

    def __init__(self, library):
        self.library, self.counted = library, {}
        self.made = FaultyInstallation(library)
        Installation.home.copy(self.made)
        self.made.recovery_code = Installation.home.recovery_code
        self.made.start()
        client = self.made.unlocked()
        for user in ("anna", "ben"):
            client.call("items.add", items=[account(user)])
        self.made.latchkey("backup", self.made.folder / "backup_home" / "kept.latchkey")
        client.call("items.add", items=[account("carla")])
        client.call("lock")
        client.close()
        self.made.stop()

    @property
    def folder(self):
        return self.made.folder

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.made.remove()


def account(user):
    return {"services": ["shiny.example.com"], "user": user, "password": secret(f"password of {user}")}


class World:
    """One installation, on which one act is tried."""

    def __init__(self, prototype, act):
        self.prototype, self.act = prototype, act
        self.installation = FaultyInstallation(prototype.library, None if act.begins == "empty" else prototype.folder)
        self.backup = self.installation.folder / "backup_home" / "kept.latchkey"
        self.said = self.recovery_code = None
        self.old_code = Installation.home.recovery_code

    def begin(self):
        self.installation.start()
        self.client = self.installation.client()
        if self.act.begins == "unlocked":
            self.client.call("unlock", passphrase=secret(PASSPHRASE))
            # The provider runs, so that its start is none of the act's.
            self.client.call("items.list")

    def run(self):
        """The act by the command line; returns its outcome."""
        arguments, input = self.act.command(self)
        done = self.installation.latchkey(*arguments, input=input, check=False)
        output, errors = done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
        with contextlib.suppress(ValueError, KeyError, TypeError):
            self.recovery_code = json.loads(output)["recoveryCode"]
        self.status, self.said, self.printed = done.returncode, errors, output
        if UNKNOWN.search(errors + output):
            return "unknown"
        return "refused" if done.returncode else "done"

    def settle(self):
        """Returns when the daemon and the provider have answered something that comes after the act; a refusal is returned."""
        try:
            self.client.call("items.list")
        except WireFailure as failure:
            return failure

    def words(self):
        """What was said, without what differs from run to run."""
        text = " / ".join(line for line in (self.said + self.printed).split("\n") if line)
        text = text.replace(str(self.installation.folder), "FOLDER")
        text = re.sub(r"\b[a-z0-9]{26}\b|(?<=restore-item )\w+", "ID", text)
        text = re.sub(r"(?:[A-Za-z0-9]{4,7}-){4,}[A-Za-z0-9]{2,7}", "CODE", text)
        text = re.sub(r"\.latchkey-[0-9a-f]+\.tmp", "TEMPORARY", text)
        return f"[{self.status}] " + re.sub(r"\d{4,}", "N", text)[:400]

    def close(self):
        self.installation.remove()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def started(found):
    """What is there after a start: Latchkey is locked, and a PIN is kept in memory alone."""
    return {**found, "locked": True, "pin": False} if found["initialized"] else found


def listed(client):
    """All items, page by page."""
    items, cursor = [], None
    while True:
        page = client.call("items.list", **({"cursor": cursor} if cursor else {}))
        items += page["items"]
        if not (cursor := page.get("cursor")):
            return items


def look(installation, passphrases=(PASSPHRASE, NEW_PASSPHRASE)):
    """What is there, as a client sees it. It is unlocked afterwards."""
    client = installation.client()
    try:
        status = client.call("status")
        if not status["initialized"]:
            return {"initialized": False}
        found = {"initialized": True, "locked": status["locked"], "pin": status.get("pin", False), "idleMinutes": status["preferences"]["idleMinutes"]}
        found["opens"] = opens(client, passphrases)
        users = {item["user"]: item["id"] for item in listed(client)}
        shown = [user for user in sorted(users) if not user.startswith("imported")] + [user for user in sorted(users) if user.startswith("imported")][-2:]
        passwords = {user: client.proven("items.reveal", id=users[user], purpose="show")["password"]["secret"] for user in shown}
        found["passwords"] = {user: text for user, text in passwords.items() if not user.startswith("imported")}
        found["imported"] = sum(user.startswith("imported") for user in users)
        wrong = [user for user, text in passwords.items() if user.startswith("imported") and text != f"password of {user}"]
        if wrong:
            found["wrong"] = wrong
        removed = client.call("items.list", removed=True)["items"]
        found["removed"] = sorted(item["user"] for item in removed)
        return found
    finally:
        client.close()


def opens(client, passphrases):
    """Unlocks, after a lock, with the passphrase that does it, and returns that."""
    client.call("lock")
    failure = None
    for passphrase in passphrases:
        try:
            client.call("unlock", passphrase=secret(passphrase))
            return passphrase
        except WireFailure as refused:
            if refused.code != WRONG_PASSPHRASE:
                raise
            failure = refused
    raise failure


def difference(found, wanted):
    """What differs, in few words."""
    return ", ".join(f"{name} is {found.get(name)!r}, not {wanted.get(name)!r}" for name in sorted({*found, *wanted}) if found.get(name) != wanted.get(name))


def digest(file):
    return hashlib.sha256(file.read_bytes()).hexdigest() if file.exists() else None


def left(installation):
    """Files that no finished act leaves, by their names without what is drawn at random."""
    found = set()
    for root in ROOTS:
        for file in (installation.folder / root).rglob("*"):
            if re.search(r"\.tmp$|\.dat\.nosync|^\.latchkey-(?!keychain)|\.next$|^restoring$|\.checking$", file.name):
                found.add(re.sub(r"[0-9a-f]{6,}|nosync\S+", "*", file.name) + " in " + str(file.parent.relative_to(installation.folder)))
    return sorted(found)


class Act:
    """A command, what it needs before it, and whether `look` sees what it does."""

    def __init__(self, name, command, begins="unlocked", is_seen=True):
        self.name, self.command, self.begins, self.is_seen = name, command, begins, is_seen


def imported(world):
    lines = ["name,url,username,password,note"]
    lines += [f"Site,https://site{number}.example.org/,imported{number},password of imported{number}," for number in range(IMPORTED)]
    file = world.installation.folder / "chrome.csv"
    file.write_text("\n".join(lines) + "\n")
    return ["import", file, "--format", "chrome"], b""


def typed(world, *words):
    """A command whose secrets come from files: a pair stands for an option and what is typed there."""
    arguments = []
    for word in words:
        arguments += [word[0], world.installation.file(word[1])] if isinstance(word, tuple) else [word]
    return arguments, b""


OLD, NEW = ("--passphrase-file", PASSPHRASE), ("--new-passphrase-file", NEW_PASSPHRASE)
ACTS = [
    Act("init", lambda world: typed(world, "init", OLD, "--json"), begins="empty"),
    Act("unlock", lambda world: typed(world, "unlock", OLD), begins="locked"),
    Act("add", lambda _: (["add", "new.example.net", "dora"], b"password of dora")),
    Act("edit", lambda world: (["edit", "shiny.example.com", "anna", "--new-password"], b"changed password")),
    Act("remove", lambda _: (["remove", "shiny.example.com", "ben"], b"")),
    Act("import", imported),
    Act("preferences", lambda _: (["preferences", "set", "--idle-minutes", "7"], b"")),
    Act("PIN", lambda world: typed(world, "pin", "set", OLD, ("--pin-file", PIN))),
    Act("passphrase", lambda world: typed(world, "passphrase", "change", OLD, NEW)),
    Act("recover", lambda world: typed(world, "recover", ("--recovery-code-file", world.old_code), NEW, "--json"), begins="locked"),
    Act("backup", lambda world: (["backup", world.backup, "--force"], b""), is_seen=False),
    Act("restore", lambda world: typed(world, "restore", world.backup, "--replace", OLD)),
]
