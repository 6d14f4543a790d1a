# SPDX-License-Identifier: MIT
"""T_i: how long how many threads were on a processor at once."""
import kernel
from counting import compare_counts, total_counts
from support import check_laws, expect, expect_between, expect_near, expect_same, routine, run


def seconds_at(part, active):
    return sum(level["seconds"] for level in part["levels"] if level["active"] == active)


def check_phases(argument):
    one = run("phases", [argument])
    expect_same(one)
    check_laws(one.report)
    truth = one.truth
    part = one.report["concurrency"]["on_processor"]
    relative = 0.15 if kernel.switch_records_refused() else 0.03
    least, most = truth["two_least"], truth["two_most"]
    expect_between("T_2", seconds_at(part, 2), least, most, relative, 0.01)
    single = truth["cpu"]  # whatever was not in pairs
    expect_between("T_1", seconds_at(part, 1), single - 2 * most, single - 2 * least, relative, 0.02)
    idle = truth["elapsed"] - truth["cpu"]
    outside = one.report["run"]["elapsed_seconds"] - truth["elapsed"]
    expect_between("T_0", seconds_at(part, 0), idle + least, idle + most + outside, relative, 0.01)
    return one


def test_phases_raw_waits():
    """Phases of 0, 1, 2 threads; waiting in futexes and sleeps that no wrapper sees. covers: B27"""
    check_phases("raw")


def test_phases_wrapped_waits():
    """The same with conditions and nanosleep: the useful threads are those on a processor."""
    one = check_phases("wrapped")
    useful = one.report["concurrency"]["useful"]
    expect(useful["levels"], "T_i of useful threads is missing")
    expect_near("useful T_1 against T_1 on processor", seconds_at(useful, 1), seconds_at(one.report["concurrency"]["on_processor"], 1), 0.05, 0.02)


def test_threads_that_never_run_at_once_win_nothing():
    """Time with nobody on a processor is not taken for time that more processors could shorten."""
    one = run("turns")
    expect_same(one)
    check_laws(one.report)
    truth, processors = one.truth, one.report["run"]["processors"]
    part = one.report["concurrency"]["on_processor"]
    # What a thread does at its birth and end may be beside the other's.
    beside = 1 + 0.004 * 6 / truth["cpu"]
    for figure in ("executing_limit", "cautious_limit"):
        expect_between(figure, part[figure], 1, beside, 0.03, 0)
    for row in part["projections"]:
        for figure in ("executing_speedup", "elapsed_speedup"):
            expect_between("%s on %d times the processors" % (figure, row["processors_factor"]), row[figure], 1, beside, 0.03, 0)
    expect_between("CAVG", part["cavg"], 1, beside, 0.03, 0)
    expect_near("CEFF", part["ceff_percent"], 100 * part["cavg"] / processors, 1e-6, 0)
    # The figure that it replaces calls all of the sleep perfectly parallel.
    expect(part["amdahl_limit"] > 2, "T / T_1 = %.2f of a program that mostly sleeps", part["amdahl_limit"])


def test_storm_of_context_switches():
    """Hundreds of thousands of switches a second: the tool keeps up or takes a part, and never hangs."""
    one = run("yielding")
    expect_same(one)
    check_laws(one.report)
    compare_counts(total_counts(one), one.truth)


def test_no_switch_records_wanted():
    """--no-switches: T_i is estimated, and says so; the other laws hold."""
    one = run("phases", ["wrapped"], options=["--no-switches"])
    expect_same(one)
    check_laws(one.report, records=False)
    grade = one.report["concurrency"]["on_processor"]["grade"]
    expect(grade == "estimated", "grade without switch records: %r, expected 'estimated'", grade)


def test_equal_threads_get_equal_shares():
    """Two threads of equal work are sampled equally, within 5 %. covers: F76"""
    one = run("equal")
    expect_same(one)
    check_laws(one.report)
    work = routine(one.report, "equal_work")
    expect(work["threads"] == 2, "threads in equal_work: %r, expected 2", work["threads"])
    both = work["min_seconds"] + work["max_seconds"]
    expect_near("the lesser thread's part of equal_work", work["min_seconds"] / both, 0.5, 0, 0.025)
    expect_near("CPU time of equal_work", work["total_seconds"], sum(one.truth.values()), 0.05)
