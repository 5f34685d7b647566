# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""A call that writes fails, in the daemon or in the built-in provider: once, or from then on until there is space again.

For each act the calls are counted first. Then each of them fails in a run of its own, which begins with a copy of the same folders. What was
acknowledged is there, what was refused is not, unless the answer said that it is not known; the next start opens; with space again everything
works without a restart; and nothing that was said is untrue, as far as a program can tell.

`make test-all` tries a sample, evenly spread. LATCHKEY_FAULTS is the number of calls for each act and kind of fault, or `each` (of several
like calls in a row the first one), or `all`. The table is printed (`-s`) and stands in `failing-calls/table.txt` in the temporary folder of pytest, with every run beside it.
"""

import errno
import os
import re

import pytest

from faults import FaultyInstallation
from installation import PASSPHRASE, WireFailure, secret, until
from verdicts import Finding
from world import ACTS, ALARMS, NEW_PASSPHRASE, UNCHANGED, World, account, difference, digest, left, listed, look, started

#: errno, and whether it goes on.
KINDS = {"ENOSPC": (errno.ENOSPC, False), "EIO": (errno.EIO, False), "no space": (errno.ENOSPC, True)}
SAMPLE = os.environ.get("LATCHKEY_FAULTS", "8")
AT_START = "after a start"
#: The sites of the accounts that are not imported.
SITES = ("shiny.example.com", "new.example.net")
#: The wire's codes with which a list is refused where nothing is amiss: locked, and not initialised.
READABLE = {1, 2}


def counted(prototype, act):
    """The act without a fault: how things are before it and after it, and all its calls."""
    if act.name not in prototype.counted:
        with World(prototype, act) as world:
            world.begin()
            before = look(world.installation)
        with World(prototype, act) as world:
            world.begin()
            world.installation.plan.arm()
            outcome = world.run()
            world.settle()
            world.installation.plan.disarm()
            assert outcome == "done", world.words()
            after = look(world.installation)
            assert (after != before) == act.is_seen, after
            prototype.counted[act.name] = before, after, world.installation.plan.calls(world.installation.folder)
    return prototype.counted[act.name]


class Run:
    """One act with one failing call, and what was wrong with what came of it."""

    def __init__(self, prototype, act):
        self.prototype, self.act = prototype, act
        self.before, self.after, _ = counted(prototype, act)
        self.faults, self.notes = [], []

    def wrong(self, kind, what):
        text = f"{kind}: {what}".replace(str(self.world.installation.folder), "FOLDER")
        if text not in self.faults:
            self.faults.append(text)

    def fail(self, program, number, kind):
        """The act with one failing call; returns the row of the table."""
        error, goes_on = KINDS[kind]
        self.world = world = World(self.prototype, self.act)
        installation = world.installation
        try:
            world.begin()
            backup_before = digest(world.backup)
            installation.plan.arm(program, number, goes_on, error)
            outcome = world.run()
            if (failure := world.settle()) and failure.code not in READABLE:
                self.notes.append(f"list, while calls fail: {failure}")
            calls = [call for who, place, call in installation.plan.calls(installation.folder) if (who, place) == (program, number)]
            struck = installation.plan.struck
            installation.plan.disarm()
            words = world.words()
            self.keeps_files = goes_on or any(call.startswith("unlink") for call in calls)
            self.judge(outcome, backup_before)
        except ConnectionError as end:
            self.wrong("crashed", f"the daemon ended the connection: {end}")
            outcome, words, calls, struck = "refused", "", [], 1
        finally:
            try:
                world.close()
            except Finding as finding:
                self.wrong("crashed", str(finding).splitlines()[0][:200])
        return {"program": program, "number": number, "call": calls[0] if calls else "", "struck": struck, "outcome": outcome, "said": words, "faults": self.faults, "notes": self.notes}

    def judge(self, outcome, backup_before):
        world, installation = self.world, self.world.installation
        said, status = world.said + world.printed, world.status
        if outcome == "refused" and not world.said.strip():
            self.wrong("silent", "it was refused without a word")
        if alarm := ALARMS.search(world.said):
            self.wrong("untrue", f"'{alarm[0]}' in {world.words()}")
        # As a kill would leave it: a copy of the files at this moment.
        with FaultyInstallation(self.prototype.library, installation.folder) as copy:
            changed = self.compare(AT_START, outcome, lambda: self.started(copy))
            if self.act.name in ("recover", "init") and changed is not None:
                self.check_code(copy, changed)
            if self.act.name == "backup":
                self.check_backup(copy, outcome, backup_before)
            self.check_audit(copy, AT_START)
            copy.stop()
            for file in left(copy):
                # A half-written backup lies where the user wanted it, and stays where it cannot be removed either. It is encrypted.
                if not (self.keeps_files and file.endswith(" in backup_home")):
                    self.wrong("left behind", file)
        with_space = self.compare("with space again", outcome, lambda: look(installation))
        if outcome == "refused" and (status == 10 or UNCHANGED.search(said)) and True in (changed, with_space):
            self.wrong("untrue", f"it is changed, and {world.words()}")
        self.goes_on(outcome, with_space)

    def started(self, copy):
        copy.start()
        return look(copy)

    def compare(self, when, outcome, looked):
        """Whether the act has happened; `None` where that cannot be seen."""
        try:
            found = looked()
        except (WireFailure, ConnectionError) as failure:
            self.wrong("closed", f"{when}: {failure}")
            return None
        if self.act.name == "import" and outcome != "done":
            return self.compare_import(when, found)
        before, after = (started(one) if when == AT_START else one for one in (self.before, self.after))
        if outcome in ("refused", "unknown") and self.act.name != "unlock" and "locked" in found and found["locked"] != before.get("locked"):
            self.notes.append(f"{when}: {outcome}, and Latchkey is {'locked' if found['locked'] else 'unlocked'} since")
            found, before, after = ({**one, "locked": True} for one in (found, before, after))
        if found not in (before, after):
            self.wrong("lost" if outcome == "done" else "neither", f"{when}: {difference(found, after if outcome == 'done' else before)}")
            return None
        if before == after:
            return None
        if found == after and outcome == "refused":
            self.wrong("refused and there", when)
        if found == before and outcome == "done":
            self.wrong("lost", f"{when}: it was acknowledged and has not happened")
        return found == after

    def compare_import(self, when, found):
        words, before = self.world.words(), started(self.before) if when == AT_START else self.before
        told = self.world.said + self.world.printed
        saved, perhaps = (int(count[1]) if (count := re.search(pattern, told)) else 0 for pattern in (r"(\d+) items? saved", r"(\d+) perhaps saved"))
        if not saved <= found.get("imported") <= saved + perhaps:
            self.wrong("untrue", f"{when}: {found.get('imported')} are there, and {words}")
        if {**found, "imported": 0} != {**before, "imported": 0}:
            self.wrong("lost", f"{when}: {difference({**found, 'imported': 0}, {**before, 'imported': 0})}")
        return bool(found.get("imported"))

    def check_code(self, copy, has_happened):
        """A recovery code that holds is known to the person: the new one was shown, or the old one still holds."""
        codes = [code for code in (self.world.recovery_code, None if self.act.name == "init" else self.world.old_code) if code]
        if self.act.name == "init" and not has_happened:
            return
        for code in codes:
            done = copy.latchkey(
                "recover", "--recovery-code-file", copy.file(code), "--new-passphrase-file", copy.file("a third horse battery"), "--json", check=False)
            if done.returncode == 0:
                return
        self.wrong("locked out", f"no recovery code that was shown holds ({len(codes)} tried)")

    def check_backup(self, copy, outcome, before):
        file = copy.folder / "backup_home" / self.world.backup.name
        now = digest(file)
        if outcome == "refused" and now != before:
            self.wrong("refused and there", "the backup was replaced")
        if outcome == "done" and now == before:
            self.wrong("lost", "the backup is the old one")
        done = copy.latchkey("restore", file, "--replace", "--passphrase-file", copy.file(PASSPHRASE), check=False)
        if done.returncode:
            self.wrong("lost", f"the backup cannot be restored: {done.stderr.decode()[:200]}")

    def check_audit(self, installation, when):
        """No line of the log is missed, and no older copy of anything is told of."""
        client = installation.client()
        try:
            told = client.call("status")
            if told["locked"] or not told["initialized"]:
                return
            if "older" in told:
                self.wrong("false alarm", f"{when}: an older copy is told of")
            verified = client.call("audit.verify")
            if not verified["intact"]:
                kinds = sorted({finding["kind"] for finding in verified["findings"]})
                self.wrong("false alarm", f"{when}: the audit log is not intact: {', '.join(kinds)}")
        except (WireFailure, ConnectionError) as failure:
            self.wrong("closed", f"{when}: the audit log: {failure}")
        finally:
            client.close()

    def check_offers(self, installation, when):
        """What is saved is offered, and nothing else."""
        client = installation.client()
        saved = {item["user"] for item in listed(client) if item["services"][0] in SITES}
        offered = set()

        def is_offered():
            offered.clear()
            for site in SITES:
                offered.update(row["user"] for row in client.call("suggestions.list", url=f"https://{site}/")["suggestions"])
            return offered == saved

        try:
            until(is_offered, 10)
        except AssertionError:
            self.wrong("not offered", f"{when}: {sorted(offered)} of {sorted(saved)}")
        client.close()

    def goes_on(self, outcome, has_happened):
        """Everything works without a restart, and after one."""
        world, installation = self.world, self.world.installation
        try:
            if outcome != "done" and not has_happened:
                if self.act.begins == "locked":
                    installation.latchkey("lock")
                again = world.run()
                if again != "done":
                    self.wrong("stuck", f"the act again, with space: {world.words()}")
                    return
            client = installation.client()
            if client.call("status")["locked"]:
                client.call("unlock", passphrase=secret(NEW_PASSPHRASE if self.act.name in ("passphrase", "recover") else PASSPHRASE))
            client.call("items.add", items=[account("probe")])
            client.call("preferences.set", authenticationMinutes=4)
            client.call("never.add", site="never.example.com")
            found = look(installation)
            # A second try of what had happened in part leaves the same as the first.
            wanted = {**self.after, "locked": False}
            wanted["passwords"] = {**wanted["passwords"], "probe": "password of probe"}
            if found != wanted:
                self.wrong("lost", f"with space again, after it all: {difference(found, wanted)}")
            self.check_offers(installation, "with space again")
            self.check_audit(installation, "with space again")
            client.close()
            installation.stop()
            installation.start()
            found = look(installation)
            if found != started(wanted):
                self.wrong("lost", f"after it all and a start: {difference(found, started(wanted))}")
            self.check_offers(installation, "after it all and a start")
        except (WireFailure, ConnectionError) as failure:
            self.wrong("stuck", f"with space again: {failure}")


def chosen(calls, kind):
    """The calls that are made to fail, evenly spread; each kind of fault begins elsewhere."""
    places = [(program, number) for program, number, _ in calls]
    if SAMPLE != "all":
        # One of several like ones in a row stands for them.
        said = [(program, re.sub(r"[0-9a-f-]{6,}", "*", words)) for program, _, words in calls]
        places = [place for index, place in enumerate(places) if not index or said[index] != said[index - 1]]
    if not SAMPLE.isdigit() or int(SAMPLE) >= len(places):
        return places
    step = len(places) / int(SAMPLE)
    start = step * (list(KINDS).index(kind) + 0.5) / len(KINDS)
    return [places[int(start + step * place)] for place in range(int(SAMPLE))]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.name)
def test_nothing_is_lost_and_nothing_untrue_is_said_where_a_write_fails(prototype, table, act, kind):
    calls = counted(prototype, act)[2]
    runs = [Run(prototype, act).fail(program, number, kind) for program, number in chosen(calls, kind)]
    print("\n" + table.enter(act.name, kind, runs, len(calls)).split("\n\n")[0])
    faults = [f"{run['program']} {run['number']} ({run['call']}): {fault}" for run in runs for fault in run["faults"]]
    if faults:
        raise Finding(f"{len(faults)} faults:\n" + "\n".join(faults[:40]))
