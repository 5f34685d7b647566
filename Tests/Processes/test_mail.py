# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""`latchkey-mail`: mails are a stranger's bytes, read in a process that has nothing, and believed in nothing."""

import os
import pathlib
import shutil
import subprocess

import pytest

from code_kit import offers, tap
from installation import BINARIES, Installation, until
from providers import Browser
from test_code_offers import deliver, mail

SHOP = "https://shop.example"


def read(message, **options):
    body = message if isinstance(message, bytes) else bytes(message)
    return subprocess.run([BINARIES / "latchkey-mail"], input=body, capture_output=True, timeout=60, env={}, **options)


@pytest.mark.parametrize(
    "message, answer",
    [
        (mail("Code", "Your code is 747723.\n\n@shop.example #747723\n"), b"747723\nshop.example\n\n"),
        (mail("Code", "Your code.\n\n@shop.example #747723 %pay.example\n"), b"747723\nshop.example\npay.example\n"),
        (mail("654321 is your Shop login code", "Hello!\n"), b"654321\n\n\n"),
        (mail("Hello", "See you at 12:30, room 4711.\n"), b""),
        (b"", b""),
        (b"\0" * 262_144, b""),
        (b"Content-Type: multipart/mixed; boundary=a\n\n" + b"--a\nContent-Type: multipart/mixed; boundary=a\n\n" * 5_000, b""),
        (b"Subject: " + b"=?utf-8?Q?" * 25_000, b""),
    ],
    ids=range(8),
)
def test_S58_of_a_mail_its_code_is_said_and_nothing_else(message, answer):
    done = read(message)
    assert (done.returncode, done.stdout, done.stderr) == (0, answer, b"")


def test_S58_a_mail_that_is_too_long_is_not_read():
    done = read(bytes(mail("Code", "@shop.example #747723")).ljust(262_145))
    assert done.returncode != 0 and done.stdout == b""


def test_S58_the_daemon_has_no_reader_of_mail_in_it():
    names = subprocess.run(["nm", "--defined-only", BINARIES / "latchkeyd"], capture_output=True, text=True).stdout
    if not names:
        pytest.skip("this program has no table of symbols")
    assert "14AutoFillDaemon" in names and "11MailReading" not in names
    here = subprocess.run(["nm", "--defined-only", BINARIES / "latchkey-mail"], capture_output=True, text=True).stdout
    assert "11MailReading" in here and "14AutoFillDaemon" not in here


# The daemon, with another reader in the place of its own.


class Place:
    """A daemon whose programs stand in a folder of the test's, and the maildir that it watches."""

    def __init__(self, folder):
        self.programs, self.maildir = folder / "bin", folder / "Mail"
        self.programs.mkdir()
        for name in ["tmp", "new", "cur"]:
            (self.maildir / name).mkdir(parents=True)
        for name in ["latchkeyd", "latchkey-browser-host", "latchkey-enter", "latchkey-passwords"]:
            shutil.copy2(BINARIES / name, self.programs / name)
        self.count = 0

    def reader(self, script):
        file = self.programs / "latchkey-mail"
        file.unlink(missing_ok=True)
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(0o755)

    def start(self, installation):
        installation.start(self.programs / "latchkeyd")
        self.client = installation.unlocked()
        self.client.prefer(authenticationMinutes=1000, codeMaildir=str(self.maildir))
        self.browser = Browser(installation)
        self.browser.user = lambda shown: (shown["kind"] == "confirm", None)
        until(lambda: self.state()["state"] == "ready")

    def state(self):
        return {source["name"]: source for source in self.client.call("status")["codes"]}["maildir"]

    def deliver(self, text="Your code is 111111.\n"):
        self.count += 1
        deliver(self.maildir, str(self.count), mail("Code", text))

    def rows(self):
        return offers(self.browser, SHOP)["suggestions"]


@pytest.fixture
def place(tmp_path):
    made = Place(tmp_path)
    with Installation() as installation:
        made.installation = installation
        yield made
        if hasattr(made, "browser"):
            made.browser.close()


def test_S58_a_mail_is_read_where_there_is_nothing(place):
    """The reader tells what it can reach by way of the code, which is all that it can say."""
    (place.installation.folder / "canary").write_text("mine")
    place.reader(
        f"""cat >/dev/null
        seen=$(ls -d {place.installation.folder} {place.maildir} /home/* /root/.[a-z]* /run/user /tmp/* 2>/dev/null | wc -l)
        links=$(grep -c : /proc/net/dev)
        alone=$(ls -d /proc/[0-9]* | wc -l)
        wrote=0; for folder in / /tmp /usr /dev /run; do (echo x >$folder/x) 2>/dev/null && wrote=1; done
        [ "$alone" -lt 12 ] && alone=yes
        echo "n$(readlink /proc/self/ns/net | tr -dc 0-9) $seen $links $alone $wrote $(env | grep -c -v -e ^PWD -e ^SWIFT_ -e ^_= -e ^SHLVL -e ^OLDPWD)"
        echo shop.example; echo"""
    )
    place.start(place.installation)
    if not place.client.call("status")["isolation"]["available"]:
        pytest.skip("no isolation here")
    place.deliver()
    [row] = until(place.rows)
    [said] = tap(place.browser, row)
    space, *rest = said.split(" ")
    assert rest == ["0", "1", "yes", "0", "0"], said
    assert space != "n" + "".join(filter(str.isdigit, os.readlink("/proc/self/ns/net")))


def test_S58_the_mail_reaches_its_reader_whole(place):
    place.reader("sed -n 's/.*code is \\([0-9]*\\)x.*/\\1/p'; echo shop.example; echo")
    place.start(place.installation)
    place.deliver("Your code is 222222x.\n")
    [row] = until(place.rows)
    assert tap(place.browser, row) == ["222222"]


@pytest.mark.parametrize(
    "says",
    [
        "echo 111111", "echo 111111; echo shop.example", "printf '111111\\nshop.example\\n'", "printf '111111\\nshop.example\\n\\nmore\\n'",
        "printf '\\nshop.example\\n\\n'", "printf '11\\0211\\nshop.example\\n\\n'", "printf '11\\342\\200\\25611\\nshop.example\\n\\n'",
        "printf '1111\\nshop.example\\033[2J\\n\\n'", "printf '1111\\nshop example\\n\\n'", "printf '\\377\\n\\n\\n'", "printf '1111\\n\\npay.example\\n'",
        "head -c 65 /dev/zero | tr '\\0' 1; printf '\\nshop.example\\n\\n'", "exec cat /dev/zero", "kill -9 $$", "exit 1",
        "printf '111111\\n'; head -c 254 /dev/zero | tr '\\0' a; printf '\\n\\n'",
    ],
    ids=range(16),
)
def test_S58_a_reader_that_a_mail_has_taken_over_is_not_believed(place, says):
    place.reader(f'mail=$(cat); case "$mail" in *last*) printf "999999\\nshop.example\\n\\n"; exit;; esac\n{says}')
    place.start(place.installation)
    place.deliver()
    place.deliver("last")
    [row] = until(place.rows)
    assert tap(place.browser, row) == ["999999"] and place.rows() == []


@pytest.mark.long
def test_S58_a_reader_that_does_not_end_is_ended_and_holds_up_nothing(place):
    place.reader('mail=$(cat); case "$mail" in *last*) printf "999999\\nshop.example\\n\\n"; exit;; esac\nexec sleep 600')
    place.start(place.installation)
    place.deliver()
    sleeping = until(lambda: sleepers(place.installation.daemon.pid))
    # Meanwhile the daemon answers.
    assert place.client.call("status")["locked"] is False and place.rows() == []
    place.deliver("last")
    [row] = until(place.rows)
    assert tap(place.browser, row) == ["999999"]
    assert not any(pathlib.Path(f"/proc/{process}").exists() for process in sleeping)


def test_S58_no_reader_outlives_the_daemon(place):
    place.reader("exec sleep 600")
    place.start(place.installation)
    place.deliver()
    sleeping = until(lambda: sleepers(place.installation.daemon.pid))
    place.installation.kill()
    until(lambda: not any(pathlib.Path(f"/proc/{process}").exists() for process in sleeping))


def sleepers(daemon):
    """The processes below the daemon that sleep in the reader's place."""
    parents, found = {}, []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = dict(line.split(":\t", 1) for line in (entry / "status").read_text().splitlines() if ":\t" in line)
            except OSError:
                continue
            parents[int(entry.name)] = int(fields["PPid"])
            if fields["Name"] == "sleep":
                found.append(int(entry.name))

    def is_below(process):
        while process > 1:
            process = parents.get(process, 0)
            if process == daemon:
                return True
        return False

    return [process for process in found if is_below(process)]
