# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""A provider's own configuration, opened from the section AutoFill."""

import pytest

from app import unnamed
from installation import until
from providers import Bundle


@pytest.fixture
def provider(app):
    return Bundle(app.desktop.installation, configures=True).enable(app.client)


def test_configuration_is_shown_before_the_window_until_it_is_done(app, provider):
    app.start().section("AutoFill")
    app.press("Configure Shiny")
    app.wait_for("This is shown by Shiny.")
    app.wait_for("Set Up Obedient")
    assert not unnamed(app.tree())
    app.press("done")
    app.wait_until_gone("This is shown by Shiny.")
    app.wait_for("Configure Shiny")


def test_closing_the_configuration_cancels_it(app, provider):
    app.start().section("AutoFill")
    app.press("Configure Shiny")
    app.wait_for("This is shown by Shiny.")
    app.desktop.key("Escape")
    app.wait_until_gone("This is shown by Shiny.")
    # It can be opened again.
    app.press("Configure Shiny")
    app.wait_for("This is shown by Shiny.")


def test_end_of_the_provider_closes_its_configuration(app, provider):
    app.start().section("AutoFill")
    app.press("Configure Shiny")
    app.wait_for("This is shown by Shiny.")
    provider.kill(app.client)
    app.wait_until_gone("This is shown by Shiny.")
    until(lambda: app.find("Configure Shiny"))


def test_provider_that_shows_none_has_no_button(app, provider):
    app.client.call("providers.disable", identifier=provider.identifier)
    app.start().section("AutoFill")
    app.wait_for("Shiny")
    assert not app.find("Configure Shiny")
