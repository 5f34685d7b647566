# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""A page that the user leaves says nothing of what was sent off in it; what came of sending it off does."""

import pytest

from browser import eventually, fill_by_keys
from calm import NEED
from conftest import RMONDELLO
from test_saving import APPLICATION, WELCOME, asked, is_silent, items, pages, password  # noqa: F401
from test_saving_places import INNER

#: A page that is told "no", with ways to leave it.
REFUSED = APPLICATION + """<nav><a id="news" href="/news">News</a> <a id="bare" href="/news" role="button">News</a>
<form action="/found"><input id="q" name="q" aria-label="Search"><button id="find">Find</button></form></nav>"""
#: An application of one document: its links and Back change what it shows.
ROUTED = REFUSED + """<script>
document.querySelector('#news').onclick = (event) => { event.preventDefault(); history.pushState({}, '', '/news'); show(); };
const show = () => { document.querySelector('main').innerHTML = '<h1>News</h1>'; };
addEventListener('popstate', show);</script>"""
DIALOG = """<!doctype html><meta charset="utf-8"><title>Shiny</title><h1>Shiny</h1><button id="open" onclick="document.querySelector('dialog').showModal()">Sign in</button>
<dialog><form id="login"><p><label>Username <input id="user" autocomplete="username"></label>
<p><label>Password <input id="password" type="password" autocomplete="current-password"></label>
<p><button id="go">Log In</button> <button id="close" formmethod="dialog" formnovalidate>Close</button></form><p id="error"></dialog>
<script>document.querySelector('#login').onsubmit = async (event) => {
  if (event.submitter.id === 'close') return;
  event.preventDefault();
  await fetch('/session', { method: 'POST' });
  document.querySelector('#error').textContent = 'Wrong.';
}</script>"""
FORM = """<!doctype html><meta charset="utf-8"><title>Sign in</title><h1>Sign in</h1><form id="login" action="/session" method="%s">
<p><label>Username <input id="user" autocomplete="username"></label>
<p><label>Password <input id="password" type="password" autocomplete="current-password"></label>
<p><a id="forgot" href="/news">Forgot your password?</a><p><button id="go">Log In</button></form>"""


@pytest.fixture(autouse=True)
def around(pages):  # noqa: F811
    pages.page("/session", "no")
    pages.page("/news", WELCOME.replace("Welcome", "News").replace("You are signed in.", ""))
    pages.page("/found", WELCOME.replace("Welcome", "Found").replace("You are signed in.", ""))


def type_into(it, user="rmondello", secret="mistyped", frame=None):
    fill_by_keys((frame or it.page).locator("#user"), user)
    fill_by_keys((frame or it.page).locator("#password"), secret)


def kept(it) -> None:
    """Nothing was asked, and the account is as it was."""
    assert password(it, "rmondello") == RMONDELLO.password and len(items(it)) == 1


def refused(it, pages, body=REFUSED):  # noqa: F811
    it.page.goto("https://shiny.example.com/login")
    it.page.goto(pages.page("/app", body))
    type_into(it)
    it.page.click("#go")
    it.page.wait_for_selector("text=Wrong.")


def search(it):
    it.page.fill("#q", "something else")
    it.page.click("#find")


AWAY = {
    "link": lambda it: it.page.click("#news"),
    "link that is called a button": lambda it: it.page.click("#bare"),
    "link by key": lambda it: it.page.press("#news", "Enter"),
    "Back": lambda it: it.page.go_back(),
    "address": lambda it: it.browser.go_by_address(it.page, "https://shiny.example.com/news"),
    "search": search,
}


@pytest.mark.parametrize("way", AWAY)
def test_page_that_the_user_leaves_after_a_wrong_password_is_asked_about_by_nobody(start, pages, way):  # noqa: F811
    it = start()
    refused(it, pages)
    # What Back leads to asks for nothing.
    pages.page("/login", WELCOME)
    AWAY[way](it)
    it.page.wait_for_selector("text=Wrong.", state="detached")
    assert is_silent(it, settles=0)
    kept(it)


@pytest.mark.parametrize("method", ["get", "post"])
def test_another_form_of_the_page_sends_no_wrong_password(start, pages, method):  # noqa: F811
    """As "Continue with Google" is on many pages: a form of its own."""
    it = start()
    other = f'<form action="/news" method="{method}"><button id="other">Continue with Others</button></form>'
    refused(it, pages, REFUSED.replace("<h1>", other + "<h1>", 1))
    pages.page("/login", WELCOME)
    it.page.click("#other")
    it.page.wait_for_selector("text=Wrong.", state="detached")
    assert is_silent(it, settles=0)
    kept(it)


def test_what_was_typed_before_the_user_left_is_saved_from_the_popup(start, pages):  # noqa: F811
    it = start(accounts=())
    refused(it, pages)
    it.page.click("#news")
    it.page.wait_for_selector("text=Wrong.", state="detached")
    assert is_silent(it, settles=0)
    popup = it.browser.popup("document.querySelector('[aria-selected=true]')?.id === 'save-submitted'")
    window = asked(it, lambda: popup.press("Enter"))
    assert window.inner_text("#title") == "Save password?" and window.input_value("#user") == "rmondello"
    it.closes(window, lambda: window.click("#cancel"))


def test_reload_by_the_user_is_no_answer(start, pages):  # noqa: F811
    it = start()
    it.page.goto(pages.page("/app", DIALOG))
    it.page.click("#open")
    type_into(it)
    it.page.click("#go")
    it.page.wait_for_selector("text=Wrong.")
    it.page.reload()
    it.page.wait_for_selector("#open")
    assert is_silent(it, settles=0)
    kept(it)


@pytest.mark.parametrize("way", ["Escape", "button"])
def test_dialog_that_the_user_closes_after_a_wrong_password_is_no_answer(start, pages, way):  # noqa: F811
    it = start()
    it.page.goto(pages.page("/app", DIALOG))
    it.page.click("#open")
    scripts = it.browser.scripts()
    type_into(it)
    it.page.click("#go")
    it.page.wait_for_selector("text=Wrong.")
    # The first Escape may close the bar.
    while it.page.is_visible("#close"):
        it.page.keyboard.press("Escape") if way == "Escape" else it.page.click("#close")
    scripts.at_rest()
    assert is_silent(it, settles=0)
    kept(it)


@pytest.mark.parametrize("way", ["link", "Back"])
def test_view_of_an_application_that_the_user_leaves_is_no_answer(start, pages, way):  # noqa: F811
    it = start()
    it.page.goto("https://shiny.example.com/login")
    it.page.goto(pages.page("/app", ROUTED))
    if way == "Back":
        it.page.evaluate("history.pushState({}, '', '/login')")
    type_into(it)
    it.page.click("#go")
    it.page.wait_for_selector("text=Wrong.")
    scripts = it.browser.scripts()
    it.page.click("#news") if way == "link" else it.page.go_back()
    it.page.wait_for_selector("main >> text=News")
    scripts.at_rest()
    assert is_silent(it, settles=0)
    kept(it)


@pytest.mark.parametrize("address", ["#/news", "#!/news"])
def test_view_that_stands_behind_the_sign_of_a_place_is_no_answer(start, pages, address):  # noqa: F811
    it = start()
    body = REFUSED.replace('href="/news">', f'href="{address}">') + """<script>
      addEventListener('hashchange', () => { document.querySelector('main').innerHTML = '<h1>News</h1>'; });</script>"""
    it.page.goto(pages.page("/app", body))
    type_into(it)
    it.page.click("#go")
    it.page.wait_for_selector("text=Wrong.")
    scripts = it.browser.scripts()
    it.page.click("#news")
    it.page.wait_for_selector("main >> text=News")
    scripts.at_rest()
    assert is_silent(it, settles=0)
    kept(it)


# In the second, Latchkey's scripts are there before it leads back.
@pytest.mark.parametrize("after", [0, 200])
def test_page_that_leads_back_before_anybody_sees_it_is_no_answer(start, pages, after):  # noqa: F811
    it = start()
    # It says itself how long it was there, in milliseconds.
    pages.page("/session", f"<!doctype html><title>No</title><h1>No</h1><script>addEventListener('load', () => setTimeout(() => history.back(), {after}));"
               "addEventListener('pagehide', () => { sessionStorage.shown = performance.now() - performance.timing.domComplete + performance.timing.navigationStart })</script>")
    way = []
    it.page.on("framenavigated", lambda frame: way.append(frame.url))
    for _ in range(20):
        it.page.goto(pages.page("/form", FORM % "post", **{"Cache-Control": "no-store"}))
        # What Back leads to asks for nothing.
        pages.page("/form", WELCOME)
        type_into(it)
        before = it.browser.sent("page.settled")
        it.page.press("#password", "Enter")
        there_and_back = ["https://shiny.example.com/session", "https://shiny.example.com/form"]
        eventually(it.page, lambda: way[-2:] == there_and_back, "the way there and back")
        it.page.wait_for_selector("text=Welcome")
        # It is there for a moment only, and may be left before anybody asks where the page is. A busy machine shows it for longer than
        # a page has to stay to be an answer, which is 300 ms; then the way is gone anew.
        if float(it.page.evaluate("sessionStorage.shown")) < 300:
            break
        it.quiet()
        it.browser.close_windows()
    else:
        pytest.fail("the machine was too busy to lead back at once")
    assert is_silent(it, settles=before)
    kept(it)


def test_page_with_an_error_is_no_yes(start, pages):  # noqa: F811
    it = start()
    pages.page("/session", "<!doctype html><title>Oh</title><h1>Something is wrong</h1>", status="500")
    it.page.goto(pages.page("/form", FORM % "post"))
    type_into(it)
    it.page.click("#go")
    it.page.wait_for_selector("text=Something is wrong")
    assert is_silent(it, settles=0)
    kept(it)


def test_link_inside_a_form_sends_nothing(start, pages):  # noqa: F811
    it = start()
    it.page.goto(pages.page("/form", FORM % "post"))
    type_into(it)
    it.page.click("#forgot")
    it.page.wait_for_selector("text=News")
    assert is_silent(it, settles=0) and it.browser.sent("page.submitted") == 0
    kept(it)


def test_link_around_a_frame_with_a_wrong_password_is_no_answer(start, pages):  # noqa: F811
    it = start()
    pages.page("/inner", INNER)
    it.page.goto(pages.page("/outer", """<!doctype html><title>Shiny</title><a id="news" href="/news">News</a>
      <p><iframe name="inner" width="700" height="500" src="/inner"></iframe>"""))
    inner = it.page.frame_locator("iframe")
    type_into(it, frame=inner)
    inner.locator("#go").click()
    inner.locator("text=Wrong.").wait_for()
    # The page around the frame is listened to from then on.
    eventually(it.page, lambda: it.browser.sent("page.submitted"), "the form that was sent")
    it.browser.at_rest()
    it.page.click("#news")
    it.page.wait_for_selector("iframe", state="detached")
    assert is_silent(it, settles=0)
    kept(it)


GONE = "document.querySelector('main').innerHTML = '<h1>Welcome</h1>'"
#: What a site does once it has taken a password by `fetch`.
TAKEN = {
    "script": "location = '/welcome'",
    "replace": "location.replace('/welcome')",
    "reload": "location.reload()",
    "link of a script": "Object.assign(document.createElement('a'), { href: '/welcome' }).click()",
    "form of a script": "(() => { const form = document.createElement('form'); form.action = '/welcome'; document.body.append(form); form.submit(); })()",
    "route": "(history.pushState({}, '', '/home'), " + GONE + ")",
}


@pytest.mark.parametrize("way", TAKEN)
def test_page_that_leads_on_by_itself_is_asked_about(start, pages, way):  # noqa: F811
    it = start(accounts=())
    pages.page("/session", "yes")
    it.page.goto(pages.page("/app", REFUSED.replace(GONE, TAKEN[way])))
    type_into(it, secret="typed by hand")
    pages.page("/app", WELCOME)
    window = asked(it, lambda: it.page.click("#go"))
    assert window.inner_text("#title") == "Save password?" and window.input_value("#user") == "rmondello"
    it.closes(window, lambda: window.click("#cancel"))


@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize("on", ["", "<meta http-equiv=refresh content='0;url=/welcome'>", "<script>location = '/welcome'</script>", "303"])
def test_form_that_is_sent_and_led_on_is_asked_about(start, pages, method, on):  # noqa: F811
    it = start(accounts=())
    if on == "303":
        pages.page("/session", "", status="303", Location="/welcome")
    else:
        pages.page("/session", on or WELCOME)
    it.page.goto(pages.page("/form", FORM % method))
    type_into(it, secret="typed by hand")
    window = asked(it, lambda: it.page.press("#password", "Enter"))
    assert window.inner_text("#title") == "Save password?" and window.input_value("#user") == "rmondello"
    it.closes(window, lambda: window.click("#cancel"))


def test_link_that_is_a_button_of_the_page_sends(start, pages):  # noqa: F811
    it = start(accounts=())
    pages.page("/session", "yes")
    it.page.goto(pages.page("/app", APPLICATION.replace('<button type="button" id="go">Log In</button>', '<a href="#" id="go">Log In</a>')))
    type_into(it, secret="typed by hand")
    window = asked(it, lambda: it.page.click("#go"))
    assert window.input_value("#user") == "rmondello"
    it.closes(window, lambda: window.click("#cancel"))


def test_page_that_the_user_leaves_at_once_after_it_took_a_password_is_asked_about(start, pages):  # noqa: F811
    it = start(accounts=())
    # Its picture never comes, so it is not looked at by itself before the link is clicked.
    pages.page("/session", WELCOME + '<a id="news" href="/news">News</a><script src="/late"></script>')
    it.page.goto(pages.page("/form", FORM % "post"))
    type_into(it, secret="typed by hand")

    def act():
        it.page.press("#password", "Enter")
        it.page.click("#news")

    window = asked(it, act)
    assert window.input_value("#user") == "rmondello"
    it.closes(window, lambda: window.click("#cancel"))


SENT_BY_SCRIPT = FORM.replace("</form>", """</form><script>
document.querySelector('#password').oninput = ({ target }) => { if (target.value.length >= 8) setTimeout(() => document.querySelector('form').%s(), 100); }
</script>""").replace("%s\">", "%%s\">")


@pytest.mark.parametrize("by", ["submit", "requestSubmit"])
def test_form_that_a_script_sends_is_asked_about(start, pages, by):  # noqa: F811
    it = start(accounts=())
    pages.page("/session", WELCOME)
    it.page.goto(pages.page("/form", SENT_BY_SCRIPT % by % "post"))
    # No event tells of a form that a script sends: what reads the page has to be there before.
    it.browser.isolated_world()(NEED)
    it.page.fill("#user", "rmondello")
    it.page.click("#password")
    window = asked(it, lambda: it.page.keyboard.type("12345678"))
    assert window.input_value("#user") == "rmondello"
    it.closes(window, lambda: window.click("#cancel"))


def test_page_that_a_script_leaves_without_a_form_is_asked_about_by_nobody(start, pages):  # noqa: F811
    it = start(accounts=())
    it.page.goto(pages.page("/form", FORM % "post"))
    type_into(it)
    it.page.evaluate("location = '/news'")
    it.page.wait_for_selector("text=News")
    # Nor are values that nobody typed, in a form that a script sends.
    pages.page("/session", WELCOME)
    it.page.goto("https://shiny.example.com/form")
    it.page.evaluate("""for (const field of document.querySelectorAll('input')) field.value = 'forged'; document.querySelector('form').submit()""")
    it.page.wait_for_selector("text=Welcome")
    assert is_silent(it, settles=0) and it.browser.sent("page.submitted") == 0
