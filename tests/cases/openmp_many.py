# SPDX-License-Identifier: MIT
"""Programs with more parallel regions than tables have rows: what is left out is reported, and the program does not notice."""
import os
import subprocess

import support
from openmp_job import Job
from support import check_laws, expect, expect_equal, expect_same, full, need, scratch

BESIDE = True  # no case asserts a time

EACH = 3


def generated(regions):
    """A program with so many regions, each executed three times by two threads."""
    place = scratch()
    source, program = os.path.join(place, "many.c"), os.path.join(place, "many")
    functions = "".join("__attribute__((noinline)) static void f%d(void)\n{\n#pragma omp parallel num_threads(2)\n"
                        "\t__atomic_add_fetch(&bodies, 1, 5);\n}\n" % number for number in range(regions))
    calls = "".join("f%d();" % number for number in range(regions))
    with open(source, "w") as file:
        file.write("#include <stdio.h>\nstatic volatile int bodies;\n%sint main(void)\n{\nfor (int i = 0; i < %d; i++) { %s }\n"
                   "printf(\"%%d\\n\", bodies);\nreturn bodies != %d;\n}\n" % (functions, EACH, calls, 2 * EACH * regions))
    done = subprocess.run([need("gcc"), "-fopenmp", "-O0", "-g", "-o", program, source], stderr=subprocess.DEVNULL)
    return program if done.returncode == 0 else support.skip("gcc has no OpenMP here")


def regions_of(count):
    job = Job("gomp", generated(count))
    expect_same(job.run, stderr=True)
    expect_equal("status", job.run.profiled.status, 0)
    check_laws(job.run.report)
    for row in job.rows("omp_executions"):
        parts = [row[k] for k in ("fork_ns", "work_ns", "wait_ns", "join_ns")]
        expect_equal("parts of the time", sum(parts), row["team"] * row["elapsed_ns"])
        expect_equal("members", row["members"], row["team"] * row["count"])
    for path in job.run.profiles():
        expect(os.path.getsize(path) < 4 << 20, "the profile has %d bytes", os.path.getsize(path))
    return job


def test_openmp_eight_hundred_regions():
    """All of them, with all of their executions."""
    job = regions_of(800)
    expect_equal("regions", len(job.openmp["regions"]), 800)
    expect_equal("executions of each", {r["count"] for r in job.openmp["regions"]}, {EACH})
    expect_equal("names", {r["routine"] for r in job.openmp["regions"]}, {"f%d" % n for n in range(800)})


def left_out(count):
    """Counted, or reported as left out."""
    job = regions_of(count)
    executions, notes = job.sum("omp_executions", "count"), " | ".join(job.run.report["notes"])
    expect(executions <= EACH * count, "executions: %d, the program had %d", executions, EACH * count)
    if executions < EACH * count:
        expect("OpenMP" in notes or "[other]" in notes, "%d of %d executions are missing, and no note says so: %s", EACH * count - executions,
               EACH * count, notes)
    expect_equal("regions that were never executed", [r["routine"] for r in job.openmp["regions"] if not r["count"]][:3], [])
    seconds = job.openmp["region_seconds"] + job.openmp["serial_seconds"]
    expect(seconds <= job.run.report["processes"][0]["elapsed_seconds"] * 1.01 + 0.001, "in regions and alone %.6f, of %.6f s", seconds,
           job.run.report["processes"][0]["elapsed_seconds"])


@full
def test_openmp_fifteen_hundred_regions():
    left_out(1500)


@full
def test_openmp_more_regions_than_the_table_holds():
    left_out(2300)
