# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Other providers, end to end: their rows, their interfaces, their place in the settings."""

import shutil
import subprocess
from pathlib import Path

import pytest

from browser import ORIGIN, eventually
from conftest import RMONDELLO, SIGN_IN
from latchkey import PASSPHRASE, ROOT
from provider_bundle import account, enabled, install, providers

READY = "#interface:not(.waiting)"
FOUND = "html:not(.arming) #list[aria-busy=false]"
ALL_ROWS = "document.querySelector('#all') && [...document.querySelectorAll('[role=option]')].map(row => row.ariaLabel)"

SHINY = account("shiny.example.com", "zoë", "from the sample ✓")
ASKS = account("shiny.example.com", "careful", "after the PIN", asks=True)


def marked(window) -> str:
    return window.evaluate("""() => document.getElementById(
      document.querySelector('[aria-activedescendant]')?.getAttribute('aria-activedescendant'))?.ariaLabel ?? ''""")


def all_passwords(it):
    """“All Passwords…” by keyboard alone, from the popup that the shortcut opens."""
    for _ in range(5):
        popup = it.browser.popup(ALL_ROWS)
        for _ in range(len(popup.shown) - 1):
            popup.press("ArrowDown")
        popup.press("Enter")

        def opened():
            return [page for page in it.browser.context.pages if "/picker.html" in page.url]

        # A popup may close at a moment of its own, and is opened again then.
        try:
            return eventually(it.page, opened, "the list", patience=10)[0]
        except AssertionError:
            pass
    raise AssertionError("“All Passwords…” does not open")


def open_list(it, name: str):
    """From the page to a provider's own list by keyboard alone: the shortcut, “All Passwords…”, “More in …”."""
    picker = all_passwords(it)
    picker.wait_for_selector(f"{FOUND} .below")
    wanted = f"More in {name}…"
    for _ in range(picker.locator(".below [role=option]").count()):
        picker.keyboard.press("ArrowUp")  # from the first row to those below all others
        if marked(picker) == wanted:
            break
    assert marked(picker) == wanted
    window = it.browser.window("prompt", lambda: picker.keyboard.press("Enter"))
    return picker, window


def search(window, text: str, finds: str) -> None:
    """Types into the search field, which has the focus, and waits for its rows."""
    window.wait_for_selector(READY)
    window.wait_for_selector("input[type=search]:focus")
    window.keyboard.type(text)
    window.wait_for_selector(f"[role=listbox][aria-busy=false] [role=option][aria-label^={finds!r}]")


def test_list_of_a_provider_is_searched_and_chosen_by_keyboard(start, site):
    it = start(accounts=[])
    many = [account(f"site{number}.example.com", f"user{number}", f"password {number}") for number in range(250)]
    install(it.latchkey, "Sample", [*many, SHINY])
    it.open("https://shiny.example.com/login", focus=None)
    picker, window = open_list(it, "Sample")
    window.wait_for_selector("[role=option]")
    assert window.inner_text("#title") == "Sample" and window.inner_text("#facts dd") == "shiny.example.com"
    assert it.values() == ["", ""]
    search(window, "zo", finds="zoë")
    it.closes(window, lambda: window.keyboard.press("Enter"))
    it.filled(user="zoë", password="from the sample ✓")
    eventually(it.page, picker.is_closed, "the end of the list")


def test_long_list_is_paged_by_arrow_keys(start, site):
    it = start(accounts=[])
    install(it.latchkey, "Sample", [account(f"site{number}.example.com", f"user{number}", "x") for number in range(250)])
    it.open("https://shiny.example.com/login", focus=None)
    _, window = open_list(it, "Sample")
    window.wait_for_selector("[role=option]")
    window.wait_for_selector(READY)

    def down():
        window.keyboard.press("PageDown")
        return marked(window).startswith("user249")

    eventually(window, down, "the last of 250 rows")
    it.closes(window, lambda: window.keyboard.press("Escape"))


def test_provider_asks_the_user_and_then_fills(start, site):
    it = start(accounts=[])
    install(it.latchkey, "Sample", [ASKS])
    it.open("https://shiny.example.com/login")
    window = it.browser.window("prompt", it.bar.click)
    window.wait_for_selector("#interface input[type=password]")
    window.wait_for_selector(READY)
    assert window.inner_text("#title") == "Sample" and "careful" in window.inner_text("#facts")
    window.keyboard.type("1111")
    window.keyboard.press("Enter")
    window.wait_for_selector("#interface .message.bad")
    assert it.values() == ["", ""]
    window.keyboard.press("Control+a")
    window.keyboard.type("2468")
    it.closes(window, lambda: window.keyboard.press("Enter"))
    # The provider has asked: nobody asks a second time.
    it.filled(user="careful", password="after the PIN")


def test_cancel_of_a_provider_fills_nothing_and_can_be_tried_again(start, site):
    it = start(accounts=[])
    install(it.latchkey, "Sample", [ASKS])
    it.open("https://shiny.example.com/login")
    window = it.browser.window("prompt", it.bar.click)
    window.wait_for_selector("#interface input[type=password]")
    it.closes(window, lambda: window.keyboard.press("Escape"))
    assert it.values() == ["", ""]
    window = it.browser.window("prompt", it.bar.click)
    window.wait_for_selector("#interface input[type=password]")
    window.wait_for_selector(READY)
    window.keyboard.type("2468")
    it.closes(window, lambda: window.keyboard.press("Enter"))
    it.filled(user="careful", password="after the PIN")


@pytest.mark.parametrize("leave", ["navigates", "is closed"])
def test_interface_goes_with_the_page_that_asked(start, site, leave):
    it = start(accounts=[])
    install(it.latchkey, "Sample", [ASKS])
    other = site.page("/other", SIGN_IN)
    page = it.open("https://shiny.example.com/login")
    if leave == "is closed":
        page = it.browser.context.new_page()
        page.goto(other)
        page.click("#user")
    bar = it.browser.bar(page)
    window = it.browser.window("prompt", bar.click)
    window.wait_for_selector("#interface input[type=password]")
    window.wait_for_selector(READY)
    window.keyboard.type("2468")
    page.goto(other + "?again") if leave == "navigates" else page.close()
    eventually(it.page, window.is_closed, "the end of the window")
    if leave == "navigates":
        page.click("#user")
        bar.wait("#row-0")
    assert it.values() == ["", ""]


def test_interface_that_never_completes_keeps_nothing_else_waiting(start, site):
    it = start()
    install(it.latchkey, "Silent", [SHINY], silent=True)
    it.open("https://shiny.example.com/login", focus=None)
    picker, window = open_list(it, "Silent")
    window.wait_for_selector("text=Waiting for the provider")
    # Another page is filled meanwhile.
    other = it.browser.context.new_page()
    other.goto(site.page("/other", SIGN_IN))
    other.click("#user")
    assert len(it.browser.bar(other).texts("#row-1")) == 2
    other.close()
    it.closes(window, lambda: window.keyboard.press("Escape"))
    picker.wait_for_selector(f"{FOUND} [role=option]")
    assert it.values() == ["", ""]


def test_rows_of_all_providers_in_their_order_until_one_is_disabled(start, site):
    it = start()
    one = install(it.latchkey, "One", [account("shiny.example.com", "first", "x")])
    two = install(it.latchkey, "Two", [account("shiny.example.com", "second", "y")])
    it.open("https://shiny.example.com/login")

    def users(*wanted):
        # Behind the host: whose account it is, because several offer some.
        eventually(it.page, lambda: [" ".join(row.split()[1:]) for row in it.bar.texts()] == list(wanted), f"the rows {wanted}")

    users("rmondello · Passwords", "first · One", "second · Two")
    it.latchkey.run("providers", "order", two, "org.latchkey.passwords", one, "--passphrase-file", it.latchkey.secret)
    users("second · Two", "rmondello · Passwords", "first · One")
    it.latchkey.run("providers", "disable", two, "--passphrase-file", it.latchkey.secret)
    users("rmondello · Passwords", "first · One")
    it.tap(row=1)
    it.filled(user="first", password="x")


# Settings


def card(name: str) -> str:
    return f"#providers > li[aria-label='{name}']"


def settings(it):
    page = it.browser.context.new_page()
    page.goto(f"{ORIGIN}/windows/settings.html")
    page.wait_for_selector("#providers > li")
    return page


def tab_to(page, label: str) -> None:
    for _ in range(40):
        page.keyboard.press("Tab")
        if not page.evaluate("document.hasFocus()"):
            page.click("h1")  # beyond the last element is the browser's own toolbar
        elif page.evaluate("document.activeElement?.ariaLabel") == label:
            return
    raise AssertionError(f"Tab does not reach {label}")


def focused(page, label: str) -> None:
    page.wait_for_function("label => document.activeElement?.ariaLabel === label", arg=label)


def names(page) -> list[str]:
    return page.evaluate("[...document.querySelectorAll('#providers > li')].map(card => card.ariaLabel)")


def test_settings_by_keyboard_alone(start, site):
    it = start()
    install(it.latchkey, "Sample", [SHINY], enable=False)
    page = settings(it)
    assert page.inner_text("#state") == "AutoFill is on."
    assert names(page) == ["Passwords", "Sample"]
    assert "Not enabled" in page.inner_text(card("Sample"))
    isolation = providers(it.latchkey)["isolation"]
    assert page.is_visible("#isolation") == (not isolation["available"])
    assert "its own folder and nothing else" in page.inner_text(card("Sample")) or not isolation["available"]

    # Enable: the daemon asks, outside of this page.
    tab_to(page, "Enable…: Sample")
    prompt = it.browser.window("prompt", lambda: page.keyboard.press("Enter"))
    prompt.wait_for_selector("#accept:not(.early)")
    assert prompt.inner_text("#title") == "Enable this provider?" and prompt.inner_text("#facts dd") == "Sample"
    assert "which sites" in prompt.inner_text("#details")
    assert "Not enabled" in page.inner_text(card("Sample"))
    prompt.keyboard.type(PASSPHRASE)
    # What it wants to be told it asks at once, while the user is at it.
    first = it.browser.window("prompt", lambda: it.closes(prompt, lambda: prompt.keyboard.press("Enter")))
    first.wait_for_selector("#interface input[type=text]")
    first.wait_for_selector(READY)
    it.closes(first, lambda: first.keyboard.press("Enter"))
    page.wait_for_selector(f"{card('Sample')}[data-state=enabled]")

    # Order: the focus stays with the provider that moves.
    page.bring_to_front()
    tab_to(page, "Move up: Sample")
    page.keyboard.press("Enter")
    page.wait_for_selector(f"{card('Sample')}:first-child")
    page.wait_for_function("document.querySelector('#say').textContent === 'Sample is number 1 of 2 now.'")
    focused(page, "Move down: Sample")
    assert [provider["name"] for provider in providers(it.latchkey)["providers"]] == ["Sample", "Passwords"]

    # Configure: the provider's own interface.
    tab_to(page, "Configure…: Sample")
    window = it.browser.window("prompt", lambda: page.keyboard.press("Enter"))
    window.wait_for_selector("#interface input[type=text]")
    window.wait_for_selector(READY)
    it.closes(window, lambda: window.keyboard.press("Enter"))  # “Done” is the default one

    page.bring_to_front()
    focused(page, "Configure…: Sample")
    page.keyboard.press("Shift+Tab")
    focused(page, "Disable: Sample")
    page.keyboard.press("Enter")
    page.wait_for_selector(f"{card('Sample')}[data-state=disabled]")
    assert names(page) == ["Passwords", "Sample"]


def test_no_to_enabling_enables_nothing(start, site):
    it = start()
    install(it.latchkey, "Sample", [SHINY], enable=False)
    page = settings(it)
    prompt = it.browser.window("prompt", lambda: page.click(f"{card('Sample')} [data-action=enable]"))
    it.closes(prompt, lambda: prompt.keyboard.press("Escape"))
    page.wait_for_selector(f"{card('Sample')}[data-state=disabled]")
    assert [provider["state"] for provider in providers(it.latchkey)["providers"]] == ["enabled", "disabled"]


def test_settings_say_what_is_off_and_locked(start, site):
    it = start()
    it.latchkey.run("autofill", "off")
    it.latchkey.lock()
    page = it.browser.context.new_page()
    page.goto(f"{ORIGIN}/windows/settings.html")
    page.wait_for_selector("#unlock:not([hidden])")
    assert "locked" in page.inner_text("#state") and "AutoFill is off" in page.inner_text("#state")
    prompt = it.browser.window("prompt", lambda: page.click("#unlock"))
    it.accept(prompt, PASSPHRASE)
    page.wait_for_selector(card("Passwords"))


@pytest.mark.main
def test_popup_leads_to_the_settings(start, site):
    it = start()
    it.open("https://shiny.example.com/login", focus=None)
    popup = it.browser.popup("!!document.querySelector('#row-0')")
    for button in ("passwords", "make", "lock", "settings"):
        popup.press("Tab")
        assert popup.evaluate("document.activeElement.id") == button
    page = it.browser.window("settings", lambda: popup.press("Enter"))
    page.wait_for_selector(card("Passwords"))


# The provider for pass, which comes with Latchkey


@pytest.fixture
def password_store(start, site):
    """A Latchkey whose user keeps passwords with pass, as `pass` itself has written them."""
    if not shutil.which("gpg") or not shutil.which("pass"):
        pytest.skip("gpg and pass are not installed")
    it = start(accounts=[])
    environment = it.latchkey.environment
    home = Path(environment["HOME"])
    (home / ".gnupg").mkdir(mode=0o700)
    # The agent does not look for its pinentry in PATH.
    (home / ".gnupg" / "gpg-agent.conf").write_text(f"pinentry-program {it.folder / 'bin' / 'pinentry'}\n")

    def run(*arguments, text: str = "") -> str:
        return subprocess.run(arguments, env=environment, input=text, text=True, check=True, capture_output=True, timeout=120).stdout

    if str(it.folder) not in run("gpgconf", "--list-dirs", "agent-socket"):
        pytest.skip("gpg keeps the sockets of its agent where the user's own are")
    try:
        run("gpg", "--batch", "--pinentry-mode", "loopback", "--passphrase", "", "--quick-generate-key", "someone@example.com", "ed25519", "sign,cert", "never")
        key = next(line.split(":")[9] for line in run("gpg", "--batch", "--with-colons", "--list-keys").splitlines() if line.startswith("fpr"))
        run("gpg", "--batch", "--pinentry-mode", "loopback", "--passphrase", "", "--quick-add-key", key, "cv25519", "encr", "never")
        run("pass", "init", key)
        run("pass", "insert", "-m", "web/site0.example.com/user0", text="one password\n")
        web = home / ".password-store" / "web"
        for number in range(1, 30):
            shutil.copytree(web / "site0.example.com", web / f"site{number}.example.com")
        run("pass", "insert", "-m", "web/shiny.example.com/zoë", text="kept by pass ✓\nurl: https://shiny.example.com\n")
        bundle = Path(environment["XDG_DATA_HOME"]) / "latchkey" / "extensions" / "org.latchkey.pass.appex"
        bundle.parent.mkdir(mode=0o700, parents=True)
        shutil.copytree(ROOT / "Packaging" / "extensions" / "org.latchkey.pass.appex", bundle)
        shutil.copy(it.latchkey.bin / "latchkey-pass", bundle / "latchkey-pass")
        enabled(it.latchkey, "org.latchkey.pass", 31)
        yield it
    finally:
        subprocess.run(["gpgconf", "--kill", "all"], env=environment, check=False, capture_output=True)


def test_list_of_pass_is_searched_and_chosen_by_keyboard(password_store):
    it = password_store
    it.open("https://shiny.example.com/login", focus=None)
    picker, window = open_list(it, "pass")
    window.wait_for_selector("[role=option]")
    assert window.inner_text("#title") == "pass" and window.inner_text("#facts dd") == "shiny.example.com"
    search(window, "zo", finds="zoë")
    it.closes(window, lambda: window.keyboard.press("Enter"))
    it.filled(user="zoë", password="kept by pass ✓")
    eventually(it.page, picker.is_closed, "the end of the list")


def test_suggestion_of_pass_fills(password_store):
    it = password_store
    it.open("https://shiny.example.com/login")
    # Other hosts of the site come after it.
    eventually(it.page, lambda: it.bar.texts()[:1] == ["shiny.example.com zoë · pass"], "the row of pass")
    it.tap()
    it.filled(user="zoë", password="kept by pass ✓")
