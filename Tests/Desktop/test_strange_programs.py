# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Programs that describe themselves in strange ways cost the others nothing."""

import pathlib
import signal
import subprocess

import pytest

from desktop import Form
from installation import until
from test_native_forms import bind

PROGRAM = pathlib.Path(__file__).parent / "strange_program.py"
#: A program of Python is an interpreter, so nothing is offered there; that is found after its form was read.
READ = {"twice": "a form of 2 fields", "long": "a form of 2 fields", "circle": "a form of 2 fields", "silent": "it does not answer, or is gone"}


@pytest.mark.parametrize("way", READ)
def test_strange_program_is_read_and_the_next_one_is_filled(desktop, form_gtk3, way):  # noqa: F811
    desktop.add()
    desktop.client.prefer(idleMinutes=0)
    agent = desktop.fill_native_programs()
    strange = desktop._spawn("/usr/bin/python3", PROGRAM, way, stdout=subprocess.PIPE, text=True)
    assert strange.stdout.readline() == "ready\n"
    until(lambda: f"process {strange.pid}: {READ[way]}" in desktop.said(), seconds=20)
    strange.kill()
    strange.wait()
    assert agent.poll() is None, desktop.said()[-1500:]
    bind(desktop, Form(desktop, form_gtk3))
    assert agent.poll() is None


def test_program_that_answers_late_is_asked_again(desktop):
    """As one does that is still starting on a busy machine, and tells of its focus once."""
    desktop.fill_native_programs()
    late = desktop._spawn("/usr/bin/python3", PROGRAM, "late", stdout=subprocess.PIPE, text=True)
    assert late.stdout.readline() == "ready\n"
    # Three looks within two seconds had no answer.
    until(lambda: f"process {late.pid}: it is asked again" in desktop.said(), seconds=20)
    late.send_signal(signal.SIGUSR1)
    until(lambda: f"process {late.pid}: a form of 2 fields" in desktop.said(), seconds=20)
