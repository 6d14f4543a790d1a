# SPDX-License-Identifier: MIT
"""What the cases of OpenMP use: a program of tests/programs/openmp under each runtime, its profiles' tables, its report.

Counts come from the tables, by docs/dev/format.md alone (format_reader.py); names, sums over threads and figures from the report.
Programs run with two threads, unless the case says otherwise."""
import os
import re
import sys

import support
from support import BUILD, ROOT, Failure, Skip, TimeFailure, expect, expect_equal, fail, part_skipped, run, timed

sys.path.append(os.path.join(ROOT, "tests"))
from format_reader import read_profile  # noqa: E402

RUNTIMES = ("gomp", "libomp")
TEAM = 2
CAUSE_OPENMP = 13
ENVIRONMENT = {"OMP_NUM_THREADS": str(TEAM)}
PROGRAMS = ("ramp", "serial", "critical", "schedules", "nested", "tasks", "cancel", "oversubscribed", "mixed", "forking", "sections",
            "reductions", "doacross", "exceptions", "ramp_fortran", "recursive")


def vocabulary(macro):
    """The names of a list in vocabulary.h; a name's number is its place there."""
    with open(os.path.join(ROOT, "preload", "file", "vocabulary.h")) as file:
        return re.findall(r"^\s*%s\((\w+), \"" % macro, file.read(), re.M)


CONSTRUCTS, OPERATIONS = vocabulary("CONSTRUCT"), vocabulary("OPERATION")


class Job:
    """A program natively and profiled (support.Run), and the tables of its profiles."""

    def __init__(self, runtime, program, arguments=(), options=(), environment=None, **settings):
        path = program if os.path.isabs(program) else os.path.join(BUILD, "programs", "openmp", runtime, program)
        if not os.path.exists(path):
            support.skip("%s was not built for %s" % (program, runtime))
        if runtime == "libomp" and not os.access("/dev/shm", os.W_OK):
            support.skip("without /dev/shm programs of libomp end at their first region")
        self.runtime = runtime
        self.run = run(path, arguments, options=options, environment=dict(ENVIRONMENT, **environment or {}), **settings)
        self._profiles = None

    @property
    def truth(self):
        return self.run.truth

    @property
    def is_libomp(self):
        """True also if the program was built for libgomp, and in a process that has both."""
        return self.runtime != "gomp" or (self.run.profiled.truth or {}).get("runtime") == "libomp"

    @property
    def openmp(self):
        """The report's part."""
        return self.run.report["openmp"] or fail("the report has no part \"openmp\"")

    @property
    def profiles(self):
        """[(header, tables)], one for each process image."""
        if self._profiles is None:
            self._profiles = [read_profile(path) for path in self.run.profiles()]
        return self._profiles

    def rows(self, table, pid=None):
        """Of all images, or of one process's."""
        return [row for header, tables in self.profiles if pid in (None, header["pid"]) for row in tables[table]]

    def sum(self, table, column, **keys):
        """Of the rows that have these keys."""
        return sum(row[column] for row in self.rows(table) if all(row[k] == v for k, v in keys.items()))

    def met(self, construct, column="count"):
        """A construct's sum over threads, places and regions."""
        return self.sum("omp_constructs", column, construct=CONSTRUCTS.index(construct))

    def calls(self, operation):
        """Calls of a lock's operation, with and without a wait."""
        number = OPERATIONS.index(operation)
        return self.sum("tallies", "count", operation=number) + self.sum("waits", "count", operation=number)

    def check_laws(self, complete=True):
        """LLVM's runtime yields while it spins. Where another program takes the processor at each yield, the ticks of the kernel, which
        samples are taken at, seldom meet the thread that spins: how much of its CPU time follows its last sample is anybody's guess."""
        support.check_laws(self.run.report, sampling=not self.is_libomp, complete=complete)

    def regions(self, routine):
        """The report's rows of a routine."""
        return [r for r in self.openmp["regions"] if r["routine"] == routine]

    def region(self, routine, line=None):
        rows = [r for r in self.regions(routine) if line in (None, r["line"])]
        expect(len(rows) == 1, "regions of %s at line %s: %d, expected 1; there are %s", routine, line, len(rows),
               ", ".join("%s:%s" % (r["routine"], r["line"]) for r in self.openmp["regions"]))
        return rows[0]


def told_region(job, routine):
    """The program's truth of a region."""
    return [r for r in job.truth["regions"] if r["routine"] == routine][0]


def first_floor(runtime):
    """LLVM's runtime starts up (2 to 10 ms) within the call of the first region, before OMPT reports that region."""
    return 0.002 if runtime == "gomp" else 0.02


def each_of(names, check):
    """check(name) for each; every failure is reported with its name. What could not be run is reported and counted; skipped only if none could."""
    failures, again, reasons = [], [], []
    for name in names:
        try:
            check(name)
        except Skip as reason:
            reasons.append(str(reason))
        except Failure as failure:
            (again if isinstance(failure, TimeFailure) else failures).append("%s: %s" % (name, failure))
    if failures:
        raise Failure("; ".join(failures + again))
    if again:
        raise TimeFailure("; ".join(again))
    if len(reasons) == len(names):
        raise Skip(reasons[0])
    for reason in reasons:
        part_skipped(reason)


def each_runtime(check, *arguments):
    """check(runtime, ...) for each."""
    each_of(RUNTIMES, lambda runtime: check(runtime, *arguments))


def each_program(check, programs=PROGRAMS):
    """check(runtime, program) for each program under each runtime."""
    each_of(programs, lambda program: each_runtime(check, program))


# For checks of times: what they assert in timing() is tried again.
undisturbed = timed("other programs had the processors")


def expect_count(job, what, got, wanted):
    expect_equal("%s: %s" % (os.path.basename(job.run.command[0]), what), got, wanted)
