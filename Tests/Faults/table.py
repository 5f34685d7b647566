# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""What came of each failing call, counted by act and kind of fault."""

import collections
import json

COLUMNS = ("calls", "tried", "struck", "done", "refused", "unknown", "faults")


class Table:
    """A folder with a file for each act and kind, so that several processes can write it."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir(exist_ok=True)

    def enter(self, act, kind, runs, calls):
        entry = {"act": act, "kind": kind, "calls": calls, "runs": runs}
        (self.folder / f"{act} {kind}.json").write_text(json.dumps(entry, indent=1))
        text = self.text()
        (self.folder / "table.txt").write_text(text)
        return text

    def text(self):
        entries = [json.loads(file.read_text()) for file in sorted(self.folder.glob("*.json"))]
        lines = [f"{'act':12}{'fault':9}" + "".join(f"{name:>9}" for name in COLUMNS) + "  what was wrong"]
        for entry in entries:
            runs = entry["runs"]
            struck = [run for run in runs if run["struck"]]
            counts = collections.Counter(run["outcome"] for run in struck)
            wrong = collections.Counter(fault.split(":")[0] for run in runs for fault in run["faults"])
            cells = [entry["calls"], len(runs), len(struck), counts["done"], counts["refused"], counts["unknown"], sum(1 for run in runs if run["faults"])]
            lines.append(
                f"{entry['act']:12}{entry['kind']:9}" + "".join(f"{cell:9}" for cell in cells)
                + "  " + ", ".join(f"{kind} {count}" for kind, count in wrong.most_common()))
        said = collections.Counter()
        for entry in entries:
            for run in entry["runs"]:
                if run["struck"]:
                    said[(entry["act"], run["outcome"], run["said"])] += 1
        lines += ["", "What was said:"]
        lines += [f"{count:5}  {act:11} {outcome:8} {words}" for (act, outcome, words), count in sorted(said.items())]
        for title, member in (("Faults, each kind once:", "faults"), ("Noted, and no fault:", "notes")):
            lines += ["", title]
            shown = {}
            for entry in entries:
                for run in entry["runs"]:
                    for what in run[member]:
                        shown.setdefault((entry["act"], what), []).append(f"{entry['kind']} {run['program']} {run['number']} {run['call']}")
            for (act, what), where in sorted(shown.items()):
                lines.append(f"{len(where):5}  {act:11} {what}")
                lines += [f"            {place}" for place in where[:4]]
        return "\n".join(lines) + "\n"
