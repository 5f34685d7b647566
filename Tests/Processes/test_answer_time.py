# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""The daemon's answer to a page waits for no look-up, not even for one that began before."""

from installation import secret, until
from providers import HOST, SITE
from test_saving import CURRENT, USER, frame, page, ready  # noqa: F401 (`ready` is a fixture)

#: How many look-ups stand before the page's question.
LOOKUPS = 16


def order_of_answers(browser, session, document):
    """In which order the answers come to look-ups, and to a page's question behind them, which is the last number."""
    numbers = [browser.ask("renderer.suggestions", session=session) for _ in range(LOOKUPS)]
    numbers.append(browser.ask("page.focused", frame=frame(document=document), page=page(USER, CURRENT), focused=0))
    came = []
    while len(came) < len(numbers):
        message = browser.receive()
        if message.get("id") in numbers:
            assert "result" in message
            came.append(numbers.index(message["id"]))
    return came


def test_S53_page_is_answered_before_look_ups_that_began_earlier(ready):
    for start in range(0, 1000, 200):
        ready.client.call("items.add", items=[
            {"services": [HOST], "user": f"user {number}", "password": secret("correct horse")} for number in range(start, start + 200)])
    until(lambda: len(ready.client.call("suggestions.list", url=SITE)["suggestions"]) == 1000)
    session = ready.call("page.focused", frame=frame(document="D1"), page=page(USER, CURRENT), focused=0)["session"]
    places = [order_of_answers(ready, session, f"other {number}").index(LOOKUPS) for number in range(8)]
    # Behind all of them it would be the last one each time.
    assert all(place < LOOKUPS // 2 for place in places), places
