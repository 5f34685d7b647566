# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""A window of an app that its site names: it is offered the site's accounts by itself, without a binding."""

import os
import plistlib
import shutil
import uuid

import pytest

from desktop import Desktop, Form
from installation import BINARIES, PASSPHRASE, until
from system_apps import ENTITLEMENTS, MARK, PROGRAMS, apps_of_the_system
from test_apps import HOST, IDENTIFIER, Site

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="what counts by itself has to be root's")

FILLED = ("rmondello", "seventeen letters")
EMPTY = ("", "")


class App:
    """The form as root installs it, with an entitlement file, and the site."""

    def __init__(self, desktop, site, source):
        self.desktop, self.site = desktop, site
        name = f"{MARK}{uuid.uuid4().hex[:12]}"
        self.folder = PROGRAMS / name
        self.made = [path for path in [ENTITLEMENTS, ENTITLEMENTS.parent] if not path.exists()]
        ENTITLEMENTS.mkdir(parents=True, exist_ok=True)
        self.folder.mkdir()
        for path in [self.folder, *self.made]:
            path.chmod(0o755)
        self.program = self.folder / "shiny"
        shutil.copy(source, self.program)
        self.program.chmod(0o755)
        self.entitlements = ENTITLEMENTS / f"{name}.entitlements"
        self.entitlements.write_bytes(plistlib.dumps({
            "application-identifier": IDENTIFIER,
            "com.apple.developer.associated-domains": [f"webcredentials:{HOST}"],
            "org.latchkey.application-executable": str(self.program)}))
        self.entitlements.chmod(0o644)

    def close(self):
        shutil.rmtree(self.folder)
        self.entitlements.unlink()
        for path in self.made:
            path.rmdir()

    def expect_nothing_offered(self, form):
        """The panel's first row is none: a press there does nothing, and the next one opens the list."""
        self.desktop.wait_for_panel()
        self.desktop.press_row(0)
        self.desktop.press_all()
        self.desktop.wait_for_window("^Latchkey: All Passwords$")
        assert form.fields == EMPTY and not self.desktop.asked()


@pytest.fixture
def alone():
    """No daemon of another test sees the app, or would ask for its site."""
    with apps_of_the_system(is_alone=True):
        yield


@pytest.fixture
def site(tmp_path):
    made = Site(tmp_path)
    yield made
    made.stop()


@pytest.fixture
def desktop(alone, site, tmp_path):
    with Desktop(tmp_path, prepare=site.configure) as made:
        yield made


@pytest.fixture
def another_app_is_named(site):
    """The site names another app from the start: the daemon asks it when it learns of the app, before there is a window."""
    site.apps = ["E5336VM85F.com.example.Another"]


@pytest.fixture
def app(desktop, site, form_gtk3):
    made = App(desktop, site, form_gtk3)
    desktop.add("rmondello", FILLED[1], f"https://{HOST}")
    desktop.fill_native_programs()
    try:
        yield made
    finally:
        made.close()


def fill(desktop, form):
    desktop.answer(PASSPHRASE)
    desktop.wait_for_panel()
    desktop.press_row(0)
    until(lambda: form.fields == FILLED, seconds=30)


def test_S21_window_of_an_app_is_filled_with_the_account_of_its_site(desktop, app):
    form = Form(desktop, app.program)
    fill(desktop, form)
    # The first time takes the passphrase, and names the program and the site.
    question, = [line for line in desktop.asked() if line.startswith("SETDESC")]
    assert str(app.program) in question and HOST in question and "rmondello" in question
    line, = [line for line in desktop.log() if line["event"] == "released"]
    assert (line["requester"], line["act"]) == (str(app.program), "panel")
    assert desktop.client.call("apps.bindings") == {"bindings": []}


def test_S21_second_time_takes_no_passphrase(desktop, app):
    form = Form(desktop, app.program)
    fill(desktop, form)
    form.end()
    asked = len(desktop.asked())
    form = Form(desktop, app.program)
    desktop.wait_for_panel()
    desktop.press_row(0)
    until(lambda: form.fields == FILLED, seconds=30)
    assert len(desktop.asked()) == asked


@pytest.mark.usefixtures("another_app_is_named")
def test_S21_app_that_its_site_does_not_name_is_offered_nothing(desktop, app):
    form = Form(desktop, app.program)
    app.expect_nothing_offered(form)


def test_S21_copy_of_the_app_elsewhere_is_offered_nothing(desktop, app, tmp_path):
    copy = tmp_path / "shiny"
    shutil.copy(app.program, copy)
    form = Form(desktop, copy)
    app.expect_nothing_offered(form)


def test_S21_account_of_another_site_is_not_offered_to_the_app(desktop, app):
    item, = desktop.client.call("items.list")["items"]
    desktop.client.call("items.remove", id=item["id"])
    desktop.add("rmondello", FILLED[1], "https://other.example.net")
    form = Form(desktop, app.program)
    app.expect_nothing_offered(form)


@pytest.mark.parametrize("change", ["site takes it back", "claim is gone", "file is replaced"])
def test_S21_app_that_is_none_any_more_when_the_user_has_answered_gets_nothing(desktop, app, form_gtk3, change):
    desktop.answer("hold", PASSPHRASE)
    form = Form(desktop, app.program)
    desktop.wait_for_panel()
    desktop.press_row(0)
    desktop.until_asked()
    if change == "site takes it back":
        app.site.apps = []
        desktop.client.call("associations.check", host=HOST, app=IDENTIFIER)
    elif change == "claim is gone":
        app.entitlements.write_bytes(plistlib.dumps({
            "application-identifier": IDENTIFIER, "com.apple.developer.associated-domains": [],
            "org.latchkey.application-executable": str(app.program)}))
    else:
        other = app.folder / "other"
        shutil.copy(form_gtk3, other)
        other.replace(app.program)
    desktop.let_go()
    until(lambda: [line for line in desktop.log() if line["event"] == "refused"], seconds=20)
    assert form.fields == EMPTY
    assert not [line for line in desktop.log() if line["event"] == "released"]


def test_demo_window_is_filled(desktop, app, tmp_path):
    shutil.copy(BINARIES / "shiny-window", app.program)
    desktop._spawn(app.program)
    desktop.answer(PASSPHRASE)
    desktop.wait_for_panel()
    desktop.press_row(0)
    until(lambda: [line for line in desktop.log() if line["event"] == "released"], seconds=30)
    # What was released is in the fields a moment later; before that the window says that something is missing.
    until(lambda: desktop.key("Return") or "Signed in as rmondello." in desktop.texts(), seconds=20)
