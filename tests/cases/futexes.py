# SPDX-License-Identifier: MIT
"""Futexes that programs use themselves, by libc's syscall(): counted, measured as waits, charged to who woke; and left as they are."""
import re

from counting import total_counts
from left_waits import rows, seconds
from profile_file import causes, profiles
from support import blame_of, check_laws, expect, expect_equal, expect_near, full, run, timed, timing, waits

BESIDE = True

COUNT = 1000
LATE = "waiters lost their processors before they waited"

# What a wait measures around the program's own clock readings, and a switch to another thread; samples find a jump.
SLACK, NOTICED = 0.01, 0.02
YIELDS = 0.03


def same(program, *arguments, laws=True, **settings):
    """Results, errno, output and status are those of the bare program; threads may tell theirs in any order."""
    one = run(program, arguments, **settings)
    native, profiled = one.native, one.profiled
    expect_equal("status (%s)" % profiled.stderr_text()[-200:], profiled.status, native.status)
    expect_equal("output", sorted(profiled.stdout.splitlines()), sorted(native.stdout.splitlines()))
    if laws:
        check_laws(one.report, sampling=False)
        check_law_of_blame(one)
    return one


def check_law_of_blame(one):
    """Of the cause, to the nanosecond."""
    cause = causes().index("FUTEX")
    for profile in profiles(one):
        waited = sum(row["sum_ns"] for row in profile.rows["waits"] if row["cause"] == cause)
        blamed = sum(row["time_ns"] for row in profile.rows["blame"] if row["cause"] == cause)
        expect_equal("blame for futexes", blamed, waited)


def futex_counts(one):
    return {name: count for name, count in total_counts(one).items() if name.startswith("FUTEX") and count}


def measured(one, operation="FUTEX_WAIT"):
    """Waits of an operation, and their time."""
    found, _ = rows(one, operation)
    return sum(row["count"] for row in found), seconds(found)


def check_wait(one, count=1, operation="FUTEX_WAIT", floor=SLACK):
    got, time = measured(one, operation)
    expect_equal("waits", got, count)
    with timing():
        expect_near("time in them", time, one.truth["waited"], 0.03, floor)


def check_blame(one, name, *routines):
    """All of the waiting for that object is these routines'."""
    found = waits(one.report, "futex", name)
    expect(found, "no futex %s: %s", name, [r["name"] for r in waits(one.report, "futex")])
    whole = sum(row["wait_seconds"] for row in found)
    expect_near("blame of %s" % ", ".join(routines), sum(blame_of(found, routine) for routine in routines), whole, 0.01, 0.0005)


# Counts, times, blame

@timed(LATE)
def test_each_operation_is_counted():
    """What does not wait has no wait: a value that changed, a wrong argument. Time-outs of every kind are waits."""
    one = same("futexes", "calls", COUNT)
    expect_equal("calls", futex_counts(one), {
        # the value had changed three times; no address
        "FUTEX_WAIT": 3 * COUNT + 1,
        # five time-outs, and a wrong time
        "FUTEX_TIMEDWAIT": 6, "FUTEX_WAKE": 3 * COUNT, "FUTEX_REQUEUE": 3 * COUNT, "FUTEX_TRYLOCK": COUNT, "FUTEX_UNLOCK": COUNT + 1})
    expect_equal("waits that were none", measured(one)[0], 0)
    found, _ = rows(one, "FUTEX_TIMEDWAIT")
    expect_equal("waits, time-outs", (sum(r["count"] for r in found), sum(r["timeouts"] for r in found)), (5, 5))
    with timing():
        expect_near("time in them", seconds(found), one.truth["timed_out"], 0.03, SLACK)
    check_blame(one, "gate", "[time-out]")


@timed(LATE)
def test_who_wakes_is_to_blame():
    """Two threads wait for a third."""
    one = same("futexes", "late")
    check_wait(one, 2)
    check_blame(one, "gate", "open_gate")


@timed(LATE)
def test_waiters_that_are_moved():
    """They keep the object that they began with, and who moved them is to blame for all of their waits."""
    one = same("futexes", "moved")
    check_wait(one, 2)
    check_blame(one, "gate", "move_to_second")


@timed(LATE)
def test_who_wakes_nobody_is_not_to_blame():
    """Other bits, a value that changed, a lock of another thread; FUTEX_WAKE_OP at the address that it leaves alone."""
    one = same("futexes", "innocent")
    check_wait(one, 2)
    check_blame(one, "gate", "open_gate")
    check_blame(one, "second", "wake_nobody")


@timed(LATE)
def test_wait_for_any():
    """futex_waitv: one wait without an object, which timed out; the others were refused."""
    one = same("futexes", "any")
    expect_equal("calls", total_counts(one).get("FUTEX_WAIT_ANY"), 3)
    if one.truth["is_known"]:
        check_wait(one, 1, "FUTEX_WAIT_ANY")


@timed(LATE)
def test_locks_of_the_kernel():
    """FUTEX_LOCK_PI: who gives it back is to blame. A lock that was free is a wait, too: the kernel does not say."""
    one = same("futexes", "locks")
    counts = total_counts(one)
    # one of the three is refused: the thread has it already
    expect_equal("locks, unlocks", (counts["FUTEX_LOCK"], counts["FUTEX_UNLOCK"]), (3, 2))
    check_wait(one, 2, "FUTEX_LOCK")
    check_blame(one, "pi_lock", "hold_lock", "[unknown]")


@timed(LATE)
def test_without_synchronization():
    """--no-sync: nothing of it is in the profile."""
    one = same("futexes", "late", laws=False, options=["--no-sync"])
    expect_equal("counts", futex_counts(one), {})


# What is built on them

def check_named(program, kind, waiter, waker, name=None):
    one = same(program, kind)
    row = max(waits(one.report, "futex", operation="wait"), key=lambda r: r["wait_seconds"])
    check_wait_of(one, row, waiter, waker)
    wanted = name or "futex waited for at " + waiter
    expect(row["name"].startswith(wanted), "the futex is %s, not %s", row["name"], wanted)
    names = [r["name"] for r in one.report["routines"]] + [r["name"] for r in one.report["synchronization"]]
    expect(not any(re.search(r"::h[0-9a-f]{16}|^_(Z|R)", text) for text in names), "a name is mangled: %s", names)


def check_wait_of(one, row, waiter, waker):
    # libstdc++ yields some times before it waits: on a busy machine for a time slice each
    with timing():
        expect_near("waiting", row["wait_seconds"], one.truth["waited"], 0.03, YIELDS)
    expect_equal("who waited", {w["routine"] for w in row["waiters"]}, {waiter})
    expect_near("blame of %s" % waker, blame_of([row], waker), row["wait_seconds"], 0.01, 0.0005)


@full
@timed(LATE)
def test_latches_barriers_semaphores_atomics_of_cxx():
    """Places are the program's, not the library's. std::barrier waits in an array of the library, which says nothing."""
    for kind, waiter, waker, name in (("latch", "wait_for_start", "begin_start", "start"), ("barrier", "meet", "meet_late", "futex waited for as barrier at consumer::meet"),
                                      ("semaphore", "take_piece", "give_piece", "pieces"), ("atomic", "wait_for_number", "set_number", "number")):
        check_named("futexes_cxx", kind, "consumer::" + waiter, waker, name)


@timed(LATE)
def test_locks_of_rust():
    """Mutex, Condvar, park and channels: frames of the library are left out."""
    for kind, waiter, waker, name in (("mutex", "take_table", "hold_table", "futexes_rust::TABLE"), ("condvar", "wait_for_news", "give_news", None),
                                      ("park", "be_parked", "unpark_first", None), ("channel", "receive", "send_late", None)):
        check_named("futexes_rust", kind, "futexes_rust::" + waiter, "futexes_rust::" + waker, name)


# Harm

@timed(LATE)
def test_signals_during_a_wait():
    """With SA_RESTART the wait goes on; without it failed, and nobody is to blame."""
    one = same("futexes_hostile", "restarted")
    check_wait(one)
    check_blame(one, "gate", "open_gate")
    one = same("futexes_hostile", "interrupted")
    check_wait(one)
    check_blame(one, "gate", "[unknown]")


@timed(LATE)
def test_cancellation_of_a_wait():
    """syscall() is no cancellation point; asynchronous cancellation leaves it."""
    one = same("futexes_hostile", "deferred")
    check_wait(one)
    check_blame(one, "gate", "open_gate")
    one = same("futexes_hostile", "cancelled")
    expect_equal("waits", measured(one)[0], 1)
    check_blame(one, "gate", "[unknown]")


def test_jump_out_of_a_wait():
    """It is over at the thread's next sample, and later waits are waits."""
    one = same("futexes_hostile", "jump")
    found, _ = rows(one, "FUTEX_TIMEDWAIT")
    expect_equal("waits after it", sum(row["count"] for row in found), 3)
    expect_equal("waits that were left", measured(one)[0], 1)
    check_blame(one, "gate", "[unknown]")


@timed(LATE)
def test_children_while_others_wait():
    """fork, vfork and clone by a thread while two wait; the children use futexes themselves."""
    one = same("futexes_hostile", "forked")
    expect_equal("processes", len(one.report["processes"]), 2)
    with timing():
        expect_near("waiting for the gate", sum(r["wait_seconds"] for r in waits(one.report, "futex", "gate", "wait")), one.truth["waited"], 0.03, SLACK)
    for kind in "vforked", "cloned":
        check_wait(same("futexes_hostile", kind), 2)


@timed(LATE)
def test_clone_with_the_same_thread_local_memory():
    """It waits while the thread that made it does: that thread's wait is its own, the clone's are counted."""
    one = same("futexes_hostile", "twin")
    check_wait(one)
    expect_equal("waits of the clone: measured, counted", (measured(one, "FUTEX_TIMEDWAIT")[0], total_counts(one)["FUTEX_TIMEDWAIT"]), (0, 3))


@timed(LATE)
def test_futex_of_two_processes():
    """A page that two processes share: who woke is not known in the other."""
    one = same("futexes_hostile", "shared")
    with timing():
        expect_near("waiting", sum(r["wait_seconds"] for r in waits(one.report, "futex", operation="wait")), one.truth["waited"], 0.03, SLACK)


@timed(LATE)
def test_handler_that_wakes():
    """A signal handler wakes: its routine is to blame."""
    one = same("futexes_hostile", "handler")
    check_wait(one)
    check_blame(one, "gate", "open_gate")


@timed(LATE)
def test_threads_that_end():
    """A thread ends while others wait; another one as the owner of a lock, which the kernel gives to who waits."""
    one = same("futexes_hostile", "gone")
    check_wait(one, 2)
    check_blame(one, "gate", "open_gate")
    one = same("futexes_hostile", "robust")
    expect_equal("locks", measured(one, "FUTEX_LOCK")[0], 2)
