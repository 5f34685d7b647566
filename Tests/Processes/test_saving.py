# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""What was typed into a page is saved when the user says so and only then; passwords are made, kept and found again."""

import json
import pathlib

import pytest

from installation import PASSPHRASE, BrowserClient, Installation, WireFailure, denied, secret, until
from verdicts import must_hold, nothing_lost, nothing_released

SITE = "https://shiny.example.com"
BARRIER = "https://barrier-"
USER = {"ref": 0, "tag": "input", "type": "text", "autocomplete": "username", "visible": True}
CURRENT = {"ref": 1, "tag": "input", "type": "password", "autocomplete": "current-password", "visible": True}
NEW = {"ref": 2, "tag": "input", "type": "password", "autocomplete": "new-password", "visible": True}
AGAIN = {**NEW, "ref": 3}


@pytest.fixture
def ready():
    with Installation() as installation:
        quirks = pathlib.Path(installation.environment["XDG_DATA_HOME"]) / "latchkey/quirks"
        quirks.mkdir(parents=True)
        (quirks / "password-rules.json").write_text(json.dumps({
            "example.com": {"password-rules": "minlength: 6; maxlength: 9; allowed: lower; required: digit;"},
            "exact.test": {"password-rules": "maxlength: 7;", "exact-domain-match-only": True}}))
        (quirks / "websites-that-append-2fa-to-password.json").write_text(json.dumps(["bank.test"]))
        installation.start()
        client = installation.unlocked()
        browser = BrowserClient(installation)
        browser.asked, browser.barriers = [], []

        def user(shown):
            if (shown.get("site") or "").startswith(BARRIER):
                browser.barriers.append(shown["site"])
                return False, None
            browser.asked.append(shown)
            return browser.says(shown)

        browser.says = lambda shown: (True, PASSPHRASE if shown["kind"] == "unlock" else None)
        browser.user = user
        browser.client, browser.installation = client, installation
        yield browser
        browser.close()


def frame(origin=SITE, document="D1", tab=1):
    return {"tab": tab, "frame": 0, "document": document, "chain": [{"origin": origin, "document": document}]}


def page(*fields):
    return {"title": "", "path": "/", "language": "en", "forms": [], "fields": list(fields)}


def submit(browser, values, fields=(USER, CURRENT), origin=SITE, document="D1", tab=1):
    typed = [{"ref": ref, "value": secret(value)} for ref, value in values.items()]
    assert browser.call("page.submitted", frame=frame(origin, document, tab), page=page(*fields), values=typed) == {}


def settle(browser, *fields, document="D1", tab=1, origin=SITE):
    assert browser.call("page.settled", tab=tab, document=document, page=page(*fields), origin=origin) == {}


def rest(browser):
    """Waits until the daemon has asked all that it has to ask: what is sent off last is asked about last."""
    site = f"{BARRIER}{len(browser.barriers)}.test"
    submit(browser, {0: "nobody", 1: "typed last"}, origin=site, document="barrier", tab=99)
    settle(browser, document="barrier", tab=99, origin=site)
    until(lambda: browser.call("renderer.status") and site in browser.barriers)


def items(browser):
    return browser.client.call("items.list")["items"]


def password(browser, user):
    found = next(item for item in items(browser) if item["user"] == user)
    return browser.client.call("items.reveal", id=found["id"])["password"]["secret"]


def until_items(browser, count):
    def there():
        browser.call("renderer.status")
        return len(items(browser)) == count

    until(there)


@pytest.mark.main
def test_what_was_typed_is_saved_after_a_yes(ready):
    submit(ready, {0: "rmondello", 1: "typed by hand"})
    settle(ready)
    until_items(ready, 1)
    assert [(item["services"], item["user"]) for item in items(ready)] == [(["shiny.example.com"], "rmondello")]
    assert password(ready, "rmondello") == "typed by hand"
    (shown,) = ready.asked
    assert shown["kind"] == "savePassword" and shown["site"] == SITE and shown["user"] == "rmondello"
    assert "typed" not in json.dumps(shown)
    # The line follows once the provider has answered.
    line = until(lambda: next((line for line in ready.client.call("audit.list")["lines"] if line["event"] == "saved"), None))
    assert line["service"] == SITE and "typed" not in json.dumps(line)
    # The same again is known, and nobody is asked.
    submit(ready, {0: "rmondello", 1: "typed by hand"})
    settle(ready)
    rest(ready)
    assert len(ready.asked) == 1


@pytest.mark.main
def test_question_ends_with_its_tab_and_not_with_its_document(ready):
    """A page that was left is what the question is about; a tab that was closed is nobody's business any more."""
    ends = {}

    def says(shown):
        # What ends, ends while the user has not answered yet.
        ready.call("page.left", tab=1, document="D1" if shown["site"] == SITE else None)
        ends[shown["site"]] = len(ready.presented)
        return True, None

    ready.says = says
    submit(ready, {0: "rmondello", 1: "typed by hand"})
    settle(ready)
    until_items(ready, 1)
    other = "https://other.example.com"
    submit(ready, {0: "rmondello", 1: "typed by hand"}, origin=other)
    settle(ready, origin=other)
    rest(ready)
    assert len(items(ready)) == 1
    assert [failure.code for failure in ready.presented if isinstance(failure, WireFailure)] == [16]


def test_newer_password_of_a_site_ends_the_question_about_the_older(ready):
    answers = []

    def says(shown):
        answers.append(shown["user"])
        if len(answers) == 1:
            submit(ready, {0: "second", 1: "typed again"}, document="D2")
            settle(ready, document="D2")
            until(lambda: ready.call("renderer.status") and len(answers) == 2)
        return True, None

    ready.says = says
    submit(ready, {0: "first", 1: "typed by hand"})
    settle(ready)
    until_items(ready, 1)
    rest(ready)
    assert [item["user"] for item in items(ready)] == ["second"] and answers == ["first", "second"]
    assert password(ready, "second") == "typed again"


def test_the_same_password_again_brings_about_no_second_question(ready):
    """S28: a page that hides and shows its form again and again does not ask the user anew."""
    asked = []

    def says(shown):
        asked.append(shown["site"])
        if len(asked) == 1:
            for number in range(3):
                submit(ready, {0: "rmondello", 1: "typed by hand"}, document=f"D{number + 2}")
                settle(ready, document=f"D{number + 2}")
            rest(ready)
        return True, None

    ready.says = says
    submit(ready, {0: "rmondello", 1: "typed by hand"})
    settle(ready)
    until_items(ready, 1)
    assert asked == [SITE]


def test_more_questions_than_may_wait_end_the_oldest_of_their_tab(ready):
    """S44: a page that makes up sign-ins to many sites puts out none of another tab."""
    waiting = []

    def says(shown):
        waiting.append(shown["site"])
        if len(waiting) == 1:
            for number in range(9):
                site = f"https://made-up-{number}.test"
                submit(ready, {0: "x", 1: "typed by nobody"}, origin=site, document=f"M{number}", tab=2)
                settle(ready, document=f"M{number}", tab=2, origin=site)
                until(lambda: ready.call("renderer.status") and site in waiting)
            return True, None
        return len(waiting) > 100, None

    ready.says = says
    submit(ready, {0: "rmondello", 1: "typed by hand"})
    settle(ready)
    until_items(ready, 1)
    assert [item["user"] for item in items(ready)] == ["rmondello"]


@pytest.mark.main
def test_s31_nothing_is_asked_before_the_form_is_gone_and_for_nobody_else(ready):
    """S31: a form that stays, another document, another tab, a second settling: none of them asks."""
    submit(ready, {0: "rmondello", 1: "typed by hand"})
    settle(ready, document="D2")
    settle(ready, tab=2)
    rest(ready)
    nothing_released("questions", ready.asked)
    settle(ready, USER, CURRENT)  # the page asks again: it was rejected
    settle(ready)
    rest(ready)
    nothing_released("questions and accounts", ready.asked, items(ready))


@pytest.mark.main
def test_s31_values_without_fields_and_insecure_pages_save_nothing(ready):
    """S31: values of fields that are none, huge ones, and pages that anyone could have changed."""
    for values, fields, origin in [
        ({7: "typed"}, (USER, CURRENT), SITE), ({0: "rmondello"}, (USER, CURRENT), SITE), ({1: "x" * 5000}, (USER, CURRENT), SITE),
        ({2: "one", 3: "two"}, (NEW, AGAIN), SITE), ({0: "a", 1: "b"}, (USER, CURRENT), "http://shiny.example.com"),
        ({0: "a", 1: "b"}, (USER, CURRENT), "null"),
    ]:
        submit(ready, values, fields, origin)
        settle(ready, origin=origin)
    rest(ready)
    nothing_released("questions and accounts", ready.asked, items(ready))


@pytest.mark.main
def test_no_and_never(ready):
    ready.says = lambda shown: (False, None)
    submit(ready, {0: "rmondello", 1: "typed by hand"})
    settle(ready)
    until(lambda: ready.call("renderer.status") and ready.asked)
    rest(ready)
    nothing_released("what was saved after a no", items(ready), ready.client.call("never.list")["sites"])
    ready.says = lambda shown: (False, None, {"never": True})
    submit(ready, {0: "rmondello", 1: "typed by hand"}, origin="https://other.test")
    settle(ready, origin="https://other.test")
    until(lambda: ready.call("renderer.status") and ready.client.call("never.list")["sites"] == ["other.test"])
    count = len(ready.asked)
    submit(ready, {0: "rmondello", 1: "typed by hand"}, origin="https://other.test")
    settle(ready, origin="https://other.test")
    rest(ready)
    nothing_released("what was asked and saved after a never", ready.asked[count:], items(ready))


@pytest.mark.main
def test_update_keeps_the_old_password_in_the_history(ready):
    ready.client.call("items.add", items=[
        {"services": ["shiny.example.com"], "user": user, "password": secret("old of " + user)} for user in ("rmondello", "other")])
    submit(ready, {0: "other", 1: "the new one"})
    settle(ready)
    until(lambda: ready.call("renderer.status") and password(ready, "other") == "the new one")
    assert [shown["kind"] for shown in ready.asked] == ["updatePassword"]
    nothing_lost("the password of another account", [] if password(ready, "rmondello") == "old of rmondello" else ["it is another one"])
    found = next(item for item in items(ready) if item["user"] == "other")
    history = [change["password"]["secret"] for change in ready.client.call("items.history", id=found["id"])["changes"]]
    nothing_lost("the earlier password", {"old of other"} - set(history))
    assert len(history) == 1


def test_codes_behind_passwords_are_no_new_passwords(ready):
    ready.client.call("items.add", items=[{"services": ["bank.test"], "user": "rmondello", "password": secret("correct horse")}])
    for typed in ("correct horse123456", "something else654321"):
        submit(ready, {0: "rmondello", 1: typed}, origin="https://bank.test")
        settle(ready, origin="https://bank.test")
    rest(ready)
    assert ready.asked == []
    nothing_lost("the password", [] if password(ready, "rmondello") == "correct horse" else ["it was changed without a question"])


@pytest.mark.main
def test_save_while_locked_asks_to_unlock_first(ready):
    ready.client.call("lock")
    submit(ready, {0: "rmondello", 1: "typed by hand"})
    settle(ready)
    until(lambda: ready.call("renderer.status") and [shown["kind"] for shown in ready.asked] == ["unlockToSave", "unlock", "savePassword"])
    until_items(ready, 1)
    assert password(ready, "rmondello") == "typed by hand"


@pytest.mark.main
def test_lock_forgets_what_was_typed(ready):
    submit(ready, {0: "rmondello", 1: "typed by hand"})
    ready.client.call("lock")
    settle(ready)
    rest(ready)
    nothing_released("questions about what was typed before the lock", ready.asked)


def strong(browser, fields=(USER, NEW, AGAIN), origin=SITE, show=False):
    browser.documents["D1"] = [{"origin": origin, "document": "D1"}]
    answer = browser.call("page.focused", frame=frame(origin), page=page(*fields), focused=2)
    offer = browser.call("renderer.suggestions", session=answer["session"])["strong"]
    return browser.call("renderer.choose", handle=offer["handle"], surface="bar", guard={"held": True}, show=show)


@pytest.mark.main
def test_strong_password_is_kept_from_before_it_is_filled(ready):
    fills = strong(ready)["fills"]
    made = {fill["value"]["secret"] for fill in fills}
    assert [fill["ref"] for fill in fills] == [2, 3] and len(made) == 1 and ready.asked == []
    (made,) = made
    # By the rules that are known of the domain above the host.
    assert 6 <= len(made) <= 9 and any(c.isdigit() for c in made) and all(c.isdigit() or c.islower() for c in made)
    (pending,) = ready.client.call("generated.list")["generated"]
    assert pending["service"] == "shiny.example.com" and "secret" not in json.dumps(pending)
    kept = ready.client.call("generated.reveal", id=pending["id"])["password"]["secret"]
    nothing_lost("a generated password", [] if kept == made else [made])
    lines = ready.client.call("audit.list")["lines"]
    assert [line["purpose"] for line in lines if line["event"] == "released"][:1] == ["a generated password"]
    # It is saved under the name that it is sent off with, and waits no longer.
    submit(ready, {0: "rmondello", 2: made, 3: made}, (USER, NEW, AGAIN))
    settle(ready, USER, CURRENT)
    until_items(ready, 1)
    assert password(ready, "rmondello") == made
    until(lambda: ready.client.call("generated.list")["generated"] == [])


def test_strong_password_is_shown_before_it_is_kept(ready):
    ready.says = lambda shown: (False, None)
    with pytest.raises(WireFailure):
        strong(ready, show=True)
    (shown,) = ready.asked
    assert shown["kind"] == "generated" and len(shown["password"]["secret"]) >= 6
    assert ready.client.call("generated.list")["generated"] == []


@pytest.mark.attack
@pytest.mark.parametrize("rules, words", [
    ("minlength: 3; maxlength: 3; allowed: digit;", "allows only 3 digits. Such a password is guessed at once."),
    ("minlength: 20; maxlength: 20; allowed: [a];", "allows only one character 20 times. Such a password is guessed at once."),
    ("minlength: 20; maxlength: 20; allowed: [ab];", "allows few different passwords. Such a password is easy to guess."),
    ("minlength: 8; maxlength: 8; allowed: lower;", "allows only 8 letters. Such a password is easy to guess."),
])
def test_S31_a_weak_password_is_asked_about_each_time(ready, rules, words):
    """A page states rules that let nothing but weak passwords through, and the guard of the bar holds."""
    site = "https://weak.example.net"
    fields = (USER, {**NEW, "passwordrules": rules}, AGAIN)
    for count in (1, 2):
        made = strong(ready, fields, site)["fills"][0]["value"]["secret"]
        must_hold(len(ready.asked) == count, f"a weak password was filled after {len(ready.asked)} questions")
        shown = ready.asked[-1]
        assert (shown["kind"], shown["thing"], shown["password"]["secret"]) == ("generated", "weak password", made)
        assert shown["reasons"] == [f"This site {words}"]
    kept = ready.client.call("generated.list")["generated"]
    ready.says = lambda shown: (False, None)
    denied(9, strong, ready, fields, site)
    assert ready.client.call("generated.list")["generated"] == kept


def test_nothing_is_made_for_a_page_that_has_gone(ready):
    ready.documents["D1"] = [{"origin": SITE, "document": "D1"}]
    answer = ready.call("page.focused", frame=frame(), page=page(USER, NEW, AGAIN), focused=2)
    offer = ready.call("renderer.suggestions", session=answer["session"])["strong"]
    ready.documents["D1"] = None
    with pytest.raises(WireFailure):
        ready.call("renderer.choose", handle=offer["handle"], surface="bar", guard={"held": True})
    assert ready.client.call("generated.list")["generated"] == []


def test_command_line(ready):
    made = strong(ready)["fills"][0]["value"]["secret"]
    run = ready.installation.latchkey
    assert json.loads(run("generated", "--json").stdout)[0]["service"] == "shiny.example.com"
    assert run("generated", "show", "shiny.example.com").stdout == made.encode() + b"\n"
    assert run("generated", "show", "nowhere.test", check=False).returncode == 5
    run("generated", "remove", "shiny.example.com")
    assert json.loads(run("generated", "list", "--json").stdout) == []
    run("never", "add", "https://Never.test/login")
    assert json.loads(run("never", "list", "--json").stdout) == ["never.test"]
    for nothing in "no host at all", "ftp://never.test", "/" + "x" * 4_096:
        assert run("never", "add", nothing, check=False).returncode != 0
    # Native programs, by their paths or their sandboxes' names.
    for program in "/usr/bin/claws-mail", "flatpak:org.example.Chat":
        run("never", "add", program)
    assert json.loads(run("never", "list", "--json").stdout) == ["/usr/bin/claws-mail", "flatpak:org.example.Chat", "never.test"]
    for program in "/usr/bin/claws-mail", "flatpak:org.example.Chat":
        run("never", "remove", program)
    run("never", "remove", "never.test")
    assert run("never", "remove", "never.test", check=False).returncode == 5


def test_passwords_for_a_site(ready):
    run = ready.installation.latchkey
    for site, longest in [("www.example.com", 9), ("https://example.com/login", 9), ("exact.test", 7)]:
        for made in run("generate", "--site", site, "--count", "20").stdout.split():
            assert len(made) <= longest
    # Not known: whatever is made everywhere.
    assert len(run("generate", "--site", "www.exact.test").stdout.strip()) == 20
    assert run("generate", "--site", "no host", check=False).returncode == 13


@pytest.mark.main
def test_what_the_user_said_yes_to_is_saved_though_the_tab_is_closed_at_once(ready):
    call = ready.call

    def calling(method, /, **params):
        answer = call(method, **params)
        if method == "renderer.answer":
            call("page.left", tab=1, document=None)
        return answer

    ready.call = calling
    for number in range(6):
        site = f"https://site-{number}.test"
        submit(ready, {0: "rmondello", 1: "typed by hand"}, origin=site, document=f"D{number}")
        settle(ready, document=f"D{number}", origin=site)
        until_items(ready, number + 1)


def test_two_browsers_are_asked_about_the_same_site_each_about_its_own(ready):
    other = BrowserClient(ready.installation)
    try:
        other.asked = []

        def answers(shown):
            other.asked.append(shown["user"])
            return True, None

        other.user = answers
        submit(ready, {0: "first", 1: "typed by hand"})
        submit(other, {0: "second", 1: "typed elsewhere"})
        settle(ready)
        settle(other)
        until(lambda: ready.call("renderer.status") and other.call("renderer.status") and len(items(ready)) == 2)
        assert sorted(item["user"] for item in items(ready)) == ["first", "second"]
        assert [shown["user"] for shown in ready.asked] == ["first"] and other.asked == ["second"]
        assert password(ready, "second") == "typed elsewhere"
        # One that is closed puts out no question of the other's.
        ready.says = lambda shown: (other.close(), (True, None))[1]
        submit(ready, {0: "third", 1: "typed last of all"})
        settle(ready)
        until_items(ready, 3)
    finally:
        other.close()
