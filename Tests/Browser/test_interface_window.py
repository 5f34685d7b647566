# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""The window that draws a provider's interface, alone: whatever it is told to draw, and whatever the user does there."""

import pytest

from browser import eventually
from conftest import SIGN_IN

SAMPLE = {"identifier": "com.example.sample", "name": "Sample"}
#: What takes what the user does.
READY = "#interface:not(.waiting)"
#: Ready for as long as a window waits that has just come to the front: it may do so after it was ready once.
STEADY = """() => { const now = performance.now();
  if (!document.querySelector('%s')) window.readySince = Infinity;
  else window.readySince = Math.min(window.readySince ?? now, now);
  return now - window.readySince > 600 }""" % READY


def rows(count: int, first: int = 0, title: str = "user") -> list[dict]:
    return [{"id": f"r{n}", "title": f"{title}{n}", "subtitle": f"site{n}.example.com"} for n in range(first, first + count)]


def a_list(rows_: list[dict], search: bool = True, more: bool = False, title: str = "All") -> dict:
    return {"kind": "list", "id": "list", "search": search, "more": more, "sections": [{"title": title, "rows": rows_}]}


EVERYTHING = {"title": "Everything", "elements": [
    {"kind": "heading", "id": "heading", "text": "A heading"},
    {"kind": "message", "id": "message", "text": "A message"},
    {"kind": "text", "id": "name", "label": "Name", "placeholder": "someone", "value": "me", "contents": "username"},
    {"kind": "secure", "id": "pin", "label": "PIN", "placeholder": "four digits"},
    {"kind": "toggle", "id": "keep", "label": "Keep me signed in", "on": True},
    a_list(rows(3)),
    {"kind": "progress", "id": "progress", "label": "Fetching", "fraction": 0.25},
    {"kind": "button", "id": "off", "label": "Not now", "enabled": False},
    {"kind": "button", "id": "delete", "label": "Delete", "style": "destructive"},
    {"kind": "button", "id": "go", "label": "Continue", "style": "default"},
    {"kind": "hologram", "id": "new", "label": "of another time"},
]}


class Sheet:
    """A page whose user has opened the provider's list, and the window that shows it."""

    def __init__(self, start, interface, **state):
        self.it = start(fake=True, providers=[SAMPLE], interface=interface, **state)
        self.it.open("https://shiny.example.com/login")
        self.picker = self.it.bar.open_list()
        self.picker.wait_for_selector("#list[aria-busy=false] [role=option]")
        self.picker.keyboard.press("PageDown")
        self.window = self.it.browser.window("prompt", lambda: self.picker.keyboard.press("Enter"))
        if interface:
            self.window.wait_for_selector("#interface h2")
            self.window.wait_for_function(STEADY)

    def show(self, interface: dict, shows: str) -> None:
        """The provider shows something else."""
        self.it.latchkey.set(interface=interface)
        self.window.wait_for_selector(shows)

    def acts(self, count: int = 1) -> list[dict]:
        """What the provider was told, once that is so much."""
        return [{key: value for key, value in act.items() if key != "prompt"} for act in self.it.received("renderer.act", count)]

    def said(self, text: str) -> None:
        self.window.wait_for_function("text => document.querySelector('#say').textContent.includes(text)", arg=text)

    def focused(self) -> str:
        """What has the focus, by what a screen reader calls it."""
        return self.window.evaluate("""() => { const node = document.activeElement;
          return node.ariaLabel ?? node.labels?.[0]?.textContent ?? (node.localName === 'body' ? 'nothing' : node.textContent) }""")

    def marked(self) -> str:
        return self.window.evaluate("""() => { const speaker = document.querySelector('[aria-activedescendant]');
          return document.getElementById(speaker?.getAttribute('aria-activedescendant'))?.ariaLabel ?? '' }""")


def secret(text: str) -> dict:
    return {"secret": text}


def test_header_is_ours_and_every_element_is_drawn(start, site):
    sheet = Sheet(start, EVERYTHING)
    window = sheet.window
    assert window.inner_text("#title") == "Sample"
    assert "Chromium" in window.inner_text("#who")
    assert window.inner_text("#facts dd") == "shiny.example.com"
    assert window.is_visible("#cancel") and not window.is_visible("#accept")
    assert "Never type your Latchkey passphrase" in window.inner_text("#hint")
    # Each field says whose it is, also one that does not hide what is typed: the passphrase may be asked for in any.
    fields = window.locator("#interface input:not([type=checkbox])")
    assert fields.count() > 1
    told = fields.evaluate_all("all => all.map((field) => document.getElementById(field.getAttribute('aria-describedby'))?.innerText)")
    assert set(told) == {"Goes to Sample, not to Latchkey."}
    assert window.inner_text("#interface h2") == "Everything"
    assert window.locator("#interface > :not(h2)").count() == len(EVERYTHING["elements"]) - 1
    assert "another time" not in window.content()
    assert window.input_value("#interface input[type=text]") == "me"
    assert window.locator("button:has-text('Not now')").is_disabled()
    sheet.said("A message")


def test_accessibility_tree_names_everything(start, site):
    sheet = Sheet(start, EVERYTHING)
    nodes = sheet.it.browser.devtools(sheet.window).send("Accessibility.getFullAXTree")["nodes"]
    named = {(node["role"]["value"].lower(), node.get("name", {}).get("value")) for node in nodes if not node.get("ignored")}
    for wanted in [("heading", "Sample"), ("heading", "Everything"), ("heading", "A heading"), ("region", "Shown by Sample"),
                   ("textbox", "Name"), ("textbox", "PIN"), ("switch", "Keep me signed in"), ("combobox", "Search"),
                   ("listbox", "Everything"), ("group", "All"), ("button", "Continue"), ("button", "Delete"), ("button", "Cancel")]:
        assert wanted in named, (wanted, sorted(named, key=str))
    assert {name for role, name in named if role in ("option", "listboxoption")} == {f"user{n}, site{n}.example.com" for n in range(3)}
    assert ("progressindicator", "Fetching") in named or ("progressbar", "Fetching") in named
    for node in nodes:
        if node["role"]["value"].lower() in ("textbox", "switch", "combobox", "button", "option") and not node.get("ignored"):
            assert node.get("name", {}).get("value"), node


def test_keyboard_reaches_everything_in_order(start, site):
    sheet = Sheet(start, EVERYTHING)
    keyboard = sheet.window.keyboard
    assert sheet.focused() == "Name"
    for wanted in ["PIN", "Keep me signed in", "Search", "Delete", "Continue", "Cancel"]:
        keyboard.press("Tab")
        assert sheet.focused() == wanted
    keyboard.press("Shift+Tab")
    keyboard.press("Shift+Tab")
    assert sheet.focused() == "Delete"
    keyboard.press("Enter")
    [act] = sheet.acts()
    assert (act["element"], act["action"]) == ("delete", "press")


def test_what_is_typed_goes_with_the_default_button(start, site):
    sheet = Sheet(start, EVERYTHING)
    keyboard = sheet.window.keyboard
    keyboard.press("Control+a")
    keyboard.type("someone else")
    keyboard.press("Tab")
    keyboard.type("2468")
    keyboard.press("Enter")
    [act] = sheet.acts()
    assert act == {"element": "go", "action": "press", "fields": [
        {"id": "name", "text": secret("someone else")}, {"id": "pin", "text": secret("2468")}]}


def test_toggle_is_told(start, site):
    sheet = Sheet(start, EVERYTHING)
    sheet.window.focus("[role=switch]")
    sheet.window.keyboard.press("Space")
    assert sheet.acts() == [{"element": "keep", "action": "change", "text": secret("off")}]


@pytest.mark.parametrize("search", [True, False], ids=["search field", "list alone"])
def test_list_is_worked_by_keys(start, site, search):
    sheet = Sheet(start, {"title": "List", "elements": [a_list(rows(20), search=search)]})
    keyboard = sheet.window.keyboard
    assert sheet.focused() == ("Search" if search else "List")
    assert sheet.marked() == "user0, site0.example.com"
    keyboard.press("PageDown")
    keyboard.press("ArrowUp")
    assert sheet.marked() == "user9, site9.example.com"
    keyboard.press("Enter")
    assert sheet.acts() == [{"element": "list", "action": "select", "row": "r9", "fields": []}]


def test_search_is_told_and_return_waits_for_its_rows(start, site):
    sheet = Sheet(start, {"title": "List", "elements": [a_list(rows(20))]})
    sheet.window.keyboard.type("bank")
    eventually(sheet.window, lambda: sheet.acts()[-1]["text"] == secret("bank"), "the search")
    assert {(act["element"], act["action"]) for act in sheet.acts()} == {("list", "search")}
    sheet.show({"title": "List", "elements": [a_list(rows(1, 70, "bank"))]}, "[role=option][aria-label^=bank70]")
    sheet.window.wait_for_selector("[role=listbox][aria-busy=false]")
    sheet.said("1 row")
    assert sheet.window.input_value("input[type=search]") == "bank" and sheet.focused() == "Search"
    sheet.window.keyboard.press("Enter")
    eventually(sheet.window, lambda: sheet.acts()[-1].get("row") == "r70", "the choice")


def test_return_right_after_a_letter_chooses_nothing(start, site):
    """The rows of before are still there: choosing from them would choose what nobody has searched for."""
    sheet = Sheet(start, {"title": "List", "elements": [a_list(rows(20))]})
    # In one task, so that no machine is slow enough for the search to have ended.
    sheet.window.evaluate("""() => { const search = document.querySelector('input[type=search]');
      search.addEventListener('keydown', (event) => { if (event.key === 'Enter') search.dispatchEvent(new Event('input')) }, true) }""")
    sheet.window.keyboard.press("Enter")
    assert [act["action"] for act in sheet.acts()] == ["search"]
    sheet.window.wait_for_selector("[role=listbox][aria-busy=false]")
    assert [act["action"] for act in sheet.acts()] == ["search"]


def test_further_rows_are_asked_for_at_the_end(start, site):
    sheet = Sheet(start, {"title": "List", "elements": [a_list(rows(100), more=True)]})
    assert not sheet.it.latchkey.received("renderer.act")
    for _ in range(10):
        sheet.window.keyboard.press("PageDown")
    assert sheet.acts()[0] == {"element": "list", "action": "more"}
    assert sheet.marked().startswith("user99")
    sheet.show({"title": "List", "elements": [a_list(rows(200), more=True)]}, "[role=option]:nth-of-type(200)")
    assert sheet.marked().startswith("user99")  # nothing has moved under the user's hand
    sheet.window.evaluate("document.querySelector('[role=listbox]').scrollTop = 1e6")
    assert sheet.acts(2)[1]["action"] == "more"
    sheet.show({"title": "List", "elements": [a_list(rows(201))]}, "[role=option]:nth-of-type(201)")
    sheet.window.keyboard.press("ArrowDown")
    assert sheet.marked().startswith("user100")


def test_what_was_typed_and_the_focus_outlive_a_new_interface(start, site):
    sheet = Sheet(start, EVERYTHING)
    window = sheet.window
    window.focus("#interface input[type=password]")
    window.keyboard.type("24")
    again = {"title": "Again", "elements": [
        {"kind": "message", "id": "wrong", "text": "That is not the PIN.", "style": "error"},
        {"kind": "button", "id": "go", "label": "Try again", "style": "default"},
        {"kind": "secure", "id": "pin", "label": "The PIN"},
        {"kind": "text", "id": "name", "label": "Name", "value": "another"},
        {"kind": "secure", "id": "other", "label": "Other"},
    ]}
    sheet.show(again, "#interface .message.bad")
    sheet.said("That is not the PIN.")
    assert sheet.focused() == "The PIN"
    window.keyboard.type("68")
    window.keyboard.press("Enter")
    assert sheet.acts()[0]["fields"] == [
        {"id": "pin", "text": secret("2468")}, {"id": "name", "text": secret("me")}, {"id": "other", "text": secret("")}]


def test_focus_goes_on_when_what_had_it_is_gone(start, site):
    sheet = Sheet(start, EVERYTHING)
    sheet.show({"title": "Working", "elements": [{"kind": "progress", "id": "p", "label": "Fetching more"}]}, "progress:not([value])")
    assert sheet.focused() == "Cancel"
    sheet.show({"title": "Done", "elements": [{"kind": "button", "id": "ok", "label": "Fine"}, {"kind": "secure", "id": "s", "label": "Word"}]}, "text=Fine")
    assert sheet.focused() == "Word"


@pytest.mark.parametrize("how", ["Cancel", "Escape", "closing the window"])
def test_user_can_always_cancel(start, site, how):
    sheet = Sheet(start, EVERYTHING)
    act = {"Cancel": lambda: sheet.window.click("#cancel"), "Escape": lambda: sheet.window.keyboard.press("Escape"),
           "closing the window": sheet.window.close}[how]
    sheet.it.closes(sheet.window, act)
    # Once, or again when the window has closed.
    assert {answer["accept"] for answer in sheet.it.received("renderer.answer")} == {False}
    assert sheet.it.values() == ["", ""]
    sheet.picker.wait_for_selector("#list[aria-busy=false]")


def test_interface_that_never_comes_can_be_cancelled(start, site):
    sheet = Sheet(start, None)
    sheet.window.wait_for_selector("text=Waiting for the provider")
    assert sheet.window.inner_text("#title") == "Sample" and sheet.focused() == "Cancel"
    sheet.it.closes(sheet.window, lambda: sheet.window.keyboard.press("Escape"))
    assert sheet.it.values() == ["", ""]


def test_nothing_is_taken_before_the_window_has_been_in_front(start, site):
    sheet = Sheet(start, EVERYTHING)
    window = sheet.window
    # It comes to the front, and time stands still: every moment is one right after.
    window.evaluate("() => { const now = performance.now(); performance.now = () => now; dispatchEvent(new Event('focus')) }")
    window.wait_for_selector("#interface.waiting")
    window.keyboard.type("x")
    window.focus("input[type=search]")
    window.keyboard.type("y")
    window.keyboard.press("Enter")
    window.focus("#interface button.main")
    window.keyboard.press("Enter")
    window.keyboard.press("Space")
    for selector in ["#interface button.main", "[role=option]", "[role=switch]"]:
        box = window.locator(selector).first.bounding_box()
        window.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert window.input_value("#interface input[type=text]") == "me" and window.input_value("input[type=search]") == ""
    window.evaluate("() => { delete performance.now; dispatchEvent(new Event('focus')) }")
    window.wait_for_selector(READY)
    window.focus("#interface button.main")
    window.keyboard.press("Enter")
    assert [act["element"] for act in sheet.acts()] == ["go"]


HOSTILE = '<img src=x onerror="window.hit=1"><script>window.hit=1</script>&lt;b&gt;'
BIDI = "\u202egro.elpmaxe\u2066 \u202dyours"


def test_hostile_texts_are_text(start, site):
    texts = [HOSTILE, BIDI, "x" * 1024, "\n" * 1000, "é" * 512, "\u0000\u0007\ufffe", "__proto__", "javascript:alert(1)"]
    elements = []
    for number, text in enumerate(texts):
        elements += [
            {"kind": "heading", "id": f"h{number}", "text": text}, {"kind": "message", "id": f"m{number}", "text": text},
            {"kind": "text", "id": f"t{number}", "label": text, "placeholder": text, "value": text},
            {"kind": "button", "id": f"b{number}", "label": text},
            {"kind": "toggle", "id": ["cancel", "accept", "form", "interface", "say", "__proto__", "constructor", "title"][number], "label": text, "on": False},
        ]
    listed = [{"id": f"{number}", "title": texts[number % len(texts)], "subtitle": texts[(number + 1) % len(texts)]} for number in range(500)]
    elements += [{"kind": "list", "id": "list", "search": True, "more": False, "sections": [{"title": BIDI, "rows": listed[:250]}, {"title": HOSTILE, "rows": listed[250:]}]},
                 {"kind": "progress", "id": "p", "label": HOSTILE, "fraction": 7e9}, {"kind": "toString", "id": "x"}, {"kind": "__proto__", "id": "y"}]
    sheet = Sheet(start, {"title": HOSTILE, "elements": elements})
    window = sheet.window
    assert window.locator("[role=option]").count() == 500
    assert window.evaluate("window.hit") is None
    assert window.locator("#interface img, #interface script, #interface b, #interface a").count() == 0
    # Nothing of it became a name in the document, nor did it push our own out of sight.
    assert window.evaluate("[...document.querySelectorAll('#interface [id]')].every(node => node.id.startsWith('part-'))")
    for own in ["#title", "#facts dd", "#cancel"]:
        box = window.locator(own).bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= window.evaluate("innerHeight"), own
    assert window.evaluate("document.documentElement.scrollWidth <= innerWidth && document.documentElement.scrollHeight <= innerHeight")
    # A mark of direction ends with its element: the line below reads as it stands.
    assert window.evaluate("[...document.querySelectorAll('#interface .message, #interface .title, #interface .section, #title, #facts dd')].every(node => getComputedStyle(node).unicodeBidi !== 'normal')")
    window.focus("input[type=search]")
    window.keyboard.press("ArrowDown")
    window.keyboard.press("Enter")
    assert sheet.acts()[0]["row"] == "1"
    sheet.it.closes(window, lambda: window.keyboard.press("Escape"))


def test_provider_that_changes_its_interface_all_the_time_freezes_nothing(start, site):
    sheet = Sheet(start, {"title": "List", "elements": [a_list(rows(500))]})
    for number in range(40):
        sheet.it.latchkey.set(interface={"title": f"List {number}", "elements": [a_list(rows(500, number, title=f"round{number} "))]})
    sheet.window.wait_for_selector("h2:text-is('List 39')")
    slowest = """async () => { let slowest = 0, last = performance.now();
      for (let n = 0; n < 10; n++) { await new Promise(next => setTimeout(next, 0)); const now = performance.now(); slowest = Math.max(slowest, now - last); last = now }
      return slowest }"""
    # What takes long takes long every time; a processor that is busy elsewhere is seen once or twice.
    eventually(sheet.window, lambda: sheet.window.evaluate(slowest) < 200, "a window that does not stand still")
    sheet.it.closes(sheet.window, lambda: sheet.window.keyboard.press("Escape"))


def test_choice_fills_the_page_and_closes_both_windows(start, site):
    sheet = Sheet(start, {"title": "List", "elements": [a_list(rows(3), search=False)]})
    sheet.window.keyboard.press("Enter")
    sheet.acts()
    sheet.it.closes(sheet.window, lambda: sheet.it.latchkey.set(finished=True))
    sheet.it.filled()
    eventually(sheet.it.page, sheet.picker.is_closed, "the end of the list")


def test_only_the_window_of_a_prompt_acts_and_only_the_settings_reach_providers(start, site):
    it = start(fake=True, providers=[SAMPLE], interface=EVERYTHING)
    it.open(site.page("/login", SIGN_IN))
    frame = it.bar.wait("#row-0")
    for kind in ["act", "openList", "providers", "enable", "disable", "order", "configure"]:
        answer = frame.evaluate("type => chrome.runtime.sendMessage({type, prompt: 'x', element: 'x', action: 'press', identifiers: []})", kind)
        assert answer["error"]["message"] == "Not for this document.", kind
    other = it.browser.context.new_page()
    for document, kinds in {"prompt": ["openList", "providers", "enable", "disable", "order", "configure"], "picker": ["act", "enable", "disable", "order", "configure", "providers"],
                            "popup": ["act", "openList", "enable", "disable", "order", "configure", "providers"], "settings": ["act", "openList", "prompt", "answer", "choose", "list", "suggestions"]}.items():
        other.goto(f"{frame.url.split('/bar.html')[0]}/{document}.html")
        for kind in kinds:
            answer = other.evaluate("type => chrome.runtime.sendMessage({type, identifiers: []})", kind)
            assert answer["error"]["message"] == "Not for this document.", (document, kind)


SAVED = {"title": "shiny.example.com", "elements": [
    {"kind": "saved", "id": "p", "label": "Password", "record": "r1"}, {"kind": "button", "id": "back", "label": "Back"}]}
PASSWORD = "#interface .saved output"


def test_saved_password_is_hidden_shown_and_hidden_again(start, site):
    sheet = Sheet(start, SAVED, revealed="correct horse")
    window = sheet.window
    assert "correct" not in window.content()
    window.evaluate("() => { const later = window.setTimeout; window.setTimeout = (act, time) => { if (time === 30000) window.hides = act; return later(act, time) } }")
    window.click("button:has-text('Show')")
    window.wait_for_selector(f"{PASSWORD}:has-text('correct horse')")
    asked = sheet.it.received("renderer.reveal", 1)[0]
    assert asked["element"] == "p" and set(asked) == {"prompt", "element"}
    window.click("button:has-text('Hide')")
    assert "correct" not in window.content()
    window.click("button:has-text('Show')")
    window.wait_for_selector(f"{PASSWORD}:has-text('correct horse')")
    window.evaluate("hides()")
    assert "correct" not in window.content()
    # What is shown goes with its page.
    window.click("button:has-text('Show')")
    window.wait_for_selector(f"{PASSWORD}:has-text('correct horse')")
    sheet.show({"title": "All", "elements": [{"kind": "message", "id": "m", "text": "Gone"}]}, "text=Gone")
    assert "correct" not in window.content()


def test_saved_password_is_copied_and_where_histories_would_keep_it_at_a_second_press(start, site):
    sheet = Sheet(start, SAVED, revealed="correct horse")
    window = sheet.window
    window.click("button:has-text('Copy')")
    window.wait_for_selector("button:has-text('Copy Anyway')")
    assert window.inner_text("#error") == "It cannot be marked."
    window.click("button:has-text('Copy Anyway')")
    window.wait_for_selector("button:has-text('Copied')")
    assert [asked.get("unmarked") for asked in sheet.it.received("renderer.copySaved")] == [None, True]
    assert "correct" not in window.content() and window.inner_text("#error") == ""


def test_saved_password_of_another_item_is_not_the_one_that_was_shown(start, site):
    sheet = Sheet(start, SAVED, revealed="correct horse")
    sheet.window.click("button:has-text('Show')")
    sheet.window.wait_for_selector(f"{PASSWORD}:has-text('correct horse')")
    other = {"title": "other", "elements": [{**SAVED["elements"][0], "record": "r2"}]}
    sheet.show(other, "h2:has-text('other')")
    assert "correct" not in sheet.window.content()


def test_saved_password_that_comes_after_the_end_is_not_drawn(start, site):
    sheet = Sheet(start, SAVED, revealed="correct horse", reveals_when="told")
    window = sheet.window
    drawn = window.query_selector(PASSWORD)
    window.click("button:has-text('Show')")
    sheet.it.received("renderer.reveal", 1)
    # Another page of the window, while the answer is on its way.
    sheet.show({"title": "All", "elements": [{"kind": "message", "id": "m", "text": "Gone"}]}, "text=Gone")
    sheet.it.latchkey.set(told=True)
    window.wait_for_function("(drawn) => !drawn.parentNode.querySelector('button').disabled", arg=drawn)
    assert "correct" not in window.content() and "correct" not in drawn.text_content()


def test_return_that_is_held_down_shows_no_saved_password(start, site):
    """An account is chosen by Return, and what stands there then is its page."""
    sheet = Sheet(start, {"title": "All", "elements": [a_list(rows(3))]}, revealed="correct horse")
    window = sheet.window
    window.press("[role=combobox]", "ArrowDown")
    sheet.show(SAVED, "button:has-text('Show')")
    assert sheet.focused() == "Back"
    window.focus("button:has-text('Show')")
    window.keyboard.down("Enter")
    for _ in range(5):
        window.keyboard.down("Enter")
    window.keyboard.up("Enter")
    window.wait_for_selector(f"{PASSWORD}:has-text('correct horse')")
    assert len(sheet.it.received("renderer.reveal")) == 1


def test_saved_password_stays_hidden_where_the_user_says_no(start, site):
    sheet = Sheet(start, SAVED)
    window = sheet.window
    window.click("button:has-text('Show')")
    sheet.it.received("renderer.reveal", 1)
    window.wait_for_selector("button:has-text('Show'):not(:disabled)")
    assert "correct" not in window.content() and window.inner_text("#error") == ""
    # A script cannot press it.
    window.evaluate("[...document.querySelectorAll('button')].find((one) => one.textContent === 'Show').click()")
    window.wait_for_selector("button:has-text('Show'):not(:disabled)")
    assert len(sheet.it.received("renderer.reveal")) == 1
