# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""S21, S25: a browser in a Flatpak is a browser, and nothing else in its sandbox or in another one is.

The Flatpaks are real; what is installed in them is Perl at the place of the browser.
"""

import json
import shutil
import socket
import struct
import subprocess
from pathlib import Path

import pytest

from flatpak_kit import Flatpaks, obstacle
from installation import BINARIES, BrowserClient, secret

FIREFOX, CHROMIUM, OTHER = "org.mozilla.firefox", "org.chromium.Chromium", "com.example.Editor"
PERL = Path("/usr/bin/perl")
#: Starts a program as a browser starts a host, and passes on what it says and hears. `$shared`: another process has the pipes, too.
#: `$becomes`: what has started it becomes that program, and another process speaks to it.
BROWSER = r"""
$^F = 99 if $shared or $becomes;
pipe($ir, $iw); pipe($or, $ow);
if ($shared) { my $other = fork(); if (!$other) { close($ir); close($ow); sleep 20; exit 0; } }
my $other = $becomes ? fork() : 1;
my $child = $other ? fork() : 1;
if (!$child) { open(STDIN, "<&", $ir); open(STDOUT, ">&", $ow); close($iw); close($or); $^F = 2; exec(@ARGV) or exit 127; }
close($ir); close($ow);
if ($becomes && $other) { close($iw); close($or); exec($becomes, "-e", "sleep 20"); }
while (1) {
  my $set = ""; vec($set, 0, 1) = 1; vec($set, fileno($or), 1) = 1;
  select($set, undef, undef, undef);
  if (vec($set, 0, 1)) { last unless sysread(STDIN, my $bytes, 65536); syswrite($iw, $bytes); }
  if (vec($set, fileno($or), 1)) { last unless sysread($or, my $bytes, 65536); syswrite(STDOUT, $bytes); }
}
close($iw); waitpid($child, 0);
"""


@pytest.fixture(scope="module")
def flatpaks(tmp_path_factory):
    if reason := obstacle():
        pytest.skip(reason)
    made = Flatpaks()
    try:
        relay = BINARIES / "latchkey-browser-relay"
        shell = [Path(f"/usr/bin/{name}") for name in ("bash", "cp", "ls", "perl")]
        made.make_runtime(shell, linked=[relay])
        # Another program than the browser: files of the same content are one file in a Flatpak.
        other = tmp_path_factory.mktemp("flatpak") / "other"
        other.write_bytes(PERL.read_bytes() + b"\n")
        other.chmod(0o755)
        files = {"lib/firefox/firefox": PERL, "chromium/chrome": PERL, "bin/other": other}
        for name in (FIREFOX, CHROMIUM, OTHER):
            made.make_app(name, files, "/app/bin/other")
        yield made
    finally:
        made.remove()


class Sandboxed:
    """Flatpaks of a user who has an unlocked Latchkey, which may see its socket once it was set up."""

    def __init__(self, flatpaks, installation):
        self.flatpaks, self.installation = flatpaks, installation
        installation.environment["FLATPAK_SYSTEM_DIR"] = flatpaks.environment["FLATPAK_SYSTEM_DIR"]
        self.environment = {name: value for name, value in installation.environment.items() if "DBUS" not in name}
        installation.start()
        account = {"services": ["shiny.example.com"], "user": "rmondello", "password": secret("correct horse")}
        installation.unlocked().call("items.add", items=[account])

    def install(self, browser="firefox"):
        return self.installation.latchkey("browser", "install", "--flatpak", "--browser", browser, "--yes").stdout.decode()

    def allow(self, name):
        """Lets an app see the folders, without anything else."""
        folders = ["--filesystem=xdg-run/latchkey/browser:ro", "--filesystem=xdg-data/latchkey/flatpak:ro"]
        subprocess.run(["flatpak", "override", "--user", *folders, name], env=self.environment, check=True)

    def home(self, name):
        return self.installation.folder / ".var/app" / name

    def manifest(self, name=FIREFOX):
        folder = ".mozilla/native-messaging-hosts" if name == FIREFOX else "config/chromium/NativeMessagingHosts"
        return self.home(name) / folder / "org.latchkey.browser.json"

    def relay(self, name=FIREFOX):
        return json.loads(self.manifest(name).read_text())["path"]

    def host(self, name=FIREFOX, starter="lib/firefox/firefox", relay=None, before="", arguments=BrowserClient.FIREFOX):
        """The relay, started in an app's sandbox by one of its programs, which does something before."""
        words = self.words(name, starter)
        return BrowserClient(self.installation, *arguments, program=[*words, "-e", before + BROWSER, relay or self.relay(name)],
                             environment=self.environment)

    def words(self, name, starter):
        """What runs a program in an app's sandbox. A session's runtime folder is at the same place there; that of a test is not."""
        words = self.flatpaks.run_words(name, f"/app/{starter}")
        words.insert(-1, f"--env=XDG_RUNTIME_DIR={self.installation.folder}/runtime_dir")
        return words

    def shell(self, script, name=FIREFOX):
        words = self.flatpaks.run_words(name, "/usr/bin/bash")
        words.insert(-1, f"--env=XDG_RUNTIME_DIR={self.installation.folder}/runtime_dir")
        return subprocess.run([*words, "-c", script], env=self.environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)


@pytest.fixture
def sandboxed(flatpaks, installation):
    return Sandboxed(flatpaks, installation)


def said(host):
    """What was answered to its hello."""
    if host.hello is None:
        raise AssertionError(host.process.stderr.read().decode())
    return host.hello


def refusal(host):
    assert "error" in said(host), host.hello
    message = host.hello["error"]["message"]
    host.process.stdin.close()
    host.process.wait(30)
    return message


def test_S25_a_browser_in_a_flatpak_is_set_up_by_one_command_and_fills(sandboxed):
    assert str(sandboxed.manifest()) in sandboxed.install()
    host = sandboxed.host()
    assert said(host)["result"]["role"] == "browser"
    assert host.focus("https://shiny.example.com")["bar"] is True
    host.close()
    assert str(sandboxed.manifest(CHROMIUM)) in sandboxed.install("chromium")
    host = sandboxed.host(CHROMIUM, "chromium/chrome", arguments=[BrowserClient.EXTENSION])
    assert said(host)["result"]["role"] == "browser"
    host.close()


def test_S25_nothing_of_a_sandbox_is_loaded_into_the_relay():
    """It names no loader (PT_INTERP), so no library comes into it, whatever the environment or the files beside it say."""
    program = (BINARIES / "latchkey-browser-relay").read_bytes()
    table, size, count = struct.unpack_from("=Q", program, 32)[0], *struct.unpack_from("=HH", program, 54)
    kinds = [struct.unpack_from("=I", program, table + size * number)[0] for number in range(count)]
    assert program.startswith(b"\x7fELF\x02") and 1 in kinds and 3 not in kinds


def test_S25_its_sandbox_sees_one_socket_and_nothing_else_of_latchkey(sandboxed):
    sandboxed.install()
    seen = sandboxed.shell("ls -A $XDG_RUNTIME_DIR/latchkey $XDG_RUNTIME_DIR/latchkey/browser; echo x > $XDG_RUNTIME_DIR/latchkey/browser/x")
    assert "socket" in seen.stdout and "latchkeyd.sock" not in seen.stdout, seen
    assert "Read-only file system" in seen.stderr, seen
    assert sandboxed.shell(f"ls -A {sandboxed.installation.data}").stdout.split() == ["flatpak"]
    for folder in (sandboxed.installation.config, sandboxed.installation.state):
        assert folder.exists()
        assert sandboxed.shell(f"ls {folder}").returncode != 0, folder


def test_S25_another_program_of_the_browsers_sandbox_gets_nothing(sandboxed):
    sandboxed.install()
    assert "is not the browser" in refusal(sandboxed.host(starter="bin/other"))
    # A copy of the browser at another place, and one that the user can change.
    copy = sandboxed.home(FIREFOX) / "firefox"
    assert sandboxed.shell(f"cp /app/lib/firefox/firefox {copy}").returncode == 0
    become = f'if (!$ENV{{AGAIN}}) {{ $ENV{{AGAIN}} = 1; open(my $self, "<", "/proc/self/cmdline"); local $/; my @w = split(/\\0/, <$self>); $w[0] = "{copy}"; exec(@w); }}'
    assert "is not the browser" in refusal(sandboxed.host(before=become))


@pytest.mark.waits
def test_S25_a_program_that_becomes_the_browser_gets_nothing(sandboxed):
    """The relay's parent runs the browser by then; who speaks to the relay is another process."""
    sandboxed.install()
    assert "another program than the browser" in refusal(sandboxed.host(before='$becomes = "/app/lib/firefox/firefox";'))


@pytest.mark.waits
def test_S25_a_browser_that_lets_another_program_speak_gets_nothing(sandboxed):
    sandboxed.install()
    assert "more than one process" in refusal(sandboxed.host(before="$shared = 1;"))


def test_S25_another_child_of_the_browsers_gets_nothing(sandboxed):
    sandboxed.install()
    body = '{"jsonrpc":"2.0","id":"hello","method":"hello","params":{"protocol":1,"client":{"name":"x","version":"1"},"browser":{"extension":"latchkey@latchkey.org"}}}'
    # Without modules: a socket's address is its family and its path.
    perl = ('socket(S,1,1,0); connect(S,pack("Sa108",1,"$ENV{XDG_RUNTIME_DIR}/latchkey/browser/socket")) or die $!; '
            '$b=shift; syswrite(S,pack("L",length $b).$b); sysread(S,$r,65536); syswrite(STDOUT,$r)')
    assert "is not this Latchkey" in refusal(sandboxed.host(relay="/usr/bin/perl", arguments=["-e", perl, body]))
    # A relay that was changed by one byte.
    changed = sandboxed.home(FIREFOX) / "relay"
    shutil.copy(sandboxed.relay(), changed)
    with open(changed, "ab") as file:
        file.write(b"x")
    assert "is not this Latchkey" in refusal(sandboxed.host(relay=str(changed)))


def test_S25_another_flatpak_that_sees_the_socket_gets_nothing(sandboxed):
    sandboxed.install()
    sandboxed.allow(OTHER)
    copy = sandboxed.home(OTHER) / "relay"
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(sandboxed.relay(), copy)
    assert "not that of a known browser" in refusal(sandboxed.host(OTHER, relay=str(copy)))


def test_S25_a_program_outside_of_a_sandbox_gets_nothing_at_that_socket(sandboxed):
    sandboxed.install()
    environment = {**sandboxed.installation.environment}
    for program in ([BINARIES / "latchkey-browser-relay"], [PERL, "-e", BROWSER, BINARIES / "latchkey-browser-relay"]):
        host = BrowserClient(sandboxed.installation, *BrowserClient.FIREFOX, program=program, environment=environment)
        assert "in no sandbox" in refusal(host)
    # Nor does the command line, whatever it may do at the other one.
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(sandboxed.installation.runtime / "browser/socket"))
        body = b'{"jsonrpc":"2.0","id":1,"method":"hello","params":{"protocol":1,"client":{"name":"x","version":"0"}}}'
        client.sendall(len(body).to_bytes(4, "little") + body)
        assert b"may not talk to Latchkey" in client.recv(4096)


def test_S21_a_sandbox_that_imitates_flatpak_is_no_browser(sandboxed, tmp_path):
    """The user's own bubblewrap, with the app's files where they belong and a statement of its own."""
    sandboxed.install()
    deployed = Path(subprocess.run(["flatpak", "info", "--show-location", FIREFOX], env=sandboxed.environment, capture_output=True,
                                   text=True, check=True).stdout.strip()) / "files"
    info = tmp_path / "info"
    info.write_text(f"[Application]\nname={FIREFOX}\n\n[Instance]\ninstance-id=4711\napp-path={deployed}\n")
    runtime = sandboxed.installation.folder / "runtime_dir"
    instance = runtime / ".flatpak/4711"
    instance.mkdir(parents=True)
    shutil.copy(info, instance / "info")
    words = ["bwrap", "--ro-bind", "/usr", "/usr", "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64", "--ro-bind", deployed,
             "/app", "--ro-bind", info, "/.flatpak-info", "--bind", sandboxed.installation.folder, sandboxed.installation.folder,
             "--proc", "/proc", "--dev", "/dev", "--", "/app/lib/firefox/firefox"]
    host = BrowserClient(sandboxed.installation, *BrowserClient.FIREFOX, environment=sandboxed.environment,
                         program=[*words, "-e", BROWSER, sandboxed.relay()])
    assert "flatpak knows no running instance" in refusal(host)


def test_a_daemon_that_starts_anew_is_found_in_a_sandbox_that_runs(sandboxed):
    """Its folder stays the same, so a sandbox that sees it finds the next socket."""
    sandboxed.install()
    words = sandboxed.words(FIREFOX, "lib/firefox/firefox")
    waiting = subprocess.Popen([*words, "-e", "sysread(STDIN, my $go, 3);" + BROWSER, sandboxed.relay(), *BrowserClient.FIREFOX],
                               env=sandboxed.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    sandboxed.installation.stop()
    sandboxed.installation.start()
    waiting.stdin.write(b"go\n")
    waiting.stdin.flush()
    size = int.from_bytes(waiting.stdout.read(4), "little")
    assert b'"role":"browser"' in waiting.stdout.read(size)
    waiting.stdin.close()
    waiting.wait(30)


def test_what_was_set_up_is_taken_back_and_nothing_else(sandboxed):
    subprocess.run(["flatpak", "override", "--user", "--filesystem=xdg-download", FIREFOX], env=sandboxed.environment, check=True)
    overrides = sandboxed.installation.folder / "data_home/flatpak/overrides" / FIREFOX
    before = overrides.read_text()
    sandboxed.install()
    # In a checkout the extension for Firefox may not have been made; Chromium's is always there.
    sandboxed.install("chromium")
    status = sandboxed.installation.latchkey("browser", "status", "--flatpak", "--browser", "chromium").stdout.decode()
    assert "ready" in status, status
    sandboxed.installation.latchkey("browser", "uninstall", "--flatpak", "--browser", "chromium")
    assert Path(sandboxed.relay()).exists(), "Firefox still needs it"
    assert "latchkey" in overrides.read_text()
    removed = sandboxed.installation.latchkey("browser", "uninstall", "--flatpak", "--browser", "firefox").stdout
    assert b"Removed" in removed
    assert overrides.read_text().split() == before.split()
    assert not sandboxed.manifest().exists() and not (sandboxed.installation.data / "flatpak").exists()
    assert sandboxed.installation.data.exists()
    refused = sandboxed.installation.latchkey("browser", "status", "--flatpak", "--browser", "firefox", check=False)
    assert refused.returncode != 0 and b"does not see" in refused.stdout


def test_nothing_is_changed_without_a_yes(sandboxed):
    refused = sandboxed.installation.latchkey("browser", "install", "--flatpak", "--browser", "firefox", check=False)
    assert refused.returncode != 0
    assert not sandboxed.manifest().exists()
    assert not (sandboxed.installation.folder / "data_home/flatpak/overrides").exists()


@pytest.mark.parametrize("inner", [".mozilla", ".mozilla/native-messaging-hosts"])
def test_S25_what_a_sandbox_puts_into_its_folder_leads_nowhere(sandboxed, inner):
    """A link to the folder of the browser outside, in place of a folder of the sandbox's own."""
    outside = sandboxed.installation.folder / ".mozilla/native-messaging-hosts"
    outside.mkdir(parents=True)
    kept = outside / "org.latchkey.browser.json"
    kept.write_text('{"name": "org.latchkey.browser", "path": "/usr/lib/latchkey/latchkey-browser-host"}')
    link = sandboxed.home(FIREFOX) / inner
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(sandboxed.installation.folder / inner)
    for act in ("install", "uninstall"):
        words = ["browser", act, "--flatpak", "--browser", "firefox", *(["--yes"] if act == "install" else [])]
        refused = sandboxed.installation.latchkey(*words, check=False)
        assert refused.returncode != 0 and b"cannot be used" in refused.stderr, refused
    assert "/usr/lib/latchkey" in kept.read_text()


def test_S25_a_sandbox_cannot_keep_its_access(sandboxed):
    sandboxed.install()
    overrides = sandboxed.installation.folder / "data_home/flatpak/overrides" / FIREFOX
    assert "latchkey" in overrides.read_text()
    shutil.rmtree(sandboxed.home(FIREFOX) / ".mozilla")
    (sandboxed.home(FIREFOX) / ".mozilla").symlink_to("/nowhere")
    sandboxed.installation.latchkey("browser", "uninstall", "--flatpak", "--browser", "firefox", check=False)
    assert not overrides.exists()
