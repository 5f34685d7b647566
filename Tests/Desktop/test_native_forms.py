# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Forms of native programs: found, offered, filled."""

import contextlib
import shutil
import signal
import time

import pytest

from desktop import ROW, Form
from installation import PASSPHRASE, until

FILLED = ("me@example.com", "seventeen letters")
EMPTY = ("", "")


def choose_in_the_list(desktop, *keys):
    """Opens the list from the panel, chooses its first account, and presses the button that the keys reach."""
    desktop.wait_for_panel()
    desktop.press_all()
    desktop.wait_for_window("^Latchkey: All Passwords$")
    desktop.key("Tab", "Return")
    desktop.wait_for_window("^Latchkey: Use This Password Here.$")
    desktop.key(*keys, "Return")


def bind(desktop, form):
    """Has the one account offered in this program from now on."""
    desktop.answer(PASSPHRASE)
    choose_in_the_list(desktop, "Tab")
    until(lambda: form.fields == FILLED, seconds=20)


@pytest.fixture
def bound(desktop, form_gtk3):
    """A desktop on which the one account is bound to the program."""
    desktop.add()
    desktop.fill_native_programs()
    form = Form(desktop, form_gtk3)
    bind(desktop, form)
    form.end()
    return desktop


def test_account_that_is_bound_to_a_program_is_filled_and_offered_from_then_on(bound, form_gtk3):
    asked = len(bound.asked())
    form = Form(bound, form_gtk3)
    bound.wait_for_panel()
    bound.press_row(0)
    until(lambda: form.fields == FILLED, seconds=20)
    # The passphrase was given a moment ago, and the account went to this program before.
    assert len(bound.asked()) == asked
    lines = [line for line in bound.log() if line["event"] == "released"]
    assert [(line["requester"], line["act"]) for line in lines] == [
        (str(form_gtk3), "panel"), (str(form_gtk3), "window")]
    assert lines[0]["reason"] == "bound to this program by the user"


def test_password_is_in_no_log_and_no_question(bound, form_gtk3):
    form = Form(bound, form_gtk3)
    bound.wait_for_panel()
    bound.press_row(0)
    until(lambda: form.fields == FILLED, seconds=20)
    texts = [bound.said(), (bound.installation.folder / "daemon.log").read_text(), *bound.asked(), str(bound.log())]
    assert not [text for text in texts if FILLED[1] in text]


def test_second_program_that_would_fill_ends_at_once(bound):
    second = bound.spawn_agent()
    assert second.wait(timeout=20) == 0 and bound.agent.poll() is None


def test_question_names_the_program_and_the_place_that_the_account_was_saved_for(desktop, form_gtk3):
    desktop.add()
    desktop.fill_native_programs()
    bind(desktop, Form(desktop, form_gtk3))
    question = next(line for line in desktop.asked() if line.startswith("SETDESC"))
    for word in (str(form_gtk3), "files.example.com", "me@example.com", "from now on"):
        assert word in question, question


def test_account_that_is_filled_once_is_not_offered_the_next_time(desktop, form_gtk3):
    desktop.add()
    desktop.fill_native_programs()
    form = Form(desktop, form_gtk3)
    desktop.answer(PASSPHRASE)
    choose_in_the_list(desktop, "Tab", "Tab")
    until(lambda: form.fields == FILLED, seconds=20)
    form.end()
    form = Form(desktop, form_gtk3)
    desktop.wait_for_panel()
    desktop.press_row(0)
    desktop.press_all()
    desktop.wait_for_window("^Latchkey: All Passwords$")
    assert form.fields == EMPTY
    assert desktop.client.call("apps.bindings") == {"bindings": []}


def test_binding_is_shown_and_taken_back(bound, form_gtk3):
    binding, = bound.client.call("apps.bindings")["bindings"]
    assert (binding["program"], binding["user"]) == (str(form_gtk3), "me@example.com")
    bound.client.call("apps.unbind", id=binding["id"])
    assert bound.client.call("apps.bindings") == {"bindings": []}
    form = Form(bound, form_gtk3)
    bound.wait_for_panel()
    bound.press_row(0)
    bound.press_all()
    bound.wait_for_window("^Latchkey: All Passwords$")
    assert form.fields == EMPTY


def test_keyboard_alone_fills(bound, form_gtk3):
    form = Form(bound, form_gtk3)
    bound.wait_for_panel()
    bound.client.call("desktop.summon")
    bound.wait_for_panel()
    bound.key("Return")
    until(lambda: form.fields == FILLED, seconds=20)


def test_panel_unlocks(bound, form_gtk3):
    bound.client.call("lock")
    form = Form(bound, form_gtk3)
    bound.wait_for_panel()
    bound.answer(PASSPHRASE)
    bound.press_row(0)
    until(lambda: not bound.client.call("status")["locked"], seconds=20)
    bound.wait_for_panel()
    bound.press_row(0)
    until(lambda: form.fields == FILLED, seconds=20)


def test_panel_is_as_large_with_nothing_saved_as_with_much(desktop, form_gtk3):
    desktop.fill_native_programs()
    form = Form(desktop, form_gtk3)
    empty = desktop.wait_for_panel()
    form.end()
    desktop.add()
    form = Form(desktop, form_gtk3)
    bind(desktop, form)
    form.end()
    Form(desktop, form_gtk3)
    assert desktop.wait_for_panel() == empty


def test_nothing_is_offered_where_nobody_signs_in(desktop, form_gtk3):
    desktop.fill_native_programs()
    Form(desktop, form_gtk3, "search")
    until(lambda: "not part of a form that signs in" in desktop.said(), seconds=20)
    assert desktop.panel() is None


def test_field_that_is_for_something_else_has_no_panel(bound, form_gtk3):
    form = Form(bound, form_gtk3)
    bound.wait_for_panel()
    form.tell("focus-other")
    until(lambda: bound.panel() is None, seconds=20)


def test_form_in_a_page_or_a_mail_that_a_program_shows_is_not_the_programs(bound, form_gtk3):
    """Whoever wrote the mail would get what is bound to the mail client."""
    Form(bound, form_gtk3, "document")
    until(lambda: "no window of the program itself" in bound.said(), seconds=20)
    assert bound.panel() is None


REFUSED = [
    ("chromium", "it is a browser"), ("firefox-esr", "it is a browser"), ("keepassxc", "it is a password manager"),
    ("pinentry-gtk-2", "of this computer"), ("polkit-gnome-authentication-agent-1", "of this computer"),
    ("gnome-terminal-server", "it is a terminal"), ("xdg-dbus-proxy", "for a program in a sandbox"),
    ("WebKitWebProcess", "shows pages for another program"), ("python3.11", "whoever wrote the script"),
]


@pytest.mark.parametrize("name, reason", REFUSED)
def test_some_programs_are_never_touched(desktop, form_gtk3, name, reason):
    desktop.add()
    desktop.fill_native_programs()
    program = desktop.folder / name
    shutil.copy(form_gtk3, program)
    Form(desktop, program)
    until(lambda: reason in desktop.said(), seconds=20)
    assert desktop.panel() is None


# -- Attacks --


@pytest.mark.parametrize(("change", "reason"), [
    ("plain", "no longer hides what is typed"), ("readonly", ""), ("hide", ""), ("insensitive", "takes no text now"), ("remove", ""), ("swap", ""),
    ("move", ""), ("close", ""),
], ids=["plain", "readonly", "hide", "insensitive", "remove", "swap", "move", "close"])
def test_field_that_changes_between_the_choice_and_the_fill_gets_nothing(bound, form_gtk3, change, reason):
    form = Form(bound, form_gtk3)
    bound.client.prefer(authentication="always")
    bound.wait_for_panel()
    bound.answer("hold", PASSPHRASE)
    bound.press_row(0)
    bound.until_asked(2)
    form.tell(change)
    bound.let_go()
    until(bound.panel, seconds=20)
    assert form.fields == EMPTY
    # Two looks find most of it: at each field, which says this, and at the whole form.
    assert reason in bound.said()


def test_press_that_comes_with_the_panel_is_not_meant_for_it(bound, form_gtk3):
    """A program that knows where the panel will be could have the user press there."""
    for _ in range(5):
        form = Form(bound, form_gtk3)
        x, y, width, height = bound.wait_for_panel()
        form.tell("focus-other")
        until(lambda: bound.panel() is None, seconds=20)
        bound.x("mousemove", str(x + width // 3), str(y + ROW))
        absent = time.monotonic()
        form.tell("focus-user")
        while not bound.panel():
            absent = time.monotonic()
        bound.x("click", "1")
        if time.monotonic() - absent < 0.45:
            break
        # On a busy machine the click came so late that it counts. Then a new form is tried.
        form.end()
    else:
        pytest.fail("no click came soon enough")
    # A press that counts, by which time the first one would have filled.
    bound.wait_for_panel()
    assert form.fields == EMPTY
    bound.press_row(0)
    until(lambda: form.fields == FILLED, seconds=20)


def test_answer_that_comes_when_another_program_is_in_front_shows_nothing(bound, form_gtk3):
    """The other one tells nobody of its focus, as terminals and games do."""
    bound._spawn("xterm")
    bound.wait_for_window("^xterm$")
    bound.installation.daemon.send_signal(signal.SIGSTOP)
    try:
        form = Form(bound, form_gtk3)
        until(lambda: f"process {form.process.pid}: a form of" in bound.said(), seconds=20)
        bound.x("windowactivate", "--sync", bound.windows("^xterm$")[0])
    finally:
        bound.installation.daemon.send_signal(signal.SIGCONT)
    until(lambda: f"process {form.process.pid}: its field lost the focus" in bound.said(), seconds=20)
    assert bound.panel() is None and form.fields == EMPTY


def test_program_that_ends_before_the_fill_gets_nothing(bound, form_gtk3):
    form = Form(bound, form_gtk3)
    bound.client.prefer(authentication="always")
    bound.wait_for_panel()
    bound.answer("hold", PASSPHRASE)
    bound.press_row(0)
    bound.until_asked(2)
    form.end()
    bound.let_go()
    until(lambda: [line for line in bound.log() if line["event"] == "refused"], seconds=20)
    assert bound.log()[0]["reason"] == "the program was replaced in the meantime"


def test_program_whose_file_has_changed_is_another_one(bound, form_gtk3, tmp_path):
    changed = tmp_path / "changed"
    shutil.copy(form_gtk3, changed)
    original = form_gtk3.read_bytes()
    try:
        form_gtk3.unlink()
        form_gtk3.write_bytes(original + b"\0")
        form_gtk3.chmod(0o755)
        form = Form(bound, form_gtk3)
        bound.wait_for_panel()
        bound.press_row(0)
        bound.press_all()
        bound.wait_for_window("^Latchkey: All Passwords$")
        assert form.fields == EMPTY
    finally:
        form_gtk3.unlink()
        form_gtk3.write_bytes(original)
        form_gtk3.chmod(0o755)


@pytest.mark.parametrize("name", ["another", "form_gtk3"])
def test_another_program_is_not_offered_what_is_bound_to_one(bound, form_gtk3, name):
    """Also where its file, its window and what it calls itself on the accessibility bus have the same names as the other one's."""
    other = bound.folder / "elsewhere" / name
    other.parent.mkdir()
    shutil.copy(form_gtk3, other)
    form = Form(bound, other)
    bound.wait_for_panel()
    bound.press_row(0)
    bound.press_all()
    bound.wait_for_window("^Latchkey: All Passwords$")
    assert form.fields == EMPTY


def test_first_fill_in_a_program_takes_the_passphrase_whatever_the_preference(desktop, form_gtk3):
    desktop.add()
    desktop.client.prefer(authentication="never")
    desktop.fill_native_programs()
    form = Form(desktop, form_gtk3)
    desktop.answer("no")
    choose_in_the_list(desktop, "Tab")
    desktop.until_asked()
    until(lambda: not desktop.windows("^Latchkey: "), seconds=20)
    assert form.fields == EMPTY and "GETPIN" in desktop.asked()
    assert desktop.client.call("apps.bindings") == {"bindings": []}


def test_program_that_hangs_holds_up_no_other(bound, form_gtk3):
    stuck = bound.folder / "stuck"
    shutil.copy(form_gtk3, stuck)
    hung = Form(bound, stuck)
    first = bound.wait_for_panel()
    hung.process.send_signal(signal.SIGSTOP)
    form = Form(bound, form_gtk3)
    form.tell("focus-password")
    # The panel is under the password now, no longer under the name of the other program.
    until(lambda: bound.panel() not in (None, first), seconds=30)
    bound.wait_for_panel()
    bound.press_row(0)
    until(lambda: form.fields == FILLED, seconds=30)


def test_program_with_thousands_of_objects_is_read_within_bounds(desktop, form_gtk3):
    desktop.add()
    desktop.fill_native_programs()
    crowded = Form(desktop, form_gtk3, "many")
    # Whether the form is found or not: what fills goes on.
    until(lambda: desktop.panel() or desktop.said(), seconds=30)
    crowded.end()
    bind(desktop, Form(desktop, form_gtk3))


def test_daemon_that_starts_anew_is_found_again(bound, form_gtk3):
    bound.installation.stop()
    bound.installation.start()
    bound.client = bound.installation.unlocked()
    form = Form(bound, form_gtk3)
    # The program that fills begins anew, and knows the focus from the next move on.
    for field in ["password", "user"] * 5:
        form.tell("focus-" + field)
        with contextlib.suppress(AssertionError):
            until(bound.panel, seconds=3)
            break
    bound.wait_for_panel()
    bound.press_row(0)
    bound.until_asked(1)
    until(lambda: form.fields == FILLED, seconds=20)
