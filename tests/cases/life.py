# SPDX-License-Identifier: MIT
"""Birth and death of threads: exceptions, cancellation, exits, many threads, forks from threads."""
import os

from profile_file import profiles
from support import alone, check_laws, check_same, expect, expect_equal, expect_same, full, run, skip

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


@full
@alone
def test_short_lived_threads():
    """100,000 threads one after the other, at the highest rate: each is counted once; the file stays small. covers: C41, F81

    Alone, as they use up all numbers of processes (32768 by default) in a second, and whoever signals a process by a
    number that is no longer its own hits another one: mpirun of Open MPI sends SIGTERM a second after a rank's end."""
    one = check_same("threads", ["churn", 100000], options=["--sample", "1000"])
    started = sum(row["threads_started"] for p in profiles(one) for row in p.rows["process"])
    expect_equal("threads seen", started, 100002)
    size = sum(os.path.getsize(p) for p in one.profiles())
    expect(size <= 16 << 20, "profile has %d bytes, at most 16 MiB", size)


def test_process_that_takes_long_to_exit():
    """Threads that compute on while the process's last system call takes 0.3 s: nothing of that is in the profile."""
    one = run("at_exit", ["slow"])
    if one.native.status == 77:
        skip("one process may not trace another here")
    expect_equal("status", one.profiled.status, one.native.status)
    check_laws(one.report)
    rest = one.report["run"]["elapsed_seconds"] - one.truth["held"]
    lives = sorted(p["elapsed_seconds"] for p in one.report["processes"])
    expect(len(lives) == 2 and lives[0] < rest, "processes lived %s s, all but what it was held: %.6f s", lives, rest)


def test_counts_of_a_thread_that_lives_at_the_end():
    """Its switches and page faults are those of its whole life, although no wrapper saw it since its birth."""
    one = run("at_exit", ["counts"])
    expect_same(one)
    check_laws(one.report)
    thread = max(one.report["threads"], key=lambda t: t["voluntary_switches"])
    # The program counted right before its last sleep, from before the profiler prepared the thread. Pages that a kernel took back
    # meanwhile, as one does that is short of memory, are faulted in once more.
    for what, wanted, later in (("voluntary_switches", one.truth["voluntary"], 3), ("minor_faults", one.truth["minor"], 30)):
        expect(wanted - 30 <= thread[what] <= wanted + later, "%s: %d, the thread counted %d", what, thread[what], wanted)


@full
def test_many_threads_at_once():
    """1,000 threads alive at once. covers: F81"""
    one = check_same("threads", ["crowd", 1000])
    peak = max(row["threads_peak"] for p in profiles(one) for row in p.rows["process"])
    expect_equal("most threads at once", peak, 1001)
    expect_equal("the run is complete", one.report["run"]["complete"], True)


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
