# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""S25: who is calling is the kernel's word, never a message's."""

import os
import shutil
import socket
import stat
import struct
import subprocess
import sys

import pytest

from installation import BINARIES, BrowserClient, denied, run_program, until
from verdicts import must_hold, nothing_released


#: Methods of every role but that of an app.
OTHERS = [
    "status", "unlock", "lock", "initialize", "items.list", "items.reveal", "items.add", "suggestions.list", "backup.write",
    "stop", "audit.list", "apps.list", "apps.grant", "authorization.render", "page.focused", "renderer.suggestions",
    "renderer.prompt", "renderer.answer", "renderer.act", "store.save", "store.list", "app.open", "provider.start",
    "providers.enable", "associations.add",
]


@pytest.mark.main
def test_S25_a_program_that_nobody_listed_may_ask_as_an_app_and_nothing_else(running):
    running.unlocked()
    running.kill()
    running.trust()
    running.start()
    client = running.client()
    assert client.hello["role"] == "client"
    # It is not told whether there is anything, nor whether it is locked (it is, after a start).
    assert client.hello["initialized"] is True and client.hello["locked"] is False
    for method in OTHERS:
        denied(-32601, client.call, method, id="x", path="/x", url="https://shiny.example.com", ticket="x", passphrase={"secret": "x"})


def test_S25_an_interpreter_that_asks_as_an_app_gets_nothing(installation):
    installation.trust()
    installation.start()
    client = installation.client()
    for surfaces in [["window", "terminal"], ["terminal"], [], ["nonsense"]]:
        refusal = denied(9, client.call, "authorization.request", types=["password"], surfaces=surfaces)
        assert refusal.message == "The request was canceled." and not refusal.data


@pytest.mark.main
def test_S25_a_program_that_only_has_the_right_name_is_refused(installation, tmp_path):
    """A copy of the interpreter called `latchkey` is another file than ours."""
    installation.trust()
    installation.start()
    impostor = tmp_path / "latchkey"
    shutil.copy(os.path.realpath(sys.executable), impostor)
    code = (
        "import socket,struct,json,sys\n"
        "s=socket.socket(socket.AF_UNIX);s.connect(sys.argv[1])\n"
        "b=json.dumps({'jsonrpc':'2.0','id':1,'method':'hello','params':{'protocol':1,'role':'settings',"
        "'client':{'name':'latchkey','version':'1'}}}).encode()\n"
        "s.sendall(struct.pack('=I',len(b))+b);n=struct.unpack('=I',s.recv(4))[0];print(s.recv(n).decode())\n"
    )
    environment = {**os.environ, "PYTHONHOME": sys.base_prefix}
    answer = subprocess.run([impostor, "-c", code, installation.socket], capture_output=True, env=environment)
    must_hold(b'"role":"settings"' not in answer.stdout, f"an impostor has the role of the settings: {answer}")
    assert b'"role":"client"' in answer.stdout, answer


@pytest.mark.main
def test_S25_nothing_is_answered_before_hello(running):
    client = running.client(greet=False)
    denied(8, client.call, "status")


@pytest.mark.main
def test_S25_a_host_whose_parent_is_no_browser_is_refused(installation):
    installation.trust(settings=[os.path.realpath(sys.executable)])
    installation.start()
    browser = BrowserClient(installation)
    nothing_released("the greeting", browser.hello.get("result"))
    assert browser.hello["error"]["code"] == 8
    assert "not a known browser" in browser.hello["error"]["message"]


@pytest.mark.main
@pytest.mark.parametrize("arguments", [
    ("chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/",),
    ("chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/", "latchkey@latchkey.org"),
    (BrowserClient.FIREFOX[0], "other@example.net"),
], ids=["Chromium", "Chromium with an identifier of Firefox", "Firefox"])
def test_S25_an_extension_that_is_not_registered_is_refused(running, arguments):
    browser = BrowserClient(running, *arguments)
    nothing_released("the greeting", browser.hello.get("result"))
    assert browser.hello["error"]["code"] == 8


@pytest.mark.main
def test_firefox_names_the_extension_by_its_identifier(running):
    browser = BrowserClient(running, *BrowserClient.FIREFOX)
    assert browser.hello["result"]["role"] == "browser"
    browser.close()


@pytest.mark.main
def test_S25_a_browser_has_none_of_the_methods_for_settings(running):
    running.unlocked()
    browser = BrowserClient(running)
    assert browser.hello["result"]["role"] == "browser"
    for method in ["items.list", "items.reveal", "suggestions.list", "unlock", "backup.write", "stop", "store.state"]:
        denied(-32601, browser.call, method, role="settings", id="x", url="https://shiny.example.com", path="/x")
    browser.close()


@pytest.mark.main
def test_S25_settings_have_none_of_the_methods_for_browsers(running):
    client = running.unlocked()
    for method in ["page.focused", "renderer.choose", "renderer.suggestions", "provider.start", "store.save"]:
        denied(-32601, client.call, method)


@pytest.mark.main
@pytest.mark.parametrize("trust", [{"settings": True}, {}], ids=["command line", "app"])
def test_S34_only_a_known_browser_may_state_an_origin(running, trust):
    """Whoever may state origins may have whatever is saved for them; nobody else's role has a method that takes one to fill."""
    running.unlocked().call(
        "items.add", items=[{"services": ["shiny.example.com"], "user": "me", "password": {"secret": "p" * 16}}])
    running.kill()
    running.trust(**({"settings": [os.path.realpath(sys.executable)]} if trust else {}))
    running.start()
    client = running.unlocked() if trust else running.client()
    frames = [{"frame": 0, "document": "D1", "url": "https://shiny.example.com/", "origin": "https://shiny.example.com"}]
    for method in ["page.focused", "renderer.suggestions", "renderer.list", "renderer.choose", "renderer.openList"]:
        denied(-32601, client.call, method, tab=1, frame=0, document="D1", origin="https://shiny.example.com", frames=frames)


def test_S25_the_host_started_by_hand_says_so():
    done = run_program([BINARIES / "latchkey-browser-host"], input=b"")
    assert done.returncode == 64
    assert b"by a browser, not by hand" in done.stderr


@pytest.mark.main
def test_S25_a_second_daemon_fails_closed(running):
    second = run_program([BINARIES / "latchkeyd"], env=running.environment)
    assert second.returncode == 13
    assert b"Another latchkeyd runs already" in second.stderr
    assert running.client().hello["role"] == "settings"


def test_S25_folders_and_socket_are_closed_to_others(running):
    for folder in [running.runtime, running.data, running.state]:
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700, folder
    assert stat.S_IMODE(running.socket.stat().st_mode) == 0o600


def test_S25_a_runtime_folder_of_another_user_is_refused(installation):
    if os.geteuid() != 0:
        pytest.skip("giving a folder away needs root")
    installation.runtime.mkdir(parents=True)
    os.chown(installation.runtime, 65534, 65534)
    done = run_program([BINARIES / "latchkeyd"], env=installation.environment)
    assert done.returncode == 1
    assert b"is not yours" in done.stderr


@pytest.mark.main
def test_S25_the_command_line_says_nothing_to_another_users_socket(installation):
    """A squatter listens where the daemon should: no byte reaches it."""
    if os.geteuid() != 0:
        pytest.skip("listening as another user needs root")
    installation.runtime.mkdir(parents=True)
    os.chmod(installation.folder, 0o755)
    for folder in [installation.runtime.parent, installation.runtime]:
        os.chmod(folder, 0o777)
    code = (
        "import os,socket,sys\n"
        "os.setgid(65534);os.setuid(65534)\n"
        "s=socket.socket(socket.AF_UNIX);s.bind(sys.argv[1]);os.chmod(sys.argv[1],0o777);s.listen();print('ready',flush=True)\n"
        "c,_=s.accept();c.settimeout(30)\n"
        "try:\n  data=c.recv(1)\nexcept TimeoutError:\n  data=b''\n"
        "print(len(data),flush=True)\n"
    )
    squatter = subprocess.Popen(
        [sys.executable, "-c", code, installation.socket], stdout=subprocess.PIPE, text=True
    )
    assert squatter.stdout.readline().strip() == "ready"
    done = installation.latchkey("unlock", "--passphrase-file", "-", input=b"secret", check=False)
    assert done.returncode != 0
    assert b"nother user" in done.stderr
    must_hold(squatter.stdout.readline().strip() == "0", "another user's program was told something")
    squatter.wait(30)


@pytest.mark.main
def test_S26_every_release_is_in_the_log_with_who_asked(running):
    client = running.unlocked()
    identifier = client.call(
        "items.add", items=[{"services": ["shiny.example.com"], "user": "me", "password": {"secret": "p" * 16}}]
    )["items"][0]["id"]
    before = len(client.call("audit.list")["lines"])
    client.call("items.reveal", id=identifier, purpose="show")
    log = client.call("audit.list")
    assert log["intact"] is True
    must_hold(len(log["lines"]) == before + 1, "a release has no line in the log")
    line = log["lines"][-1]
    assert line["event"] == "released" and line["user"] == "me" and line["service"] == "shiny.example.com"
    assert os.path.realpath(sys.executable) == line["requester"]


@pytest.mark.main
def test_S26_without_a_log_nothing_is_released(running):
    client = running.unlocked()
    identifier = client.call(
        "items.add", items=[{"services": ["shiny.example.com"], "user": "me", "password": {"secret": "p" * 16}}]
    )["items"][0]["id"]
    client.call("items.reveal", id=identifier, purpose="show")
    (running.state / "audit.log").unlink()
    (running.state / "audit.log").mkdir()
    denied(14, client.call, "items.reveal", id=identifier, purpose="show")


def test_S25_who_connects_and_becomes_another_program_lends_its_role_to_nobody(installation):
    """A child connects by a socket that its parent has too, and becomes the command line; the parent speaks."""
    installation.trust()
    installation.start()
    answered = []
    for _ in range(10):
        with socket.socket(socket.AF_UNIX) as shared:
            shared.settimeout(20)
            shared.set_inheritable(True)
            connect = (
                "import os, socket, sys\n"
                "socket.socket(fileno=int(sys.argv[1])).connect(sys.argv[2])\n"
                "os.execv(sys.argv[3], ['latchkey', 'unlock'])"
            )
            child = subprocess.Popen(
                [sys.executable, "-c", connect, str(shared.fileno()), str(installation.socket), BINARIES / "latchkey"],
                env=installation.environment, pass_fds=[shared.fileno()], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL)
            until(lambda: open(f"/proc/{child.pid}/cmdline").read().startswith("latchkey\0"))
            shared.getpeername()
            body = b'{"jsonrpc":"2.0","id":1,"method":"hello","params":{"protocol":1,"client":{"name":"x","version":"0"}}}'
            try:
                shared.sendall(struct.pack("=I", len(body)) + body)
                answered.append(shared.recv(4096))
            except OSError:
                answered.append(b"")
            assert child.poll() is None
            child.kill()
            child.wait()
            child.stdin.close()
    # Neither the role nor anything else.
    nothing_released("answers", answered)


@pytest.mark.parametrize("asks", [True, False], ids=["PassCredentials", "an older unit"])
def test_a_hello_that_waits_for_the_daemon_is_answered(running, asks):
    """A service manager listens, a client says its hello, and only then the daemon starts."""
    running.stop()
    running.socket.unlink(missing_ok=True)
    body = b'{"jsonrpc":"2.0","id":1,"method":"hello","params":{"protocol":1,"client":{"name":"x","version":"0"}}}'
    begin = (
        "import os, sys; os.dup2(int(sys.argv[1]), 3); os.environ.update(LISTEN_FDS='1', LISTEN_PID=str(os.getpid())); "
        "os.execv(sys.argv[2], sys.argv[2:])")
    with socket.socket(socket.AF_UNIX) as listening, socket.socket(socket.AF_UNIX) as client:
        listening.bind(str(running.socket))
        if asks:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        listening.listen()
        client.connect(str(running.socket))
        client.sendall(struct.pack("=I", len(body)) + body)
        daemon = subprocess.Popen(
            [sys.executable, "-c", begin, str(listening.fileno()), BINARIES / "latchkeyd"], env=running.environment,
            pass_fds=[listening.fileno()], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            client.settimeout(60)
            assert b'"role"' in client.recv(4096)
        finally:
            daemon.kill()
            daemon.wait()
