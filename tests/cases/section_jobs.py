# SPDX-License-Identifier: MIT
"""Sections of teams and of ranks."""
import support
from mpi_job import each_library, job_of
from openmp_job import Job, each_runtime
from sections import check_laws, rows
from support import expect, expect_equal, full

BESIDE = True  # no case asserts a time that the machine decides


def team(runtime):
    job = Job(runtime, "parts")
    found = check_laws(job.run)
    solve = found["solve"]
    expect_equal("begins on %s" % runtime, (solve["count"], solve["ended"], solve["cut"]), (1, 1, 0))
    expect_equal("threads of solve on %s" % runtime, solve["threads"], 4)
    expect(solve["thread_cpu_seconds"] >= 0.395, "CPU time in solve on %s: %s", runtime, solve["thread_cpu_seconds"])
    expect_equal("by each on %s" % runtime, (found["by each"]["count"], found["by each"]["threads"]), (4, 4))
    within = support.report_json(job.run.directory, "--within", "solve")
    names = {row["name"]: row for row in within["routines"]}
    expect("work_outside" not in names, "routines within solve on %s: %s", runtime, sorted(names))
    whole = support.routine(job.run.report, "work_in_solve")
    expect_equal("samples of work_in_solve on %s" % runtime, names["work_in_solve"]["samples"], whole["samples"])


def test_teams():
    """Members of a team work for the section in which its region was met, on both runtimes."""
    each_runtime(team)


def ranks(library):
    job = job_of(library, "parts", 2)
    found = rows(job)
    solve = found["solve"]
    expect_equal("begins with %s" % library, (solve["count"], solve["processes"]), (2, 2))
    expect_equal("the longest rank with %s" % library, solve["elapsed_max_rank"], 1)
    expect(solve["elapsed_min_seconds"] >= 0.1 and solve["elapsed_max_seconds"] >= 0.2, "solve with %s: %s", library, solve)
    expect(found["meet"]["waits"]["mpi"] >= 0.05, "meet with %s: %s", library, found["meet"]["waits"])
    expect_equal("the phase with %s" % library, (found["MPI_Pcontrol 2"]["kind"], found["MPI_Pcontrol 2"]["processes"]), ("phase", 2))


@full
def test_ranks():
    """Sections of two ranks, of both MPI libraries: the least and the most, and who has it; a phase by MPI_Pcontrol."""
    each_library(ranks)
