# SPDX-License-Identifier: MIT
"""Elapsed time of routines, waits included: CPU time that is used in waits counts once, where waits sleep, spin, and poll.

The truth is what a routine's own clock says between its first and last statement. A thread may be ready meanwhile, which is in no figure
of a routine: that much less is right, too."""
import glob
import os

from laws import NEXT_SAMPLE, NEXT_SAMPLE_SHARED
from merge import merged
from mpi_job import check_same, each_library, job_of
from openmp_job import Job, each_runtime, undisturbed
from support import (alone, check_laws, expect, expect_between, expect_equal, expect_same, full, premise, ready_seconds,
                     report_json, routine, run, timing)

BESIDE = True

TIMED = ("main", "compute_and_wait", "wait_in_condition", "wait_again", "wait_for_holder", "wait_for_lock", "wait_spinning", "wait_at_gate")
SUMS = ("total_seconds", "elapsed_self_seconds", "elapsed_total_seconds")


def nanoseconds(seconds):
    return round(seconds * 1e9)


def waited_by(report, name):
    """Waits of the lines of a routine, which the section synchronization has for objects, and lines for sleeps as well."""
    return sum(nanoseconds(line["wait_seconds"]) for line in report["lines"] if line["routine"] == name)


def expect_added(report, row, added, waited):
    """A wait is added as it was measured, to the nanosecond, but for CPU time that samples claim already: a tick may hit a thread as it goes
    to sleep, and the one sample of a thread that only waits claims all of its CPU time, that in its waits included."""
    first = report["processes"][0]["pid"]
    claimed = row["total_seconds"] + sum(t["cpu_seconds"] for t in report["threads"] if t["samples"] and t["tid"] != first)
    expect(waited - nanoseconds(claimed) <= added <= waited, "%s: %d ns added, waited %d, samples claim %.9f s", row["name"], added, waited, claimed)


@undisturbed
def test_elapsed_time_of_routines_is_what_their_clocks_say():
    """Asleep in a condition, in sleeps of a recursion, for a mutex and at a barrier; spinning for a spinlock."""
    one = run("waited")
    expect_same(one)
    check_laws(one.report)
    lost = ready_seconds(one.report)
    edge = 2 * (NEXT_SAMPLE if lost < 0.1 * one.truth["main"] else NEXT_SAMPLE_SHARED)
    for name in TIMED:
        with timing():
            expect_between("elapsed total of %s" % name, routine(one.report, name)["elapsed_total_seconds"], one.truth[name] - lost,
                           one.truth[name], 0.01, edge)


def test_a_wait_without_samples_is_added_as_it_is():
    """To the nanosecond; and the only thread that runs a routine does not run it longer than it lives."""
    one = run("waited")
    report = one.report
    main = next(t for t in report["threads"] if t["tid"] == report["processes"][0]["pid"])
    for name in ("wait_in_condition", "wait_for_lock"):
        row, waited = routine(report, name), waited_by(report, name)
        expect_added(report, row, nanoseconds(row["elapsed_self_seconds"]) - nanoseconds(row["self_seconds"]), waited)
        expect(waited > 100000000, "%s waited for %d ns", name, waited)
    again, pause = routine(report, "wait_again"), routine(report, "pause_for")
    added = {r["name"]: nanoseconds(r["elapsed_total_seconds"]) - nanoseconds(r["total_seconds"]) for r in (again, pause)}
    expect_added(report, pause, added["pause_for"], waited_by(report, "pause_for"))
    expect(190000000 < added["wait_again"] < added["pause_for"] / 2, "sleeps in the recursion: %d of %d ns", added["wait_again"], added["pause_for"])
    for row in (routine(report, name) for name in TIMED):
        expect(row["elapsed_total_seconds"] <= main["elapsed_seconds"] + 1e-9, "%s: %.9f, its thread lived %.9f", row["name"],
               row["elapsed_total_seconds"], main["elapsed_seconds"])


@undisturbed
def test_cpu_time_below_a_path_that_was_cut_is_of_its_own_waits():
    """Samples in the handler that interrupts a sleep are deeper than the sleep, so they are cut further in; the other sleep keeps each nanosecond."""
    one = run("waited_deep")
    expect_same(one)
    check_laws(one.report)
    once, interrupted = routine(one.report, "sleep_once"), routine(one.report, "sleep_interrupted")
    expect(waited_by(one.report, "sleep_once") >= 400000000, "sleep_once: %d ns", waited_by(one.report, "sleep_once"))
    expect_added(one.report, once, nanoseconds(once["elapsed_self_seconds"]) - nanoseconds(once["self_seconds"]),
                 waited_by(one.report, "sleep_once"))
    with timing():
        expect_between("CPU time in the sleep", waited_by(one.report, "sleep_interrupted") / 1e9 - interrupted["elapsed_self_seconds"],
                       one.truth["compute"], one.truth["compute"], 0.05, NEXT_SAMPLE_SHARED)


def test_spinning_counts_once():
    """The wait for a spinlock is CPU time for nearly all of its length: both together would be twice that."""
    report = run("waited").report
    row, waited = routine(report, "wait_spinning"), waited_by(report, "wait_spinning")
    expect(nanoseconds(row["elapsed_total_seconds"]) < nanoseconds(row["total_seconds"]) + waited, "%r and waits of %d ns", row, waited)
    expect(nanoseconds(row["elapsed_total_seconds"]) <= max(nanoseconds(row["total_seconds"]), waited) + 30000000, "%r and waits of %d ns", row, waited)


def test_elapsed_time_of_a_merged_run():
    one = run("waited")
    before, after = one.report["routines"], report_json(merged(one.directory))["routines"]
    expect_equal("rows", [(r["name"],) + tuple(r[s] for s in SUMS) for r in after], [(r["name"],) + tuple(r[s] for s in SUMS) for r in before])
    expect(any(r["elapsed_total_seconds"] > r["total_seconds"] for r in after), "no waits in %r", after)


def test_without_causes_of_samples_elapsed_time_is_unknown():
    """As in profiles of older versions; the schema in the file says what it has."""
    one = run("waited")
    for path in glob.glob(os.path.join(one.directory, "*.profile")) if one.profiled else ():
        with open(path, "rb") as file:
            text = file.read()
        column = b"column u16 cause none key key: enum cause of the wait that the thread was in"
        expect(column in text, "the schema has no column cause of samples")
        with open(path, "wb") as file:
            file.write(text.replace(column, column.replace(b"cause none", b"caus_ none")))
    for row in one.report["routines"]:
        expect(row["elapsed_total_seconds"] is None and row["elapsed_self_seconds"] is None, "%r", row)
        expect(row["total_seconds"] is not None, "%r", row)
    expect_equal("with a whole run", [r["elapsed_total_seconds"] for r in report_json(merged(one.directory))["routines"] if r["elapsed_total_seconds"]], [])


# ---- what polls

def late_sender(library):
    """The ranks poll. Each wait is in one rank, and as long as the other one sleeps: 50 ms."""
    job = job_of(library, "late_sender", 2)
    check_same(job)
    check_laws(job.report)
    longest = max(t["elapsed_seconds"] for t in job.report["threads"] if t["tid"] == t["pid"])
    for name in ("receive_late", "wait_late"):
        row = routine(job.report, name)
        in_calls = sum(s["seconds"] for s in job.mpi["sites"] if s["routine"] == name)
        expect(row["elapsed_total_seconds"] <= longest, "%s: %.9f, a rank lived %.9f", name, row["elapsed_total_seconds"], longest)
        with timing():
            premise(row["total_seconds"] > 0.3 * in_calls, "%s: a rank did not poll: %r", name, row)
            expect_between("elapsed total of %s" % name, row["elapsed_total_seconds"], in_calls - ready_seconds(job.report),
                           max(in_calls, row["total_seconds"]), 0.01, NEXT_SAMPLE)


@full
@alone
@undisturbed
def test_mpi_calls_that_poll_count_once():
    each_library(late_sender)


def spinning_team(runtime):
    """The closing barrier of a region whose second half of iterations takes three times as long as the first."""
    for policy in ("active", "passive"):
        job = Job(runtime, "ramp", environment={"OMP_WAIT_POLICY": policy})
        expect_same(job.run)
        job.check_laws()
        report, pid = job.run.report, job.run.report["processes"][0]["pid"]
        life = next(t["elapsed_seconds"] for t in report["threads"] if t["tid"] == pid)
        # only the first thread runs main
        row = routine(report, "main")
        expect(row["elapsed_total_seconds"] <= life + 1e-9, "%s: main: %.9f, its thread lived %.9f", policy, row["elapsed_total_seconds"], life)
        with timing():
            expect_between("%s: elapsed total of main" % policy, row["elapsed_total_seconds"], life - ready_seconds(report), life, 0.05, NEXT_SAMPLE_SHARED)


@full
@undisturbed
def test_openmp_barriers_that_spin_count_once():
    each_runtime(spinning_team)


def regions_of_a_thread(runtime):
    """What one region's barrier costs is no other's: only the first thread runs main and, below it, what starts a region."""
    job = Job(runtime, "barriers")
    expect_same(job.run)
    job.check_laws()
    facts = job.truth["facts"]
    row, spins, computes = (routine(job.run.report, name) for name in ("wait_in_barrier", "spin_in_barrier", "compute_in_barrier"))
    # a wait contains the time in which its thread was ready: other programs do not make it shorter
    expect(row["elapsed_total_seconds"] > 0.9 * facts["wait_in_barrier"], "wait_in_barrier: %r, it took %r", row, facts["wait_in_barrier"])
    with timing():
        expect_between("wait_in_barrier", row["elapsed_total_seconds"], facts["wait_in_barrier"], facts["wait_in_barrier"],
                       0.02, NEXT_SAMPLE_SHARED)
        for name, other in (("spin_in_barrier", spins), ("compute_in_barrier", computes)):
            expect(other["elapsed_total_seconds"] <= 2 * facts[name] + NEXT_SAMPLE_SHARED, "%s: %r, two threads for %r", name, other, facts[name])


@full
@undisturbed
def test_openmp_regions_of_a_thread_do_not_take_from_each_other():
    each_runtime(regions_of_a_thread)
