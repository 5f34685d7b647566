# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Figures with their aims, and the table they are printed as."""

import math
import os
import pathlib
import platform
import sys
import time
from dataclasses import dataclass


def percentile(samples, share):
    """The nearest-rank percentile: a value that was really measured, and with few samples the largest of them."""
    ordered = sorted(samples)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def median(samples):
    return percentile(samples, 0.5)


@dataclass
class Aim:
    """What a figure ought to be: its 99th percentile, median or single value at most so much."""

    most: float
    of: str = "p99"


@dataclass
class Figure:
    name: str
    samples: list
    unit: str = "ms"
    aim: Aim | None = None
    note: str = ""

    @property
    def is_single(self):
        return len(self.samples) == 1

    def value(self, of):
        return median(self.samples) if of == "median" or self.is_single else percentile(self.samples, 0.99)

    @property
    def misses(self):
        return self.aim is not None and self.value(self.aim.of) > self.aim.most

    def cells(self):
        show = lambda number: f"{number:,.3f}" if self.unit == "ms" and number < 10 else f"{number:,.1f}"
        verdict = ""
        if self.aim:
            of = "" if self.is_single else f" at {self.aim.of}"
            verdict = f"≤ {self.aim.most:g} {self.unit}{of}: " + ("MISSED" if self.misses else "met")
            if self.misses and not self.is_single and self.value("median") <= self.aim.most:
                verdict += " (median meets it)"
        count = "" if self.is_single else f"{len(self.samples):,}"
        last = "" if self.is_single else show(percentile(self.samples, 0.99))
        return [self.name, self.unit, count, show(median(self.samples)), last, verdict, self.note]


class Table:
    """Collects figures section by section and prints them once, at the end."""

    head = ["", "", "n", "median", "p99", "aim", ""]

    def __init__(self):
        self.sections = []
        self.load = os.getloadavg()

    def section(self, title):
        say(title)
        self.sections.append((title, []))

    def add(self, name, samples, **options):
        """Adds a figure: a list of samples, or one value."""
        figure = Figure(name, samples if isinstance(samples, list) else [samples], **options)
        self.sections[-1][1].append(figure)
        say("  " + "  ".join(cell for cell in figure.cells() if cell))
        return figure

    def print(self, binaries, notes=()):
        kind = binaries.resolve().name
        print(f"\nLatchkey, measured {time.strftime('%Y-%m-%d %H:%M')} with the {kind} programs of {binaries}")
        print(f"{processor()}, {os.cpu_count()} processors, Linux {platform.release()}; "
              f"load {self.load[0]:.1f} before and {os.getloadavg()[0]:.1f} after")
        if kind != "release":
            print("THESE ARE NOT RELEASE PROGRAMS: the aims are for those; `make bench` builds them.")
        if max(self.load[0], os.getloadavg()[0]) > os.cpu_count():
            print("THE MACHINE WAS BUSY WITH OTHER THINGS: percentiles say more about those than about Latchkey.")
        rows = [figure.cells() for _, figures in self.sections for figure in figures]
        widths = [max(len(row[column]) for row in [self.head, *rows]) for column in range(len(self.head))]
        for title, figures in self.sections:
            print(f"\n{title}")
            for row in ([self.head] if figures else []) + [figure.cells() for figure in figures]:
                print(("  " + "  ".join(
                    cell.rjust(width) if column in (2, 3, 4) else cell.ljust(width)
                    for column, (cell, width) in enumerate(zip(row, widths)))).rstrip())
        missed = [figure for _, figures in self.sections for figure in figures if figure.misses]
        with_aim = [figure for _, figures in self.sections for figure in figures if figure.aim]
        print(f"\n{len(with_aim) - len(missed)} of {len(with_aim)} aims met." + (" Missed:" if missed else ""))
        for figure in missed:
            print(f"  {figure.name}: {figure.value(figure.aim.of):,.2f} {figure.unit}, aim {figure.aim.most:g}")
        for note in notes:
            print(note)


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def say(text):
    """Progress, beside the table."""
    print(text, file=sys.stderr, flush=True)


def milliseconds(since):
    return (time.perf_counter() - since) * 1e3
