# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""What all suites from outside share: their marks, and a report of what each failure is worth."""

import json
import os
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from verdicts import FAILURE, verdict  # noqa: E402

#: The marks of all suites. Which command runs a test is chosen by its mark, or by the mark of a variant, and by nothing else.
MARKERS = {
    "main": "a main path of a person; `make test` runs it",
    "main_in_firefox": "a main path of a person in Firefox; `make test` runs it there",
    "attack": "an attack on the bar or the fields; `make test-attacks` runs it",
    "release": "about the optimised programs: wiping, memory, hardening; `make test-release` runs it",
    "soak": "long loops, many kills, other people's programs; LATCHKEY_SLOW=1 runs it, `make soak` does",
    "alone": "puts apps where every daemon of the machine sees them; no other test of apps runs meanwhile",
    "long": "takes so long that it begins first",
    "waits": "mostly waits, and so runs between others that keep the processor busy",
    "chromium(reason)": "what Firefox lacks for it",
}
#: Each failure so far; filled in the process that collects the reports of all workers.
FAILURES: list[dict[str, str]] = []


def pytest_addoption(parser):
    parser.addoption("--verdicts", metavar="FILE", help="write each failed test and what its failure is worth, as JSON")


def pytest_configure(config):
    for name, meaning in MARKERS.items():
        config.addinivalue_line("markers", f"{name}: {meaning}")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    if not os.environ.get("LATCHKEY_SLOW"):
        for item in items:
            if item.get_closest_marker("soak"):
                item.add_marker(pytest.mark.skip(reason="LATCHKEY_SLOW=1 runs it; `make soak` does"))
    # None of them begins when all others have ended.
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.failed and call.excinfo:
        # A report's own attributes go from a worker to the process that collects them.
        report.verdict, report.reason = verdict(call.excinfo.value), call.excinfo.exconly()[:300]
    return report


def pytest_runtest_logreport(report):
    if report.failed:
        worth, reason = getattr(report, "verdict", FAILURE), getattr(report, "reason", str(report.longrepr)[:300])
        FAILURES.append({"test": report.nodeid, "verdict": worth, "reason": reason})


def pytest_sessionfinish(session):
    file = session.config.option.verdicts
    if file and not hasattr(session.config, "workerinput"):
        pathlib.Path(file).write_text(json.dumps(FAILURES))
