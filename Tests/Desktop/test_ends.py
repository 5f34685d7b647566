# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""What fills native programs when something that it needs ends, and when that comes back."""

import pytest

from desktop import Form
from installation import until
from test_native_forms import EMPTY, FILLED, bound  # noqa: F401
from test_sandbox import chain, is_alive


def registered_anew(desktop, before):
    """Waits until another run in the sandbox listens for the focus."""
    until(lambda: len(chain(desktop.agent.pid)) >= 3 and chain(desktop.agent.pid)[-1] != before, seconds=60)
    until(lambda: "object:state-changed:focused" in desktop._registered(), seconds=60)


def test_end_of_the_session_bus_ends_it_as_a_failure(desktop):
    desktop.fill_native_programs()
    bus = next(one for one in desktop.processes if one.args[0] == "dbus-daemon")
    bus.kill()
    bus.wait()
    # Its launcher ends with it, and the accessibility bus with that.
    assert desktop.agent.wait(timeout=60) == 69
    assert "There is no accessibility bus" in desktop.said()


def test_end_of_the_display_ends_it_as_a_failure(desktop):
    desktop.fill_native_programs()
    whole = chain(desktop.agent.pid)
    desktop.processes[0].kill()
    assert desktop.agent.wait(timeout=60) != 0
    until(lambda: not [process for process in whole[1:] if is_alive(process)], seconds=20)


def test_without_a_display_it_says_so(desktop):
    desktop.environment["DISPLAY"] = ":4711"
    assert desktop.spawn_agent().wait(timeout=60) == 69
    assert "There is no display" in desktop.said()


def test_user_is_told_when_a_program_ends_while_it_is_filled(bound, form_gtk3):  # noqa: F811
    form = Form(bound, form_gtk3, "crash")
    bound.wait_for_panel()
    bound.press_row(0)
    assert form.process.wait(timeout=20) == 1
    # The window is gone, and the sentence stands where it was.
    until(lambda: "The form may have been filled: the program did not answer." in bound.said(), seconds=20)
    until(bound.panel, seconds=3)
    until(lambda: bound.panel() is None, seconds=20)
    assert form.fields == EMPTY
    # The next window is offered something again.
    form = Form(bound, form_gtk3)
    bound.wait_for_panel()
    bound.press_row(0)
    until(lambda: form.fields == FILLED, seconds=20)


def test_daemon_that_is_killed_while_the_panel_is_shown_is_found_again(bound, form_gtk3):  # noqa: F811
    form = Form(bound, form_gtk3)
    bound.wait_for_panel()
    before = chain(bound.agent.pid)[-1]
    bound.installation.daemon.kill()
    bound.installation.daemon.wait()
    bound.installation.start()
    bound.client = bound.installation.unlocked()
    form.end()
    registered_anew(bound, before)
    form = Form(bound, form_gtk3)
    bound.wait_for_panel()
    bound.press_row(0)
    until(lambda: form.fields == FILLED, seconds=20)
