# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""A pinentry that cannot ask is told from a user who says no: git's helper asks on its terminal then, and only then."""

import pytest

from installation import PASSPHRASE
from test_git import AGREE, PINENTRIES, USE, display  # noqa: F401, a fixture

#: What pinentry-gnome3 says without a session bus, and another error.
UNSHOWN = ["ERR 83918950 Inappropriate ioctl for device <Pinentry>", "ERR 83886340 Invalid length"]
#: The same answers of a user: canceled, not confirmed, too late; and one that names no number.
NO = ["ERR 83886179 canceled", "ERR 83886194 not confirmed", "ERR 83886142 timeout", "ERR 99 canceled", "ERR no"]


@pytest.mark.parametrize("answer", UNSHOWN)
def test_a_pinentry_that_cannot_show_itself_leaves_it_to_the_terminal(display, answer):  # noqa: F811
    display.add()
    display.installation.latchkey("preferences", "set", "--git-minutes", "0")
    display.answer(answer)
    for hand in (AGREE, AGREE[:1]):
        status, screen = display.clone(hand=hand)
        assert status == 0
    # For a minute it is not tried again.
    assert len([line for line in display.asked() if line == "GETPIN"]) == 1 and "CONFIRM" not in display.asked()


def test_a_pinentry_that_ends_before_its_first_word_leaves_it_to_the_terminal(display):  # noqa: F811
    display.add()
    for name in PINENTRIES:
        (display.folder / "programs" / name).write_text("#!/bin/sh\nexit 1\n")
    assert display.clone(hand=AGREE)[0] == 0


def test_while_locked_a_pinentry_that_cannot_show_itself_leaves_it_to_the_terminal(display):  # noqa: F811
    display.add()
    display.installation.control.call("lock")
    display.answer(UNSHOWN[0])
    status, screen = display.clone(hand=[("Latchkey passphrase", PASSPHRASE + "\n"), (USE, "y\n")])
    assert status == 0


def test_a_pinentry_that_cannot_show_itself_saves_on_the_terminal(display):  # noqa: F811
    display.answer(UNSHOWN[0])
    typed = [("Username for", "me\n"), ("Password for", "right\n"), ("Save it? [y/N]: ", "y\n")]
    assert display.clone(hand=typed)[0] == 0 and len(display.items()) == 1


def test_a_pinentry_that_cannot_show_itself_gives_nothing_without_a_terminal(display):  # noqa: F811
    display.add()
    display.answer(UNSHOWN[0])
    assert display.clone()[0] != 0 and display.server.tried == []
    assert display.log()[-1]["reason"] == "nobody could be asked"
    # The next one is told so at once.
    assert display.clone()[0] != 0 and len([line for line in display.asked() if line == "GETPIN"]) == 1


@pytest.mark.parametrize("answer", [*NO, "gone"])
def test_S28_no_to_a_pinentry_is_not_asked_about_again_on_the_terminal(display, answer):  # noqa: F811
    display.add()
    display.answer(answer)
    status, screen = display.clone(hand=[("Username for", "me\n"), ("Password for", "wrong\n")])
    assert status != 0 and "Use it?" not in screen
    assert display.log()[-1]["reason"] == "the user said no"


def test_S28_no_to_one_account_is_no_though_the_pinentry_fails_at_the_next(display):  # noqa: F811
    display.add(user="me", password="nope")
    display.add(user="you", password="right")
    display.answer("no", UNSHOWN[0])
    status, screen = display.clone(hand=[("Username for", "me\n"), ("Password for", "wrong\n")])
    assert status != 0 and "Use it?" not in screen and "Which one?" not in screen


def test_S28_account_that_was_refused_a_moment_ago_is_not_asked_about_on_the_terminal(display):  # noqa: F811
    display.add()
    display.server.logins["one.git"] = {("you", "right"), ("me", "right")}
    display.answer("no", UNSHOWN[0])
    typed = [("Username for", "you\n"), ("Password for", "right\n"), ("Save it? [y/N]: ", "n\n")]
    # A no in the pinentry, which fails at the question whether to save.
    display.clone(hand=typed)
    status, screen = display.clone(hand=[("Username for", "me\n"), ("Password for", "wrong\n")])
    assert "Use it?" not in screen
    assert display.log()[-1]["reason"] == "the user said no a moment ago"


def test_S28_prompt_of_the_desktop_that_is_in_use_is_no_reason_to_ask_elsewhere(display):  # noqa: F811
    display.add()
    display.answer("ERR 83886165 busy", PASSPHRASE)
    status, screen = display.clone(hand=[("Username for", "me\n"), ("Password for", "wrong\n")])
    assert status != 0 and "Use it?" not in screen
    # The next one is asked as before.
    assert display.clone()[0] == 0
