# SPDX-License-Identifier: MIT
"""Signals: the program must not notice sampling."""
import os
import subprocess

from support import (RUN, built, check_laws, check_same, clean_environment, expect, expect_between, expect_same, full, routine, run, scratch,
                     skip, unsampled_seconds)

BESIDE = True


def test_blocking_calls_are_not_interrupted():
    """14 blocking calls under samples at the highest rate return neither early nor EINTR. covers: C42, C43"""
    one = check_same("eintr", options=["--sample", "1000"])
    expect(one.profiled.stdout.count(b": ok") == 14, "not all 14 calls are ok: %r", one.profiled.stdout)


@full
def test_blocking_calls_beside_computing_threads():
    """The same while another thread uses its CPU time. covers: C42"""
    check_same("eintr", ["busy"], options=["--sample", "1000"])


@full
def test_waits_for_io_uring_are_not_interrupted():
    """io_uring runs deferred work in the middle of a wait, and timers on CPU clocks come by it: the call is made again. covers: C42"""
    for how in ("call", "constant", "register"):
        one = check_same("uring_waits", [how], options=["--sample", "1000"], laws=False)
        if one.native.stdout.startswith(b"no io_uring"):
            skip(one.native.stdout.decode().strip())
        expect(b" 0 times EINTR" in one.profiled.stdout, "%s: %r", how, one.profiled.stdout)


def test_handlers_end_waits_for_io_uring():
    """Where the program has a handler, each of its signals ends the wait that it hits."""
    one = check_same("uring_waits", ["handled"], options=["--sample", "1000"], laws=False)
    if one.native.stdout.startswith(b"no io_uring"):
        skip(one.native.stdout.decode().strip())


def test_signal_masks_read_back():
    """A program sees exactly the masks that it set, and inherits, and is sampled nevertheless."""
    one = check_same("signals", ["masks"])
    expect(sum(t["samples"] for t in one.report["threads"]) > 0, "no samples in a program that blocks all signals")


def test_sigwait_with_a_full_set():
    """sigwait and sigwaitinfo return the program's signals alone. covers: C42"""
    check_same("signals", ["sigwait"], options=["--sample", "1000"])


def test_handlers_for_every_signal():
    """A program that takes every signal keeps every signal. covers: E69, E73"""
    check_same("signals", ["handlers"], laws=False)


def test_saved_and_restored_handlers():
    """All handlers saved, replaced, restored, three times. covers: E69, E73"""
    check_same("signals", ["chain"], laws=False)


def test_small_alternate_stack():
    """A thread with an alternate stack of 8 KiB is sampled. covers: C39"""
    check_same("signals", ["altstack"], options=["--sample", "1000"])


def test_samples_inside_a_handler_on_a_small_stack():
    """Handlers that run on an alternate stack of 8 KiB are interrupted by samples. covers: C39, C40"""
    check_same("signals", ["altstack_nested"], options=["--sample", "1000"])


def test_owner_of_sigprof():
    """A program with setitimer(ITIMER_PROF) keeps its signal. covers: E71, E72"""
    check_same("signals", ["prof"])


def test_every_signal_set_to_default():
    """Setting all signals to their defaults must not let a sample kill the program. covers: D50"""
    check_same("signals", ["default"], laws=False)


def check_poked(kinds, names):
    one = run("poked", kinds)
    expect_same(one)
    check_laws(one.report)
    truth = one.truth
    expect_between("CPU time of the routine that is poked", routine(one.report, "compute")["total_seconds"],
                   truth["computed"] - unsampled_seconds(one.report), truth["computed"], 0.03, 0.01)
    # Some instructions take less than a microsecond of CPU time.
    found = [r["total_seconds"] for r in one.report["routines"] if r["name"] in names]
    expect_between("CPU time of %s" % " and ".join(names), sum(found), 0, 2e-6 * truth["ticks"], 0, 0.03)
    return truth


def test_a_handler_does_not_get_what_it_interrupts():
    """A thread gets a thousand signals a second: the time belongs to what it computes, not to the handler."""
    check_poked([], ["tick"])


def test_a_routine_that_a_handler_calls_does_not_get_it_either():
    """The handler makes its thread call a routine, as Go's preemption does: the time belongs to the interrupted code."""
    truth = check_poked(["call"], ["call", "made_up"])
    if not truth["can_call"]:
        skip("the program cannot do that on this processor")


@full
def test_a_thread_that_takes_the_processor_when_it_is_woken():
    """Linux counts a woken thread's CPU time from the wake-up on, also what is left of the interrupt that woke it. Beside programs with a
    thousand signals a second that is 0.1 ms of each switch, more than all its own time: states still add up to its life."""
    others = [RUN, "-q", "--sample", "1000", "-o"]
    beside = [subprocess.Popen(others + [os.path.join(scratch(), "beside%d" % i), built("cut_calls"), kind], env=clean_environment(),
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for i, kind in enumerate(("ended", "masked"))]
    try:
        for kinds in ([], ["call"]):
            check_laws(run("poked", kinds).report)
    finally:
        for one in beside:
            one.wait()


def test_a_signal_that_ends_a_call_together_with_a_sample():
    """Of two signals the kernel delivers the thread's own first: the sample. A handler without SA_RESTART ends the call all the same."""
    check_same("cut_calls", ["ended"], options=["--sample", "1000"])


def test_a_call_with_a_mask_of_its_own_that_a_sample_ends():
    """ppoll has taken its mask back when the sample's handler returns: the signal that was to end it is handled before it ends."""
    check_same("cut_calls", ["masked"], options=["--sample", "1000"])


def test_a_system_call_with_a_mask_of_its_own_that_a_sample_ends():
    """The same where the program makes the call by libc's syscall()."""
    check_same("cut_calls", ["raw"], options=["--sample", "1000"])


def test_sigpause_that_a_sample_ends():
    """Both kinds of it take their masks back before the signal that is due is handled; they are made again."""
    check_same("cut_calls", ["paused"], options=["--sample", "1000"])
