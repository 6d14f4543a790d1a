# SPDX-License-Identifier: MIT
"""T_i is exact where it can be: the kernel gives switch records, and the program has few switches. One case for each kind of program.

Without records T_i is computed from waits, and calibrated with the CPU time afterwards, so that its sums prove nothing: only the grade
and the levels themselves do. The case asks the kernel, and not the tool."""
import os
import sys

import kernel
import mpi_job
import openmp_job
from support import (ROOT, check_laws, expect, expect_equal, expect_same, full, part_skipped, profile_paths, report_json, run, skip, timed,
                     timing)

sys.path.append(os.path.join(ROOT, "tests"))
from format_reader import read_profile  # noqa: E402

# Records of every switch, whatever they cost.
ALL = {"PTRACE_BUDGET": "100"}
# Threads that wait sleep at once: spinning ones yield, thousands of times a second.
BLOCKING = dict(ALL, GOMP_SPINCOUNT="0", KMP_BLOCKTIME="0")


def need_records():
    refused = kernel.switch_records_refused()
    if refused:
        skip("the kernel gives no switch records: %s" % refused)


def disagreement(path):
    """By how much of the CPU time of a process the records' sum(i T_i) differs from what the clocks of its threads say."""
    tables = read_profile(path)[1]
    seen = sum(row["active"] * row["time_ns"] for row in tables["concurrency"] if row["kind"] in (1, 3))
    cpu = sum(row["user_ns"] + row["system_ns"] for row in tables["threads"] if row["tid"])
    return abs(seen - cpu) / cpu


def is_called_sampled(report, path, before):
    """T_i is `sampled` where records and clocks differ by 1 %. A switch takes 10 us between the two (many more on a machine that other
    programs keep busy), and what a host takes from a virtual machine stands in one of them only: that is the machine. Beyond 5 %, and
    three times what the host is known to have taken, it is a wrong figure."""
    return report["concurrency"]["useful"]["grade"] == "sampled" and 0.009 < disagreement(path) < 0.05 + 3 * kernel.taken_since(before)


def expect_exact(report, path, what, before):
    """Without records T_i is `estimated`. With them it is `exact`, or records and CPU clocks differ."""
    for name in "on_processor", "useful":
        part = report["concurrency"][name]
        expect(part and part["levels"], "%s: there is no T_i, %s", what, name)
        expect(part["grade"] != "estimated", "%s: T_i, %s, is estimated; notes: %s", what, name, report["notes"])
        if is_called_sampled(report, path, before):
            part_skipped("%s: records and clocks differ by %.2g, so T_i is called sampled" % (what, disagreement(path)))
            return
        with timing():
            expect_equal("%s: grade of T_i, %s; records and clocks differ by %.2g; notes: %s" % (what, name, disagreement(path), report["notes"]),
                         part["grade"], "exact")
    with timing():
        for thread in report["threads"]:
            expect_equal("%s: grade of the blocked time of thread %s" % (what, thread["tid"]), thread["blocked_grade"], "exact")


@timed("the host had the processors")
def check_exact(make):
    """make: a function that returns a support.Run."""
    before, one = kernel.host_ticks(), make()
    expect_same(one)
    check_laws(one.report)
    expect_equal("profiles", len(one.profiles()), 1)
    expect_exact(one.report, one.profiles()[0], one.command[0], before)


@full
def test_exact_of_threads():
    """Waits that wrappers see and that they do not, and threads that only compute."""
    need_records()
    for program, arguments in (("phases", ["raw"]), ("phases", ["wrapped"]), ("equal", [])):
        check_exact(lambda: run(program, arguments, environment=ALL))


def expect_exact_profiles(paths, least, what, before):
    """For each process by itself: a report of several shows T_i of one, or of a job, which is estimated."""
    grades = 0
    for path in paths:
        report = report_json(path)
        if report["run"]["threads"] > 1:
            expect_exact(report, path, "%s, %s" % (what, os.path.basename(path)), before)
            grades += 1
    expect(grades >= least, "%s: %d processes with several threads, expected %d", what, grades, least)


@timed("the host had the processors")
def test_exact_of_processes():
    """Three children of two threads each."""
    need_records()
    before = kernel.host_ticks()
    one = run("processes", ["spawn"], environment=ALL)
    expect_same(one)
    expect_exact_profiles(one.profiles(), 2, "spawn", before)


@full
def test_exact_of_openmp():
    """With both runtimes, whose threads are observed by different means."""
    need_records()
    openmp_job.each_runtime(lambda runtime: check_exact(lambda: openmp_job.Job(runtime, "ramp", environment=BLOCKING).run))


@timed("the host had the processors")
def exact_ranks(library):
    before = kernel.host_ticks()
    # Open MPI's ranks would give up their processor all the time they wait: more switches than records of them are kept
    job = mpi_job.job_of(library, "even_ranks", 2, 0.2, environment=dict(ALL, OMPI_MCA_mpi_yield_when_idle="0"))
    expect_equal("status; stderr: %s" % job.profiled.stderr_text()[-300:], job.profiled.status, 0)
    paths = profile_paths(job.directory)
    expect_exact_profiles(paths, 2, library, before)
    if any(is_called_sampled(report_json(path), path, before) for path in paths):
        part_skipped("%s: grades of useful time, as T_i of a rank is called sampled" % library)
        return
    for row in job.mpi["ranks"]:
        with timing():
            expect_equal("%s: grade of rank %d's useful time; notes: %s" % (library, row["rank"], job.report["notes"]), row["useful_grade"], "exact")


@full
def test_exact_of_ranks():
    """Useful time of a rank is measured, not inferred. (T_i of the job is always estimated from time lines.)"""
    need_records()
    mpi_job.each_library(exact_ranks)
