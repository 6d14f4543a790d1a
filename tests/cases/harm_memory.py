# SPDX-License-Identifier: MIT
"""Limits of memory: what the profiler takes of them, in bytes, and programs that stay just within them.

Limits count mappings, touched or not: RLIMIT_AS all of them, RLIMIT_DATA those that are private and can be written, RLIMIT_MEMLOCK
what is locked, and mlockall(MCL_CURRENT) compares it with all addresses."""
import os
import pathlib
import re
import resource
import shutil

import support
from harm_files import both, expect_note, limited
from mpi_job import built as built_for_mpi
from support import BUILD, RUN, built, clean_environment, execute, expect, expect_equal, expect_same, full, report_json, run, scratch, skip

BESIDE = True  # no case asserts a time

MIB = 1 << 20
# What the profiler may take: addresses, data, what mlockall locks of it.
BARS = {"VmSize": 6 * MIB, "VmData": 2 * MIB, "VmLck": MIB}


def figures(text):
    return {name: 1024 * int(kib) for name, kib in re.findall(r"^(VmSize|VmData|VmLck):\s*(\d+) kB$", text, re.M)}


def expect_within_bars(what, native, profiled, names=BARS):
    for name in names:
        bar = BARS[name]
        taken = profiled[name] - native[name]
        print("%s: %.2f MiB of %s" % (what, taken / MIB, name))
        expect(taken <= bar, "%s: %d KiB more of %s, at most %d", what, taken >> 10, name, bar >> 10)


def check_threads(count):
    command = [built("memory_limits"), "sizes", str(count)]
    native = execute(command).stdout.decode()
    profiled = execute([RUN, "-q", "-o", os.path.join(scratch(), "run"), "--"] + command).stdout.decode()
    expect("not locked" not in native + profiled, "mlockall: %s %s", native, profiled)
    expect_within_bars("%d threads" % count, figures(native), figures(profiled))


def test_memory_taken_of_a_program_with_one_thread():
    check_threads(1)


def test_memory_taken_of_a_program_with_two_threads():
    check_threads(2)


def test_memory_taken_of_a_program_with_ten_threads():
    check_threads(10)


def sizes_at_exit(command, environment, is_profiled=False):
    """The least of three runs: how many arenas malloc makes depends on what its threads do at once."""
    least = {}
    for number in range(3):
        place = scratch()
        variables = dict(clean_environment(environment), SIZES_FILE=os.path.join(place, "sizes"), LD_PRELOAD=built("libsizes.so"))
        launch = [RUN, "-q", "-o", os.path.join(place, "run"), "--"] if is_profiled else []
        result = execute(launch + command, variables)
        expect_equal("status of run %d" % number, result.status, 0)
        files = [os.path.join(place, name) for name in os.listdir(place) if name.startswith("sizes.")]
        # of ptrace-run itself there is one as well: it is no process of the run
        texts = [pathlib.Path(file).read_text() for file in files]
        of_program = [figures(text) for text in texts if "Name:\t%s\n" % os.path.basename(command[0])[:15] in text]
        expect_equal("processes of the program", len(of_program), 1)
        for name, value in of_program[0].items():
            least[name] = min(value, least.get(name, value))
    return least


def check_at_exit(what, command, environment):
    native = sizes_at_exit(command, environment)
    expect_within_bars(what, native, sizes_at_exit(command, environment, True), ("VmSize", "VmData"))


def test_memory_taken_of_an_openmp_program():
    """Four threads of libgomp, which malloc gives arenas."""
    program = os.path.join(BUILD, "programs", "openmp", "gomp", "critical")
    if not os.path.exists(program):
        skip("not built: %s" % program)
    check_at_exit("OpenMP", [program], {"OMP_NUM_THREADS": "4"})


def test_memory_taken_of_an_mpi_program():
    """Its first thread has a record for MPI, and there is a table of requests."""
    check_at_exit("MPI", [built_for_mpi("openmpi", "singleton")], {})


def need_usual_limit():
    hard = resource.getrlimit(resource.RLIMIT_MEMLOCK)[1]
    if hard != resource.RLIM_INFINITY and hard < 8 * MIB:
        skip("only %d bytes may be locked here" % hard)


def test_memory_is_locked_within_the_usual_limit():
    """mlockall by who has no right to lock more than 8 MiB, as the kernel gives them to users; what is left of these is the program's."""
    need_usual_limit()
    profiled, directory = both([built("memory_limits"), "lock"])
    expect_equal("output", profiled.stdout, "present: 0\nfuture: 0\n4 MiB more: 1\n")
    expect_equal("processes", len(report_json(directory)["processes"]), 1)


def test_program_that_locks_all_it_may():
    """Nothing is left for the profile: it grows no further, and says so."""
    need_usual_limit()
    _, directory = both([built("memory_limits"), "brim"])
    expect_note(directory, "could not grow (error 11")


def test_limit_of_data():
    """RLIMIT_DATA: 14 MiB of 16 are the program's."""
    profiled, directory = both([built("memory_limits"), "data"])
    expect_equal("output", profiled.stdout, "thread: 0\n6 MiB: 1\n")
    expect_equal("threads", len(report_json(directory)["threads"]), 2)


def test_smallest_limits_of_addresses():
    """RLIMIT_AS: from where the program itself has room for its thread, it has it under the profiler as well; from 16 MiB on with a
    profile (below, ptrace-run runs the program unprofiled)."""
    command = [built("memory_limits"), "thread"]
    for mib in range(11, 20):
        profiled, directory = both(command, limited(resource.RLIMIT_AS, mib * MIB))
        expect_equal("output with %d MiB" % mib, profiled.stdout, "thread: 0\n")
        expect_equal("a profile with %d MiB" % mib, os.path.exists(directory), mib >= 16)
        if mib >= 16:
            expect_equal("threads with %d MiB" % mib, len(report_json(directory)["threads"]), 2)


def test_under_a_memory_checker():
    """memcheck, which reads all memory at the end of each process, finds nothing that it may not touch."""
    valgrind = shutil.which("valgrind") or skip("no valgrind")
    one = run(valgrind, ["-q", built("leaves_memory")])
    expect_same(one)
    expect_equal("children", one.profiled.stdout, b"child: 300\n" * 2)


@full
def test_under_checkers_of_threads():
    """helgrind and drd find nothing in a clean program: the profiler stays out, as it locks and counts in ways unknown to them."""
    valgrind = shutil.which("valgrind") or skip("no valgrind")
    for tool in ("helgrind", "drd"):
        one = run(valgrind, ["-q", "--tool=" + tool, built("leaves_memory")])
        expect_same(one)
        expect("==" not in one.profiled.stderr_text(), "%s: %s", tool, one.profiled.stderr_text()[:300])
