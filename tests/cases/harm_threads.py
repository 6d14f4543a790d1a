# SPDX-License-Identifier: MIT
"""Programs that were once harmed: threads, waits, stacks and signals must behave as they do without the profiler."""
import os

from profile_file import profiles
from support import RUN, built, check_laws, check_same, execute, expect, expect_equal, expect_same, full, need, run, scratch, skip

BESIDE = True  # no case asserts a time


def notes_hold(one, words):
    expect(any(words in note for note in one.report["notes"]), "no note says %r: %r", words, one.report["notes"])


# Calls

def test_bad_clocks_and_times():
    """Timed calls refuse a bad clock or time also where the object is free."""
    check_same("harm_calls", ["bad"])


def test_free_semaphores_are_cancellation_points():
    """A semaphore's wait acts on a cancellation where libc's does although it need not wait."""
    one = check_same("harm_calls", ["cancel"])
    expect(b"0: cancelled" in one.profiled.stdout, "sem_wait on a free semaphore was not cancelled")


def test_errno_is_left_alone():
    """Joins that time out or succeed, and samples, leave errno as it was."""
    one = check_same("harm_calls", ["errno"])
    expect(b"errno 77" in one.profiled.stdout, "errno: %r", one.profiled.stdout)


# Threads

def test_handles_in_memory_that_is_gone():
    """The thread unmaps the memory that holds its handle before pthread_create returns."""
    check_same("harm_threads", ["handle", 2000])


@full
def test_threads_beyond_the_limit():
    """More threads at once than there are records: all go on, unobserved ones at no more than a few ns a call."""
    one = run("harm_threads", ["crowd", 8300])
    if one.native.status == 3:
        skip("this machine has no room for 8,300 threads")
    expect_same(one)
    notes_hold(one, "unobserved")


def test_threads_of_a_process_that_cannot_write():
    """A daemon gives up its rights, then starts 400 threads: the profile cannot grow, and nothing becomes slow."""
    if os.geteuid() != 0:
        skip("only root can give up rights")
    check_same("harm_threads", ["jail", 400], laws=False)


# Children that come back from the middle of a call

def fork_case(*arguments):
    one = check_same("harm_fork", arguments, laws=False)
    expect(b"child goes on" in one.profiled.stdout, "no child went on: %r", one.profiled.stdout)
    return one


def test_fork_in_a_routine_of_once():
    """pthread_once and call_once return in a child of their routine."""
    fork_case("once")
    fork_case("c11")


@full
def test_fork_in_a_handler_that_interrupted_a_wait():
    """nanosleep, sem_wait, sigtimedwait, a condition and a join return in a child of a handler."""
    for kind in ("sleep", "sem", "sigwait", "cond", "join"):
        fork_case(kind)
        fork_case(kind, "raw")


def test_child_that_locks_its_memory():
    """A fork child locks all its memory, as daemons do, before it is worth a profile."""
    fork_case("locked")


def test_raw_clone_that_starts_threads():
    """The child of a raw clone starts threads: its parent's profile holds the parent's calls alone."""
    one = check_same("harm_fork", ["clone"], laws=False)
    found = profiles(one)
    expect_equal("profiles", len(found), 2)
    # parent: one thread before, one in goes_on and itself; child: four threads
    expect_equal("locks", sorted(p.counts()["MUTEX_LOCK"] for p in found), [3000, 4000])


# Stacks

def stack_case(*arguments, **settings):
    """The program alone: its threads are too short for the laws of sampling."""
    return check_same("harm_stacks", arguments, options=["--sample", "1000"], laws=False, **settings)


@full
def test_code_on_stacks_of_the_programs():
    """Samples and waits on stacks between pages that nobody may read."""
    stack_case("coroutine")


@full
def test_stacks_smaller_than_usual():
    """Thread-local memory of 2 MiB, a stack of the program's, another default, another limit."""
    import resource
    stack_case("local")
    stack_case("given")
    stack_case("default")
    stack_case("coroutine", limits={resource.RLIMIT_STACK: 1 << 20})


@full
def test_alternate_stacks_too_small_for_samples():
    """What lies below stays as it was; the thread's CPU time is unsampled, and a note says why."""
    for size in (2048, 4096):
        one = stack_case("small", size)
        stack_case("fork", size)
        if size == 2048:
            notes_hold(one, "has no room for samples")


@full
def test_alternate_stacks_of_the_usual_size():
    """8 KiB are enough for samples, also in a child."""
    one = stack_case("small", 8192)
    expect(sum(t["samples"] for t in one.report["threads"]) > 10, "no samples on an alternate stack of 8 KiB")
    stack_case("fork", 16384)


def test_threads_that_need_their_whole_stack():
    """Threads that use all but 3 KiB of the smallest stack there is: libc's, and one of the program's own."""
    for kind in ("asked", "given"):
        one = check_same("harm_small_stack", [kind], options=["--sample", "1000"], laws=False)
    notes_hold(one, "has no room for samples")


def test_handler_that_leaves_its_stack():
    """A handler on the alternate stack switches to another context: its frame is still there when it comes back."""
    one = stack_case("left")
    notes_hold(one, "swapcontext")


# Signals

def test_all_real_time_signals_are_the_programs():
    """Blocked and pending, waited for, interrupting a read, by default: as without the profiler."""
    check_same("harm_signals", ["real-time"], options=["--sample", "1000"], laws=False)


def test_jumps_out_of_a_fault():
    """A handler jumps out of SIGSEGV many times a second while samples come."""
    one = check_same("harm_signals", ["jump"], options=["--sample", "1000"])
    expect(sum(t["samples"] for t in one.report["threads"]) > 10, "no samples")


@full
def test_users_change_while_samples_come():
    """libc changes the user of all threads by a signal of its own, which is the one that samples come by."""
    one = check_same("harm_signals", ["user"], options=["--sample", "1000"], laws=False)
    expect(sum(t["samples"] for t in one.report["threads"]) > 10, "sampling stopped")


def test_faults_of_all_kinds():
    """stress-ng provokes faults, also with the processor's counter forbidden."""
    command = [need("stress-ng"), "--no-rand-seed", "--sigsegv", "1", "--sigsegv-ops", "3000", "-q"]
    one = run(command[0], command[1:])
    expect_same(one)


# The signal that samples share with libc. See docs/dev/hazards.md for what blocks it.

def setxid_case(scene):
    one = check_same("harm_setxid", [scene], options=["--sample", "1000"], laws=False)
    expect(one.profiled.stdout.endswith(b"%s: done\n" % scene.encode()), "it did not end: %r", one.profiled.stdout)


def test_user_changes_beside_a_handler():
    """A handler on an alternate stack waits for a thread that changes its user, by a pipe and by spinning."""
    setxid_case("handler_waits")
    setxid_case("handler_spins")


def test_user_changes_after_a_handler_was_left():
    """By _longjmp, longjmp, siglongjmp and setcontext."""
    setxid_case("after_jumps")
    setxid_case("after_context")


def test_user_changes_beside_exec_and_fork():
    """Another thread's exec fails again and again; it spawns, forks, opens pipes to commands."""
    for scene in ["failing_exec", "spawn", "fork", "popen"]:
        setxid_case(scene)


def test_user_changes_beside_births_and_growth():
    """Another thread makes threads; new objects, so that the profile grows; blocks all signals; ends the process."""
    for scene in ["thread", "growth", "blocked", "exit"]:
        setxid_case(scene)


def test_masks_of_handlers_on_alternate_stacks():
    """What is blocked in them, after them, and in threads and processes that they make."""
    check_same("harm_handlers", ["masks"], options=["--sample", "1000"], laws=False)


def test_actions_of_handlers_on_alternate_stacks():
    """What sigaction, signal and siginterrupt say of them, and whether they are called."""
    check_same("harm_handlers", ["actions"], laws=False)


def test_handlers_that_call_what_they_replaced():
    """They know it from libc's own sigaction; or there are more of them than the profiler has routines for."""
    for kind in ["chain", "other", "many"]:
        check_same("harm_replaced_handlers", [kind], options=["--sample", "1000"], laws=False)


def test_handlers_that_use_all_of_their_stack():
    """They compute for a tenth of a second on a stack that has no room for a sample any more."""
    check_same("harm_handlers", ["deep"], options=["--sample", "1000"], laws=False)


def test_samples_after_jumps_out_of_alternate_stacks():
    """A thread is sampled after its handlers were left by a thousand jumps."""
    one = check_same("harm_handlers", ["jumps"], options=["--sample", "1000"])
    expect(sum(t["samples"] for t in one.report["threads"]) > 20, "sampling stopped")


def test_environments_that_cannot_be_read():
    """exec and posix_spawn say EFAULT of them, as the kernel does."""
    check_same("harm_unreadable", laws=False)


def test_exec_that_fails_makes_few_system_calls():
    """Each path that is tried costs two system calls of ours at most, and each call one; what comes afterwards is in the profile."""
    strace, rounds = need("strace"), (20, 80)
    one = check_same("harm_failing_exec", laws=False)
    cpu_seconds = sum(thread["cpu_seconds"] for thread in one.report["threads"])
    expect(cpu_seconds >= 0.2, "the profile has %.3f s of CPU time, of 0.2", cpu_seconds)
    trace = os.path.join(scratch(), "trace")
    traced = execute([strace, "-f", "-o", trace, RUN, "-q", "-o", os.path.join(scratch(), "run"), built("harm_failing_exec")])
    if traced.status:
        skip("strace may not trace here: %s" % traced.stderr_text()[-200:])
    with open(trace, encoding="utf-8", errors="replace") as file:
        calls = [line.split(None, 1)[1] for line in file]
    begins = [i for i, call in enumerate(calls) if call.startswith('execve("/nonexistent/nothing"')]
    ours = [c for c in calls[begins[rounds[0]]:begins[rounds[1]]] if not c.startswith(("execve(", "--- SIG", "rt_sigreturn"))]
    each = len(ours) / (rounds[1] - rounds[0])
    # Three calls, five paths, one of them there; a sample may come.
    expect(each <= 3 + 5 + 1 + 1, "%.1f system calls of ours in a round of three calls", each)


# Sandboxes

def sandbox_case(kind, note):
    one = check_same("harm_sandbox", [kind], options=["--sample", "1000"], laws=False)
    if note:
        notes_hold(one, note)


@full
def test_strict_seccomp():
    """A worker in seccomp's strict mode computes, locks and writes its result; entered by prctl, and by syscall(SYS_prctl)."""
    sandbox_case("strict", "sandbox")
    sandbox_case("strict_by_syscall", "sandbox")


@full
def test_seccomp_filter_that_kills():
    """A filter that kills for every call but five, by prctl and by seccomp itself."""
    sandbox_case("filter", "sandbox")
    sandbox_case("filter_by_syscall", "sandbox")


def test_sealed_children():
    """Children seal themselves before they did anything else, and after; their execs fail, they lock, sleep, read, make threads, end."""
    sandbox_case("child", None)
    sandbox_case("vfork_child", None)


def test_sealed_threads():
    """A thread seals itself, or all threads, in the middle of what these do."""
    sandbox_case("thread", "sandbox")
    sandbox_case("threads", "sandbox")


@full
def test_system_calls_that_are_dispatched():
    """A process for which system calls are signals (as Wine's are)."""
    sandbox_case("dispatch", "sandbox")


@full
def test_forbidden_counter():
    """A process for which reading the processor's counter is a fault."""
    sandbox_case("counter", "counter")


# The end of a process

@full
def test_waiting_for_a_process_costs_its_parent_nothing():
    """Threads end just before their process does, and their parent shares a processor with them: it must not spin in waitpid until the kernel
    has forgotten what the profiler looked up of each thread. That took 40 % of the processes' own CPU time; natively it is 0.1 %."""
    one = run("reaped", ["joined", "20"])
    expect_same(one)
    check_laws(one.report)
    expect(one.truth["waiting"] <= 0.05 * one.truth["used"], "waitpid took %.4f s of CPU time, the %d processes %.4f s; allowed: 5 %%",
           one.truth["waiting"], one.truth["processes"], one.truth["used"])


# Handlers in the middle of the profiler's own work

def test_handlers_that_count():
    """Handlers post semaphores wherever fresh threads are in counting and growing: every call is counted, by its object's kind."""
    one = check_same("handler_counts", ["return"])
    calls = {name: sum(row["count"] for row in one.report["synchronization"] if (row["kind"], row["operation"]) == name)
             for name in (("mutex", "lock"), ("semaphore", "post"))}
    expect_equal("locks of mutexes", calls["mutex", "lock"], int(one.truth["LOCKS"]))
    expect_equal("posts of semaphores", calls["semaphore", "post"], int(one.truth["POSTS"]))


def test_handlers_that_count_and_jump():
    """The same with handlers that never come back: nothing is damaged."""
    check_same("handler_counts", ["jump"], complete=False)


def test_real_time_threads_on_one_processor():
    """Threads of different real-time priorities share a processor: none waits for one that it keeps from running."""
    one = run("real_time")
    if one.native.status == 77:
        skip("the system refuses SCHED_FIFO")
    expect_same(one)
