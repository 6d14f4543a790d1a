# SPDX-License-Identifier: MIT
"""Programs that an interposer of OpenMP runtimes once harmed: stand-ins, tools, forks inside calls."""
import os

from openmp_job import Job
from support import BUILD, expect, expect_equal, expect_same, full, skip

BESIDE = True  # no case asserts a time

PLACE = os.path.join(BUILD, "programs", "openmp")


def place_of(*names):
    path = os.path.join(PLACE, *names)
    return path if os.path.exists(path) else skip("%s was not built" % "/".join(names))


# Stand-ins for a runtime: for serial programs

def test_openmp_stand_in_is_called():
    """A library that has locks, and no GOMP_parallel; nest locks that cannot be tried: what is there is called."""
    job = Job("", place_of("harm_stub"))
    expect_equal("status without the profiler", job.run.native.status, 0)
    expect_same(job.run, stderr=True)
    expect_equal("the report's part", job.run.report["openmp"], None)


def test_openmp_runtime_and_a_stand_in_in_one_process():
    """Each library's calls go to what it was linked with, whichever comes first; those of the runtime are counted."""
    stub, real = place_of("libharm_user.so"), place_of("gomp", "libplugin.so")
    for order in ((stub, real), (real, stub), (stub, real, stub)):
        job = Job("", place_of("copies"), order)
        expect_equal("status without the profiler", job.run.native.status, 0)
        expect_same(job.run, stderr=True)
        expect_equal("executions", job.sum("omp_executions", "count"), 7)


@full
def test_openmp_runtimes_of_one_process_are_both_named():
    """Whichever comes first; each with its largest team."""
    gomp, libomp = place_of("gomp", "libplugin.so"), place_of("libomp", "libplugin.so")
    for order in ((gomp, libomp), (libomp, gomp)):
        job = Job("", place_of("copies"), order)
        expect_same(job.run, stderr=True)
        expect_equal("runtimes", job.openmp["runtime"], ["libgomp", "OMPT"])
        for name in ("libgomp.so.1", "LLVM OMP version"):
            expect(name in job.openmp["library"], "%s is not named: %r", name, job.openmp["library"])
            expect(name in " ".join(job.run.text.split()), "the report does not name %s", name)
        expect_equal("largest teams", [row["threads_most"] for row in job.rows("omp_process")], [2, 2])
        expect("by its entry points, another one by OMPT" in " ".join(job.run.text.split()), "the report does not say how each is seen")


# Tools

def test_openmp_program_sees_no_tool():
    """omp_control_tool says that there is none (-2), not that there is one without commands (-1)."""
    for environment in ({}, {"OMP_TOOL": "disabled"}):
        job = Job("", place_of("harm", "control"), environment=environment)
        expect_equal("output without the profiler", job.run.native.stdout, b"-2 -2\n")
        expect_same(job.run, stderr=True)


# Forks within a call

def test_openmp_fork_within_a_call():
    """The child comes back from a call of the runtime that its parent made, to a profiler that knows nothing of it."""
    for how in ("fork", "clone", "handler"):
        job = Job("", place_of("harm", "fork"), [how])
        expect_equal("status without the profiler", job.run.native.status, 0)
        expect_same(job.run, stderr=True)


# A defect of a runtime that only tools meet

def test_openmp_first_thread_ends_before_others():
    """LLVM's runtime reports critical sections on behalf of its first thread, and would crash when that has ended."""
    job = Job("", place_of("harm", "first"))
    expect_equal("output without the profiler", job.run.native.stdout, b"120000\n")
    expect_same(job.run)
    expect(any("first thread" in note for note in job.run.report["notes"]), "no note: %r", job.run.report["notes"])
