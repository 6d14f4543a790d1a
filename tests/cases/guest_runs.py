# SPDX-License-Identifier: MIT
"""What runs in the virtual machines of AArch64: all of it in two, each booted once for all cases that look at what it left.

One has one processor: there times and counters are exact, as no thread waits for another one's turn. The other has two, which
sign return addresses."""
import os
import shutil
import sys

import guest
from support import ROOT, once, profile_paths, run

sys.path.append(os.path.join(ROOT, "tests"))
from format_reader import read_profile  # noqa: E402

WAITERS = 2
HERE = "here"
# Each natively and profiled.
ON_ONE = {"holder": ["mutex", WAITERS], "harm_sandbox": ["filter_by_syscall"], "futexes": ["late"]}
ON_TWO = {"counts": [2000], "instrumented_pg": ["threads"]}
UNIT_TESTS = ("test_unwind_handler", "test_unwind_look", "test_stack_memo", "test_module_map", "test_mutex_word", "test_rows", "test_store",
              "test_descriptors", "test_tsc_clock")
LOOP_ROUNDS = 20000000  # threads execute 2, 4 and 6 times as many instructions, the first thread as many
USER = "cycles:u,instructions:u"
ACCESS = "/proc/sys/kernel/perf_user_access=1"  # threads may read counters themselves
PERIOD = 10000000  # of samples of instructions: the emulation interrupts at ticks of 4 ms alone
# More events than the processor has counters for, each a group of its own: as ptrace-run passes them on.
TURNS = 9
TURNING = ";".join("%d 0 1 0 0 1 0 count turn%d" % (n, n) for n in range(1, TURNS + 1))
# {label: (options, settings)} of runs of the loops
LOOPS = {"loops_counts": (["-s", "50", "-e", USER], []),
         "loops_direct": (["-s", "50", "-e", USER], [ACCESS]),
         "loops_ipc": (["-s", "50", "-e", "ipc,branch,software"], []),
         "loops_sampled": (["-s", "50", "-e", "instructions:u@%d" % PERIOD], []),
         "loops_turning": (["-s", "50"], ["PTRACE_EVENTS=" + TURNING])}


def twice(programs):
    """Commands that run programs natively, and profiled."""
    commands = []
    for name, arguments in programs.items():
        path = guest.cross_built("tests/" + name)[0]
        commands += [[name + ".native", path] + arguments, [name, guest.RUN, "--quiet", "--output", "run", path] + arguments]
    return commands


def loops():
    path = guest.cross_built("tests/counted")[0]
    return [[label] + settings + [guest.RUN, "--quiet", "--output", "run"] + options + [path, "loops", str(LOOP_ROUNDS)]
            for label, (options, settings) in LOOPS.items()]


def modules_of(directory):
    """Paths of the files that a profile knows symbols of."""
    return {row["path"] for path in profile_paths(directory) for row in read_profile(path)[1]["modules"]}


def boot_one(directory):
    reader, _ = guest.cross_built("bin/ptrace-report", "lib/libptrace.so")
    here = run("holder", ["mutex", WAITERS])
    here.profiled
    kept = os.path.join(directory, HERE)
    shutil.copytree(here.directory, kept)
    # of the run's files, not of the copy of the program below them
    files = [entry.path for entry in os.scandir(kept) if entry.is_file()] + sorted(filter(os.path.isfile, modules_of(kept)))
    report = ["report", reader, "--format", "json", "--top", "0", kept]
    guest.boot(directory, "counting", 1, loops() + twice(ON_ONE) + [report], files)


def boot_two(directory):
    units = list(zip(UNIT_TESTS, guest.cross_built(*("tests/unit/preload/" + name for name in UNIT_TESTS))))
    guest.boot(directory, "signing", 2, twice(ON_TWO) + units)


def one_processor():
    """What that machine left; HERE in it is the run of this machine that it has reported of."""
    guest.cross_built("bin/ptrace-run", "tests/guest_init")
    return guest.Left(once("guest-one", boot_one))


def two_processors():
    guest.cross_built("bin/ptrace-run", "tests/guest_init")
    return guest.Left(once("guest-two", boot_two))
