# SPDX-License-Identifier: MIT
"""How many system calls and page faults the profiler adds to a program: costs that can be counted."""
import glob
import os
import re

from support import RUN, clean_environment, execute, expect, need, run, scratch, skip

BESIDE = True  # no case asserts a time

# To load the library (10), to learn what the process is and may do, to open and close its profile, to begin and end its first thread.
MOST_ADDED = 84

# To make and delete a timer, to read clocks, usage and name at begin and end.
MOST_ADDED_BY_THREAD = 12

# Of ptrace-run itself: to start, to look at the program and at what it would not inherit (a call for each descriptor), for the run directory,
# to start the program, and to end its profile.
MOST_OF_RUN = 156

# Page faults of a process until its main, and of a child of fork that ends at once.
MOST_PAGES = {"own": 100, "child": 75}


def traced(command, of=None):
    """Lines of system calls of the program, or of the command `of`, from its exec on."""
    of = of or command[-1]
    prefix = os.path.join(scratch(), "calls")
    # beside variables of a launcher of ranks, ptrace-run looks for it among its ancestors, however many they are
    environment = {name: value for name, value in clean_environment().items() if not name.startswith("OMPI_")}
    result = execute([need("strace"), "-ff", "-o", prefix] + command, environment)
    if result.status and "ptrace" in result.stderr_text():
        skip("strace may not trace here: %s" % result.stderr_text()[-200:])
    expect(result.status == 0, "status %d: %s", result.status, result.stderr_text()[-300:])
    for path in glob.glob(prefix + ".*"):
        with open(path, errors="replace") as file:
            lines = [line for line in file if re.match(r"\w+\(", line)]
        starts = [i for i, line in enumerate(lines) if line.startswith('execve("%s"' % of)]
        if starts:
            return lines[starts[-1]:]
    return skip("strace saw no exec of %s" % of)


def work_of(calls):
    """Without how often it looks whether the program has ended, and further parts of a long file: both depend on what else runs."""
    is_read = [line.startswith("read(") for line in calls]
    return [line for line, read, was_read in zip(calls, is_read, [False] + is_read)
            if not (read and was_read) and not re.match(r"(ppoll|wait4|rt_sigtimedwait|rt_sigpending)\(", line)]


def test_a_process_without_threads():
    """Without samples, whose number depends on the machine: a timer and its signals would be a few more."""
    program = need("true")
    native = traced([program])
    ours = traced([RUN, "-q", "--sample", "0", "-o", os.path.join(scratch(), "run"), program])
    added = len(ours) - len(native)
    expect(any("libptrace" in line for line in ours), "the library is not in the trace")
    expect(added <= MOST_ADDED, "%d system calls, natively %d: %d are added, at most %d should be:\n%s", len(ours), len(native), added, MOST_ADDED,
           "".join(ours))


def test_the_launcher_itself():
    """Between the caller and the program."""
    calls = work_of(traced([RUN, "-q", "-o", os.path.join(scratch(), "run"), need("true")], of=RUN))
    expect(calls[-1].startswith(("exit", "+++")), "its last call is %s", calls[-1])
    expect(len(calls) <= MOST_OF_RUN, "ptrace-run makes %d system calls, at most %d should be:\n%s", len(calls), MOST_OF_RUN, "".join(calls))


def test_a_thread():
    """One that never leaves its processor, by the kernel's count: strace would make it leave."""
    one = run("birth_calls")
    if not one.truth["can_count"]:
        skip("the kernel's event raw_syscalls:sys_enter cannot be opened here")
    added = one.truth["calls"] - one.native.truth["calls"]
    expect(0 < added <= MOST_ADDED_BY_THREAD, "a thread makes %.1f system calls, natively %.1f: %.1f are added, at most %d should be",
           one.truth["calls"], one.native.truth["calls"], added, MOST_ADDED_BY_THREAD)


def test_pages_of_a_process_and_of_a_child():
    """Tables that a process never uses are not touched: 75 and 55 pages of 4 KiB, where it was 125 and 113."""
    one = run("page_faults")
    if one.truth["page"] != 4096:
        skip("pages have %d bytes here" % one.truth["page"])
    for what, most in MOST_PAGES.items():
        added = one.truth[what] - one.native.truth[what]
        expect(0 < added <= most, "%s: %d page faults, natively %d: at most %d more", what, one.truth[what], one.native.truth[what], most)
