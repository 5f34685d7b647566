# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Profiles of Chromium in which the extension's first-run page has been shown.

The extension opens that page once in each profile, and keeps in its storage that it did. A test begins with one tab and without a
connection to Latchkey, so its profile has that storage from the start. Only `test_welcome.py` does without.
"""

import json
import struct
from pathlib import Path

#: What the extension keeps once the page was shown.
SHOWN = {"welcomed": True}


def shown_in_chromium(profile: Path, identifier: str) -> None:
    """Puts the extension's storage into a new profile: a LevelDB with one batch of writes."""
    folder = profile / "Default" / "Local Extension Settings" / identifier
    if folder.exists():
        return
    folder.mkdir(parents=True)
    # A version: the order of keys, the present log, the next number of a file, the last number of a write.
    edit = b"\x01" + _bytes(b"leveldb.BytewiseComparator") + b"\x02\x03" + b"\x03\x04" + b"\x04\x00"
    # Writes: the number of the first one, how many there are, and each with its kind, key and value.
    writes = [b"\x01" + _bytes(name.encode()) + _bytes(json.dumps(value).encode()) for name, value in SHOWN.items()]
    (folder / "MANIFEST-000001").write_bytes(_record(edit))
    (folder / "000003.log").write_bytes(_record(struct.pack("<QI", 1, len(writes)) + b"".join(writes)))
    (folder / "CURRENT").write_text("MANIFEST-000001\n")


def _bytes(value: bytes) -> bytes:
    """Bytes behind their number, which is below 128."""
    return bytes([len(value)]) + value


def _record(value: bytes) -> bytes:
    """A whole record of LevelDB's logs: a masked checksum, the length, and that it is whole."""
    checksum = 0xFFFFFFFF
    for byte in b"\x01" + value:
        checksum ^= byte
        for _ in range(8):
            checksum = checksum >> 1 ^ (0x82F63B78 if checksum & 1 else 0)
    checksum ^= 0xFFFFFFFF
    masked = ((checksum >> 15 | checksum << 17) + 0xA282EAD8) & 0xFFFFFFFF
    return struct.pack("<IHB", masked, len(value), 1) + value
