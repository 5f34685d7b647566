# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""What an installation says that it can do."""

from installation import BrowserClient


def test_every_client_is_told_the_same_whatever_is_saved_or_locked(installation):
    installation.start()
    fresh = installation.client().call("daemon.features")["features"]
    assert fresh["passwordSuggestions"] == 1 and all(version >= 1 for version in fresh.values())
    client = installation.unlocked()
    browser = BrowserClient(installation)
    assert client.call("daemon.features")["features"] == browser.call("daemon.features")["features"] == fresh
    browser.close()
    client.call("lock")
    assert client.call("daemon.features")["features"] == fresh
