# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""S70: the rules of what floats, in the module that has them. What it asks the browser for is stood in for, and so is its clock."""

import pytest

from browser import NAME, ORIGIN

pytestmark = pytest.mark.attack

#: A question of ours, what lies over it, and what does not.
QUESTION = {"left": 400, "top": 300, "width": 440, "height": 340}
OVER = {"left": 300, "top": 200, "width": 300, "height": 200}
ELSEWHERE = {"left": 1200, "top": 200, "width": 300, "height": 200}
#: The browser, as a test says. A document answers what `answers` has under its name; one that is not there has gone.
BEGIN = """async () => {
  globalThis.state = { windows: [], answers: {}, boxes: {}, now: 1_000_000, kept: {}, asked: [], shown: [], closed: [] };
  const stand = (area, members) => Object.assign(area, members);
  stand(chrome.windows, { getAll: async () => state.windows, remove: async (id) => { state.closed.push(id); }, update: async () => ({}) });
  stand(chrome.tabs, {
    getZoom: async () => 2,
    update: async (id) => { state.shown.push(id); return { windowId: 1 }; },
    sendMessage: async (tab, { type }, { documentId }) => {
      state.asked.push([documentId, type]);
      if (!(documentId in state.answers)) throw new Error('gone');
      return state.answers[documentId] === 'silent' ? new Promise(() => {}) : { floats: state.answers[documentId], box: state.boxes[documentId] };
    },
  });
  stand(chrome.storage.session, { get: async (name) => ({ [name]: state.kept[name] }), set: async (values) => { Object.assign(state.kept, structuredClone(values)); } });
  const { Floating } = await import('/background/floating.js');
  globalThis.floating = () => new Floating(() => state.now);
}"""


class Rules:
    """The module, each time as after a stop of the background script."""

    def __init__(self, page):
        self.page = page
        page.goto(f"{ORIGIN}/windows/rules.html")
        page.evaluate(BEGIN)

    def float_(self, *boxes):
        """Has windows float; the first one has the same number each time."""
        self.page.evaluate("boxes => { state.windows = boxes.map((box, index) => ({ id: 7 + index, type: 'popup', alwaysOnTop: true, tabs: [{}], ...box })); }", list(boxes))
        self.page.evaluate("() => floating().list()")

    def announce(self, document: str, kind: str, answer: str | None = None):
        """A document says that something of its own floats, and says so again when it is asked."""
        self.page.evaluate("([document, kind, answer]) => { if (answer) state.answers[document] = answer; return floating().announce({ tab: 3, frame: 0, document }, kind); }", [document, kind, answer or kind])

    def pass_time(self, milliseconds: int):
        self.page.evaluate("time => { state.now += time; }", milliseconds)

    def hides(self) -> bool:
        return self.page.evaluate("place => floating().hides(place)", QUESTION)

    def over(self) -> dict | None:
        return self.page.evaluate("place => floating().over(place)", QUESTION)

    def close(self) -> dict:
        """What becomes of a wish to close what lies over the question."""
        return self.page.evaluate("""async (place) => { await floating().close(place);
          return { closed: state.closed, shown: state.shown, sunk: state.asked.filter(([, type]) => type === 'sink').map(([document]) => document) }; }""", QUESTION)


@pytest.fixture
def rules(start, site):
    it = start(fake=True)
    page = it.browser.context.new_page()
    yield Rules(page)
    page.close()


@pytest.mark.parametrize("after", [[], [ELSEWHERE]], ids=["closed", "moved"])
def test_S70_window_that_closed_or_moved_counts_as_there_for_a_moment(rules, after):
    rules.float_(OVER)
    assert rules.hides()
    rules.pass_time(60_000)
    rules.float_(*after)
    assert rules.over() is None and rules.hides()
    rules.pass_time(690)
    assert rules.hides()
    rules.pass_time(10)
    assert not rules.hides()


def test_S70_window_that_moved_elsewhere_is_nobodys_concern(rules):
    rules.float_(ELSEWHERE)
    rules.float_({**ELSEWHERE, "top": 500})
    rules.float_()
    assert not rules.hides()


def test_S70_video_that_ended_counts_as_there_for_a_moment(rules):
    rules.announce("D1", "video")
    assert rules.hides()
    rules.announce("D1", "")
    assert rules.over() is None and rules.hides()
    rules.pass_time(700)
    assert not rules.hides()


def test_S70_clock_that_is_set_back_has_nothing_count_for_long(rules):
    rules.float_(OVER)
    rules.float_()
    rules.pass_time(-3_600_000)
    assert not rules.hides()


def test_S70_window_that_is_not_known_to_be_a_pages_is_not_closed(rules):
    """Firefox lists popups of other extensions, and of files, in the same words as documents that float."""
    rules.float_(OVER)
    if NAME == "firefox":
        assert rules.over()["isKnown"] is False
        assert rules.close() == {"closed": [], "shown": [], "sunk": []}
        rules.announce("D1", "document")
        assert rules.over()["isKnown"] is True
        # Its own document closes it, which closes nothing else.
        assert rules.close() == {"closed": [], "shown": [], "sunk": ["D1"]}
        rules.float_(OVER, ELSEWHERE)
        assert rules.over()["isKnown"] is False
    else:
        assert rules.over()["isKnown"] is True
        assert rules.close() == {"closed": [7], "shown": [], "sunk": []}


def test_S70_tab_whose_video_does_not_answer_is_shown(rules):
    rules.announce("D1", "video", "silent")
    found = rules.over()
    assert found["isSilent"] is True and found["tab"] == 3
    assert rules.close() == {"closed": [], "shown": [3], "sunk": []}
    # Once the tab is closed, or answers, it is over.
    rules.page.evaluate("() => { delete state.answers.D1; }")
    assert rules.over() is None


def test_S70_video_that_answers_is_closed_before_a_tab_is_shown(rules):
    rules.announce("D1", "video", "silent")
    rules.announce("D2", "video")
    assert rules.over()["isSilent"] is False
    assert rules.close() == {"closed": [], "shown": [], "sunk": ["D2"]}


@pytest.mark.skipif(NAME != "firefox", reason="Chromium lists each window that floats")
def test_S70_what_floats_without_being_listed_is_where_its_document_says(rules):
    """Firefox lists no longer what has got another address, and a popup that is listed may be anything. A document states places divided by its zoom."""
    halved = {name: value / 2 for name, value in OVER.items()}
    rules.float_(ELSEWHERE)
    rules.announce("D1", "document")
    # It may lie anywhere.
    assert rules.over()["box"] is None
    rules.page.evaluate("box => { state.boxes.D1 = box; }", halved)
    assert rules.over()["box"] == OVER and len(rules.over()["documents"]) == 1
    assert rules.close() == {"closed": [], "shown": [], "sunk": ["D1"]}
    rules.page.evaluate("box => { state.boxes.D1 = box; }", ELSEWHERE)
    assert rules.over() is None


@pytest.mark.parametrize("one", [None, OVER, {**OVER, "left": 90}], ids=["unknown", "over", "beside it, but for its edge"])
def test_S70_window_that_may_lie_over_another_does(rules, one):
    assert rules.page.evaluate("async ([one, other]) => (await import('/background/places.js')).isOver(one, other)", [one, QUESTION])


@pytest.mark.parametrize("others, place", [([], (400, 300)), ([OVER], (400, 432)), ([{**OVER, "height": 700}], (632, 300)), ([OVER, {**OVER, "left": 700, "width": 900}], (400, 432)),
                                           ([{"left": 10, "top": 10, "width": 1580, "height": 900}], None)])
def test_S70_place_beside_what_floats_is_the_nearest(rules, others, place):
    room = {"left": 0, "top": 0, "width": 1600, "height": 1000}
    found = rules.page.evaluate("async (given) => (await import('/background/places.js')).freePlace(...given)", [QUESTION, room, others])
    assert found == (place and {**QUESTION, "left": place[0], "top": place[1]})
