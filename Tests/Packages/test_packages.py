# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""One system's life with the packages: installed beside browsers that were used before, used, updated while unlocked, removed, purged.

The tests go on from each other, in this order. There is no systemd: the first command, or the browser, starts the daemon.
"""

import json
import os
import pty
import signal
import time

import demo_site
import pytest
from browsers import PackagedChromium, PackagedFirefox, eventually, eventually_in_firefox
from firefox import FirefoxSetting
from site_server import Site
from throwaway import USER, newer

IDENTIFIER = "malldjagemimmcmdgodgcdpnfmccpage"
HOST, PAGE = "shiny.example.com", "https://shiny.example.com/login"
PASSPHRASE = "correct horse battery staple"
SAVED = ("rmondello", "a password for tests")
CHROMIUM, FIREFOX, SECOND = "/home/anna/profile", "/home/anna/firefox-profile", "/home/anna/second-firefox-profile"
SITES = ["http://*/*", "https://*/*"]
DAEMON = "/usr/lib/latchkey/latchkeyd"
#: What must be the same after the packages are gone: all that Latchkey keeps.
HOMES = [".local/share/latchkey", ".config/latchkey", ".local/state/latchkey"]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    site = Site(tmp_path_factory.mktemp("site"))
    demo_site.serve(site, [HOST])
    yield site
    site.stop()


@pytest.fixture(scope="module")
def begun():
    """When the first package was installed; what else the tests tell each other."""
    return {}


@pytest.fixture
def chromium(bookworm, playwright, site):
    started = []

    def start():
        started.append(PackagedChromium(playwright, bookworm, CHROMIUM, site.arguments()))
        return started[-1]

    yield start
    for one in started:
        one.close()


@pytest.fixture
def firefox(bookworm, site):
    started = []

    def start(profile=FIREFOX, **more):
        started.append(PackagedFirefox(bookworm, profile, site.port, more))
        return started[-1]

    start.started = started
    yield start
    for one in started:
        one.close()


def unlock(system):
    system.user("latchkey", "unlock", "--passphrase-file", "/home/anna/passphrase")


def is_locked(system) -> bool:
    return json.loads(system.user("latchkey", "status", "--json"))["locked"]


def kept(system) -> dict:
    """The files that Latchkey has in the home, with their sizes."""
    found = {}
    for folder in HOMES:
        for name in system.files(f"/home/anna/{folder}"):
            file = system.path(f"/home/anna/{folder}/{name}")
            if file.is_file():
                found[f"{folder}/{name}"] = file.stat().st_size
    return found


def test_browsers_are_used_before(bookworm, chromium, firefox):
    browser = chromium()
    browser.page.goto(PAGE)
    assert browser.extensions() == []
    browser.close()
    for profile in (FIREFOX, SECOND):
        assert firefox(profile).addon() is None
    assert bookworm.path(CHROMIUM + "/Default/Preferences").exists()


def test_apt_installs_the_packages_and_what_they_need(bookworm, packages, begun):
    home = bookworm.files("/home/anna")
    paths = [bookworm.bring(package) for package in packages]
    begun["install"] = time.monotonic()
    said = bookworm.apt("install", *paths)
    print(f"\n  apt install: {time.monotonic() - begun['install']:.1f} s")
    assert "error" not in said.lower().replace("liberror", ""), said
    assert bookworm.files("/home/anna") == home
    for package in packages:
        assert bookworm.root("dpkg", "--verify", package.name.split("_")[0]) == ""
    assert "bubblewrap" in bookworm.root("dpkg-query", "-W", "bubblewrap")
    assert bookworm.processes(DAEMON) == []


def test_a_user_begins(bookworm):
    bookworm.user("sh", "-c", "umask 077; cat > ~/passphrase", text=PASSPHRASE)
    assert bookworm.path("/home/anna/passphrase").stat().st_uid == 1000
    bookworm.user("latchkey", "init", "--passphrase-file", "/home/anna/passphrase")
    bookworm.user("latchkey", "add", HOST, SAVED[0], text=SAVED[1] + "\n")
    assert len(bookworm.processes(DAEMON)) == 1
    providers = json.loads(bookworm.user("latchkey", "providers", "list", "--json"))["providers"]
    assert {"org.latchkey.passwords", "org.latchkey.pass"} <= {one["identifier"] for one in providers}
    # The provider's process is in a sandbox: its mounts are others.
    [provider] = bookworm.processes("/usr/lib/latchkey/latchkey-passwords")
    mounts = [bookworm.root("readlink", f"/proc/{one}/ns/mnt") for one in (provider, bookworm.processes(DAEMON)[0])]
    assert mounts[0] != mounts[1]


def pam_lines(system) -> dict[str, list[str]]:
    """The lines of PAM's common files, without comments."""
    files = {name: system.path(f"/etc/pam.d/common-{name}").read_text() for name in ("auth", "account", "session", "password")}
    return {name: [line for line in text.splitlines() if line.strip() and not line.startswith("#")] for name, text in files.items()}


def log_in(system, password: str) -> None:
    """Logs anna in by login(1), and ends when Latchkey is unlocked."""
    words = system.entry(None)
    process, terminal = pty.fork()
    if process == 0:
        os.execvp(words[0], [*words, "login", USER])
    try:
        heard = b""
        while b"assword:" not in heard:
            heard += os.read(terminal, 1024)
        os.write(terminal, password.encode() + b"\n")
        deadline = time.monotonic() + 30
        while is_locked(system):
            assert time.monotonic() < deadline, "the login unlocked nothing"
            time.sleep(0.1)
    finally:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        os.close(terminal)


def test_a_login_unlocks_once_root_has_chosen_it_and_the_user_agreed(bookworm):
    before = pam_lines(bookworm)
    assert "pam_latchkey" not in str(before), "it is on without having been chosen"
    bookworm.root("chpasswd", text="anna:a login password\n")
    bookworm.user("sh", "-c", "umask 077; cat > ~/login-password", text="a login password")
    bookworm.user("latchkey", "login", "enable", "--passphrase-file", "/home/anna/passphrase", "--login-password-file", "/home/anna/login-password")
    assert "pam-auth-update" in bookworm.user("latchkey", "login", "status")
    bookworm.root("pam-auth-update", "--enable", "latchkey")
    after = pam_lines(bookworm)
    for name in ("auth", "session", "password"):
        assert "pam_latchkey.so" in after[name][-1], after[name]
    assert after["account"] == before["account"] and "pam-auth-update" not in bookworm.user("latchkey", "login", "status")
    bookworm.user("latchkey", "lock")
    log_in(bookworm, "a login password")


def test_the_command_line_says_that_the_package_has_set_browsers_up(bookworm):
    said = bookworm.user("latchkey", "browser", "status")
    print("\n" + said)
    lines = {line.split("  ")[0].strip(): line for line in said.splitlines()}
    assert IDENTIFIER in lines["extension"]
    for name, part in {"Chromium": "/usr/share/chromium/extensions/latchkey", "Firefox": "latchkey@latchkey.org"}.items():
        assert "ready, set up for all users; /" in lines[name] and f"loads the extension from /" in lines[name] and part in lines[name]
    wrote = bookworm.user("latchkey", "browser", "install")
    assert "set up for all users" in wrote and "wrote" not in wrote and "Load unpacked" not in wrote


def test_chromium_fills_with_the_profile_that_was_there(bookworm, chromium, begun):
    browser = chromium()
    eventually(browser.page, lambda: IDENTIFIER in browser.extensions(), "the extension")
    assert browser.fill(PAGE, PASSPHRASE) == SAVED
    print(f"\n  from apt install to the first fill: {time.monotonic() - begun['install']:.1f} s, with the test's own waiting")


def test_without_the_packages_preference_firefox_lets_it_into_no_site(firefox):
    """Why /etc/firefox-esr/latchkey.js is there: only a profile that is new, or a Firefox that is, grants what the extension asks for."""
    without = {"extensions.startupScanScopes": 0}
    for _ in range(2):
        browser = firefox(SECOND, **without)
        eventually_in_firefox(browser.addon, "the extension")
        browser.close()
        firefox.started.remove(browser)
    browser = firefox(SECOND, **without)
    assert browser.addon()["origins"] == []
    fresh = firefox("/home/anna/new-firefox-profile", **without)
    assert eventually_in_firefox(fresh.addon, "the extension")["origins"] == SITES


def test_firefox_fills_with_the_profile_that_was_there(bookworm, firefox):
    browser = firefox()
    eventually_in_firefox(browser.addon, "the extension")
    print("\n ", browser.addon())
    assert browser.addon()["active"] and not browser.addon()["disabled"] and browser.addon()["origins"] == SITES
    browser.begin()
    it = FirefoxSetting(None, browser)
    it.open(PAGE)
    assert it.texts()
    it.tap()
    it.accept(it.prompt(), PASSPHRASE)
    it.filled(*SAVED)


def test_an_update_while_unlocked_ends_the_daemon_and_the_browser_goes_on(bookworm, packages, chromium, tmp_path):
    browser = chromium()
    eventually(browser.page, lambda: IDENTIFIER in browser.extensions(), "the extension")
    unlock(bookworm)
    assert browser.fill(PAGE, PASSPHRASE) == SAVED
    [before] = bookworm.processes(DAEMON)
    said = bookworm.apt("install", *[bookworm.bring(newer(package, tmp_path)) for package in packages])
    assert "Latchkey was updated: 1 running latchkeyd ended" in said, said
    deadline = time.monotonic() + 20
    while before in bookworm.processes(DAEMON):
        assert time.monotonic() < deadline, "the old daemon goes on"
        time.sleep(0.1)
    assert is_locked(bookworm)
    unlock(bookworm)
    [after] = bookworm.processes(DAEMON)
    assert after != before
    assert browser.fill(PAGE, PASSPHRASE) == SAVED


def test_removing_ends_what_runs_and_leaves_what_was_saved(bookworm, chromium):
    before = kept(bookworm)
    assert any("keyring" in name for name in before) and any("containers/" in name for name in before)
    said = bookworm.apt("remove", "latchkey", "webext-latchkey")
    for folder in HOMES:
        assert f"~/{folder}" in said, said
    deadline = time.monotonic() + 20
    while bookworm.processes(DAEMON):
        assert time.monotonic() < deadline, "the daemon goes on"
        time.sleep(0.1)
    assert set(kept(bookworm)) >= {name for name in before if not name.endswith(("-wal", "-shm"))}
    assert not bookworm.path("/usr/lib/latchkey").exists()
    assert "pam_latchkey" not in str(pam_lines(bookworm))
    browser = chromium()
    browser.page.goto(PAGE)
    assert IDENTIFIER not in browser.extensions()


def test_purging_leaves_nothing_outside_of_homes(bookworm):
    # libpam-latchkey has nothing left to purge.
    bookworm.apt("purge", "latchkey", "webext-latchkey")
    found = bookworm.root("find", "/etc", "/usr", "/var", "-iname", "*latchkey*")
    assert found == "", found
    print("\n  left in the home: " + ", ".join(sorted(kept(bookworm))))


def test_what_was_saved_is_there_after_installing_again(bookworm, packages):
    bookworm.apt("install", *[bookworm.bring(package) for package in packages])
    unlock(bookworm)
    assert SAVED[0] in bookworm.user("latchkey", "list", "--json")
    bookworm.user("latchkey", "daemon", "stop")
