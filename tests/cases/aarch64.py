# SPDX-License-Identifier: MIT
"""The profiler on AArch64, in a virtual machine (guest.py), and its profiles read on this one.

Time in the machine goes by instructions: nothing that this one does meanwhile changes what is measured there. So times are compared with
the program's truth once, like counts; but only with one processor, as two take turns of up to 100 ms, in which the other one's thread
does not get on although it is on a processor."""
import json
import os

from counting import compare_counts, total_counts
from guest_runs import HERE, UNIT_TESTS, WAITERS, one_processor, two_processors
from support import (blame_of, check_laws, expect, expect_between, expect_equal, expect_near, profile_paths, report_json, waits)

BESIDE = True  # no case asserts a time of this machine
FULL = "a virtual machine, and a compiler for it"


class Profiled:
    """A program that ran in a machine, natively and under ptrace-run: what support.Run is here."""

    def __init__(self, machine, name):
        self.native, self.profiled = machine.result(name + ".native"), machine.result(name)
        self.directory, self.truth = machine.path(name, "run"), self.profiled.truth
        expect_equal("%s: status; stderr: %s" % (name, self.profiled.stderr_text()[-300:]), self.profiled.status, self.native.status)
        expect_equal("%s: stdout" % name, self.profiled.stdout, self.native.stdout)
        self.report = report_json(self.directory)

    def profiles(self):
        return profile_paths(self.directory)


def test_counts():
    """Counts of all calls are exact, with threads on two processors."""
    one = Profiled(two_processors(), "counts")
    check_laws(one.report)
    compare_counts(total_counts(one), one.truth)


def test_waits():
    """Blame, names, T_i, and a sandbox that begins by a call of syscall()."""
    machine = one_processor()
    check_holder(Profiled(machine, "holder"))
    check_sandbox(Profiled(machine, "harm_sandbox"))


def test_futexes():
    """The wrapper of syscall(): waits, who woke, and what calls return."""
    late = Profiled(one_processor(), "futexes")
    check_laws(late.report, sampling=False)
    found = waits(late.report, "futex", "gate", "wait")
    expect_equal("waits", sum(row["count"] for row in found), 2)
    expect_near("waiting", sum(row["wait_seconds"] for row in found), late.truth["waited"], 0.03, 0.01)
    expect_near("blame of open_gate", blame_of(found, "open_gate"), sum(row["wait_seconds"] for row in found), 0.01, 0.001)


def test_begun_calls():
    """Routines compiled with -pg: as many calls as the program counts itself, by threads on two processors."""
    one = Profiled(two_processors(), "instrumented_pg")
    rows = {row["name"]: row for row in one.report["calls_exact"]}
    for name, count in one.truth.items():
        expect_equal("calls of " + name, rows[name]["calls"] if name in rows else 0, count)
    expect(all(row["untimed"] == row["calls"] and row["total_seconds"] is None for row in rows.values()), "no ends are told: %s", rows)


def check_holder(one):
    """Two holders keep the waiters for times of 1:3; each has its own, by function and line."""
    check_laws(one.report)
    check_levels(one.report)
    rows = waits(one.report, "mutex", "queue_lock")
    truth, floor = one.truth, 0.003 * WAITERS + 0.002
    expect(rows, "no mutex is named queue_lock; there are: %s", [r["name"] for r in waits(one.report, "mutex")])
    expect_near("wait for the mutex", sum(r["wait_seconds"] for r in rows), truth["short"] + truth["long"], 0.03, floor)
    for which in ("short", "long"):
        holder = "mutex_" + which
        expect_between("blame on " + holder, blame_of(rows, holder), truth[which + "_least"], truth[which], 0.03, floor)
        places = {(os.path.basename(b["file"] or ""), b["line"]) for r in rows for b in r["blame"] if b["routine"] == holder and b["seconds"] > 0.01}
        expect_equal("places blamed in " + holder, places, {("holder.c", int(truth["line_" + which]))})
    names = {w["routine"] for r in rows for w in r["waiters"]}
    expect("mutex_wait" in names, "waiters: %s", names)
    self_seconds = {r["name"]: r["self_seconds"] for r in one.report["routines"]}
    expect(self_seconds.get("mutex_long", 0) > 1.5 * self_seconds.get("mutex_short", 0) > 0, "CPU time of the holders is 3:1, not %s", self_seconds)


def check_levels(report):
    """The kernel's switch records are read, and agree with the CPU clocks: T_i is exact. While the mutex is held for
    the longer time, only its holder runs."""
    part = report["concurrency"]["on_processor"]
    expect_equal("grade of T_i; notes: %s" % report["notes"], part["grade"], "exact")
    levels = {level["active"]: level["seconds"] for level in part["levels"]}
    expect(levels[1] > 0.7 * sum(levels.values()), "one thread at a time is on a processor for most of the time, not %s", levels)


def check_sandbox(one):
    """syscall() is an entry in assembler: it sees that the program forbids itself system calls."""
    expect_equal("status", one.native.status, 5)
    expect(any("sandbox" in note for note in one.report["notes"]), "no note of the sandbox; there are: %s", one.report["notes"])


def test_units():
    """Unit tests of what depends on the architecture, on a processor that signs return addresses."""
    machine = two_processors()
    for name in UNIT_TESTS:
        result = machine.result(name)
        expect(result.status == 0, "%s: status %d; %s", name, result.status, result.stdout.decode(errors="replace")[-600:])


# What depends on the files of debug information that lie on this machine and not in the other.
BY_DEBUG_FILES = {"tree", "wait_tree", "routines", "lines", "findings", "notes"}


def by_line(report, routine, figure):
    return {row["line"]: row[figure] for row in report["lines"] if row["routine"] == routine}


def test_reader():
    """ptrace-report on AArch64 reads a profile of this machine, and says the same as here."""
    machine = one_processor()
    here, result = report_json(machine.path(HERE)), machine.result("report")
    expect(result.status == here["report_status"], "status %d, here %d; stderr: %s", result.status, here["report_status"], result.stderr_text()[-300:])
    there = json.loads(result.stdout)
    expect_equal("members of the report", set(there), set(here) - {"report_status"})
    for name in sorted(set(there) - BY_DEBUG_FILES):
        expect(there[name] == here[name], "the report's %s on AArch64 are not those here: %.300r, %.300r", name, there[name], here[name])
    for name in "self_seconds", "blame_seconds", "wait_seconds":
        expect_equal("%s of mutex_long's lines" % name, by_line(there, "mutex_long", name), by_line(here, "mutex_long", name))
