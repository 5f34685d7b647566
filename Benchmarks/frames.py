# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""How long a program on GTK 4 takes for each frame, as GTK itself tells a profiler.

GTK 4 of Debian is built with libsysprof-capture: a program that is started with SYSPROF_CONTROL_FD asks that socket for a ring buffer in
shared memory, and writes a mark there for each turn of its frame clock. GDK_DEBUG=frames would take a GTK that was built for debugging.
"""

import array
import bisect
import mmap
import os
import socket
import struct
import threading

#: What a thread of the program asks for a buffer with.
REQUEST = b"CreatRing\0"
#: The marks of some minutes.
SIZE = 64 << 20
#: Head, tail, offset of the body and its size (`MappedRingHeader`).
HEADER = struct.Struct("=IIII")
#: Length, processor, process, time, type (`SysprofCaptureFrame`); its body begins at 24.
FRAME = struct.Struct("=HhiqB")
#: Duration in nanoseconds, group and name (`SysprofCaptureMark`).
MARK = struct.Struct("=q24s40s")
BODY, TYPE_OF_MARKS = 24, 10
#: The marks of one turn of the frame clock, and of the layout in it. A turn without one only blinks or fades something.
TURN, LAYOUT = b"frameclock cycle", b"frameclock layout"


class Frames:
    """Gives a program its buffers, and reads them."""

    def __enter__(self):
        self.ours, self.theirs = socket.socketpair()
        self.buffers = []
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.theirs.close()
        self.ours.shutdown(socket.SHUT_RDWR)
        self.thread.join()
        self.ours.close()

    @property
    def environment(self):
        return {"SYSPROF_CONTROL_FD": str(self.theirs.fileno())}

    @property
    def descriptor(self):
        """What the program has to inherit."""
        return self.theirs.fileno()

    def _serve(self):
        while self.ours.recv(len(REQUEST)) == REQUEST:
            memory = os.memfd_create("frames")
            os.ftruncate(memory, mmap.PAGESIZE + SIZE)
            buffer = mmap.mmap(memory, mmap.PAGESIZE + SIZE)
            HEADER.pack_into(buffer, 0, 0, 0, mmap.PAGESIZE, SIZE)
            self.buffers.append(buffer)
            self.ours.sendmsg([b"\0"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [memory]))])
            os.close(memory)

    def marks(self):
        """(name, nanoseconds of its begin, nanoseconds of its end) of each mark so far. All of them stay in the buffers."""
        for buffer in self.buffers:
            place, tail, offset, _ = HEADER.unpack_from(buffer)
            while place < tail:
                length, _, _, begin, kind = FRAME.unpack_from(buffer, offset + place)
                if kind == TYPE_OF_MARKS:
                    duration, _, name = MARK.unpack_from(buffer, offset + place + BODY)
                    yield name.partition(b"\0")[0], begin, begin + duration
                place += length

    def moved(self):
        """Milliseconds of each turn of the frame clock in which something was placed anew, as rows are by scrolling; in their order."""
        turns, layouts = [], []
        for name, begin, end in self.marks():
            if name == TURN:
                turns.append((begin, end))
            elif name == LAYOUT:
                layouts.append(begin)
        layouts.sort()
        first = lambda time: bisect.bisect_left(layouts, time)
        return [(end - begin) / 1e6 for begin, end in sorted(turns) if first(begin) < first(end)]
