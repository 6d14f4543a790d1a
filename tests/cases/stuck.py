# SPDX-License-Identifier: MIT
"""Programs that make no progress: who waits for whom is told, alive and after SIGKILL; and programs that only look so, of which nothing is."""
import json
import os
import signal
import subprocess
import time

from mpi_job import LIBRARIES, built as mpi_built, job_environment, launcher
from support import (REPORT, RUN, beside, built, clean_environment, execute, expect, expect_equal, fail, full, is_alive,
                     part_skipped, profile_paths, report_json, scratch)

# For what a program does before it says that all of it waits.
PATIENCE = 30


class Hanging:
    """A program under the profiler that says by a file when all of its waits have begun; ended with the context."""

    def __init__(self, command, options=(), start=(), environment=None):
        self.directory, self.ready = os.path.join(scratch(), "run"), os.path.join(scratch(), "ready")
        settings = clean_environment(dict(environment or {}, READY_FILE=self.ready))
        self.input, given = os.pipe()
        self.given = given  # standard input, at whose other end nobody writes
        self.process = subprocess.Popen(list(start) + [RUN, "-q", "-o", self.directory] + list(options) + ["--"] + command,
                                        env=settings, stdin=self.input, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        start_new_session=True)

    def __enter__(self):
        limit = time.monotonic() + PATIENCE
        while not os.path.exists(self.ready):
            if time.monotonic() > limit or self.process.poll() is not None:
                self.end()
                fail("the program did not come to wait")
            time.sleep(0.05)
        time.sleep(0.3)  # the thread that said so ends
        return self

    def end(self):
        """Its session, and nothing else. A report on a process that is just going would look at it as at one that lives."""
        below = []
        try:
            below = processes_below(self.process.pid)
            os.killpg(self.process.pid, signal.SIGKILL)
        except (FileNotFoundError, ProcessLookupError):
            pass
        self.process.wait()
        limit = time.monotonic() + PATIENCE
        while any(map(is_alive, below)) and time.monotonic() < limit:
            time.sleep(0.01)

    def __exit__(self, *_):
        self.end()
        os.close(self.input)
        os.close(self.given)

    def stuck(self):
        return report_json(self.directory, "--section", "stuck")["stuck"]


def of_program(shape):
    return Hanging([built("stuck"), shape])


def processes_below(pid):
    with open("/proc/%d/task/%d/children" % (pid, pid)) as file:
        children = [int(word) for word in file.read().split()]
    return children + [grandchild for child in children for grandchild in processes_below(child)]


def used(pid):
    """{thread: its state, what it has used of a processor, and how often it got one}"""
    threads = "/proc/%d/task" % pid
    found = {}
    for thread in os.listdir(threads):
        with open(os.path.join(threads, thread, "stat")) as file:
            state = file.read().rpartition(")")[2].split()[0]
        with open(os.path.join(threads, thread, "schedstat")) as file:
            found[thread] = state, file.read()
    return found


def all_wait(one):
    """Until no thread has had a processor for a while, nor wants one (beside others it may wait for one as long), nor is held up by a
    disk: the one that said that all wait comes to its own wait, or its end, after that."""
    limit, before = time.monotonic() + PATIENCE, None
    while True:
        now = [used(pid) for pid in processes_below(one.process.pid)]
        if now and now == before and all(state == "S" for threads in now for state, _ in threads.values()):
            return one
        expect(time.monotonic() < limit, "some thread still runs: %s, before: %s", now, before)
        before = now
        time.sleep(0.3)


def names_of(stuck, verdict):
    return sorted(stuck["waits"][i]["name"] for i in verdict["waits"])


def the_verdict(stuck, kind):
    told = [(w["name"], w["state"], w["call"], w["object"], w["others"]) for w in stuck["waits"]]
    expect_equal("verdicts of %s" % told, [v["kind"] for v in stuck["verdicts"]], [kind])
    return stuck["verdicts"][0]


# shape, verdict, names of the threads in it, certain while it lives, certain after SIGKILL
DEADLOCKS = (
    ("two_locks", "deadlock", ["take_both"] * 2, True, False),
    ("three_locks", "deadlock", ["take_both"] * 3, True, False),
    ("self", "self_deadlock", ["lock_twice"], True, True),
    ("rwlock", "deadlock", ["stuck", "write_alone"], True, False),
    ("upgrade", "nobody_left", ["upgrade"], False, False),
    ("wake_up", "lost_wake_up", ["wait_filled"], False, False),
    ("barrier", "barrier_incomplete", ["meet"] * 2, False, False),
    ("join", "deadlock", ["lock_first", "stuck"], True, False),
    ("orphan", "holder_ended", ["stuck"], True, False),
)


def may_read(stuck):
    """The kernel lets one read the locks: those of one's own processes, but for a stricter Yama."""
    return any(w["source"] == "memory" for w in stuck["waits"])


@beside
def test_deadlocks_are_told():
    """Nine shapes: each has its verdict and no other, with the threads that make it; a cycle is certain where the locks could be read."""
    for shape, kind, names, is_certain, is_certain_after in DEADLOCKS:
        with of_program(shape) as one:
            alive = all_wait(one).stuck()
        after = one.stuck()
        for stuck, certain in ((alive, is_certain and may_read(alive) or is_certain_after), (after, is_certain_after)):
            verdict = the_verdict(stuck, kind)
            expect_equal("%s: who is in it" % shape, names_of(stuck, verdict), names)
            # which of its two waits began first decides whether the second one's holder could have changed
            if shape != "join" or stuck is alive:
                expect_equal("%s: confidence" % shape, verdict["confidence"], "certain" if certain else "possible")
            expect_equal("%s: threads that are stuck" % shape, stuck["stuck_threads"], stuck["threads"])
        expect_equal("%s: how it was looked at" % shape, (alive["looked"], after["looked"]), ("twice", "at the profiles"))


@beside
def test_who_is_killed_while_looked_at_was_stuck():
    """A report looks twice, 0.2 s apart. Whenever the program is killed meanwhile, its threads were stuck, and did not run."""
    for delay in (0, 0.1, 0.2):
        with of_program("two_locks") as one:
            all_wait(one)
            looking = subprocess.Popen([REPORT, "--format", "json", "--section", "stuck", one.directory], stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, env=clean_environment())
            time.sleep(delay)
        the_verdict(json.loads(looking.communicate()[0])["stuck"], "deadlock")


@beside
def test_cycle_is_told_in_its_order():
    """Each thread of the cycle of three waits for the next one of the verdict, and the lock's holder is that one."""
    with of_program("three_locks") as one:
        stuck = all_wait(one).stuck()
    waits = the_verdict(stuck, "deadlock")["waits"]
    for at, number in enumerate(waits):
        expect_equal("whom wait %d is for" % number, stuck["waits"][number]["others"], [waits[(at + 1) % 3]])
    objects = sorted(stuck["waits"][i]["object"] for i in waits)
    expect_equal("locks of the cycle", objects, ["mutex first_lock", "mutex second_lock", "mutex third_lock"])
    joiner = [w for w in stuck["waits"] if w["cause"] == "join"]
    expect_equal("who only waits for the cycle is in no verdict", [(w["state"], w["verdict"]) for w in joiner], [("stuck", None)])


@beside
def test_pipes_that_both_read():
    """Two processes, each of which reads first: a possible deadlock, since others might hold the ends."""
    with of_program("pipes") as one:
        stuck = all_wait(one).stuck()
    verdict = the_verdict(stuck, "deadlock")
    expect_equal("confidence", verdict["confidence"], "possible")
    expect_equal("processes in it", len({stuck["waits"][i]["pid"] for i in verdict["waits"]}), 2)


@beside
def test_pipes_that_both_read_at_the_end():
    """Of a process that was killed nobody knows when; its wait lasted, at most, until the last process of the run ended. Who used the other
    end of a pipe is known afterwards, also by the first wait of a child of fork: it is looked up before it waits."""
    for shape in ("used_pipes", "quick_pipes"):
        with of_program(shape) as one:
            all_wait(one)
            os.killpg(one.process.pid, signal.SIGSTOP)  # else the one reads the end of the other, and goes on
        after = one.stuck()
        the_verdict(after, "deadlock")
        expect_equal("waits", [(w["cause"], w["object"][:5]) for w in after["waits"]], [("read", "pipe ")] * 2)
        expect(min(w["wait_seconds"] for w in after["waits"]) > 0.1, "%r", [w["wait_seconds"] for w in after["waits"]])


# shape, a state that must be among those of its threads
PROGRESS = (("server", "idle"), ("producer", None), ("one_works", "runs"), ("limited", "limited"), ("sleeper", "limited"),
            ("signals", "idle"), ("terminal", "idle"), ("parent", "waits"), ("computing", "runs"), ("yielding", None))


@beside
def test_nothing_is_stuck_that_may_move():
    """Servers, pools, sleepers, waits with limits, threads that compute: no verdict, alive or after SIGKILL."""
    for shape, state in PROGRESS:
        with of_program(shape) as one:
            alive = one.stuck()
        after = one.stuck()
        for stuck in (alive, after):
            expect_equal("%s: verdicts" % shape, stuck["verdicts"], [])
            expect_equal("%s: threads that are stuck" % shape, stuck["stuck_threads"], 0)
        states = {w["state"] for w in alive["waits"]}
        expect(state is None or state in states, "%s: no thread is '%s': %r", shape, state, states)


def kill_ranks(job):
    for path in profile_paths(job.directory):
        try:
            os.kill(int(path.rsplit("-", 2)[1]), signal.SIGKILL)
        except ProcessLookupError:
            pass


def of_ranks(library, shape):
    return Hanging([mpi_built(library, "stuck_ranks"), shape], start=launcher(library, 2), environment=job_environment())


def with_verdict(job):
    """What is said of the job once something is: a rank says that it will wait before it does."""
    limit = time.monotonic() + PATIENCE
    while True:
        stuck = job.stuck()
        if stuck["verdicts"] or time.monotonic() > limit:
            return stuck


def check_ranks(library, shape, kind, calls):
    with of_ranks(library, shape) as job:
        alive = with_verdict(job)
        kill_ranks(job)
    after = job.stuck()
    for stuck in (alive, after):
        verdict = the_verdict(stuck, kind)
        found = sorted((stuck["waits"][i]["rank"], stuck["waits"][i]["call"]) for i in verdict["waits"])
        expect_equal("%s, %s: ranks and calls" % (library, shape), found, calls)
        expect_equal("%s, %s: confidence" % (library, shape), verdict["confidence"], "certain")


def each(check):
    missing = []
    for library in LIBRARIES:
        try:
            launcher(library, 2)
            mpi_built(library, "stuck_ranks")
        except Exception as reason:  # pylint: disable=broad-except
            missing.append("%s: %s" % (library, reason))
            continue
        check(library)
    if missing:
        part_skipped("; ".join(missing))


@full
@beside
def test_ranks_that_wait_for_each_other():
    """Both receive first, by MPI_Recv and by MPI_Wait; one does not come to a barrier. Ranks poll, and are stuck all the same."""
    def check(library):
        check_ranks(library, "receive", "deadlock", [(0, "MPI_Recv"), (1, "MPI_Recv")])
        check_ranks(library, "wait", "deadlock", [(0, "MPI_Wait"), (1, "MPI_Wait")])
        check_ranks(library, "barrier", "collective_incomplete", [(0, "MPI_Barrier")])
    each(check)


@full
@beside
def test_ranks_that_may_go_on():
    """A rank polls for a message of one that computes, or waits for it in a call: nothing is stuck."""
    def check(library):
        for shape in ("poll", "late"):
            with of_ranks(library, shape) as job:
                expect_equal("%s, %s: verdicts" % (library, shape), job.stuck()["verdicts"], [])
    each(check)


@beside
def test_hang_timeout_speaks_once():
    """ptrace-run says what is stuck, once, and lets the program go on to its end; of a server that waits it says nothing."""
    for shape, count in (("two_locks", 1), ("server", 0)):
        result = execute([RUN, "-q", "--hang-timeout", "1", "-o", os.path.join(scratch(), "run"), built("stuck"), shape])
        expect_equal("%s: how it ended" % shape, result.status, -signal.SIGALRM)
        expect_equal("%s: reports" % shape, result.stderr.count(b"@ stuck:"), count)
        expect_equal("%s: output" % shape, result.stdout, b"")


@beside
def test_run_that_is_over():
    """Nothing waits any more, and reports have no such section."""
    directory = os.path.join(scratch(), "run")
    execute([RUN, "-q", "-o", directory, built("stuck"), "nothing"])
    expect_equal("stuck", report_json(directory)["stuck"], None)
    text = execute([REPORT, directory]).stdout
    expect(b"@ stuck" not in text, "the section is in the report of a run that is over")
    expect_equal("if stuck", execute([REPORT, "--if-stuck", directory]).stdout, b"")
