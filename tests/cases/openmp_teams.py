# SPDX-License-Identifier: MIT
"""Teams of other sizes than two: of one, which runtimes treat differently; of three, which the processors do not divide."""
import os

import openmp_laws
from openmp_job import PROGRAMS, Job, each_program, each_runtime, told_region, undisturbed
from support import BUILD, alone, expect, expect_equal, expect_near, expect_same, full, timing

BESIDE = True  # no case asserts a time, but those that are marked

ALONE = {"OMP_NUM_THREADS": "1"}
# Two need another thread to end.
WITH_ONE = tuple(p for p in PROGRAMS if p not in ("oversubscribed",))


def of_one(runtime, program):
    job = Job(runtime, program, environment=ALONE)
    expect_same(job.run, stderr=True)
    expect_equal("status", job.run.profiled.status, 0)
    job.check_laws()
    openmp_laws.check_executions(job)
    openmp_laws.check_members(job)
    openmp_laws.check_efficiency(job)
    told = sum(r["count"] for r in job.truth["regions"])
    executions = job.sum("omp_executions", "count")
    expect(executions >= told, "executions: %d, the program had %d", executions, told)
    for row in job.openmp["regions"]:
        if row["team_max"] == 1:
            expect_equal("%s: members of a team of one" % row["routine"], [t["thread"] for t in row["threads"]], [0])


@full
def test_openmp_teams_of_one():
    """Every program by one thread: libomp serializes such regions in another way than larger ones."""
    each_program(of_one, WITH_ONE)


def tasks_of_one(runtime):
    """Nobody else is there: no task is stolen, and nobody waits for long."""
    job = Job(runtime, "tasks", environment=ALONE)
    told = job.truth["counts"]
    made = sum(told[k] for k in ("task", "taskloop_task", "task_undeferred", "task_final", "task_included"))
    expect_equal("tasks executed, stolen", [job.sum("omp_tasks", k) for k in ("executed", "stolen")], [made, 0])
    expect_equal("tasks made", job.sum("omp_tasks", "created"), made)


def test_openmp_tasks_of_one():
    each_runtime(tasks_of_one)


def of_three(runtime):
    job = Job(runtime, "ramp", environment={"OMP_NUM_THREADS": "3"})
    expect_same(job.run, stderr=True)
    told, row = told_region(job, "ramp"), job.region("ramp")
    expect_equal("executions, team", (row["count"], row["team_min"], row["team_max"]), (6, 3, 3))
    seconds = [t["elapsed_seconds"] for t in told["threads"]]
    with timing():
        for thread in row["threads"]:
            expect_near("work of thread %d" % thread["thread"], thread["work_seconds"], seconds[thread["thread"]])
    openmp_laws.check_executions(job)
    openmp_laws.check_report(job)


@alone
def test_openmp_team_of_three():
    each_runtime(undisturbed(of_three))


def changing(runtime):
    """One region by teams of different sizes: a row of the table for each, one of the report for all."""
    for threads in (1, 2, 3):
        job = Job(runtime, "million", [40, threads], environment={"OMP_WAIT_POLICY": "passive"})
        expect_same(job.run)
        row = job.region("empty")
        expect_equal("executions, team", (row["count"], row["team_min"], row["team_max"]), (40, threads, threads))
    job = Job(runtime, "serial")
    job.truth
    expect_equal("teams of the balanced region and of the serialized one",
                 {r["routine"]: (r["team_min"], r["team_max"], r["count"]) for r in job.openmp["regions"]},
                 {"together": (2, 2, 10), "serialized": (1, 1, 10)})


@full
def test_openmp_sizes_of_teams():
    each_runtime(changing)


def leagues(runtime):
    for environment in ({}, {"KMP_TEAMS_THREAD_LIMIT": "4"}):  # LLVM's: teams of one, of two
        check_leagues(Job(runtime, "teams", environment=environment))


def check_leagues(job):
    expect_same(job.run, stderr=True)
    told = job.truth["counts"]
    expect_equal("regions", {(r["routine"], r["parent"] and r["parent"]["routine"]): r["count"] for r in job.openmp["regions"]},
                 {("first", None): told["parallel"], ("inside", None): told["inside"], ("several", None): told["several"],
                  ("distributed", None): told["distributed"], ("of_one", None): told["of_one"]})
    teams = [c["count"] for c in job.openmp["outside"]["constructs"] if c["construct"] == "teams"]
    expect_equal("leagues", sum(teams), 41)
    openmp_laws.check_executions(job)
    openmp_laws.check_members(job)
    openmp_laws.check_efficiency(job)
    job.check_laws()
    # Of the threads that start regions only one has a serial time.
    seconds = job.run.report["run"]["elapsed_seconds"]
    expect(job.openmp["serial_seconds"] <= seconds, "serial time %.6f of %.6f elapsed", job.openmp["serial_seconds"], seconds)
    # While the program naps between two leagues the threads of the first one are idle: their barrier is over.
    barriers = sum(c["seconds"] or 0 for c in job.openmp["outside"]["constructs"] if c["construct"] == "implicit barrier")
    inside = sum(c["seconds"] for c in job.openmp["outside"]["constructs"] if c["construct"] == "teams")
    expect(barriers <= inside, "waits at the ends of leagues %.6f, leagues took %.6f", barriers, inside)


@full
def test_openmp_leagues():
    """Regions in the teams of a league: each is counted once, and is met in no other one."""
    each_runtime(leagues)


def test_openmp_ends_of_other_regions():
    """A runtime tells of a region's end by the word of another one that has begun meanwhile: neither is lost."""
    job = Job("libomp", os.path.join(BUILD, "programs", "openmp", "harm", "events"))
    expect_same(job.run, stderr=True)
    expect_equal("executions", job.sum("omp_executions", "count"), int(job.run.native.stdout))
    expect_equal("members", job.sum("omp_executions", "members"), int(job.run.native.stdout))
    openmp_laws.check_executions(job)
