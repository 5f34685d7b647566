# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""A saved password fills a real page: the form as pages build it, late, hidden in components, or fought over."""

import pytest

import calm
from browser import eventually
from conftest import ELSEWHERE, RMONDELLO, SIGN_IN
from latchkey import PASSPHRASE, Account
from verdicts import NotTried, nothing_released


@pytest.mark.main
@pytest.mark.main_in_firefox
def test_one_tap_fills_user_name_and_password(start, site):
    it = start()
    page = it.open("https://shiny.example.com/login")
    assert it.bar.texts() == ["password for shiny.example.com rmondello"]
    it.choose()
    it.filled()
    page.wait_for_function("document.activeElement.id === 'password'")


@pytest.mark.main
@pytest.mark.main_in_firefox
def test_tap_needs_no_window_while_the_guard_holds(start, site):
    """Firefox says less of what the user sees, and the first fill of an account at its site is asked about."""
    it = start()
    page = it.open("https://shiny.example.com/login")
    if not it.browser.says_what_covers:
        prompt = it.browser.window("prompt", it.bar.click)
        prompt.wait_for_selector("#accept:not(.early)")
        assert "You are asked once for this password on this site." in prompt.inner_text("main")
        nothing_released("the fields before the yes", it.values())
        it.accept(prompt)
        it.filled()
        page.reload()
        page.click("#user")
    it.bar.click()

    def filled():
        if it.was_late():
            raise NotTried("the machine was too busy to carry the press in time, so the guard has the user asked")
        return it.values() == ["rmondello", RMONDELLO.password]

    eventually(page, filled, "the user name and the password in their fields")
    assert it.browser.context.pages == [page]


@pytest.mark.main
@pytest.mark.parametrize("others", [0, 9], ids=["alone", "behind others"])
def test_S71_form_that_sends_to_another_site_is_asked_about_each_time(start, site, others):
    it = start()
    many = "".join(f'<button hidden formaction="https://a{number}.example.com/">' for number in range(others))
    for _ in range(2):
        it.open(site.page("/many", ELSEWHERE.replace("</form>", many + "</form>")) if others else "https://shiny.example.com/elsewhere")
        prompt = it.browser.window("prompt", it.bar.click)
        prompt.wait_for_selector("#accept:not(.early)")
        assert "shiny.example.com" in prompt.inner_text("#facts") and "rmondello" in prompt.inner_text("#facts")
        assert "sends what is filled to " + ("more places than can be named" if others else "https://elsewhere.example") in prompt.inner_text("main")
        nothing_released("the fields before the yes", it.values())
        it.accept(prompt)
        it.filled()


def test_S71_form_that_sends_elsewhere_by_the_time_it_is_filled_gets_nothing(start, site):
    it = start()
    page = it.open("https://shiny.example.com/elsewhere")
    prompt = it.browser.window("prompt", it.bar.click)
    page.evaluate("document.querySelector('form').action = 'https://third.example/'")
    it.accept(prompt)
    it.refuses()
    nothing_released("the fields of a form that sends to a site nobody was asked about", it.values())


#: A label that lies over its field until something is typed, as many pages have it.
FLOATING = SIGN_IN.replace("<label>Username <input", '<span style="position: relative"><label for="user" style="position: absolute; left: 6px; top: 2px; color: #777">Username</label><input')\
    .replace('autocomplete="username"></label>', 'autocomplete="username"></span>')


def test_press_on_a_label_over_the_field_is_one_on_the_field(start, site):
    it = start()
    page = it.open(site.page("/floating", FLOATING), focus=None)
    box = page.locator("label[for=user]").bounding_box()
    it.browser.click(page, box["x"] + 5, box["y"] + 5)
    it.bar.click()
    it.filled()
    if it.was_late():
        raise NotTried("the machine was too busy to carry the press in time, so the guard has the user asked")
    assert it.browser.unproven() == ("" if it.browser.says_what_covers else "not stated")


@pytest.mark.main
@pytest.mark.main_in_firefox
def test_cancel_fills_nothing(start, site):
    it = start()
    it.open("https://shiny.example.com/elsewhere")
    prompt = it.browser.window("prompt", it.bar.click)
    it.closes(prompt, lambda: prompt.click("#cancel"))
    it.browser.round_trip()
    nothing_released("the fields after the no", it.values())


def test_closing_the_window_is_a_no(start, site):
    it = start()
    it.open("https://shiny.example.com/elsewhere")
    it.browser.window("prompt", it.bar.click).close()
    it.page.focus("#password")
    it.bar.wait()
    assert it.values() == ["", ""]


def test_fields_inserted_late(start, site):
    late = "<h1>shiny.</h1><main></main><script>setTimeout(() => { document.querySelector('main').innerHTML = `%s` }, 400)</script>"
    it = start()
    it.open(site.page("/late", late % SIGN_IN.split("<h1>shiny.</h1>")[1]))
    it.tap()
    it.filled()


def test_field_focused_while_loading(start, site):
    it = start()
    it.open(site.page("/auto", SIGN_IN.replace('id="user"', 'id="user" autofocus')), focus=None)
    it.tap()
    it.filled()


def test_form_in_an_open_shadow_root(start, site):
    body = "<sign-in></sign-in><script>customElements.define('sign-in', class extends HTMLElement { connectedCallback() {" \
           "this.attachShadow({mode: 'open'}).innerHTML = `%s` } })</script>" % SIGN_IN
    it = start()
    page = it.open(site.page("/shadow", body))
    it.bar.wait()
    page.locator("#password").focus()  # stays inside the root, so no focus event leaves it
    it.tap()
    page.wait_for_function("document.querySelector('sign-in').shadowRoot.querySelector('#password').value")
    assert it.values() == ["rmondello", RMONDELLO.password]


def test_each_field_in_a_shadow_root_of_its_own(start, site):
    body = """<form><my-field data-html='<label>Username <input id="user" autocomplete="username"></label>'></my-field>
    <my-field data-html='<label>Password <input id="password" type="password"></label>'></my-field><button>Log In</button></form>
    <script>customElements.define('my-field', class extends HTMLElement { connectedCallback() {
    this.attachShadow({mode: 'open'}).innerHTML = this.dataset.html } })</script>"""
    it = start()
    page = it.open(site.page("/fields", body))
    it.tap()
    page.wait_for_function("document.querySelectorAll('my-field')[1].shadowRoot.querySelector('input').value")
    assert it.values() == ["rmondello", RMONDELLO.password]


def test_text_area_that_says_that_it_takes_the_user_name(start, site):
    it = start()
    form = """<form><p><label>Who <textarea id="user" autocomplete="username" rows="1"></textarea></label>
    <p><label>Password <input id="password" type="password"></label><p><label>Note <textarea id="note"></textarea></label><button>Log In</button></form>"""
    page = it.open(site.page("/areas", form))
    it.tap()
    page.wait_for_function("document.querySelector('#password').value")
    assert page.evaluate("[user.value, password.value, note.value]") == ["rmondello", RMONDELLO.password, ""]
    page.click("#note")
    it.bar.wait_until_gone()


def test_text_area_keeps_its_arrow_key_and_its_line_ends(start, site):
    it = start()
    page = it.open(site.page("/lines", '<form><textarea id="user" autocomplete="username" rows="3"></textarea><input id="password" type="password"></form>'))
    it.bar.wait("#row-0")
    page.keyboard.type("one")
    page.keyboard.press("Enter")
    page.keyboard.type("two")
    page.evaluate("user.setSelectionRange(0, 0)")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("[document.activeElement.id, user.selectionStart, user.value]") == ["user", 4, "one\ntwo"]
    it.browser.at_rest()
    assert it.browser.sent("page.submitted") == 0


def test_text_area_that_does_not_say_so_gets_no_bar(start, site):
    it = start()
    page = it.open(site.page("/area", '<form><label>User name <textarea id="user" name="username"></textarea></label><button>Next</button></form>'))
    page.click("#user")
    assert it.bar.is_absent()


def test_form_in_a_modal_dialog(start, site):
    it = start()
    it.open(site.page("/dialog", f"<dialog>{SIGN_IN}</dialog><script>document.querySelector('dialog').showModal()</script>"))
    it.tap()
    it.filled()


def test_page_that_moves_the_focus_away_on_every_fill(start, site):
    fight = """<input id="other" type="checkbox"><script>
    for (const field of document.querySelectorAll('form input')) for (const type of ['input', 'change', 'keydown'])
      field.addEventListener(type, () => document.querySelector('#other').focus());
    document.addEventListener('focusin', event => { if (event.target.id === 'password') document.querySelector('#other').focus() });
    </script>"""
    it = start()
    it.open(site.page("/fight", SIGN_IN + fight))
    it.tap()
    it.filled()


def test_page_that_removes_the_form_on_blur_and_builds_it_again(start, site):
    rebuild = """<script>
    const html = document.querySelector('form').outerHTML; let count = 0;
    const listen = () => document.querySelectorAll('form input').forEach(field => field.addEventListener('blur', () => {
      if (count++ > 3) return;
      document.querySelector('form')?.remove();
      setTimeout(() => { if (!document.querySelector('form')) { document.body.insertAdjacentHTML('beforeend', html); listen() } }, 80);
    })); listen();</script>"""
    it = start()
    it.open(site.page("/blur", SIGN_IN + rebuild))
    it.tap()
    it.filled()
    it.browser.round_trip()
    it.page.wait_for_function("count > 3 || document.querySelector('form')")
    eventually(it.page, lambda: it.values() == ["rmondello", RMONDELLO.password], "what was filled, once more")


def test_form_rebuilt_while_the_user_is_asked(start, site):
    it = start()
    page = it.open("https://shiny.example.com/elsewhere")
    prompt = it.browser.window("prompt", it.bar.click)
    page.evaluate("""() => { const html = document.querySelector('form').outerHTML; document.querySelector('form').remove();
      setTimeout(() => document.body.insertAdjacentHTML('beforeend', html), 900) }""")
    it.accept(prompt, PASSPHRASE if prompt.locator("#passphrase").is_visible() else None)
    it.filled()


def test_controlled_inputs_keep_what_was_filled(start, site):
    """A tiny framework in React's manner: it shadows `value`, and puts its own state back unless a real input event tells it."""
    framework = """<script>
    const state = {user: '', password: ''}, native = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
    for (const field of document.querySelectorAll('form input')) {
      let tracked = '';
      Object.defineProperty(field, 'value', { get() { return native.get.call(this) }, set(value) { tracked = value; native.set.call(this, value) } });
      field.addEventListener('input', event => {
        if (native.get.call(field) !== tracked) { tracked = native.get.call(field); state[field.id] = tracked }
      });
    }
    window.rounds = 0;
    setInterval(() => { rounds += 1; for (const id in state) native.set.call(document.getElementById(id), state[id]) }, 20);
    </script>"""
    it = start()
    it.open(site.page("/controlled", SIGN_IN + framework))
    it.tap()
    it.page.wait_for_function("state.password")
    # The framework puts its own state back over and over: it has done so since.
    it.page.evaluate("window.rounds = 0")
    it.page.wait_for_function("rounds > 3")
    it.filled()
    assert it.page.evaluate("state") == {"user": "rmondello", "password": RMONDELLO.password}


def test_second_of_two_accounts_is_the_one_that_was_tapped(start, site):
    it = start([RMONDELLO, Account("shiny.example.com", "second", "another password")])
    it.open("https://shiny.example.com/login")
    rows = it.bar.texts()
    assert sorted(rows) == ["shiny.example.com rmondello", "shiny.example.com second"]
    it.tap(row=[row.endswith("second") for row in rows].index(True))
    it.filled(user="second", password="another password")


@pytest.mark.main
@pytest.mark.main_in_firefox
def test_locked_bar_offers_to_unlock_and_then_fills(start, site):
    it = start()
    it.latchkey.lock()
    it.open("https://shiny.example.com/login")
    assert it.bar.texts()[0].startswith("Unlock Latchkey…")
    prompt = it.browser.window("prompt", it.bar.click)
    prompt.wait_for_selector("#accept:not(.early)")
    prompt.fill("#passphrase", "not the passphrase")
    prompt.click("#accept")
    prompt.wait_for_selector("#error:not(:empty)")
    unproven = it.browser.unproven()
    it.accept(prompt, PASSPHRASE)
    if unproven:
        it.bar.wait(selector="#row-0")
        it.tap()
    it.filled()


def test_worker_stopped_and_started_again_in_between(start, site):
    it = start()
    it.open("https://shiny.example.com/login")
    it.bar.arm()
    it.browser.stop_worker()
    it.tap(armed=False)  # the row of the connection that ended stands for the same row of the new one
    it.filled()
    it.page.reload()
    it.browser.stop_worker()
    it.page.focus("#password")
    it.bar.wait()


def test_focus_in_the_moment_in_which_the_worker_is_stopped(start, site):
    it = start(fake=True)
    page = it.open("https://shiny.example.com/login")
    it.bar.wait("#row-0")
    tools = it.browser.devtools()
    tools.send("ServiceWorker.enable")
    for field in ["#password", "#user"] * 4:
        page.evaluate("document.activeElement.blur()")
        it.bar.wait_until_gone()
        tools.send("ServiceWorker.stopAllWorkers")
        page.focus(field)
        it.bar.wait("#row-0")


def test_rows_are_readable_by_a_screen_reader(start, site):
    it = start([RMONDELLO, Account("shiny.example.com", "second", "another password")])
    it.open("https://shiny.example.com/login")
    it.bar.wait("#row-1")
    it.bar.grow()
    frame = it.bar.wait("#row-1")
    nodes = it.browser.devtools(frame).send("Accessibility.getFullAXTree")["nodes"]
    named = {(node["role"]["value"].lower(), node.get("name", {}).get("value")) for node in nodes if not node.get("ignored")}
    assert {("listbox", "Passwords"), ("button", "More")} <= named
    options = {name for role, name in named if role in ("option", "listboxoption")}
    assert options == {"rmondello, password for shiny.example.com", "second, password for shiny.example.com", "All Passwords…"}


def test_tab_moves_on_to_the_next_field(start, site):
    it = start()
    page = it.open("https://shiny.example.com/login")
    it.bar.arm()
    page.keyboard.press("Tab")
    page.wait_for_function("document.activeElement.id === 'password'")
    it.bar.wait("#row-0")
    page.keyboard.press("Tab")
    page.wait_for_function("document.activeElement.localName === 'button'")
    page.wait_for_function("!document.querySelector('[popover]')")
    page.keyboard.press("Shift+Tab")
    page.wait_for_function("document.activeElement.id === 'password'")
    assert it.values() == ["", ""]


def test_field_that_is_left_before_its_bar_is_shown_leaves_none_behind(start, site):
    it = start(fake=True, holdsFields=True)
    page = it.open("https://shiny.example.com/login", focus="#password")
    # Its question has been asked: the second of these is asked after it.
    for _ in range(2):
        it.browser.isolated_world(page)(calm.NEED)
    page.keyboard.press("Tab")
    page.wait_for_function("document.activeElement.localName === 'button'")
    it.latchkey.set(holdsFields=False)
    assert it.bar.is_absent() and not page.query_selector("[popover]")
    page.keyboard.press("Shift+Tab")
    it.bar.wait("#row-0")


def test_escape_closes_the_bar_and_a_click_opens_it_again(start, site):
    it = start()
    page = it.open("https://shiny.example.com/login")
    it.bar.wait()
    page.keyboard.press("Escape")
    page.wait_for_function("!document.querySelector('[popover]')")
    page.click("#user")
    it.bar.wait()


def test_document_that_the_page_opens_and_writes_anew(start, site):
    """`document.open()` takes away every listener, those of the content script as well."""
    it = start()
    page = it.open("https://shiny.example.com/login")
    it.bar.wait("#row-0")
    page.evaluate("html => { document.open(); document.write(html); document.close() }", SIGN_IN)
    it.bar.wait_until_gone()
    page.click("#user")
    it.tap()
    it.filled()
