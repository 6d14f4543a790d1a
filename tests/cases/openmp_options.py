# SPDX-License-Identifier: MIT
"""OpenMP with other options and settings: no samples, no switch records, no synchronization, wait policies, merged runs."""
import os
import subprocess
import time

import kernel
import support
from openmp_job import TEAM, Job, each_runtime, undisturbed
from support import (BUILD, COLUMNS, RUN, alone, clean_environment, close, execute, expect, expect_equal, expect_near,
                     expect_same, full, report_json, scratch, timing)

BESIDE = True  # no case asserts a time, but those that are marked

COUNTED = ("count", "team_min", "team_max", "missing_members")


def check_adds_up(job):
    for row in job.rows("omp_executions"):
        parts = [row[k] for k in ("fork_ns", "work_ns", "wait_ns", "join_ns")]
        expect_equal("parts of the time", sum(parts), row["team"] * row["elapsed_ns"])
        expect_equal("members", row["members"], row["team"] * row["count"])


def options(runtime):
    for given in (["-s", "0"], ["--no-switches"], ["--no-sync"], ["--no-mpi"], ["-s", "10000"], ["-s", "0", "--no-switches", "--no-sync"]):
        job = Job(runtime, "tasks", options=given)
        expect_same(job.run, stderr=True)
        check_adds_up(job)
        expect_equal("tasks executed with %s" % given, job.sum("omp_tasks", "executed"), 2073)
        job = Job(runtime, "sections", options=given)
        expect_same(job.run, stderr=True)
        check_adds_up(job)
        expect_equal("executions with %s" % given, job.sum("omp_executions", "count"), 12)
        waited, facts = job.region("late_at_barrier")["wait_seconds"], job.truth["facts"]
        expect(waited >= 0.97 * facts["barrier_waited"] - 0.005, "waiting with %s: %.6f, expected %.6f", given, waited, facts["barrier_waited"])


@full
@alone
def test_openmp_with_parts_left_out():
    """Regions need neither samples nor switch records, nor the wrappers of pthread."""
    each_runtime(options)


def expect_known(openmp):
    """How waiting was spent is known wherever the kernel gives switch records."""
    if kernel.switch_records_refused():
        support.skip("without switch records nobody knows who spins: %s" % kernel.switch_records_refused())
    expect(openmp["spin_seconds"] is not None, "whether threads that waited were spinning is unknown, although the kernel gives switch records")


def passive(runtime):
    job = Job(runtime, "sections", environment={"OMP_WAIT_POLICY": "passive"})
    job.truth
    found = job.openmp
    expect_known(found)
    with timing():
        expect(found["blocked_seconds"] >= 0.5 * found["wait_seconds"], "policy passive: blocked %.6f of %.6f s of waiting",
               found["blocked_seconds"], found["wait_seconds"])
        expect(found["spin_seconds"] <= 0.2 * found["wait_seconds"], "policy passive: spinning %.6f of %.6f s of waiting",
               found["spin_seconds"], found["wait_seconds"])


@full
@alone
def test_openmp_passive_threads_do_not_spin():
    """OMP_WAIT_POLICY=passive: waiting threads sleep, on futexes of the runtime. covers: B27"""
    each_runtime(undisturbed(passive))


@full
@alone
def test_openmp_active_threads_spin():
    """OMP_WAIT_POLICY=active: a waiting thread is on its processor, unless another program takes it."""
    def check(runtime):
        job = Job(runtime, "sections", environment={"OMP_WAIT_POLICY": "active"})
        if job.truth["processors"] < TEAM:
            support.skip("a runtime lets threads sleep where they have no processor each")
        found = job.openmp
        expect_known(found)
        with timing():
            expect(found["blocked_seconds"] <= 0.2 * found["wait_seconds"], "policy active: blocked %.6f of %.6f", found["blocked_seconds"],
                   found["wait_seconds"])

    each_runtime(undisturbed(check))


def merged(runtime):
    """ptrace-merge keeps the section: the same figures, to what a table of nanoseconds holds."""
    for program in ("nested", "tasks", "sections", "critical", "child"):
        job = Job(runtime, program)
        job.truth
        place = os.path.join(scratch(), "merged")
        result = execute([os.path.join(BUILD, "bin", "ptrace-merge"), "-o", place, job.run.directory])
        expect_equal("status of ptrace-merge", result.status, 0)
        one, other = job.openmp, report_json(place)["openmp"]
        expect(other is not None, "%s: the merged run has no part of OpenMP", program)
        for name in ("runtime", "library", "threads", "wait_policy"):
            expect_equal("%s: %s" % (program, name), other[name], one[name])
        for name in ("serial_seconds", "region_seconds", "idle_seconds", "wait_seconds", "spin_seconds", "blocked_seconds",
                     "ready_seconds"):
            expect(one[name] == other[name] or close(one[name], other[name], 1e-6, 1e-6), "%s: %s: %r, merged %r", program, name, one[name], other[name])
        for name, value in one["efficiency"].items():
            expect(value == other["efficiency"][name] or close(value, other["efficiency"][name], 1e-6, 1e-8), "%s: efficiency %s: %r, merged %r",
                   program, name, value, other["efficiency"][name])
        expect_equal("%s: regions" % program, identities(other), identities(one))


def identities(openmp):
    """Regions with their counts, constructs and tasks, in any order."""
    return sorted((r["routine"], r["line"] or 0, str(r["parent"]), tuple(r[k] for k in COUNTED), round(r["work_seconds"], 6),
                   sorted((c["construct"], c["routine"], c["line"] or 0, c["count"]) for c in r["constructs"]),
                   sorted((t["routine"], t["line"] or 0, t["created"], t["executed"]) for t in r["tasks"])) for r in openmp["regions"])


@full
def test_openmp_merged_runs():
    each_runtime(merged)


@full
def test_openmp_report_is_bounded():
    """The text's lines are no longer than asked, and the section begins as all do."""
    def check(runtime):
        for program in ("schedules", "critical", "tasks"):
            lines = Job(runtime, program).run.text.splitlines()
            expect(max(map(len, lines)) <= COLUMNS, "a line of %d columns", max(map(len, lines)))
            heads = [l for l in lines if l.startswith("@ openmp: ")]
            expect_equal("lines that begin the section", len(heads), 1)

    each_runtime(check)


def test_openmp_while_it_runs():
    """A report of a program that is in its regions: what has ended so far."""
    def check(runtime):
        path = os.path.join(BUILD, "programs", "openmp", runtime, "million")
        if support.NATIVE_ONLY or not os.path.exists(path):
            support.skip("native only, or million was not built for %s" % runtime)
        directory = os.path.join(scratch(), "run")
        process = subprocess.Popen([RUN, "-q", "-o", directory, "--", path, "100000000"], env=clean_environment({"OMP_NUM_THREADS": "2"}),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, start_new_session=True)
        try:
            counts = []
            for _ in range(3):
                time.sleep(0.7)
                report = report_json(directory)
                row = [r for r in (report["openmp"] or {"regions": []})["regions"] if r["routine"] == "empty"]
                counts.append(row[0]["count"] if row else 0)
                if row:
                    whole = sum(row[0][k] for k in ("fork_seconds", "work_seconds", "wait_seconds", "join_seconds"))
                    expect_near("parts of the time, while it changes", whole, row[0]["team_elapsed_seconds"], relative=0.001, floor=0.001)
        finally:
            os.killpg(process.pid, 9)
            process.wait()
        expect(0 < counts[0] < counts[1] < counts[2], "executions in three reports: %r", counts)

    each_runtime(check)
