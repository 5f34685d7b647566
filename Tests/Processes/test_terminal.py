# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Questions on a terminal, in shells with job control: no secret is shown, none is lost, and the terminal is left as it was."""

import os
import pathlib
import shlex
import signal

import pytest

from git_server import HOST, GitServer
from installation import BINARIES, PASSPHRASE, secret, until
from job_control import READY, SHELLS, Shell
from verdicts import must_hold, nothing_lost, nothing_released

LATCHKEY = (BINARIES / "latchkey").resolve()
PROMPT = "Passphrase: "
GIT_PROMPT = "Latchkey passphrase (empty for no): "
USE = "Use it? [Y]es, [n]o, [q]uit git: "
PASSWORD = "typed-canary-9vT-terminal"
HOST_OF_ADD = "shiny.example.com"


@pytest.fixture(params=SHELLS)
def shell(request, running):
    running.control = running.unlocked()
    made = Shell(request.param, running.environment)
    yield made
    made.close()


def is_unlocked(installation):
    return not installation.client().hello["locked"]


def state(process):
    """The letter of a process's state in /proc: T where it is stopped."""
    return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]


def processes(group, name):
    """The processes of a group whose program has this name, of which the kernel keeps 15 letters."""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if (entry / "comm").read_text().strip() == name[:15] and os.getpgid(int(entry.name)) == group:
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def shows_again(shell):
    """The shell is back, and the terminal shows what is typed there. Dash leaves the settings as they are."""
    shell.wait(READY)
    until(lambda: shell.echoes)
    shell.type("echo ty''ped\n")
    shown = shell.wait("typed") + shell.wait(READY)
    must_hold("echo ty''ped" in shown, f"the shell's terminal does not show what is typed: {shown!r}")


@pytest.mark.main
def test_a_stopped_prompt_gives_the_terminal_back_and_asks_again_in_silence(running, shell):
    running.control.call("lock")
    shell.type(f"{LATCHKEY} unlock\n")
    shell.wait(PROMPT)
    shell.type("half a secr\x1a")
    shows_again(shell)
    shell.type("fg\n")
    shell.wait(PROMPT)
    must_hold(not shell.echoes, "the prompt shows what is typed after it was stopped")
    # Stopped from elsewhere, the line that was begun is neither kept nor left to the shell.
    shell.type_unseen("half a secr")
    os.kill(shell.foreground, signal.SIGTSTP)
    shows_again(shell)
    shell.type("fg\n")
    shell.wait(PROMPT)
    shell.type(PASSPHRASE + "\n")
    shows_again(shell)
    assert is_unlocked(running)
    nothing_released("the terminal", [text for text in (PASSPHRASE, "half a secr") if text in shell.screen])


def test_a_prompt_that_was_halted_asks_in_silence_when_it_goes_on(running, shell):
    running.control.call("lock")
    shell.type(f"{LATCHKEY} unlock\n")
    shell.wait(PROMPT)
    process = shell.foreground
    os.kill(process, signal.SIGSTOP)
    shell.wait(READY)
    # Nobody can handle this signal, so a shell that keeps no settings of its own has none until it is told.
    shell.run("stty echo")
    shell.type("fg\n")
    shell.wait(PROMPT)
    must_hold(not shell.echoes, "the prompt shows what is typed after it was halted")
    shell.type(PASSPHRASE + "\n")
    shows_again(shell)
    assert is_unlocked(running) and PASSPHRASE not in shell.screen


def test_in_the_background_it_leaves_the_terminal_to_others_until_it_comes_to_the_front(running, shell):
    running.control.call("lock")
    shell.type(f"{LATCHKEY} unlock & echo number $!\n")
    shell.wait("number $!")
    shell.wait("number ")
    number = int(shell.wait("\n"))
    until(lambda: state(number) == "T")
    shows_again(shell)
    assert PROMPT not in shell.screen
    for _ in range(2):
        shell.type("bg\n")
        shell.wait(READY)
        until(lambda: state(number) == "T")
    shell.type("fg\n")
    shell.wait(PROMPT)
    shell.type(PASSPHRASE + "\n")
    shows_again(shell)
    assert is_unlocked(running) and PASSPHRASE not in shell.screen


@pytest.mark.parametrize("end", ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"])
def test_a_signal_that_ends_it_at_its_prompt_leaves_the_terminal_as_it_was(running, shell, end):
    running.control.call("lock")
    shell.type(f"ulimit -c 0; {LATCHKEY} unlock\n")
    shell.wait(PROMPT)
    shell.type_unseen("half a secr")
    os.kill(shell.foreground, signal.Signals[end])
    shows_again(shell)
    must_hold("half a secr" not in shell.screen, "the terminal shows what was typed at the prompt")


def test_a_lock_at_the_prompt_of_edit_loses_nothing(running, shell):
    [item] = running.control.call(
        "items.add", items=[{"services": [HOST_OF_ADD], "user": "me", "password": secret("earlier")}])["items"]
    shell.type(f"{LATCHKEY} edit {HOST_OF_ADD} --new-password --add-tag work\n")
    shell.wait(f"{HOST_OF_ADD}: ")
    shell.type(PASSWORD + "\n")
    shell.wait("again: ")
    running.control.call("lock")
    shell.type(PASSWORD + "\n")
    shell.wait(PROMPT)
    shell.type(PASSPHRASE + "\n")
    shell.wait(READY)
    assert running.control.call("items.get", id=item["id"])["item"]["tags"] == ["work"]
    kept = running.control.proven("items.reveal", id=item["id"])["password"]["secret"]
    nothing_lost("the password", [] if kept == PASSWORD else ["what was typed"])


@pytest.fixture
def git(running, shell, tmp_path):
    """`git clone` at the prompt of its helper, for which Latchkey is locked."""
    server = GitServer(tmp_path / "server")
    running.control.call("items.add", items=[{"services": [server.service], "user": "me", "password": secret("right")}])
    running.latchkey("git", "install")
    running.control.call("lock")
    shell.run("export GIT_CONFIG_NOSYSTEM=1 GIT_ASKPASS= SSH_ASKPASS=; ulimit -c 0")
    command = [
        "git", "-c", f"http.curloptResolve={HOST}:{server.port}:127.0.0.1", "-c", f"http.sslCAInfo={server.authority}",
        "clone", server.url(), str(tmp_path / "clone")]
    shell.type(shlex.join(command) + "\n")
    shell.wait(GIT_PROMPT)
    yield tmp_path / "clone"
    server.close()


def asks_by_itself(shell):
    """Git goes on as if there were no helper, and the terminal shows the name that is typed."""
    shell.wait("Username for")
    until(lambda: shell.echoes)
    shell.type("somebody")
    shell.wait("somebody")
    # One of git's processes may discard what is typed after this, so nothing is.
    shell.type("\x03")
    shell.wait(READY)


def test_a_stopped_git_gives_the_terminal_back_and_its_helper_asks_again_in_silence(running, shell, git):
    shell.type("half a secr\x1a")
    shows_again(shell)
    shell.type("fg\n")
    shell.wait(GIT_PROMPT)
    must_hold(not shell.echoes, "the helper's prompt shows what is typed after it was stopped")
    shell.type(PASSPHRASE + "\n")
    shell.wait(USE)
    shell.type("y\n")
    shell.wait(READY)
    assert (git / "file").exists()
    nothing_released("the terminal", [text for text in (PASSPHRASE, "half a secr") if text in shell.screen])


@pytest.mark.parametrize("end", ["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"])
def test_a_git_that_is_ended_at_its_helper_s_prompt_leaves_the_terminal_as_it_was(shell, git, end):
    [helper] = processes(shell.foreground, "git-credential-latchkey")
    os.kill(shell.foreground, signal.Signals[end])
    shows_again(shell)
    until(lambda: not pathlib.Path(f"/proc/{helper}").exists() or state(helper) == "Z")


def test_control_c_at_the_prompt_of_git_s_helper_ends_all_of_it(shell, git):
    [helper] = processes(shell.foreground, "git-credential-latchkey")
    shell.type("half a secr\x03")
    shows_again(shell)
    until(lambda: not pathlib.Path(f"/proc/{helper}").exists() or state(helper) == "Z")
    assert not git.exists() and "half a secr" not in shell.screen


@pytest.mark.parametrize("end", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_helper_that_is_ended_at_its_prompt_leaves_the_terminal_to_git(shell, git, end):
    [helper] = processes(shell.foreground, "git-credential-latchkey")
    os.kill(helper, signal.Signals[end])
    asks_by_itself(shell)


def test_git_s_helper_refuses_a_passphrase_that_is_too_long_for_the_terminal(running, shell, git):
    shell.type("x" * 5000 + "\n")
    shell.wait("That is longer than the 4094 bytes that a terminal passes on.")
    asks_by_itself(shell)
    assert not is_unlocked(running)
