# SPDX-License-Identifier: MIT
"""What ptrace-run, which is a process between the program and its caller, does with signals: each reaches the program as often as it would
without ptrace-run, whether it is sent to the process or to its group."""
import ctypes
import os
import pty
import select
import signal
import subprocess
import sys
import time

import support
from support import RUN, built, clean_environment, expect, expect_equal, scratch, skip

BESIDE = True  # no case asserts a time
QUEUED, LAST = 40, signal.SIGRTMAX
NUMBERS = [signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGUSR1, signal.SIGCONT, signal.SIGCHLD, signal.SIGWINCH, signal.SIGTSTP,
           signal.SIGTTIN, QUEUED, LAST - 1]


def runner():
    if support.NATIVE_ONLY:
        skip("native only")
    return [RUN, "-q", "-o", os.path.join(scratch(), "run"), "--"]


def children_of(pid):
    with open("/proc/%d/task/%d/children" % (pid, pid)) as file:
        return [int(word) for word in file.read().split()]


def state_of(pid):
    """The kernel's letter; None: there is no such process, or a dead one."""
    try:
        with open("/proc/%d/stat" % pid) as file:
            state = file.read().rsplit(")", 1)[1].split()[0]
    except OSError:
        return None
    return None if state in "ZX" else state


def await_true(what, is_true):
    deadline = time.monotonic() + support.TIMEOUT
    while not is_true():
        expect(time.monotonic() < deadline, "%s: not within %d s", what, support.TIMEOUT)
        time.sleep(0.005)


class Lines:
    """What comes from a pipe or a terminal, line by line."""
    def __init__(self, file):
        self.file, self.rest = file, b""

    def more(self):
        if not select.select([self.file], [], [], support.TIMEOUT)[0]:
            support.fail("nothing came within %d s, after %r", support.TIMEOUT, self.rest)
        part = os.read(self.file, 4096)
        expect(part, "the end came after %r", self.rest)
        self.rest += part

    def next(self):
        while b"\n" not in self.rest:
            self.more()
        line, self.rest = self.rest.split(b"\n", 1)
        return line.decode().strip()


class Signalled:
    """signalled in a session of its own, below ptrace-run or not; pid is what its caller knows, program is its own number."""
    def __init__(self, prefix, *arguments):
        self.process = subprocess.Popen(prefix + [built("signalled"), *arguments], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL,
                                        env=clean_environment(), start_new_session=True)
        self.pid = self.process.pid
        self.lines = Lines(self.process.stdout.fileno())
        self.program = int(self.lines.next())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            os.killpg(self.pid, signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()

    def witnesses(self):
        return [pid for pid in children_of(self.pid) if pid != self.program]


def line(number):
    return "%d kill 0" % number


def expect_line(run, what, number):
    expect_equal(what, run.lines.next(), line(number))


def expect_nothing_more(run, what):
    """ptrace-run treats one signal after the other, those with small numbers first: what it had left would come before this one. It has been
    sent to nobody before: where ptrace-run has no processor, the group's and the next one, to it alone, are one for it."""
    os.kill(run.pid, LAST)
    expect_line(run, what + ", and then", LAST)


def both_ways(check):
    """Without ptrace-run, which tests the case itself, and with it."""
    check([])
    check(runner())


def come_once(send, receiver):
    """send: os.kill or os.killpg"""
    def check(prefix):
        with Signalled(prefix) as run:
            for number in NUMBERS * 5:
                send(run.pid, number)
                expect_line(run, "to the %s" % receiver, number)
            expect_nothing_more(run, "after the %s's" % receiver)
    both_ways(check)


def test_signals_to_the_group_come_once():
    come_once(os.killpg, "group")


def test_signals_to_the_process_come_once():
    """SIGCONT and SIGCHLD, too."""
    come_once(os.kill, "process")


def test_signals_to_both_in_turn():
    """Nobody waits for the program: queued signals are counted, each as often as it was sent."""
    def check(prefix):
        with Signalled(prefix) as run:
            for i in range(300):
                (os.kill if i % 3 else os.killpg)(run.pid, QUEUED)
            for i in range(300):
                expect_line(run, "signal %d" % i, QUEUED)
            expect_nothing_more(run, "after 300")
    both_ways(check)


def test_rounds():
    """Each number to the group in one round and to the process in the next. A SIGTSTP to the group withdraws a SIGCONT that ptrace-run has
    not yet taken: what a witness knows of it must not be taken for the next one's."""
    def check(prefix):
        with Signalled(prefix) as run:
            for i in range(30):
                for number in NUMBERS:
                    (os.killpg if (i + number) % 2 else os.kill)(run.pid, number)
                    expect_line(run, "round %d" % i, number)
                expect_nothing_more(run, "after round %d" % i)
    both_ways(check)


def test_queued_values():
    """In their order, none twice."""
    def check(prefix):
        with Signalled(prefix) as run:
            for value in range(100):
                if value % 10 == 0:
                    os.killpg(run.pid, LAST - 1)
                expect_equal("sigqueue", ctypes.CDLL(None).sigqueue(run.pid, QUEUED, ctypes.c_void_p(value)), 0)
            lines = [run.lines.next() for _ in range(110)]
            expect_equal("values", [l for l in lines if l != line(LAST - 1)], ["%d queue %d" % (QUEUED, i) for i in range(100)])
            expect_nothing_more(run, "after 110")
    both_ways(check)


def test_a_child_signals_the_group():
    """As a shell, a supervisor or a test harness below the program does."""
    def check(prefix):
        with Signalled(prefix, "group") as run:
            for i in range(10):
                expect_line(run, "signal %d" % i, QUEUED)
            expect_nothing_more(run, "after ten")
            os.kill(run.pid, signal.SIGUSR2)
            expect_line(run, "the end", signal.SIGUSR2)
            expect_equal("status", run.process.wait(support.TIMEOUT), 0)
    both_ways(check)


def test_each_process_of_that_name():
    """`kill $(pidof ptrace-run)`, in either order: the program is meant."""
    with Signalled(runner()) as run:
        for order in (sorted, lambda pids: sorted(pids, reverse=True)) * 3:
            for pid in order([run.pid] + run.witnesses()):
                os.kill(pid, signal.SIGTERM)
            expect_line(run, "to each", signal.SIGTERM)
            os.kill(run.pid, signal.SIGTERM)
            expect_line(run, "to ptrace-run after that", signal.SIGTERM)
        expect_nothing_more(run, "after all")


CALLER = """
import signal, subprocess, sys
seen = []
for number in (signal.SIGUSR1, signal.SIGUSR2):
    signal.signal(number, lambda number, _: seen.append(int(number)))
done = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE)
print(done.returncode, sorted(seen), len(done.stdout.split()))
"""


def test_signals_to_the_parent_reach_the_caller():
    """A server that tells who has started it that it is ready; nothing of it comes back to the program."""
    def check(prefix):
        done = support.execute([sys.executable, "-c", CALLER, *prefix, built("signalled"), "parent"])
        expect_equal("status, signals of the caller, lines of the program", done.stdout.decode().strip(),
                     "0 [%d, %d] 1" % (signal.SIGUSR1, signal.SIGUSR2))
    both_ways(check)


def test_the_group_is_stopped_and_the_process_goes_on():
    """The witnesses have stopped, too."""
    def check(prefix):
        with Signalled(prefix) as run:
            os.killpg(run.pid, signal.SIGSTOP)
            await_true("all stop", lambda: {state_of(run.pid), state_of(run.program)} == {"T"})
            os.kill(run.pid, signal.SIGCONT)
            expect_line(run, "continued", signal.SIGCONT)
            os.killpg(run.pid, signal.SIGTERM)
            expect_line(run, "to the group", signal.SIGTERM)
            expect_nothing_more(run, "after that")
    both_ways(check)


def test_witnesses_are_killed():
    """Signals to ptrace-run are passed on all the same."""
    with Signalled(runner()) as run:
        for pid in run.witnesses():
            os.kill(pid, signal.SIGKILL)
        for number in (signal.SIGTERM, signal.SIGHUP, QUEUED):
            os.kill(run.pid, number)
            expect_line(run, "to ptrace-run", number)
        expect_nothing_more(run, "after that")


def test_witnesses_end_with_the_run():
    """Whether the program ends or ptrace-run is killed, nobody is left."""
    for end in (lambda run: os.kill(run.program, signal.SIGKILL)), (lambda run: run.process.kill()):
        with Signalled(runner()) as run:
            everybody = children_of(run.pid)
            expect_equal("the program, and witnesses", (run.program in everybody, len(everybody)), (True, 3))
            end(run)
            expect_equal("status", run.process.wait(support.TIMEOUT), -signal.SIGKILL)
            await_true("everybody ends", lambda: not any(state_of(pid) for pid in everybody))


class Terminal:
    """An interactive shell on a terminal of its own."""
    def __init__(self, out):
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.dup2(out, 9)
            os.set_inheritable(9, True)
            os.execve("/bin/bash", ["bash", "--norc", "--noediting", "-i"], clean_environment({"PS1": "$ ", "TERM": "dumb"}))
        self.lines = Lines(self.file)

    def type(self, text):
        os.write(self.file, text.encode())

    def await_text(self, text):
        while text.encode() not in self.lines.rest:
            self.lines.more()
        self.lines.rest = b""


def test_keys_of_a_terminal():
    """^C, ^Z, fg, and the shell's kill of a job: what the program gets is what it gets without ptrace-run."""
    def check(prefix):
        ours, its = os.pipe()
        terminal = Terminal(its)
        os.close(its)
        lines = Lines(ours)
        try:
            terminal.type(" ".join(prefix + [built("signalled"), "stops"]) + " >&9\n")
            program = int(lines.next())
            terminal.type("\x03")
            expect_equal("^C", lines.next(), "%d kernel 0" % signal.SIGINT)
            for _ in range(3):
                terminal.type("\x1a")
                terminal.await_text("Stopped")
                # the shell waits for its own child alone: behind ptrace-run, the program may stop a moment later
                await_true("the program stops", lambda: state_of(program) == "T")
                terminal.type("fg\n")
                expect_equal("fg", lines.next(), line(signal.SIGCONT))
            terminal.type("\x1a")
            terminal.await_text("Stopped")
            terminal.type("kill -USR2 %1; bg\n")
            expect_equal("kill, bg", sorted(lines.next() for _ in range(2)), [line(signal.SIGUSR2), line(signal.SIGCONT)])
            os.kill(os.getpgid(program), QUEUED)
            expect_equal("and then", lines.next(), line(QUEUED))
            os.kill(program, signal.SIGKILL)
        finally:
            os.kill(terminal.pid, signal.SIGKILL)
            os.waitpid(terminal.pid, 0)
            os.close(ours)
            os.close(terminal.file)
    both_ways(check)
