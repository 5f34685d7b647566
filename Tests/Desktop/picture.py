# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Writes what a display shows to a PNG file. Run by the system's Python, which has GDK: picture.py FILE [X Y WIDTH HEIGHT]"""

import sys

import gi

gi.require_version("Gdk", "3.0")
from gi.repository import Gdk  # noqa: E402

window = Gdk.get_default_root_window()
place = [int(word) for word in sys.argv[2:6]] or [0, 0, window.get_width(), window.get_height()]
Gdk.pixbuf_get_from_window(window, *place).savev(sys.argv[1], "png", [], [])
