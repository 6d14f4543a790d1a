# SPDX-License-Identifier: MIT
"""What kind of machine was measured: figures of one kind say little about another."""
import os
import pathlib
import platform
import time

from measure import profiled, run
from profile_file import Profile

CLOCK_SOURCE = pathlib.Path("/sys/devices/system/clocksource/clocksource0/current_clocksource")
QUICK_CLOCKS = {1: "the processor's counter", 2: "the kernel's clock"}
CALLS = 20000


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def least_ns(call):
    """Of one call, as the least of some batches."""
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter_ns()
        for _ in range(CALLS):
            call()
        best = min(best, (time.perf_counter_ns() - start) / CALLS)
    return best


def quick_clock(scratch):
    """What times the shortest calls, as the profile of a process says."""
    directory = scratch / "clock"
    run(profiled(["true"], directory))
    return QUICK_CLOCKS.get(Profile(str(next(directory.glob("*.profile")))).rows["process"][0]["quick_clock"], "not known")


def print_machine(scratch):
    source = CLOCK_SOURCE.read_text().strip() if CLOCK_SOURCE.exists() else "not known"
    system_call = least_ns(os.getppid) - least_ns(lambda: None)
    print("%s, %d processors, kernel %s; clock source %s, quick clock %s; a system call takes some %.0f ns; load %.1f.\n" % (
        processor(), os.cpu_count(), platform.release(), source, quick_clock(scratch), system_call, os.getloadavg()[0]), flush=True)
