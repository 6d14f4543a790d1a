# SPDX-License-Identifier: MIT
"""What times the calls that are made a million times a second: the processor's counter or the kernel's clock (preload/base/tsc_clock.h)."""
from call_counts import check_sums, expect_counts, profiled
from profile_file import Profile
from support import expect, expect_equal

BESIDE = True  # no case asserts a time

COUNTER, KERNEL = 1, 2


def clock_of(one):
    return Profile(one.profiles()[0]).rows["process"][0]["quick_clock"]


def test_either_clock_gives_times_that_add_up():
    """As on machines whose kernel trusts the counter, and on others."""
    for name, kind in (("counter", COUNTER), ("kernel", KERNEL)):
        one = profiled("plain", environment={"PTRACE_CLOCK": name})
        expect_equal("clock", clock_of(one), kind)
        rows = expect_counts(one)
        check_sums(one)
        for routine, least in (("outer", 50 * 100e-6), ("inner", 150 * 200e-6)):
            expect(rows[routine]["self_seconds"] >= least, "%s by %s: %r, spins %g s", routine, name, rows[routine], least)


def test_the_clock_is_judged_where_nothing_is_said():
    """Also where what is said is no clock: as for every variable of the profiler's, the default counts."""
    for environment in ({}, {"PTRACE_CLOCK": "sundial"}):
        expect(clock_of(profiled("plain", environment=environment)) in (COUNTER, KERNEL), "the clock is not known with %s", environment)
