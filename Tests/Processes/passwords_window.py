# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""The built-in provider's window, drawn by a browser of the test's."""

from installation import WireFailure, secret, until
from providers import BUILT_IN


class PasswordsWindow:
    """Opens it, and works it by the words that stand in it."""

    def __init__(self, browser):
        self.browser = browser
        self.number = browser.ask("providers.configure", identifier=BUILT_IN)
        browser.receive_until(lambda: browser.surfaces or self.number in browser.answers)
        if self.number in browser.answers:
            browser.wait(self.number)
        self.prompt = browser.surfaces[-1]
        self.wait(lambda shown: self.element(shown, "list"))

    def shown(self):
        return self.browser.call("renderer.prompt", prompt=self.prompt).get("interface") or {"title": "", "elements": []}

    def wait(self, condition):
        """What is shown once it is as it is to be."""

        def right():
            shown = self.shown()
            return shown if condition(shown) else None

        return until(right)

    @staticmethod
    def element(shown, kind, label=None):
        found = [part for part in shown["elements"] if part["kind"] == kind and label in (None, part.get("label"))]
        return found[0] if found else None

    @staticmethod
    def problem(shown):
        return next((part["text"] for part in shown["elements"] if part.get("style") == "error"), None)

    @classmethod
    def rows(cls, shown):
        return [row for section in (cls.element(shown, "list") or {}).get("sections", []) for row in section["rows"]]

    def act(self, **act):
        self.browser.call("renderer.act", prompt=self.prompt, **act)

    def press(self, label, typed={}, until=None):
        """Presses a button with what is typed into the fields, and waits for the button that comes then."""
        shown = self.wait(lambda shown: self.element(shown, "button", label))
        fields = [
            {"id": part["id"], "text": secret(typed.get(part["label"], part.get("value") or ""))}
            for part in shown["elements"] if part["kind"] in ("text", "secure")
        ]
        assert set(typed) <= {part.get("label") for part in shown["elements"]}
        self.act(element=self.element(shown, "button", label)["id"], action="press", fields=fields)
        if until:
            self.wait(lambda shown: self.element(shown, "button", until))

    def open(self, title):
        """The page of an account in the list."""
        shown = self.wait(lambda shown: [row for row in self.rows(shown) if row["title"] == title])
        row = [row for row in self.rows(shown) if row["title"] == title][0]
        self.act(element=self.element(shown, "list")["id"], action="select", row=row["id"])
        self.wait(lambda shown: self.element(shown, "button", "Edit"))

    def add(self, site, user, password):
        self.press("Add Password", until="Save")
        self.press("Save", {"Site": site, "User name": user, "Password": password, "Repeat password": password}, until="Add Password")

    def is_over(self):
        """Whether nothing can be seen or done in it any more."""
        for method, params in [("renderer.prompt", {}), ("renderer.act", {"element": "1", "action": "press"})]:
            try:
                self.browser.call(method, prompt=self.prompt, **params)
                return False
            except WireFailure as failure:
                if failure.code != 16:
                    raise
        return True
