# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""What the failure of a test from outside is worth: whether it may be run again.

A real browser on a busy machine now and then does not do what a test waits for. Such a test is run again, alone, by
`scripts/outside-tests`. A `Finding` is never run again: one release too many in a thousand runs is a fault of Latchkey.
"""


class Finding(AssertionError):
    """Something happened that must never happen, however busy the machine is."""


class NotTried(AssertionError):
    """The conditions of an attack were not met, so nothing was shown; for example its cover was not there at the press."""


def nothing_released(what, *found) -> None:
    """Checks that nothing was released, filled or told that should not have been.

    `what` names the place that was looked at. Each of `found` is a value from there, or a collection of values: of these,
    `None`, `False`, zero, empty texts and empty collections hold nothing.
    """
    if got := [value for value in found if _holds_something(value)]:
        raise Finding(f"{what}: {got!r}")


def nothing_lost(what, missing) -> None:
    """Checks that no acknowledged write is lost; `missing` are those that are."""
    if missing:
        raise Finding(f"{what} was acknowledged and is lost: {missing!r}")


def must_hold(condition, what: str) -> None:
    """Checks any other claim whose failure is a finding, such as that an act is spent once."""
    if not condition:
        raise Finding(what)


def _holds_something(value) -> bool:
    if isinstance(value, dict):
        return any(map(_holds_something, value.values()))
    if isinstance(value, (list, tuple, set, frozenset)):
        return any(map(_holds_something, value))
    return bool(value)


#: What a test is to be called by whoever reads its failure.
FAILURE, FINDING, NOT_TRIED = "failure", "finding", "not tried"


def verdict(error: BaseException) -> str:
    """What an error is worth; the errors that led to it count, so that a finding stays one when its fixture fails on top."""
    seen, errors, worth = set(), [error], FAILURE
    while errors:
        one = errors.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        # pytest-timeout ends a test that hangs by this text.
        if isinstance(one, Finding) or "from pytest-timeout" in str(one):
            return FINDING
        if isinstance(one, NotTried):
            worth = NOT_TRIED
        errors += [one.__cause__, one.__context__, *getattr(one, "exceptions", ())]
    return worth
