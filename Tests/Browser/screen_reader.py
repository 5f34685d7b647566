# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""A screen reader on a desktop: Orca, whose record says what it would have spoken. No voice is needed."""

import os
import re
import threading
import tty
from contextlib import suppress

from browser import eventually
from desktop import Desktop, missing, until

LAUNCHER = "/usr/libexec/at-spi-bus-launcher"
#: Orca says nothing without something to speak with; this one needs no sound card.
SPEECH = """AudioOutputMethod "alsa"
AudioALSADevice "null"
DefaultModule dummy
"""
SPOKEN = re.compile(r"SPEECH OUTPUT: '(.*?)' ?(?:voice=|\{|\[|$)")


def not_installed(manager: str) -> list[str]:
    """What a desktop with a screen reader needs and has not."""
    return missing(manager, "orca", "speech-dispatcher", LAUNCHER)


class ScreenReader:
    """Orca on a desktop. What it says is kept in the order in which it says it."""

    def __init__(self, desktop: Desktop):
        self.desktop, self.at, self.opened = desktop, 0, 0
        self.all: list[str] = []
        # The desktop's bus starts no programs by itself.
        del desktop.environment["NO_AT_BRIDGE"]
        desktop.start(LAUNCHER, "--launch-immediately")
        address = until(lambda: desktop.xprop("AT_SPI_BUS"), "the accessibility bus")
        desktop.environment["AT_SPI_BUS_ADDRESS"] = address
        preferences, speech = desktop.folder / "orca", desktop.folder / "speech"
        for folder in preferences, speech:
            folder.mkdir()
        (speech / "speechd.conf").write_text(SPEECH)
        socket = speech / "socket"
        desktop.start("speech-dispatcher", "--run-single", "--timeout=0", "--communication-method=unix_socket", f"--socket-path={socket}",
                      f"--config-dir={speech}", f"--log-dir={speech}", f"--pid-file={speech / 'pid'}")
        until(socket.exists, "what speaks")
        desktop.environment["SPEECHD_ADDRESS"] = f"unix_socket:{socket}"
        # To a terminal it writes line by line, to a file by the block.
        reading, writing = os.openpty()
        tty.setraw(writing)
        desktop.start("orca", "--replace", f"--user-prefs-dir={preferences}", f"--debug-file={os.ttyname(writing)}", "--enable=speech")
        threading.Thread(target=self._listen, args=(reading,), daemon=True).start()
        self.terminal = writing
        until(self.spoken, "the screen reader's greeting")

    def _listen(self, reading: int) -> None:
        with open(reading, encoding="utf-8", errors="replace", newline="\n") as record, suppress(OSError):
            for line in record:
                if found := SPOKEN.search(line):
                    self.all.append(found.group(1))

    def spoken(self) -> list[str]:
        """All that was said since `hush`."""
        return self.all[self.at:]

    def hush(self) -> None:
        """What was said until now is not looked at any more."""
        self.at = len(self.all)

    def says(self, page, *words: str) -> str:
        """Waits until something is said that has all the words, in one breath or in several; returns all that was said since `hush`."""
        def said():
            text = " / ".join(self.spoken())
            return text if all(word in text for word in words) else None

        return eventually(page, said, f"{words} to be spoken", told=lambda: f"; spoken: {self.spoken()}, before: {self.all[:self.at][-12:]}")

    def opens(self) -> None:
        """Another page is opened: what its keys are for has not been said yet."""
        self.opened = len(self.all)

    def is_typing(self) -> bool:
        """Whether keys go to the page, and are no commands of the screen reader."""
        modes = [said for said in self.all[self.opened:] if said in ("Focus mode", "Browse mode")]
        return bool(modes) and modes[-1] == "Focus mode"
