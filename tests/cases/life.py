# SPDX-License-Identifier: MIT
"""Birth and death of threads: exceptions, cancellation, exits, many threads, forks from threads."""
import os

from profile_file import profiles
from support import (check_laws, check_same, expect, expect_equal, expect_same, run)

BESIDE = True  # no case asserts a time


def test_exceptions_in_a_loop():
    """Two threads throw and catch under samples at the highest rate. covers: C33, C45, E67"""
    check_same("exceptions", ["throw"], options=["--sample", "1000"])


def test_exceptions_through_locks():
    """Locks of libstdc++ with time-outs, given back by unwinding. covers: B22, B23"""
    check_same("exceptions", ["locks"])


def test_cancellation_runs_destructors():
    """Cancelled in each blocking call that is wrapped: all destructors and clean-up handlers run. covers: E65, E66"""
    one = check_same("exceptions", ["cancel"])
    expect(b"lost" not in one.profiled.stdout, "destructors were lost: %r", one.profiled.stdout)


def test_asynchronous_cancellation():
    """A computing thread is cancelled at any instruction, under samples. covers: E66"""
    check_same("exceptions", ["async"], options=["--sample", "1000"])


def test_pthread_exit_runs_destructors():
    """pthread_exit from below, and from main while another thread goes on. covers: E65"""
    check_same("exceptions", ["exit"])


def test_short_lived_threads():
    """100,000 threads one after the other, at the highest rate: each is counted once; the file stays small. covers: C41, F81"""
    one = check_same("threads", ["churn", 100000], options=["--sample", "1000"], timeout=120)
    started = sum(row["threads_started"] for p in profiles(one) for row in p.rows["process"])
    expect_equal("threads seen", started, 100002)
    size = sum(os.path.getsize(p) for p in one.profiles())
    expect(size <= 16 << 20, "profile has %d bytes, at most 16 MiB", size)


def test_many_threads_at_once():
    """1,000 threads alive at once. covers: F81"""
    one = check_same("threads", ["crowd", 1000])
    peak = max(row["threads_peak"] for p in profiles(one) for row in p.rows["process"])
    expect_equal("most threads at once", peak, 1001)


def test_thread_specific_destructors_that_lock():
    """Locks taken after the thread's routine has ended are counted, too. covers: C41"""
    one = check_same("threads", ["keys", 50])
    found = sum(p.counts()["MUTEX_LOCK"] for p in profiles(one))
    expect_equal("locks in destructors of thread-specific data", found, one.truth["count"])


def test_names_of_threads():
    """pthread_setname_np and prctl."""
    one = check_same("threads", ["names"])
    names = {t["name"] for t in one.report["threads"]}
    expect({"by-pthread", "by-prctl"} <= names, "names %s lack by-pthread or by-prctl", names)


def test_detached_threads():
    """Nobody joins them; their counts are there."""
    one = check_same("threads", ["detached", 50])
    expect_equal("locks", sum(p.counts()["MUTEX_LOCK"] for p in profiles(one)), one.truth["count"])


def test_thread_unknown_to_libc():
    """A thread made by clone(2). covers: B28"""
    one = run("threads", ["raw"])
    expect_same(one)
    expect(one.report["processes"], "no process in the report")


def test_fork_from_a_thread():
    """A thread forks while another locks and allocates; children lock, too. covers: D46, D57, D59, F82"""
    one = run("threads", ["fork", 30])
    expect_same(one)
    expect_equal("processes", len(one.report["processes"]), 31)
    check_laws(one.report)
