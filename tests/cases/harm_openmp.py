# SPDX-License-Identifier: MIT
"""Programs that an interposer of OpenMP runtimes has harmed once: stand-ins, tools, forks inside calls."""
import os

from openmp_job import Job
from support import BUILD, expect_equal, expect_same, skip

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
