# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Unlocking at login: the system's PAM, the real module, the program that it starts, and the real daemon."""

import json
import os
import pathlib
import pty
import signal
import stat
import subprocess
import time

import pytest

from installation import AUTHENTICATION_REQUIRED, BINARIES, PASSPHRASE, WireFailure, secret, until
from login_kit import NEXT, PASSWORD, computer, enable, enabled, ended, status, tools, typed
from pam_kit import Computer


# ---- Unlocking


def test_a_login_unlocks(enabled, computer):
    assert status(enabled)["login"] == "on" and status(enabled)["locked"]
    login = computer.log_in(PASSWORD)
    until(lambda: not status(enabled)["locked"])
    login.type("")
    assert login.end() == 0


def test_a_login_unlocks_a_daemon_that_has_just_started(enabled, computer):
    enabled.stop()
    login = computer.log_in(PASSWORD)
    time.sleep(0.3)  # the session is open, and nobody listens yet
    enabled.start()
    until(lambda: not status(enabled)["locked"])
    assert login.process.poll() is None


def test_a_screen_that_is_unlocked_unlocks(enabled, computer):
    login = computer.begin(PASSWORD, service="gdm-password", work="screen")
    login.open()
    until(lambda: not status(enabled)["locked"])


def test_a_second_session_changes_nothing(enabled, computer):
    computer.log_in(PASSWORD)
    until(lambda: not status(enabled)["locked"])
    computer.log_in(PASSWORD)
    ended(computer)
    assert not status(enabled)["locked"] and status(enabled)["login"] == "on"


def test_it_counts_as_authentication_for_a_while_and_never_where_something_is_weakened(enabled, computer):
    computer.log_in(PASSWORD)
    until(lambda: not status(enabled)["locked"])
    client = enabled.client()
    client.call("items.add", items=[{"services": ["shiny.example.com"], "user": "anna", "password": secret("a password")}])
    client.call("items.reveal", id=client.call("items.list")["items"][0]["id"])
    with pytest.raises(WireFailure) as failure:
        client.call("preferences.set", authentication="never")
    assert failure.value.code == AUTHENTICATION_REQUIRED


def test_the_state_is_told(running, client, computer, tmp_path):
    def said():
        return running.latchkey("login", "status").stdout.decode()

    assert "Only the passphrase" in said() and status(running)["login"] == "off"
    done = enable(running)
    assert "libpam-latchkey" in done.stderr.decode() or "pam-auth-update" in done.stderr.decode()
    assert "Your login password unlocks" in said() and status(running)["login"] == "on"
    running.latchkey("login", "disable")
    assert status(running)["login"] == "off"


def test_S36_enabling_takes_the_passphrase_for_that_and_is_recorded(running, client):
    terms = {"key": secret("0a" * 32), "salt": "0b" * 16, "memoryKiB": 65536, "iterations": 5, "parallelism": 4}
    with pytest.raises(WireFailure) as failure:
        client.call("login.enable", **terms)
    assert failure.value.code == AUTHENTICATION_REQUIRED
    client.call("authenticate", passphrase=secret(PASSPHRASE), method="login.enable")
    client.call("login.enable", **terms)
    lines = running.latchkey("audit", "--json").stdout.decode()
    assert '"login.enable"' in lines and "0a" * 32 not in lines


def test_a_cost_that_no_login_takes_is_refused(running, client):
    terms = {"key": secret("0a" * 32), "salt": "0b" * 16, "memoryKiB": 65536, "iterations": 4, "parallelism": 4}
    client.call("authenticate", passphrase=secret(PASSPHRASE), method="login.enable")
    with pytest.raises(WireFailure) as failure:
        client.call("login.enable", **terms)
    assert failure.value.code == -32602 and "5 to 16 passes" in failure.value.message
    assert status(running)["login"] == "off"


# ---- What must not unlock


def test_a_wrong_password_unlocks_nothing(enabled, computer):
    login = computer.begin("wrong")
    assert login.told() == "authenticated 7"
    assert login.end() == 7
    ended(computer)
    assert status(enabled)["locked"]


def test_after_root_has_changed_the_password_the_passphrase_is_asked_for(enabled, computer):
    computer.passwords.write_text(NEXT)
    computer.log_in(NEXT)
    until(lambda: status(enabled)["login"] == "changed")
    assert status(enabled)["locked"]
    assert "has changed" in enabled.latchkey("login", "status").stdout.decode()
    enabled.latchkey("unlock", "--passphrase-file", typed(enabled, "passphrase", PASSPHRASE))
    enable(enabled, NEXT)
    enabled.latchkey("lock")
    computer.log_in(NEXT)
    until(lambda: not status(enabled)["locked"])


def test_root_changes_the_password_of_a_user_without_the_old_one(enabled, computer):
    (computer.folder / "passwords.root").touch()
    computer.change_password(NEXT, NEXT)
    assert computer.passwords.read_text() == NEXT
    ended(computer)
    computer.log_in(NEXT)
    until(lambda: status(enabled)["login"] == "changed")
    assert status(enabled)["locked"]


@pytest.mark.parametrize("end", ["disable", "recover", "restore", "the file"])
def test_what_ends_it_ends_it(enabled, computer, end, tmp_path):
    passphrase = typed(enabled, "passphrase", PASSPHRASE)
    enabled.latchkey("unlock", "--passphrase-file", passphrase)
    if end == "disable":
        enabled.latchkey("login", "disable")
    elif end == "recover":
        code = typed(enabled, "code", enabled.recovery_code)
        enabled.latchkey("recover", "--recovery-code-file", code, "--new-passphrase-file", typed(enabled, "new", "another correct horse"))
    elif end == "restore":
        enabled.latchkey("backup", tmp_path / "backup")
        enabled.latchkey("restore", tmp_path / "backup", "--replace", "--passphrase-file", passphrase)
    else:
        (enabled.data / "login-key").unlink()
    enabled.latchkey("lock")
    assert status(enabled)["login"] == "off"
    computer.log_in(PASSWORD)
    ended(computer)
    assert status(enabled)["locked"]


def test_a_damaged_login_key_unlocks_nothing_and_says_so(enabled, computer):
    key = enabled.data / "login-key"
    stored = json.loads(key.read_text())
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    stored["memoryKiB"] = 8
    key.write_text(json.dumps(stored))
    assert status(enabled)["login"] == "damaged"
    computer.log_in(PASSWORD)
    ended(computer)
    assert status(enabled)["locked"]


@pytest.mark.parametrize(("passes", "state"), [(2, "on"), (6, "changed"), (17, "on")])
def test_the_cost_cannot_be_exchanged(enabled, computer, passes, state):
    """A cheap or an exhausting one is not used at all, and another one gives another key."""
    key = enabled.data / "login-key"
    key.write_text(key.read_text().replace('"iterations": 5', f'"iterations": {passes}'))
    computer.log_in(PASSWORD)
    ended(computer)
    assert status(enabled)["login"] == state and status(enabled)["locked"]


@pytest.mark.parametrize("service", ["sudo", "sshd", "su", "cron", "polkit-1"])
def test_S25_services_that_are_no_login_are_never_served(enabled, computer, service):
    computer.log_in(PASSWORD, service=service, more=f"service={service}")
    ended(computer)
    assert status(enabled)["locked"]


def test_S25_a_service_counts_where_root_named_it(enabled, computer):
    computer.log_in(PASSWORD, service="kiosk")
    ended(computer)
    assert status(enabled)["locked"]
    computer.log_in(PASSWORD, service="kiosk", more="service=kiosk")
    until(lambda: not status(enabled)["locked"])


# ---- A login password that changes


@pytest.mark.parametrize("is_unlocked", [True, False], ids=["while unlocked", "while locked"])
def test_a_password_that_the_user_changes_is_the_one_that_unlocks(enabled, computer, is_unlocked):
    if is_unlocked:
        enabled.latchkey("unlock", "--passphrase-file", typed(enabled, "passphrase", PASSPHRASE))
    before = (enabled.data / "login-key").read_bytes()
    computer.change_password(PASSWORD, NEXT, NEXT)
    until(lambda: (enabled.data / "login-key").read_bytes() != before)
    assert status(enabled)["locked"] is not is_unlocked, "a change of the password is no login"
    enabled.latchkey("lock")
    computer.log_in(NEXT)
    until(lambda: not status(enabled)["locked"])


def test_a_password_that_has_expired_is_changed_in_the_login(enabled, computer):
    (computer.folder / "passwords.expired").touch()
    login = computer.begin(PASSWORD, "", PASSWORD, NEXT, NEXT)
    assert login.told() == "authenticated 0"
    assert login.told() == "changed 0"
    assert login.told() == "open 0"
    until(lambda: not status(enabled)["locked"])
    assert status(enabled)["login"] == "on"
    enabled.latchkey("lock")
    computer.log_in(NEXT)
    until(lambda: not status(enabled)["locked"])


# ---- The login goes on


def timed_login(computer, password: str = PASSWORD) -> None:
    """A login that is open in time, whatever becomes of Latchkey."""
    began = time.monotonic()
    login = computer.log_in(password)
    assert time.monotonic() - began < 2
    login.type("")
    assert login.end() == 0


def test_a_daemon_that_hangs_holds_up_nothing(enabled, computer):
    enabled.daemon.send_signal(signal.SIGSTOP)
    timed_login(computer)
    enabled.daemon.send_signal(signal.SIGCONT)
    until(lambda: not status(enabled)["locked"])


def test_a_user_without_latchkey_signs_in_and_nothing_stays(tools, installation):
    data = installation.folder / "data_home"
    data.mkdir()
    computer = Computer(tools, installation.folder / "runtime_dir", data, "root", PASSWORD)
    timed_login(computer)
    ended(computer)
    assert not installation.socket.exists()
    computer.close()


@pytest.mark.parametrize("missing", ["module", "helper"])
def test_a_part_that_is_missing_holds_up_nothing(enabled, computer, missing):
    if missing == "module":
        computer.module = computer.folder / "pam_latchkey.so"
    else:
        computer.arguments["helper"] = computer.folder / "latchkey-login"
    timed_login(computer)
    assert status(enabled)["locked"]


@pytest.mark.parametrize("script", ["#!/bin/sh\nkill -SEGV $$\n", "#!/bin/sh\nexec sleep 5\n"], ids=["crashes", "hangs"])
def test_a_helper_that_fails_holds_up_nothing(enabled, computer, script):
    helper = computer.folder / "helper"
    helper.write_text(script)
    helper.chmod(0o755)
    computer.arguments["helper"] = helper
    timed_login(computer)
    assert status(enabled)["locked"]


def test_a_home_that_comes_late_is_waited_for(enabled, computer):
    hidden = enabled.folder / "hidden"
    home = enabled.folder / "home-that-comes"
    computer.arguments["data"] = home / "data"
    timed_login(computer)
    assert status(enabled)["locked"]
    hidden.mkdir()
    (hidden / "data").symlink_to(enabled.folder / "data_home")
    hidden.rename(home)
    until(lambda: not status(enabled)["locked"])


def test_a_password_of_any_length_signs_in(enabled, computer):
    for password in ("x" * 500, "ü" * 100, "x"):
        computer.passwords.write_text(password)
        timed_login(computer, password)
    ended(computer)
    assert status(enabled)["locked"]


# ---- Memory


def count_in_memory(process: int, text: str) -> int:
    wanted, found = text.encode(), 0
    with open(f"/proc/{process}/mem", "rb", buffering=0) as memory:
        for line in pathlib.Path(f"/proc/{process}/maps").read_text().splitlines():
            place, rights = line.split()[:2]
            if not rights.startswith("rw"):
                continue
            start, end = (int(part, 16) for part in place.split("-"))
            try:
                memory.seek(start)
                found += memory.read(end - start).count(wanted)
            except OSError:
                continue
    return found


def test_S30_nothing_of_the_password_stays_in_the_program_that_signs_in(enabled, computer):
    login = computer.begin(PASSWORD)
    assert login.told() == "authenticated 0"
    assert count_in_memory(login.process.pid, PASSWORD) == 1, "the module keeps it, and nobody else does"
    login.type("")
    assert login.told() == "open 0"
    assert count_in_memory(login.process.pid, PASSWORD) == 0
    until(lambda: not status(enabled)["locked"])


def test_S30_a_core_dump_of_the_program_that_signs_in_has_no_password(enabled, computer, tmp_path):
    login = computer.begin(PASSWORD)
    assert login.told() == "authenticated 0"
    done = subprocess.run(["gcore", "-o", tmp_path / "core", str(login.process.pid)], capture_output=True, text=True)
    cores = list(tmp_path.glob("core.*"))
    if not cores:
        pytest.skip(f"no core was made: {done.stderr[-200:]}")
    assert PASSWORD.encode() not in cores[0].read_bytes()


@pytest.mark.parametrize(("work", "looked_for"), [("unlock", PASSWORD), ("rewrap", PASSWORD), ("rewrap", NEXT)], ids=["unlock", "rewrap", "the new one"])
def test_S30_nothing_of_the_password_stays_in_the_program_that_hands_it_over(enabled, computer, tools, tmp_path, work, looked_for):
    found = tmp_path / "found"
    environment = {
        "LD_PRELOAD": str(tools / "look.so"), "LOOKED_FOR": "".join(chr(ord(letter) ^ 1) for letter in looked_for), "FOUND": str(found)}
    words = PASSWORD.encode() + b"\0" + (NEXT.encode() + b"\0" if work == "rewrap" else b"")
    done = subprocess.run(
        [BINARIES / "latchkey-login", work, "root", computer.arguments["runtime"], computer.arguments["data"]], input=words, env=environment)
    assert done.returncode == 0
    assert found.read_text().split() == ["0", "0", "0"], "hello, the terms, and the key"


def test_S30_the_look_at_the_memory_finds_what_is_there(enabled, computer, tools, tmp_path):
    """The check is alive: what the program is just sending is found."""
    found = tmp_path / "found"
    environment = {"LD_PRELOAD": str(tools / "look.so"), "LOOKED_FOR": "".join(chr(ord(letter) ^ 1) for letter in "login.terms"), "FOUND": str(found)}
    subprocess.run(
        [BINARIES / "latchkey-login", "unlock", "root", computer.arguments["runtime"], computer.arguments["data"]],
        input=PASSWORD.encode() + b"\0", env=environment, check=True)
    assert int(found.read_text().split()[1]) > 0


def may_lock(count: int) -> list[str]:
    """The start of a command for a program of root that may lock at most `count` bytes, without the capability to lock more."""
    return ["prlimit", f"--memlock={count}:{count}", "setpriv", "--bounding-set", "-ipc_lock", "--"]


@pytest.mark.parametrize(("limit", "kept"), [(0, 0), (65_536, 1)], ids=["nothing", "enough"])
def test_S30_where_memory_cannot_be_locked_nothing_is_kept_and_the_login_goes_on(enabled, computer, limit, kept):
    login = computer.begin(PASSWORD, prefix=may_lock(limit))
    assert login.told() == "authenticated 0"
    assert count_in_memory(login.process.pid, PASSWORD) == kept
    login.type("")
    assert login.told() == "open 0"
    ended(computer)
    assert status(enabled)["locked"] is not bool(kept) and status(enabled)["login"] == "on"
    login.type("")
    assert login.end() == 0


@pytest.mark.parametrize(("limit", "code"), [(0, 1), (65_536, 0)], ids=["nothing", "enough"])
def test_S30_where_memory_cannot_be_locked_nothing_is_handed_over(enabled, computer, limit, code):
    done = subprocess.run(
        [*may_lock(limit), BINARIES / "latchkey-login", "unlock", "root", computer.arguments["runtime"], computer.arguments["data"]],
        input=PASSWORD.encode() + b"\0")
    assert done.returncode == code
    assert status(enabled)["locked"] is bool(code)


# ---- Attacks


def test_S25_what_the_environment_of_the_login_has_loaded_is_not_loaded_into_the_helper(enabled, computer, tools, tmp_path):
    found = tmp_path / "found"
    login = computer.begin(PASSWORD, environment={"LATER_PRELOAD": str(tools / "look.so"), "LOOKED_FOR": "x", "FOUND": str(found)})
    login.open()
    until(lambda: not status(enabled)["locked"])
    assert not found.exists()


def test_a_process_that_a_login_program_forks_can_end_the_login_too(enabled, computer):
    """LXDM does so. Such a process has nothing of the password, and must not end by a fault."""
    login = computer.begin(PASSWORD, environment={"FORKS": "1"})
    assert login.told() == "authenticated 0"
    assert login.told() == "forked 0"
    login.type("")
    assert login.told() == "open 0"
    until(lambda: not status(enabled)["locked"])


def test_somebody_who_logs_in_from_elsewhere_unlocks_nothing(enabled, computer):
    login = computer.begin(PASSWORD, environment={"FROM": "far.example.com"})
    login.open()
    ended(computer)
    assert status(enabled)["locked"]


# ---- login(1)


def test_the_real_login_unlocks(enabled, computer, tmp_path):
    """login(1) and pam_unix, in a mount namespace with a password file of its own."""
    if subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode != 0:
        pytest.skip("this system lets nobody mount")
    shell = tmp_path / "shell"
    shell.write_text(f"#!/bin/sh\necho opened\nread line\n")
    shell.chmod(0o755)
    crypted = subprocess.run(["openssl", "passwd", "-6", "-stdin"], input=PASSWORD, capture_output=True, text=True, check=True).stdout.strip()
    lines = [line for line in pathlib.Path("/etc/passwd").read_text().splitlines() if not line.startswith("root:")]
    (tmp_path / "passwd").write_text("\n".join([f"root:x:0:0:root:/root:{shell}", *lines]) + "\n")
    (tmp_path / "shadow").write_text(f"root:{crypted}:19000:0:99999:7:::\n")
    ours = f"{computer.module} " + " ".join(f"{name}={value}" for name, value in computer.arguments.items())
    (tmp_path / "login").write_text(
        f"auth required pam_unix.so\nauth optional {ours}\naccount required pam_unix.so\n"
        f"session required pam_unix.so\nsession optional {ours}\n")
    mounts = " && ".join(
        f"mount --bind {tmp_path / name} {place}"
        for name, place in [("passwd", "/etc/passwd"), ("shadow", "/etc/shadow"), ("login", "/etc/pam.d/login")])
    process, terminal = pty.fork()
    if process == 0:
        os.execvp("unshare", ["unshare", "--mount", "sh", "-c", f"{mounts} && exec login root"])
    heard = b""
    while b"assword:" not in heard:
        heard += os.read(terminal, 1024)
    os.write(terminal, PASSWORD.encode() + b"\n")
    while b"opened" not in heard:
        try:
            heard += os.read(terminal, 1024)
        except OSError:
            pytest.fail(f"the login ended: {heard.decode(errors='replace')}")
    until(lambda: not status(enabled)["locked"])
    os.write(terminal, b"\n")
    os.waitpid(process, 0)
    os.close(terminal)
