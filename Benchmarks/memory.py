# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Resident memory of the daemon and of the provider."""

import pathlib

from figures import Aim


def resident(process):
    """Megabytes by the kernel's names."""
    fields = {}
    for line in pathlib.Path(f"/proc/{process}/status").read_text().splitlines():
        name, _, rest = line.partition(":")
        if name in ("VmRSS", "RssAnon", "RssFile", "VmHWM", "VmLck"):
            fields[name] = int(rest.split()[0]) * 1024 / 1e6
    return fields


def note(fields):
    return (f"anonymous {fields['RssAnon']:.1f}, of files {fields['RssFile']:.1f}, "
            f"locked {fields['VmLck']:.1f}, peak {fields['VmHWM']:.1f}")


def measure(table, stores):
    """After the look-ups, with everything that they have loaded. The peak holds Argon2's memory while unlocking."""
    table.section("Resident memory after the look-ups (VmRSS)")
    for store in stores:
        daemon = resident(store.installation.daemon.pid)
        table.add(f"daemon, {store.count:,} identities", daemon["VmRSS"], unit="MB", aim=Aim(40), note=note(daemon))
        running = store.installation.providers()
        if not running:
            raise RuntimeError("the provider does not run after the look-ups")
        provider = resident(running[0])
        table.add(f"provider, {store.count:,} items", provider["VmRSS"], unit="MB", note=note(provider))
