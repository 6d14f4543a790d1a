# SPDX-License-Identifier: MIT
"""Real MPI programs, as the distribution ships them, under the MPI for which each was built.

The same output but for times, the same status, the laws of every report; what one rank sent to another is what the other
got from it; and a program that does the same twice is reported the same twice. Two ranks: MPICH's never yield."""
import os
import re

import support
from mpi_job import COUNTED, LIBRARIES, TRAFFIC, each_library, job_environment, launcher
from support import RUN, check_laws, clean_environment, execute, expect, expect_equal, fail, need, report_json, scratch, skip

BESIDE = True  # no case asserts a time
FULL = "programs of packages of their own, each for many seconds; mpi_calls has the calls"

RANKS = 2
NUMBER = re.compile(r"\d+\.\d+(e[-+]\d+)?", re.I)


class Program:
    """Runs of one command in a directory of its own; `prepare` puts the input there, `result` takes the output out of it."""

    def __init__(self, library, command, prepare=None, result=lambda directory, stdout: stdout):
        self.library, self.command, self.prepare, self.result = library, command, prepare, result

    def run(self, tool=()):
        """(status, output)"""
        directory = scratch()
        if self.prepare:
            self.prepare(directory)
        done = execute(launcher(self.library, RANKS) + list(tool) + self.command, environment=clean_environment(job_environment()),
                       directory=directory)
        return done.status, self.result(directory, done.stdout.decode(errors="replace"))

    def profile(self):
        """(status, output, report)"""
        directory = os.path.join(scratch(), "run")
        status, output = self.run([RUN, "-q", "-o", directory, "--"])
        return status, output, report_json(directory)


def check_ranks(mpi):
    expect_equal("ranks", [(r["rank"], r["size"], r["finalized"]) for r in mpi["ranks"]], [(n, RANKS, True) for n in range(RANKS)])


def check_messages(mpi):
    """For programs that receive all that they send."""
    pairs = {(p["rank"], p["peer"]): p for p in mpi["peers"]}
    expect(pairs, "no rank sent anything")
    for (rank, peer), there in pairs.items():
        back = pairs.get((peer, rank)) or fail("rank %d and %d have messages, %d and %d none", rank, peer, peer, rank)
        expect_equal("messages and bytes from %d to %d, as sent and as received" % (rank, peer),
                     (there["messages"], there["bytes"]), (back["received_messages"], back["received_bytes"]))


def check_once(mpi):
    """Each rank begins and ends once."""
    calls = {c["call"]: c["count"] for c in mpi["calls"]}
    expect_equal("MPI_Init and MPI_Finalize", (calls.get("MPI_Init"), calls.get("MPI_Finalize")), (RANKS, RANKS))


def check_program(program):
    """Returns (output, report)."""
    native = program.run()
    expect_equal("status without the profiler", native[0], 0)
    if support.NATIVE_ONLY:
        skip("native only")
    status, output, report = program.profile()
    expect_equal("status", status, native[0])
    for line, expected in zip(output, native[1]):
        expect_equal("output", line, expected)
    expect_equal("lines of output", len(output), len(native[1]))
    check_laws(report)
    expect(report["mpi"], "the report has no part \"mpi\"")
    check_ranks(report["mpi"])
    check_once(report["mpi"])
    check_messages(report["mpi"])
    return output, report


def counts(report, without=()):
    return {c["call"]: tuple(c[f] for f in COUNTED) for c in report["mpi"]["calls"] if c["call"] not in without}


def peers(report):
    return {(p["rank"], p["peer"]): tuple(p[f] for f in TRAFFIC) for p in report["mpi"]["peers"]}


def check_twice(program, report, without=()):
    again = program.profile()[2]
    expect_equal("calls of two runs", counts(again, without), counts(report, without))
    expect_equal("messages of two runs", peers(again), peers(report))


# hpcc: all of it is checked by itself; its benchmarks repeat themselves as time allows

def hpcc_input(directory):
    """The example that comes with it, made small."""
    example = "/usr/share/doc/hpcc/examples/_hpccinf.txt"
    if not os.path.exists(example):
        skip("%s is not there: documentation is not installed here" % example)
    with open(example) as file:
        lines = file.read().splitlines()
    lines[5], lines[7], lines[10], lines[11] = "120 Ns", "20 NBs", "1 Ps", "2 Qs"
    with open(os.path.join(directory, "hpccinf.txt"), "w") as file:
        file.write("\n".join(lines) + "\n")


def hpcc_result(directory, stdout):
    """What its tests found: passed or failed, errors, the residual of the solution; times and rates left out. PTRANS says a
    thing once more for CPU time, if its clock has advanced meanwhile."""
    with open(os.path.join(directory, "hpccoutf.txt")) as file:
        lines = [line for line in file.read().splitlines() if re.search(r"pass|fail|error|success|validate|\|\|Ax-b", line, re.I)]
        lines = [line for line in lines if not line.startswith("CPU")]
    found = [line if line.startswith("||") else NUMBER.sub("#", line.split("PASSED")[0]) for line in lines]
    expect(sum("PASSED" in line for line in lines) >= 5 and "Success=1" in found, "hpcc's tests did not pass: %s", lines)
    return found + stdout.splitlines()


def test_mpi_hpcc():
    """Linpack, PTRANS, random access, FFT, latency: C, derived types, cancelled and probed messages."""
    program = Program("openmpi", [need("hpcc")], hpcc_input, hpcc_result)
    check_program(program)


# NetPIPE: with a fixed number of repetitions, all counts are those of its source

NETPIPE = {"openmpi": "NPopenmpi", "mpich": "NPmpich2"}


def netpipe_result(directory, stdout):
    """Sizes and rates go to stderr, and the file has rates as well: sizes alone."""
    with open(os.path.join(directory, "np.out")) as file:
        return [line.split()[0] for line in file]


def netpipe(library, *options):
    command = [need(NETPIPE[library]), "-n", "10", "-u", "8192", "-o", "np.out"] + list(options)
    program = Program(library, command, result=netpipe_result)
    sizes, report = check_program(program)
    check_twice(program, report)
    expect(len(sizes) > 40, "NetPIPE had %d sizes", len(sizes))
    return counts(report), peers(report)


def check_equal_under_all(options):
    found = {}

    def one(library):
        found[library] = netpipe(library, *options)

    each_library(one)
    if len(found) == len(LIBRARIES):
        expect_equal("calls and messages under %s and %s" % LIBRARIES, found[LIBRARIES[0]], found[LIBRARIES[1]])


def test_mpi_netpipe():
    """A benchmark of messages: the same calls, messages and bytes in each run, and under each MPI."""
    check_equal_under_all(())


def test_mpi_netpipe_asynchronous():
    """The same with receives posted before."""
    check_equal_under_all(("-a",))


# ScaLAPACK: Fortran and C, with a communication layer of its own

# Its layer asks as long as it takes whether buffers are free again.
SCALAPACK_TIMED = {"MPI_Testall"}


def scalapack_result(words_kept):
    """What each test was, and the last words of its line: verdict, and residual where there is one. Not its time and rate."""
    def result(directory, stdout):
        tests = [line.split() for line in stdout.splitlines() if line.startswith("WALL")]
        expect(len(tests) >= 12 and all(words[-1] == "PASSED" for words in tests), "ScaLAPACK's tests did not pass: %s", tests[-3:])
        return [words[:-4] + words[-words_kept:] for words in tests] + [l for l in stdout.splitlines() if " tests " in l]
    return result


# Title of a line of input: what is to stand there. Fewer right sides, and the grids that two ranks can form.
SCALAPACK_INPUT = {"process grids": "2", "processor grids": "2", "values of P": "1 2", "values of Q": "2 1", "number of NRHS's": "1",
                   "Number of NBRHS's": "1"}


def scalapack_line(line):
    for title, values in SCALAPACK_INPUT.items():
        if title in line:
            return "%s %s\n" % (values, title)
    return line


def scalapack(library, name, data, words_kept):
    directory = "/usr/lib/x86_64-linux-gnu/scalapack/%s-tests" % library
    path = os.path.join(directory, name)
    if not os.path.exists(path):
        skip("%s is not there: scalapack-mpi-test is not installed" % path)

    def prepare(where):
        with open(os.path.join(directory, data)) as file:
            lines = [scalapack_line(line) for line in file]
        with open(os.path.join(where, data), "w") as file:
            file.writelines(lines)

    program = Program(library, [path], prepare, scalapack_result(words_kept))
    report = check_program(program)[1]
    check_twice(program, report, SCALAPACK_TIMED)
    calls = counts(report)
    for call in ("MPI_Pack", "MPI_Isend", "MPI_Type_match_size"):
        expect(call in calls, "%s is not in the report; it has %s", call, ", ".join(sorted(calls)))


def test_mpi_scalapack_lu():
    """Linear equations: broadcasts and reductions of types of its own."""
    each_library(lambda library: scalapack(library, "xdlu", "LU.dat", 1))


def test_mpi_scalapack_tridiagonal():
    """The same residuals to the last digit that is printed."""
    each_library(lambda library: scalapack(library, "xdtrd", "TRD.dat", 2))
