# SPDX-License-Identifier: MIT
"""Hardware counters against loops whose number of instructions is known: on this machine if it has counters, and in a virtual machine of
AArch64 whose emulated counters are exact and whose time goes by instructions (guest.py)."""
import os

import support
from guest_runs import LOOP_ROUNDS, PERIOD, TURNING, TURNS, USER, one_processor
from profile_file import Profile
from support import (RUN, built, clean_environment, execute, expect, expect_between, expect_equal, expect_near, full,
                     profile_paths, report_json, scratch, skip)

BESIDE = True  # no case asserts a time of this machine

OWN = 20000  # instructions of the profiler at a sample, at the most; at a thread's begin and end as many
HOT = "execute"
INTERVAL = 10000000  # instructions between two samples: 50 a second, on a machine that takes 2 ns for each
TICK = 2000000  # the same between two ticks of its kernel, of which one has to see that a timer has expired
DIRECTLY, COUNTED = 16, 8  # flags of events (docs/dev/format.md)


class Loops:
    """One run of the loops under ptrace-run."""

    def __init__(self, result, directory):
        self.result, self.directory, self.truth = result, directory, result.truth
        expect_equal("status; stderr: %s" % result.stderr_text()[-300:], result.status, 0)
        self.rows = Profile(profile_paths(directory)[0]).rows
        self.report = report_json(directory)
        self.tids = {row["number"]: row["tid"] for row in self.rows["threads"]}

    def counts(self, event):
        """{tid: row of event_counts}"""
        return {self.tids[row["owner"]]: row for row in self.rows["event_counts"] if row["event"] == event}

    def counter(self, name):
        return next(row for row in self.report["counters"] if row["name"] == name)


def arguments(label, options, settings=()):
    return label, list(options), list(settings)


def in_guest(*names):
    machine = one_processor()
    return [Loops(machine.result("loops_" + name), machine.path("loops_" + name, "run")) for name in names]


def here(runs):
    said = execute([RUN, "--list-events=instructions"]).stdout.decode()
    if "\n  instructions " not in said + " ":
        skip("this machine has no hardware counters: %s" % said.strip().splitlines()[-1])
    if support.NATIVE_ONLY:
        skip("native only")
    made = []
    for label, options, settings in runs:
        directory = os.path.join(scratch(), label)
        variables = dict(word.split("=", 1) for word in settings if not word.startswith("/"))
        made.append(Loops(execute([RUN, "-q", "-o", directory] + options + [built("counted"), "loops", str(20 * LOOP_ROUNDS)],
                                  clean_environment(variables)), directory))
    return made


def check_counts(one, event, share):
    """Each thread has its instructions, and the profiler's own, which are more in the first: those at the end of the process."""
    first = one.tids[1]
    samples = {row["tid"]: row["samples"] for row in one.rows["threads"]}
    for tid, row in one.counts(event).items():
        expect_equal("running time of a counter that is never taken away", row["running_ns"], row["enabled_ns"])
        truth = one.truth[str(tid)]
        most = truth * (1 + share) + OWN * (2 + samples[tid]) + (300000 if tid == first else 0)
        expect_between("instructions of thread %d" % tid, row["count"], truth, most, 0, 0)


def check_exact(one, share):
    check_counts(one, 2, share)
    whole = one.counter("instructions:u")
    expect_equal("grade", whole["grade"], "exact")
    expect_equal("total", whole["total"], sum(row["count"] for row in one.counts(2).values()))
    parts = {row["routine"]: row["value"] for row in whole["by_routine"]}
    expect_equal("sum over routines", sum(parts.values()), whole["total"])


def check_places(one):
    """The loop has what was counted, but for one sample a thread at the most: one that comes just before or after the loop stands for
    the instructions of a whole interval, which a tick ends."""
    whole = one.counter("instructions:u")
    parts = {row["routine"]: row["value"] for row in whole["by_routine"] if row["value"]}
    left = parts.pop("[unsampled]", 0)
    elsewhere = [value for name, value in parts.items() if name != HOT]
    large = [value for value in elsewhere if value > 0.02 * INTERVAL]
    expect(len(large) <= len(one.truth) and all(value <= 1.02 * (INTERVAL + TICK) for value in large) and
           sum(elsewhere) - sum(large) <= 0.02 * (whole["total"] - left),
           "%s has %d of %d instructions, %d are [unsampled]: %s", HOT, parts[HOT], whole["total"], left, parts)


def check_period(one, period):
    """Samples of the event itself: one for each period, at the loop's line, whose number is where the program's text has it."""
    whole = one.counter("instructions:u@%d" % period)
    samples = sum(row["samples"] for row in one.rows["event_samples"])
    most = sum(row["count"] // period for row in one.counts(1).values())
    expect(0.8 * most - 4 <= samples <= most, "%d samples, %d periods", samples, most)
    with open(os.path.join(support.ROOT, "tests", "programs", "counted.c")) as source:
        lines = [number for number, line in enumerate(source, 1) if "/* hot */" in line]
    at = {(row["routine"], row["line"]): row["value"] for row in whole["by_line"] if row["routine"] != "[unsampled]"}
    hot = sum(value for (name, line), value in at.items() if name == HOT and line in lines)
    late = sum(value for (name, _), value in at.items() if name == "[kernel]")  # its interrupt came when the kernel ran
    expect(hot >= 0.95 * (sum(at.values()) - late) and late < 0.4 * sum(at.values()), "at the loop's line are %d: %s", hot, at)


def check_turns(one):
    """Events that take turns are scaled: each is within a tenth of what was executed, and graded by its coverage."""
    truth = sum(one.truth.values())
    covered = 0
    for number in range(1, TURNS + 1):
        counter = one.counter("turn%d" % number)
        if counter["coverage"] is None or counter["coverage"] > 0.999:
            continue
        covered += 1
        expect_equal("grade of what takes turns", counter["grade"], "estimated")
        expect(0.1 < counter["coverage"] < 1, "coverage %r", counter["coverage"])
        expect_near("scaled count", counter["total"], truth, 0.1, 0)
    expect(covered >= TURNS / 2, "%d of %d events took turns", covered, TURNS)


def check_metric(one, least, most):
    """A metric is its formula, whatever the counts are."""
    cycles, instructions = one.counter("cycles")["total"], one.counter("instructions")["total"]
    ipc = one.counter("IPC")["total"]
    expect_near("IPC", ipc, instructions / cycles, 1e-6, 0)
    expect_between("IPC", ipc, least, most, 0, 0)


@full
def test_counts_in_a_virtual_machine():
    """Instructions of each thread within 0.1 % and the profiler's own; the same if threads read the counters themselves; a refused event
    beside others that count; IPC of a machine that takes two cycles for each."""
    counts, direct, ipc = in_guest("counts", "direct", "ipc")
    for one in counts, direct:
        check_exact(one, 0.001)
        check_places(one)
    expect(not any(row["flags"] & DIRECTLY for row in counts.rows["events"]), "threads read counters that they may not read")
    expect(all(row["flags"] & DIRECTLY for row in direct.rows["events"] if row["number"]), "threads do not read their counters")
    check_metric(ipc, 0.499, 0.501)
    misses = ipc.counter("branch-misses")
    expect(misses["total"] is None and misses["reason"], "a counter that the machine does not have: %s", misses)
    expect_equal("grade of the clock beside it", ipc.counter("task-clock")["grade"], "exact")


@full
def test_samples_of_instructions_in_a_virtual_machine():
    """An event's own samples, and events that take turns."""
    sampled, turning = in_guest("sampled", "turning")
    check_period(sampled, PERIOD)
    check_turns(turning)


def test_counts_here():
    """The same on this machine: within 1 %."""
    counts, ipc = here([arguments("counts", ["-e", USER]), arguments("ipc", ["-e", "ipc"])])
    check_exact(counts, 0.01)
    check_places(counts)
    check_metric(ipc, 0.01, 10)


def test_samples_of_instructions_here():
    period = 1000000
    sampled, turning = here([arguments("sampled", ["-e", "instructions:u@%d" % period]), arguments("turning", [], ["PTRACE_EVENTS=" + TURNING])])
    check_period(sampled, period)
    check_turns(turning)
