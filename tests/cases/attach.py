# SPDX-License-Identifier: MIT
"""Programs that ran already: attached to, measured, left again, and none the worse for it."""
import contextlib
import os
import re
import signal
import subprocess
import time

from laws import check_laws
from support import (ATTACH, RUN, built, clean_environment, execute, expect, expect_between, expect_equal, expect_near, full, need,
                     read_line, read_truth, report_json, scratch, short_or_long, skip, soaks, timed, timing)

BESIDE = True

LONG = 600  # s, after which something hangs
ROUNDS, ROUNDS_SOAK = 25, 200


class Program:
    """tests/programs/attach_truth.c, or another program that runs meanwhile."""

    def __init__(self, command, **settings):
        self.truth_path = os.path.join(scratch(), "truth")
        environment = clean_environment({"TRUTH_FILE": self.truth_path, **settings})
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment,
                                        start_new_session=True)
        self.pid = self.process.pid

    def tell(self, command):
        self.process.stdin.write(command)
        self.process.stdin.flush()
        expect_equal("answer", read_line(self.process), b"done\n")

    def end(self):
        """Status, and what it knows of itself."""
        out, err = self.process.communicate(b"q", timeout=LONG)
        return self.process.returncode, read_truth(self.truth_path), out, err


@contextlib.contextmanager
def started(command, **settings):
    one = Program(command, **settings)
    try:
        yield one
    finally:
        if one.process.poll() is None:
            os.killpg(one.pid, signal.SIGKILL)
        one.process.communicate()


def attach(pid, *options, directory=None):
    """The run directory."""
    directory = directory or os.path.join(scratch(), "attached")
    done = execute([ATTACH, "-o", directory, *options, str(pid)])
    expect_equal("ptrace-attach: %s" % done.stderr_text(), done.status, 0)
    return directory


def detach(pid, *options):
    done = execute([ATTACH, "--detach", *options, str(pid)])
    expect_equal("ptrace-attach --detach: %s" % done.stderr_text(), done.status, 0)


def measured(one, seconds):
    """The report of a stretch in which the program works, and is attached to all the time."""
    directory = attach(one.pid)
    one.tell(b"m")
    time.sleep(seconds)
    one.tell(b"s")
    detach(one.pid)
    return report_json(directory)


def lock(report, name):
    rows = [row for row in report["synchronization"] if row["name"] == name]
    expect_equal("rows of %s" % name, len(rows), 1)
    return rows[0]


def check_truth(report, truth):
    check_laws(report)
    expect_equal("locks of own", lock(report, "own")["count"], int(truth["pairs"]))
    gate = lock(report, "gate")
    with timing():
        expect_near("waiting for the gate", gate["wait_seconds"], truth["waited"], 0.03, 0.001)
        blame = sum(row["seconds"] for row in gate["blame"] if row["routine"] == "hold_gate")
        expect_between("blame on the holder", blame, truth["waited"], truth["waited"], 0.1, 0.01)
        cpu = max(t["user_seconds"] + t["system_seconds"] for t in report["threads"])
        expect_between("CPU time of the thread that burns", cpu, truth["burnt"], 1.1 * truth["burnt"], 0.03, 0.005)
    expect_equal("how it ended", [p["status"] for p in report["processes"]], ["detached"])
    expect_equal("threads", len(report["threads"]), 5)


@timed("other programs had the processors")
def test_a_stretch_is_what_the_program_says():
    with started([built("attach_truth")]) as one:
        report = measured(one, 1.5)
        status, truth, _, _ = one.end()
        expect_equal("status", status, 0)
        check_truth(report, truth)


def test_counts_are_of_the_attached_time_alone():
    """What the program did before and afterwards is in no figure; a second time is a profile of its own."""
    with started([built("attach_truth")]) as one:
        for _ in range(2):
            one.tell(b"m")
            time.sleep(0.1)
            one.tell(b"s")
        first = measured(one, 0.3)
        one.tell(b"m")
        time.sleep(0.1)
        one.tell(b"s")
        second = measured(one, 0.3)
        status, truth, _, _ = one.end()
        expect_equal("status", status, 0)
    counts = [lock(report, "own")["count"] for report in (first, second)]
    expect(all(counts) and sum(counts) < truth["pairs"], "counts %r of %d", counts, truth["pairs"])
    for report in (first, second):
        check_laws(report)


def state_of(pid):
    """Mappings, descriptors and KiB of memory."""
    with open("/proc/%d/maps" % pid) as maps, open("/proc/%d/status" % pid) as status:
        resident = int(re.search(r"VmRSS:\s+(\d+)", status.read()).group(1))
        return sum(1 for _ in maps), len(os.listdir("/proc/%d/fd" % pid)), resident


@full
@soaks
def test_many_times():
    """Nothing is left of an attachment but what the first one left."""
    with started([built("attach_truth")]) as one:
        one.tell(b"m")
        states = []
        for turn in range(short_or_long(ROUNDS, ROUNDS_SOAK)):
            attach(one.pid, directory=os.path.join(scratch(), "run%d" % turn))
            detach(one.pid)
            states.append(state_of(one.pid))
        one.tell(b"s")
        status, _, _, err = one.end()
    expect_equal("status", (status, err), (0, b""))
    early, late = states[4], states[-1]
    expect(late[0] <= early[0] + 4, "mappings grow from %d to %d", early[0], late[0])
    expect_equal("descriptors", late[1], early[1])
    expect(late[2] <= early[2] + 2048, "memory grows from %d to %d KiB", early[2], late[2])


def attached_while_waiting(one, directory):
    """False: there was no processor for ptrace-attach before the program had ended."""
    for words in (["-o", directory], ["--detach"]):
        done = execute([ATTACH, *words, str(one.pid)])
        if done.status and one.process.poll() is not None:
            return False
        expect_equal("ptrace-attach: %s" % done.stderr_text(), done.status, 0)
    return True


def calls_go_on(seconds):
    """False: some were over too early for ptrace-attach."""
    text = "import time, select, threading\nt = time.monotonic()\nprint('begun', flush=True)\n%s\nprint(time.monotonic() - t)\n"
    calls = ("time.sleep(%d)" % seconds, "select.select([], [], [], %d)" % seconds, "select.poll().poll(%d000)" % seconds,
             "threading.Event().wait(%d)" % seconds)
    in_time = True
    with contextlib.ExitStack() as all_of_them:
        programs = {call: all_of_them.enter_context(started([need("python3"), "-c", text % call])) for call in calls}
        for call, one in programs.items():
            expect_equal(call, read_line(one.process), b"begun\n")
            time.sleep(0.2)
            in_time &= attached_while_waiting(one, os.path.join(scratch(), "run%d-%s" % (seconds, call[:12].replace(".", ""))))
        for call, one in programs.items():
            status, _, out, err = one.end()
            expect_equal("%s: status, stderr" % call, (status, err), (0, b""))
            expect(float(out) >= seconds, "%s took %s s", call, out.decode())
    return in_time


def test_calls_that_wait_go_on():
    """The thread that is stopped is in a call with a time-out: it lasts as long as it would have."""
    expect(calls_go_on(8) or calls_go_on(120), "ptrace-attach does not come within 120 s")


def test_threads_that_end_unseen():
    """Nobody has told when: what is known of their lives is of one length, in each figure."""
    with started([built("attach_ends")]) as one:
        directory = attach(one.pid)
        time.sleep(0.1)
        one.tell(b"x")
        time.sleep(0.1)
        detach(one.pid)
        expect_equal("status", one.end()[0], 0)
    report = report_json(directory)
    expect_equal("threads", len(report["threads"]), 7)
    for thread in report["threads"]:
        states = sum(thread[key] for key in ("user_seconds", "system_seconds", "ready_seconds", "blocked_seconds"))
        expect_near("states of thread %d" % thread["tid"], states, thread["elapsed_seconds"], 0, 1e-6)
    check_laws(report)


def find_child(pid):
    with open("/proc/%d/task/%d/children" % (pid, pid)) as file:
        return int(file.read())


def test_a_namespace_that_sees_the_proc_of_another():
    """Threads have other numbers there than they have for themselves; each is one thread of the profile."""
    if subprocess.run(["unshare", "--pid", "--fork", "true"], capture_output=True, check=False).returncode:
        skip("there are no namespaces of processes here, or not for this user")
    with started(["unshare", "--pid", "--fork", "--kill-child", built("attach_truth")]) as one:
        one.tell(b"m")
        directory = attach(find_child(one.pid))
        time.sleep(0.2)
        one.tell(b"s")
        detach(find_child(one.pid))
        expect_equal("status", one.end()[0], 0)
    report = report_json(directory)
    expect_equal("threads", len(report["threads"]), 5)
    check_laws(report)


def test_a_profiled_process_is_refused():
    directory = os.path.join(scratch(), "own")
    with started([RUN, "-q", "-o", directory, "--exec", built("attach_truth")]) as one:
        one.tell(b"s")
        done = execute([ATTACH, "-o", os.path.join(scratch(), "other"), str(one.pid)])
        expect_equal("status", done.status, 125)
        expect("was started under ptrace-run" in done.stderr_text(), "it says %r", done.stderr_text())
        expect_equal("status of the program", one.end()[0], 0)


FILTER = """
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>
int main(void)
{
	struct sock_filter all = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	struct sock_fprog program = {1, &all};
	char byte;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return 2;
	puts("done");
	fflush(stdout);
	return read(0, &byte, 1) == 1 ? 7 : 3;
}
"""


def test_a_filter_of_its_own_is_respected():
    """A program whose filter could end it for a call of ours is attached to only by force."""
    source = os.path.join(scratch(), "filter.c")
    with open(source, "w") as file:
        file.write(FILTER)
    program = os.path.join(scratch(), "filter")
    subprocess.run([need("gcc"), "-o", program, source], check=True)
    with started([program]) as one:
        expect_equal("the filter is set", read_line(one.process), b"done\n")
        done = execute([ATTACH, "-o", os.path.join(scratch(), "refused"), str(one.pid)])
        expect(done.status == 125 and "--force" in done.stderr_text(), "status %d, it says %r", done.status, done.stderr_text())
        attach(one.pid, "--force")
        detach(one.pid, "--force")
        expect_equal("status of the program", one.end()[0], 7)


def test_real_time_threads_of_an_attached_program():
    """Threads of different real-time priorities share a processor, and tables grow: none waits for one that it keeps from running."""
    with started([built("real_time"), "w"]) as one:
        directory = attach(one.pid)
        out, err = one.process.communicate(b"\n", timeout=LONG)
    if one.process.returncode == 77:
        skip("the system refuses SCHED_FIFO")
    expect_equal("status; stderr: %r" % err, one.process.returncode, 0)
    expect_equal("stdout", out, b"done\n")
    expect_equal("threads", len(report_json(directory)["threads"]), 7)
