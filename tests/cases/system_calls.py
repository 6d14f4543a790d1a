# SPDX-License-Identifier: MIT
"""How many system calls the profiler adds to a program: a cost that can be counted, the same on any machine."""
import glob
import os
import re

from support import RUN, clean_environment, execute, expect, need, scratch, skip

BESIDE = True  # no case asserts a time

# To load the library (10), to learn what the process is and may do, to open and close its profile, to begin and end its first thread.
MOST_ADDED = 95


def traced(command):
    """Lines of system calls of the program, from its exec on."""
    prefix = os.path.join(scratch(), "calls")
    result = execute([need("strace"), "-ff", "-o", prefix] + command, clean_environment())
    if result.status and "ptrace" in result.stderr_text():
        skip("strace may not trace here: %s" % result.stderr_text()[-200:])
    expect(result.status == 0, "status %d: %s", result.status, result.stderr_text()[-300:])
    for path in glob.glob(prefix + ".*"):
        with open(path, errors="replace") as file:
            lines = [line for line in file if re.match(r"\w+\(", line)]
        starts = [i for i, line in enumerate(lines) if line.startswith('execve("%s"' % command[-1])]
        if starts:
            return lines[starts[-1]:]
    return skip("strace saw no exec of %s" % command[-1])


def test_a_process_without_threads():
    """Without samples, whose number depends on the machine: a timer and its signals would be a few more."""
    program = need("true")
    native = traced([program])
    ours = traced([RUN, "-q", "--sample", "0", "-o", os.path.join(scratch(), "run"), program])
    added = len(ours) - len(native)
    expect(any("libptrace" in line for line in ours), "the library is not in the trace")
    expect(added <= MOST_ADDED, "%d system calls, natively %d: %d are added, at most %d should be:\n%s", len(ours), len(native), added, MOST_ADDED,
           "".join(ours))
