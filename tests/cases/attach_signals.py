# SPDX-License-Identifier: MIT
"""Signals of a program that is attached to again and again: each comes once, whole, in its order, and ends what it would have ended.
tests/programs/attach_signals.c and attach_handlers.c count them themselves."""
import os
import random
import re
import signal
import subprocess
import time

from support import ATTACH, RUN, TIMEOUT, built, burner, clean_environment, execute, expect, expect_equal, full, read_line, report_json, scratch

BESIDE = True

# What may be said to one that stops, ends, or is never where a library can be loaded.
HARMLESS = re.compile(r"is stopped: let it go on|at no place where|does not exist|no thread that could be stopped|zombie|ended before|is about to end|is being profiled already|is busy with what must|has ended|"
                      r"has no libptrace.so|does not let thread")


def start(*words, program="attach_signals"):
    """The program, and the number of the process that is to be attached to."""
    process = subprocess.Popen([built(program), *words], stdout=subprocess.PIPE, text=True, env=clean_environment())
    said = read_line(process).split()
    expect_equal("the first line", said[:1], ["target"])
    return process, int(said[1])


def end(process):
    process.kill()
    process.communicate()


def attach_again_and_again(process, target):
    """Until the program has ended. Returns how often it worked."""
    run, worked = os.path.join(scratch(), "run"), 0
    for turn in range(200):
        if process.poll() is not None:
            break
        result = subprocess.run([ATTACH, "-q", "--wait", "1", "--seconds", "0.02", "-o", "%s%d" % (run, turn), str(target)], capture_output=True,
                                text=True, timeout=TIMEOUT, env=clean_environment())
        expect(result.returncode == 0 or HARMLESS.search(result.stderr), "%d %r", result.returncode, result.stderr)
        worked += result.returncode == 0
    return worked


def counted(mode, program):
    """How often the program was attached to, in whose own count nothing is wrong."""
    process, target = start(mode, program=program)
    try:
        worked = attach_again_and_again(process, target)
        said = process.communicate(timeout=TIMEOUT)[0]
    finally:
        end(process)
    match = re.fullmatch(r"rounds (\d+) wrong (\d+)\n", said)
    expect(process.returncode == 0 and match, "%s ended with %d and says %r", mode, process.returncode, said)
    expect(int(match.group(1)) > 0 and match.group(2) == "0", "%s, attached to %d times: %s", mode, worked, said)
    return worked


def counts_itself(mode, may_fail=False, program="attach_signals"):
    """Again if ptrace-attach had no processor in the seconds that the program lasts."""
    expect(any(counted(mode, program) for _ in range(1 if may_fail else 5)) or may_fail, "%s was never attached to", mode)


def test_queued_values_come_once_and_in_order():
    """2,000 of another process, with code, sender and value."""
    counts_itself("queue")


def test_a_raised_signal_is_handled_when_raise_returns():
    """By a thread to itself."""
    counts_itself("raise")


def test_each_sigterm_is_answered():
    """The next one is sent when the handler has run."""
    counts_itself("handled")


def test_timers_go_on():
    """Each expiry arms the next one, with its code and value."""
    counts_itself("timers")


def test_waits_with_a_mask_of_their_own():
    """ppoll, pselect, epoll_pwait and sigsuspend are ended by what they let in."""
    counts_itself("waits")


def test_a_thread_that_changes_the_group_of_all():
    """It waits for the handler of each other thread: nobody may block that signal."""
    counts_itself("groups")


def test_a_library_is_loaded_beside_births_and_changes_of_the_group():
    """What dlopen holds, who creates a thread waits for; what dlopen waits for, the one has who changes the group, and waits for that birth."""
    for turn in range(20):
        process, target = start("births")
        try:
            result = subprocess.run([ATTACH, "-q", "-o", "%s%d" % (os.path.join(scratch(), "run"), turn), str(target)], capture_output=True,
                                    text=True, timeout=TIMEOUT, env=clean_environment())
            expect_equal("ptrace-attach in turn %d" % turn, (result.returncode, result.stderr), (0, ""))
            process.send_signal(signal.SIGUSR1)
            said = process.communicate(timeout=TIMEOUT)[0]
        finally:
            end(process)
        expect(process.returncode == 0 and said.endswith(" wrong 0\n"), "turn %d: status %d, %r", turn, process.returncode, said)


def test_stops_of_the_process():
    """Its parent is told of each SIGSTOP and SIGCONT."""
    counts_itself("stops")


def test_a_thread_that_blocks_everything():
    """Mask and handlers stay: the kernel would take that of a blocked SIGTRAP away."""
    counts_itself("blocked")


def test_a_thread_in_vfork():
    """It cannot be stopped before its child ends, and is left without a trap on its way."""
    counts_itself("vfork", may_fail=True)


def test_sigterm_ends_a_program():
    """While it is being attached to, at any instant: status -15."""
    run = os.path.join(scratch(), "run")
    for turn in range(8):
        process, target = start("default")
        try:
            attaching = subprocess.Popen([ATTACH, "-q", "--wait", "1", "-o", "%s%d" % (run, turn), str(target)], stderr=subprocess.DEVNULL,
                                         env=clean_environment())
            wait_traced(target, attaching)
            time.sleep(random.uniform(0, 0.002))
            process.terminate()
            status = process.wait(30)
            attaching.wait(60)
        finally:
            end(process)
        expect_equal("status in turn %d" % turn, status, -signal.SIGTERM)


def wait_traced(target, attaching):
    """Until a thread of the process is being traced, or is no more."""
    while attaching.poll() is None:
        with open("/proc/%d/status" % target) as file:
            if re.search(r"^TracerPid:\s+[1-9]", file.read(), re.M):
                return


def signals_meanwhile(words, meanwhile, *afterwards):
    """The library takes its time; in that time signals are sent, and others when it has returned. What the program says."""
    run = os.path.join(scratch(), "run")
    process, target = start(*words)
    try:
        time.sleep(0.1)
        attaching = subprocess.Popen([ATTACH, "-o", run, str(target)], stderr=subprocess.PIPE, text=True,
                                     env=clean_environment({"PTRACE_LIBRARY": built("attach/libptrace.so"), "PTRACE_SLOW": "500"}))
        agent = os.path.join(run, "run.json.agent")
        while not os.path.exists(agent) and attaching.poll() is None:
            time.sleep(0.01)
        for number in meanwhile:
            process.send_signal(number)
            if number == signal.SIGSTOP:
                os.waitid(os.P_PID, target, os.WSTOPPED)
            if number == signal.SIGCONT:
                os.waitid(os.P_PID, target, os.WCONTINUED)
        said = attaching.communicate(timeout=TIMEOUT)[1]
        expect_equal("%s: status: %s" % (words, said), attaching.returncode, 0)
        for number in afterwards:
            time.sleep(0.1)
            process.send_signal(number)
        return process.communicate(timeout=TIMEOUT)[0]
    finally:
        end(process)


def test_a_call_that_a_stop_ends_is_ended_by_a_signal_too():
    """Which comes while the library is being called: EINTR is the answer then, as the handler has run."""
    for call in ("epoll", "semop", "sigwait"):
        expect_equal(call, signals_meanwhile([call], [signal.SIGUSR1]), "rounds 1 wrong 0\n")


def test_what_a_wait_blocks_stays_blocked():
    """sigsuspend waits for one signal: another one is handled after it."""
    expect_equal("order", signals_meanwhile(["order"], [signal.SIGUSR2], signal.SIGUSR1), "rounds 1 wrong 0\n")


def test_signals_that_are_open_for_the_library():
    """Sent by another process while the library is called, they are handled afterwards, with code and sender."""
    numbers = [signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGFPE, signal.SIGSYS, signal.SIGTRAP]
    expect_equal("sent", signals_meanwhile(["sent"], numbers, signal.SIGUSR1), "rounds 6 wrong 0\n")


def test_a_process_stops_while_the_library_is_called():
    """At once, as its parent is told, and again; a sleep lasts on."""
    stops = [signal.SIGSTOP, signal.SIGCONT] * 3
    expect_equal("stops", signals_meanwhile(["sent"], stops, signal.SIGUSR1), "rounds 0 wrong 0\n")


def test_a_thread_is_cancelled_where_it_was():
    """Not in the library, which it is made to call then: a thread that is cancelled in a call, or at its next point of cancellation."""
    for mode in ("cancel", "cancel-late"):
        expect_equal(mode, signals_meanwhile([mode], [signal.SIGUSR1], signal.SIGUSR1), "rounds 1 wrong 0\n")


@full
def test_handlers_on_alternate_stacks():
    """That were set before: no sample comes while one runs, whose stack has no room for it; what sigaction tells of them stays as it was."""
    for mode in ("small", "jumps", "told"):
        counts_itself(mode, program="attach_handlers")


def test_handlers_that_jump_are_no_deeper_each_time():
    """Each time that the next signal waits when they jump: the program alone, of which these cases tell what attaching does."""
    process, _ = start("jumps", program="attach_handlers")
    said = process.communicate(timeout=TIMEOUT)[0]
    expect(process.returncode == 0 and said.endswith(" wrong 0\n"), "status %d, %r", process.returncode, said)


def busiest(directory):
    """Of the threads: (samples, CPU time)"""
    return max((thread["samples"], thread["cpu_seconds"]) for thread in report_json(directory)["threads"])


def test_a_thread_whose_handlers_jump_is_sampled():
    """Each handler runs on an alternate stack, was set before, and is left by siglongjmp: samples go on."""
    directory = os.path.join(scratch(), "run")
    process, target = start("jumps", program="attach_handlers")
    try:
        done = execute([ATTACH, "-q", "-o", directory, str(target)])
        process.communicate(timeout=TIMEOUT)
        expect_equal("statuses: %s" % done.stderr_text(), (done.status, process.returncode), (0, 0))
    finally:
        end(process)
    samples, seconds = busiest(directory)
    expect(seconds > 0.2, "attached to for %.3f s of a processor, of 2", seconds)
    expect(samples >= seconds / 0.05, "%d samples in %.3f s of a processor", samples, seconds)


@full
def test_a_thread_that_is_signalled_all_the_time_is_sampled():
    """On a processor that it shares, where a tick ends its turn, and the next begins with a signal of its own: both samples and handlers
    come then."""
    directory = os.path.join(scratch(), "run")
    processor = str(min(os.sched_getaffinity(0)))
    busy = [burner("taskset", "-c", processor) for _ in range(3)]
    try:
        expect_equal("status", execute(["taskset", "-c", processor, RUN, "-q", "-o", directory, built("attach_handlers"), "plain"]).status, 0)
    finally:
        for process in busy:
            process.kill()
            process.wait()
    samples, seconds = busiest(directory)
    expect(samples >= seconds / 0.018, "%d samples in %.3f s of a processor", samples, seconds)
