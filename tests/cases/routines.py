# SPDX-License-Identifier: MIT
"""Routines: their CPU time, alone and in company; recursion, inlining, C++ names, deep stacks."""
import math

from laws import NEXT_SAMPLE, NEXT_SAMPLE_SHARED
from support import (alone, check_laws, expect, expect_between, expect_near, expect_same, full, ready_seconds, routine, run,
                     thread_cpu, timed, timing, unsampled_seconds)

BESIDE = True


def chance(row, part):
    """Three deviations of the time that samples say of a part of a routine's time, each sample by chance in it or not."""
    share = min(max(part / row["total_seconds"], 0), 1)
    return 3 * row["total_seconds"] * math.sqrt(share * (1 - share) / max(row["samples"], 1))


def is_undisturbed(report):
    return ready_seconds(report) < 0.1 * thread_cpu(report)


def edges(report, least):
    """Seconds by which samples at both edges of a routine's time may be wrong: least, and more where it shares a processor."""
    return least if is_undisturbed(report) else 2 * NEXT_SAMPLE_SHARED


@full
@timed("the host took the processor between two samples, and so made one of them longer")
def test_routine_that_runs_alone():
    """A routine between parallel phases: its time alone, and the average concurrency of both."""
    one = run("alone")
    expect_same(one)
    check_laws(one.report)
    truth = one.truth
    alone, parallel = routine(one.report, "alone_work"), routine(one.report, "parallel_work")
    # At each of the four edges of a phase one sample may be the neighbour's.
    four = 4 * (NEXT_SAMPLE if is_undisturbed(one.report) else NEXT_SAMPLE_SHARED)
    with timing():
        expect_near("CPU time of alone_work", alone["total_seconds"], truth["alone"], 0, four)
        expect_near("alone_seconds of alone_work", alone["alone_seconds"], truth["alone"], 0, four)
    expect_near("average_concurrency of alone_work", alone["average_concurrency"], 1, 0.05, 0)
    expect_near("CPU time of parallel_work", parallel["total_seconds"], truth["parallel"], 0.05, edges(one.report, 0.02))
    # At least `both` was in pairs; what the machine took away in between was alone.
    both = max(truth["parallel"] - truth["parallel_wall"], 0)
    most = truth["parallel"] - 2 * both
    with timing():
        expect_between("alone_seconds of parallel_work", parallel["alone_seconds"], 0, most, 0, four + chance(parallel, most))


@alone
def test_average_concurrency_is_cpu_time_over_elapsed_time():
    """A routine that is nearly the whole program has the concurrency of the program; not one weighted by CPU time, which is 1.67 of 1.5."""
    one = run("company")
    expect_same(one)
    check_laws(one.report)
    work, part = routine(one.report, "shared_work"), one.report["concurrency"]["on_processor"]
    expect_between("CPU time of shared_work", work["total_seconds"], one.truth["shared"] - unsampled_seconds(one.report), one.truth["shared"],
                   0.03, 0.02)
    expect_near("average concurrency", work["average_concurrency"], part["cavg"], 0.02, 0)
    expect_between("share of elapsed time", work["total_elapsed_seconds"], part["virtual_seconds"] - unsampled_seconds(one.report),
                   part["virtual_seconds"], 0.05, 0)
    expect_near("self time / share of elapsed time", work["self_seconds"] / work["elapsed_seconds"], work["average_concurrency"], 0.015, 0)


@full
def test_recursion_is_counted_once():
    """total_seconds of a recursive routine is not more than the CPU time that it used."""
    one = run("routines")
    expect_same(one)
    check_laws(one.report)
    expect_near("total of recursive_work", routine(one.report, "recursive_work")["total_seconds"], one.truth["recursive_work"], 0.05,
                edges(one.report, 0.01))


def test_inlined_routine():
    """Inlined code counts for the routine that contains it; a static routine has its name."""
    one = run("routines")
    check_laws(one.report)
    expect_near("total of outer_work", routine(one.report, "outer_work")["total_seconds"], one.truth["outer_work"], 0.05,
                edges(one.report, 0.01))


def test_deep_stacks():
    """30 and 200 frames: the leaf has its time; the shallow one is whole up to its root."""
    one = run("routines")
    check_laws(one.report)
    truth = one.truth
    expect_near("total of deep_leaf", routine(one.report, "deep_leaf")["total_seconds"], truth["depth_30"] + truth["depth_200"], 0.05,
                edges(one.report, 0.015))
    expect_near("total of depth_30", routine(one.report, "depth_30")["total_seconds"], truth["depth_30"], 0.05, edges(one.report, 0.01))
    expect_between("total of main", routine(one.report, "main")["total_seconds"], sum(truth.values()) - truth["depth_200"],
                   sum(truth.values()), 0.05, edges(one.report, 0.015))


def test_names_of_templates_and_overloads():
    """C++ names are demangled."""
    one = run("templates")
    expect_same(one)
    check_laws(one.report)
    names = [r["name"] for r in one.report["routines"]]
    for part, key in (("space::Worker<double>::work", "template"), ("overload(int)", "overload")):
        rows = [r for r in one.report["routines"] if r["name"].startswith(part.split("(")[0])]
        expect(rows, "no routine is named %s; there are %s", part, names[:20])
        expect_near("total of %s" % part, rows[0]["total_seconds"], one.truth[key], 0.05, edges(one.report, 0.01))


@full
def test_no_samples_wanted():
    """--sample 0: no samples; all CPU time is [unsampled], the other laws hold."""
    one = run("equal", options=["--sample", "0"])
    expect_same(one)
    check_laws(one.report, sampling=False)
    expect(sum(t["samples"] or 0 for t in one.report["threads"]) == 0, "samples were taken with --sample 0")
