# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""GNOME Shell's search finds sites and user names, where the user wants it, and nobody else does."""

import ast
import os
import shutil
import subprocess
import uuid

import pytest

from desktop import built
from installation import PASSPHRASE, WireFailure, secret, until
from system_apps import PROGRAMS

ACCOUNTS = [("shiny.example.com", "rmondello", "correct horse"), ("other.example.com", "second", "battery staple")]


@pytest.fixture(scope="session")
def source(tmp_path_factory):
    return built("shell.c", tmp_path_factory.mktemp("shell"), ["gio-2.0"])


@pytest.fixture(scope="session")
def shell(source):
    """The program as root installs it."""
    if os.geteuid() != 0:
        pytest.skip("the shell's program has to be root's")
    folder = PROGRAMS / f"latchkey-shell-{uuid.uuid4().hex[:12]}"
    folder.mkdir()
    folder.chmod(0o755)
    program = folder / "gnome-shell"
    shutil.copy(source, program)
    program.chmod(0o755)
    yield program
    shutil.rmtree(folder)


@pytest.fixture
def provider(app):
    app.client.call(
        "items.add", items=[{"services": [site], "user": user, "password": secret(password)} for site, user, password in ACCOUNTS])
    app.client.proven("preferences.set", shellSearch=True)
    app.process = app.desktop._spawn(app.program, "--search-provider")
    until(lambda: "SearchProvider" in app.desktop._run(
        "gdbus", "call", "--session", "--dest", "org.freedesktop.DBus", "--object-path", "/", "--method",
        "org.freedesktop.DBus.ListNames").stdout)
    return app


def ask(provider, program, method, *arguments, nameless=False):
    """The answer, or nothing where it is refused."""
    done = subprocess.run(
        [program, *(["--nameless"] if nameless else []), method, f"({', '.join(arguments)}{',' if len(arguments) == 1 else ''})"],
        env=provider.desktop.environment, capture_output=True, text=True, timeout=30)
    assert done.returncode in (0, 1), (done.returncode, done.stderr)
    assert done.returncode == 0 or "Nothing is found." in done.stderr, done.stderr
    return done.stdout if done.returncode == 0 else None


def found(provider, program, *words, **options):
    answer = ask(provider, program, "GetInitialResultSet", str(list(words)) if words else "@as []", **options)
    return answer and ast.literal_eval(answer.replace("@as ", ""))[0]


def test_words_find_accounts_and_what_is_shown_of_them_is_no_secret(provider, shell):
    both = found(provider, shell, "example")
    assert len(both) == 2
    one, = found(provider, shell, "shi", "rmon")
    assert one in both
    more = ast.literal_eval(ask(provider, shell, "GetSubsearchResultSet", str(both), "['seco']"))[0]
    assert more == [each for each in both if each != one]
    shown = ask(provider, shell, "GetResultMetas", str([one, "no such account"]))
    assert "'shiny.example.com'" in shown and "'rmondello'" in shown and shown.count("'id'") == 1
    assert "correct horse" not in shown + provider.log
    assert found(provider, shell, "nowhere") == [] and found(provider, shell, "s") == [] and found(provider, shell) == []


def test_chosen_account_and_the_whole_search_open_the_app(provider, shell):
    one, = found(provider, shell, "rmondello")
    provider.desktop.environment.update({"GSK_RENDERER": "cairo", "ADW_DISABLE_PORTAL": "1"})
    ask(provider, shell, "ActivateResult", f"'{one}'", "['rmondello']", "uint32 0")
    # By the bus's environment it would have what the session has; the app here has what the provider was started with.
    provider.wait_for("Copy Password")
    ask(provider, shell, "LaunchSearch", "['second']", "uint32 0")
    provider.wait_for("Search Passwords")


def test_off_by_default_and_switched_on_with_the_passphrase(app, shell):
    assert app.client.call("status")["preferences"].get("shellSearch") is not True
    app.start().section("AutoFill")
    app.press("Show Accounts in the Desktop's Search", role="switch")
    app.wait_for("Passphrase Needed")
    app.desktop.key("Escape")
    app.wait_until_gone("Passphrase Needed")
    assert app.client.call("status")["preferences"].get("shellSearch") is not True
    app.wait_for_switch("Show Accounts in the Desktop's Search", False)
    app.press("Show Accounts in the Desktop's Search", role="switch")
    app.prove()
    until(lambda: app.client.call("status")["preferences"].get("shellSearch") is True)


def test_nothing_is_found_where_the_user_has_switched_it_off(provider, shell):
    assert found(provider, shell, "example")
    provider.client.call("preferences.set", shellSearch=False)
    assert found(provider, shell, "example") is None
    assert ask(provider, shell, "GetResultMetas", "['x']") is None


def test_nothing_is_found_while_locked(provider, shell):
    provider.client.call("lock")
    assert found(provider, shell, "example") is None
    provider.client.call("unlock", passphrase=secret(PASSPHRASE))
    assert len(found(provider, shell, "example")) == 2


def test_other_programs_are_refused(provider, shell, source, tmp_path):
    # The right program under another name, and without the shell's name on the bus.
    assert found(provider, source, "example") is None
    assert found(provider, shell, "example", nameless=True) is None
    # The right name, in a folder that the user can change.
    own = tmp_path / "gnome-shell"
    shutil.copy(source, own)
    own.chmod(0o755)
    if tmp_path.stat().st_uid != 0 or not is_roots(own):
        assert found(provider, own, "example") is None
    script = tmp_path / "bin" / "gnome-shell"
    script.parent.mkdir(mode=0o777)
    script.parent.chmod(0o777)
    shutil.copy(source, script)
    assert found(provider, script, "example") is None
    link = tmp_path / "link"
    link.symlink_to(source)
    assert found(provider, link, "example") is None
    assert len(found(provider, shell, "example")) == 2


def is_roots(path):
    return all(one.stat().st_uid == 0 and not one.stat().st_mode & 0o022 for one in [path, *path.parents])


def test_daemon_decides_also_where_the_app_does_not(provider, shell):
    """`search.admit` names a process; a process that is no shell, or none at all, is refused."""
    for process in [os.getpid(), provider.process.pid, 1, 0, -1, 2**31 - 1]:
        with pytest.raises(WireFailure, match="Only the desktop's own search is answered."):
            provider.client.call("search.admit", process=process)


def test_it_ends_with_the_daemon(provider, shell):
    assert found(provider, shell, "example")
    provider.desktop.installation.kill()
    assert provider.process.wait(timeout=30) == 0


def test_without_a_daemon_it_starts_none(provider, shell):
    provider.desktop.installation.kill()
    assert found(provider, shell, "example") is None
    assert provider.process.wait(timeout=30) == 0
