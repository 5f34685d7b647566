# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""What brings a newcomer's passwords into the app, and what connects browsers to it."""

import json

import pytest

from app import unnamed
from installation import secret, until

CHROME = "name,url,username,password,note\nShiny,https://shiny.example.com/login,rmondello,seventeen letters,\n,https://mail.example.net,me,another one,\n"
GUESSED = "website,login,password,blah\nhttps://shiny.example.com,rmondello,seventeen letters,x\n"


@pytest.fixture
def profile(desktop):
    """The folder of a browser that was started once."""
    folder = desktop.folder / "config" / "chromium"
    folder.mkdir(parents=True)
    desktop.environment["XDG_CONFIG_HOME"] = str(folder.parent)
    return folder


def choose(app, path, title="Import Passwords"):
    """Names a file in GTK's own window, by the keyboard: a slash opens the place for a name."""
    until(lambda: app.desktop.windows(f"^{title}$") and app.desktop.x("getactivewindow", "getwindowname") == title, seconds=60)
    app.desktop.key("ctrl+a")
    app.desktop.type(str(path))
    app.desktop.key("Return")


def users(app):
    return sorted(item["user"] for item in app.client.call("items.list")["items"])


def test_passwords_of_a_browser_are_imported(app, tmp_path):
    file = tmp_path / "passwords.csv"
    file.write_text(CHROME)
    app.start().press("Import Passwords from a File")
    choose(app, file)
    app.wait_for("Imported")
    assert any("2 accounts were imported." in text for text in app.texts())
    assert users(app) == ["me", "rmondello"]
    assert not unnamed(app.tree())
    app.desktop.key("Escape")
    app.wait_for("Shiny, rmondello")
    # A second time adds nothing, and says so.
    app.press("Import Passwords from a File")
    choose(app, file)
    app.wait_for("Nothing Was Imported")
    assert any("2 lines (2, 3): saved already." in text for text in app.texts()) and len(users(app)) == 2


@pytest.mark.parametrize("answer", ["Cancel", "Import"])
def test_file_whose_columns_are_guessed_is_asked_about(app, tmp_path, answer):
    file = tmp_path / "passwords.csv"
    file.write_text(GUESSED)
    app.start().press("Import Passwords from a File")
    choose(app, file)
    app.wait_for("Import This File?")
    text = next(text for text in app.texts() if text.startswith("One account would be saved."))
    assert text.split("\n")[1:] == ["Website: website", "User name: login", "Password: password", "Notes: blah"] and users(app) == []
    # libadwaita names its buttons by both labels that it makes for one.
    app.reach(f"{answer} {answer}")
    app.desktop.key("Return")
    if answer == "Import":
        app.wait_for("Imported")
        [item] = app.client.call("items.list")["items"]
        assert app.client.proven("items.get", id=item["id"], notes=True)["item"]["notes"]["secret"].startswith("blah: ")
    else:
        app.wait_until_gone("Import This File?")
        # Whatever would be imported was, once another file is.
        file.write_text(CHROME.replace("rmondello", "second"))
        app.press("Import Passwords from a File")
        choose(app, file)
        app.wait_for("Imported")
    assert users(app) == (["rmondello"] if answer == "Import" else ["me", "second"])


@pytest.mark.parametrize(("text", "said"), [
    ("", "The file is empty"), ("nothing,of,this\nis,a,password\n", "of no format that is known. The CSV of Chrome"), ("{}", "Export again"),
])
def test_file_that_is_none_is_refused_in_words(app, tmp_path, text, said):
    file = tmp_path / "passwords.csv"
    file.write_text(text)
    app.start().press("Import Passwords from a File")
    choose(app, file)
    app.wait_for("Nothing Was Imported")
    assert any(said in text for text in app.texts()), app.texts()
    assert users(app) == []


def test_what_is_saved_already_is_compared_with_the_passphrase(app, tmp_path):
    file = tmp_path / "passwords.csv"
    file.write_text(CHROME)
    app.desktop.installation.latchkey("import", file)
    file.write_text(CHROME + ",https://forum.example.org,third,a third one,\n")
    app.client.prefer(authentication="always")
    app.start().press("Import Passwords from a File")
    choose(app, file)
    app.wait_for("Passphrase Needed")
    app.desktop.type("not this one")
    app.desktop.key("Return")
    until(lambda: any("Wrong passphrase." in text for text in app.texts()), seconds=12)
    app.prove()
    app.wait_for("Imported")
    assert users(app) == ["me", "rmondello", "third"]


def test_browser_is_set_up(app, profile):
    app.start().section("AutoFill")
    app.wait_for("Set Up Browsers")
    assert not list(profile.rglob("*.json"))
    app.press("Set Up Browsers")
    app.wait_for("Load the Extension")
    assert any("Load unpacked" in text for text in app.texts())
    [manifest] = profile.rglob("*.json")
    assert json.loads(manifest.read_text())["path"].endswith("/latchkey-browser-host")
    app.desktop.key("Escape")
    app.wait_for("How to Load the Extension…")
    assert not unnamed(app.tree())


@pytest.fixture
def weak(app):
    app.client.call("items.add", items=[{"services": ["https://shiny.example.com"], "user": "rmondello", "password": secret("password1")}])
    app.start().section("Security")
    return app


CHANGE = "Change the password of rmondello on the website shiny.example.com"


def test_password_is_changed_on_the_website(desktop, app, tmp_path):
    """The page is opened by the program that the user has for pages."""
    data = desktop.folder / "programs"
    (data / "applications").mkdir(parents=True)
    opened = tmp_path / "opened"
    (data / "applications" / "web.desktop").write_text(
        f"[Desktop Entry]\nType=Application\nName=Web\nExec=sh -c 'echo \"$1\" > {opened}; exec sleep 600' sh %u\nMimeType=x-scheme-handler/https;\n")
    (data / "applications" / "mimeapps.list").write_text("[Default Applications]\nx-scheme-handler/https=web.desktop\n")
    desktop.environment["XDG_DATA_DIRS"] = f"{data}:/usr/local/share:/usr/share"
    quirks = desktop.installation.data / "quirks"
    quirks.mkdir(parents=True, exist_ok=True)
    (quirks / "change-password-URLs.json").write_text(json.dumps({"shiny.example.com": "https://shiny.example.com/password"}))
    app.client.call("items.add", items=[{"services": ["https://shiny.example.com"], "user": "rmondello", "password": secret("password1")}])
    app.start().section("Security")
    app.press(CHANGE)
    until(opened.exists, seconds=40)
    until(lambda: opened.read_text() == "https://shiny.example.com/password\n", seconds=12)
    # The other program stays, and the app goes on.
    app.client.call("lock")
    assert app.process.wait(timeout=20) == 0


def test_site_that_names_no_page_is_said_to_have_none(weak):
    weak.press(CHANGE)
    # The site cannot be reached from the tests, and it is not in the list of known sites.
    until(lambda: any("shiny.example.com does not say where a password is changed" in text for text in weak.texts()), seconds=40)
