# SPDX-License-Identifier: MIT
"""T_i: how long how many threads were on a processor at once."""
import os
import sys

import kernel
from counting import compare_counts, total_counts
from support import (BUILD, ROOT, built, check_laws, expect, expect_between, expect_equal, expect_near, expect_same, full, need,
                     part_skipped, routine, run, skip, thread_cpu, timed, timing, unsampled_seconds)

sys.path.append(os.path.join(ROOT, "tests"))
from format_reader import read_profile  # noqa: E402


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


@full
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


@full
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


@full
def test_equal_threads_get_equal_shares():
    """Two threads of equal work are sampled equally, within 5 %. covers: F76"""
    one = run("equal")
    expect_same(one)
    check_laws(one.report)
    work = routine(one.report, "equal_work")
    expect(work["threads"] == 2, "threads in equal_work: %r, expected 2", work["threads"])
    both = work["min_seconds"] + work["max_seconds"]
    # What follows a thread's last sample has no routine; the laws bound it.
    expect_near("the lesser thread's part of equal_work", work["min_seconds"] / both, 0.5, 0, 0.025 + unsampled_seconds(one.report) / both)
    whole = sum(one.truth.values())
    expect_between("CPU time of equal_work", work["total_seconds"], whole - unsampled_seconds(one.report), whole, 0.02)


INJECTED = 0.06


@full
def test_start_of_records_is_not_the_programs_time():
    """The kernel takes long to begin switch records (strace makes it): that stands in a row of its own, and in no T_i and no life."""
    if kernel.switch_records_refused():
        skip("no switch records: %s" % kernel.switch_records_refused())
    delay = ["-e", "trace=perf_event_open", "-e", "inject=perf_event_open:delay_enter=%d" % (1e6 * INJECTED)]
    one = run(need("strace"), ["-f", "-qq", "-o", "/dev/null"] + delay + [built("phases"), "wrapped"])
    if one.profiled.status != 0:
        skip("strace may not trace here: %s" % one.profiled.stderr_text()[-200:])
    process = [p for p in one.report["processes"] if p["command"].endswith("phases wrapped")][-1]
    events = len(os.sched_getaffinity(0))
    expect(process["profiler_start_seconds"] >= events * INJECTED, "the profiler's start: %s s, of which %d times %g s are sure",
           process["profiler_start_seconds"], events, INJECTED)
    expect(one.report["run"]["profiler_start_seconds"] >= process["profiler_start_seconds"], "of the run: %s s", one.report["run"])
    path = [p for p in one.profiles() if "-%d-%d." % (process["pid"], process["sequence"]) in p][0]
    header, tables = read_profile(path)
    wall = (header["end_ns"] - header["start_ns"]) / 1e9
    left_out = tables["process"][0]["start_wait_ns"] / 1e9
    expect(left_out >= events * INJECTED, "waited for records: %.6f s", left_out)
    expect_near("elapsed time and what is left out of it", process["elapsed_seconds"] + left_out, wall, 0, 1e-6)
    part = one.report["concurrency"]["on_processor"]
    whole = one.report["run"] if part.get("processes") else process  # strace may have had a tenth of the CPU time
    expect_near("sum of T_i", sum(level["seconds"] for level in part["levels"]), whole["elapsed_seconds"], 0, 1e-6)
    check_laws(one.report)
    lives = [t["elapsed_seconds"] for t in one.report["threads"] if t["tid"] == process["pid"] and t["pid"] == process["pid"]
             and t["sequence"] == process["sequence"]]
    expect(lives[0] <= process["elapsed_seconds"] + 1e-6, "the first thread lived for %s s of %s s", lives[0], process["elapsed_seconds"])


@timed("the host had the processors")
def check_bound(program, arguments=(), processors=2, **settings):
    """T_2 and the processors of a program that binds its threads, against what their CPU times say."""
    if not kernel.switch_records_refused() and len(os.sched_getaffinity(0)) < 2:
        skip("one processor only")
    before = kernel.host_ticks()
    one = run(program, arguments, **settings)
    expect(one.profiled.status == 0, "status %d", one.profiled.status)
    check_laws(one.report)
    part = one.report["concurrency"]["on_processor"]
    with timing():  # the host of a virtual machine may take either processor, and counts whole ticks of it
        expect_between("T_2", seconds_at(part, 2), one.truth["two_least"], one.truth["two_most"], 0.03 + 3 * kernel.taken_since(before), 0.01)
    expect_equal("processors", one.report["run"]["processors"], processors)
    expect_near("average of threads x elapsed, against CPU time", part["average"] * sum(level["seconds"] for level in part["levels"]),
                thread_cpu(one.report), 0.01, 0.003)
    return one


@full
def test_first_thread_bound_before_others_start():
    """By the libc's call, by the system call itself, and with the second thread bound by its attributes."""
    for how in ("call", "raw", "attr"):
        check_bound("affinity", [how])


def test_threads_bound_to_processors_not_had_before():
    """A process that starts on one processor moves a thread to another: two processors, and records follow."""
    lowest = str(min(os.sched_getaffinity(0)))
    one = run(need("taskset"), ["-c", lowest, built("affinity"), "beyond"])
    expect(one.profiled.status == 0, "status %d", one.profiled.status)
    check_laws(one.report, records=False)
    expect_equal("processors", one.report["run"]["processors"], one.truth["processors"])
    part = one.report["concurrency"]["on_processor"]
    if not kernel.switch_records_refused():
        expect("processors that the process might not use" in " ".join(one.report["notes"]), "notes: %s", one.report["notes"])
        expect(part["grade"] != "exact", "T_i is said to be exact")
    else:
        part_skipped("what is said of switch records: there are none")
    expect(part["efficiency_percent"] <= 100, "efficiency %.1f %%", part["efficiency_percent"])


def test_threads_that_look_at_other_processors():
    """For moments only: that is no reason to count these processors, or to take records in windows."""
    lowest = str(min(os.sched_getaffinity(0)))
    one = run(need("taskset"), ["-c", lowest, built("affinity"), "moment"])
    expect(one.profiled.status == 0, "status %d", one.profiled.status)
    expect_equal("processors", one.report["run"]["processors"], 1)
    expect(not any("might not use" in note for note in one.report["notes"]), "notes: %s", one.report["notes"])


def test_one_processor_of_many():
    """Under taskset there is one processor: none else is counted, and no two threads run at once."""
    lowest = str(min(os.sched_getaffinity(0)))
    one = run(need("taskset"), ["-c", lowest, built("phases"), "raw"])
    expect(one.profiled.status == 0, "status %d", one.profiled.status)
    check_laws(one.report)
    expect_equal("processors", one.report["run"]["processors"], 1)
    expect_near("T_2", seconds_at(one.report["concurrency"]["on_processor"], 2), 0, 0, 0.001)


BINDINGS = ({"OMP_PROC_BIND": "true"}, {"OMP_PROC_BIND": "close", "OMP_PLACES": "{0},{1}"}, {"OMP_PLACES": "threads"},
            {"GOMP_CPU_AFFINITY": "0 1"}, {"KMP_AFFINITY": "compact"})


@full
def test_openmp_threads_bound_to_places():
    """The runtime binds the first thread before it makes the others: libgomp in its constructor."""
    ran = 0
    for runtime in ("gomp", "libomp"):
        path = os.path.join(BUILD, "programs", "openmp", runtime, "bound")
        if not os.path.exists(path):
            part_skipped("bound was not built for %s" % runtime)
            continue
        for binding in BINDINGS:
            # Whoever waits for the next region would spin, and be active, while the first thread ends the program.
            check_bound(path, environment=dict(binding, OMP_NUM_THREADS="2", OMP_WAIT_POLICY="passive"))
            ran += 1
    if not ran:
        skip("no OpenMP programs here")
