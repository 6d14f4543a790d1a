# SPDX-License-Identifier: MIT
"""A handler of the program at exactly one instruction of a wrapped call (programs/interrupted.c): the program goes on, its profile counts
what was done, and the laws hold.

Each place has a process of its own, which is a child of the one that traces it. Short: some places of each operation, for each handler. Long:
every fourth place, for each handler another one. Without switch records, of which each step is two: merging them takes longer than the
work."""
import collections

import profile_file
from support import Failure, check_laws, expect, expect_equal, full, run, short_or_long, skip, soaks

BESIDE = True  # no case asserts a time

FEW, DISTANCE = 6, 4
# Operations of which each place is taken for each handler: what has to be found there is wrong for some instructions alone.
EACH = ("post_last",)
# Operations in which one thread waits for the other.
AWAITED = {"lock_taken": "MUTEX_LOCK", "post_awaited": "SEM_WAIT", "take_awaited": "SEM_WAIT", "signal": "COND_WAIT"}
CHARGED = ("MUTEX", "CONDITION", "BARRIER", "SEMAPHORE", "JOIN")
MARK = 2  # of callpaths.flags
# Calls of a handler that count or not: in the middle of the profiler they are passed on.
PASSED_ON = {"rank": ("WRITE", "MPI_Comm_rank"), "probe": ("WRITE", "MPI_Iprobe")}
NO_REGISTER = 93  # the program's exit status


class Child:
    """What the program said of a process."""

    def __init__(self, line):
        words = line.split()
        self.pid, self.handler, self.place = int(words[0]), words[1], words[2]
        self.sent, self.handled, self.left, self.status = int(words[3]), int(words[4]), words[5], int(words[6])
        self.did = {name: int(count) for name, count in (word.split("=") for word in words[7:])}

    def __str__(self):
        return "%s at %s (process %d)" % (self.handler, self.place, self.pid)


def counted(profile):
    """Calls of each operation in a profile, and of each call of MPI."""
    names, found = profile_file.operations(), collections.Counter(profile.counts())
    for row in profile.rows["io_calls"]:
        found[names[row["operation"]]] += row["count"]
    for name, rows in profile.mpi_calls().items():
        found[name] += sum(row["count"] for row in rows)
    return found


def check_counts(operation, child, profile, may_be_more=()):
    """What was done, exactly. The call that was left counts or not; so does a handler's call on a descriptor, or of MPI, in the middle of the
    profiler (docs/report.md, input and output). may_be_more: not only the program makes such calls."""
    found, passed_on = counted(profile), PASSED_ON.get(operation, ("WRITE",)) if child.handler in ("calls", "leap") else ()
    for name, count in child.did.items():
        least = count - (name == child.left) - (name in passed_on)
        expect(least <= found[name] and (found[name] <= count or name in may_be_more), "%s, %s: %d calls of %s, in the profile %d (left: %s)", operation, child, count, name, found[name],
               child.left)


def check_blame(operation, child, profile):
    """When nothing disturbs the work any more, it is known again who ends the waits."""
    number = profile_file.operations().index(AWAITED[operation])
    code = {row["number"] for row in profile.rows["callpaths"] if not row["flags"] & MARK}
    known = sum(row["time_ns"] for row in profile.rows["blame"] if row["operation"] == number and row["callpath"] in code)
    expect(known, "%s, %s: nobody has ended a wait: %s", operation, child, profile.rows["blame"])


def sums(rows, column):
    """{(object, operation): ns} of waits that somebody has to be charged with."""
    charged, found = [profile_file.causes().index(name) for name in CHARGED], {}
    for row in rows:
        if row["cause"] in charged:
            key = row["object"], profile_file.operations()[row["operation"]]
            found[key] = found.get(key, 0) + row[column]
    return found


def check_conservation(operation, child, profile):
    """To the nanosecond, whatever was left."""
    expect_equal("time charged in %s, %s" % (operation, child), sums(profile.rows["blame"], "time_ns"), sums(profile.rows["waits"], "sum_ns"))


def with_profiles(one, children):
    """[(child, its profile)]. Thousands of processes use up the numbers: of those with one number the first has the first profile."""
    by_pid = {}
    for profile in sorted(profile_file.profiles(one), key=lambda profile: profile.sequence):
        by_pid.setdefault(profile.pid, []).append(profile)
    return [(child, by_pid.get(child.pid) and by_pid[child.pid].pop(0)) for child in children]


def check_end(operation, child, profile):
    expect_equal("status of %s, %s" % (operation, child), child.status, 0)
    expect_equal("signals handled in %s, %s" % (operation, child), child.handled, child.sent)
    expect(profile, "%s, %s has no profile", operation, child)
    check_conservation(operation, child, profile)


def check_child(operation, child, profile):
    check_end(operation, child, profile)
    check_counts(operation, child, profile)
    if operation in AWAITED:
        check_blame(operation, child, profile)


def check_ends(operation, one):
    """The analyzer takes all of it."""
    expect_equal("processes of %s that did not end well" % operation, [p for p in one.report["processes"] if p["status"] != "exited 0"], [])


def check_run(operation, one):
    """And has nothing to say against any of the processes."""
    check_ends(operation, one)
    check_laws(one.report, sampling=False, records=False)


def run_children(program, operation, distance, environment, few=FEW):
    """(run, its children), or skip."""
    one = run(program, [operation, distance, short_or_long(few, 0)], environment=dict(environment, PTRACE_SWITCHES="0"))
    if one.profiled.status == NO_REGISTER:
        skip("no breakpoints in registers on this machine")
    expect_equal("status of %s; stderr: %s" % (operation, one.profiled.stderr_text()[-300:]), one.profiled.status, 0)
    children = [Child(line) for line in one.profiled.stdout.decode().splitlines()]
    if not children:
        skip("no single steps on this machine")
    expect(sum(child.sent for child in children) >= few, "%s: few signals were sent: %s", operation, ", ".join(map(str, children)))
    return one, children


def check(operation):
    one, children = run_children("interrupted", operation, 1 if operation in EACH else DISTANCE, {})
    for child, profile in with_profiles(one, children):
        check_child(operation, child, profile)
    check_run(operation, one)


def check_all(check_one, operations):
    """All of them, and then what is wrong."""
    wrong = []
    for operation in operations:
        try:
            check_one(operation)
        except Failure as failure:
            wrong.append(str(failure))
    expect(not wrong, "%s", "; ".join(wrong))


@soaks
def test_locks():
    """Free, and taken by another thread."""
    check_all(check, ("lock", "lock_taken"))


@full
@soaks
def test_semaphores():
    """Posted and taken, with and without waiting; and so many that the table of calls grows in the middle of it."""
    check_all(check, ("post", "post_many", "post_last", "post_awaited", "take", "take_awaited"))


@full
@soaks
def test_conditions_and_barriers():
    """A wait with a time-out, a signal for a thread that waits; a barrier of one."""
    check_all(check, ("time_out", "signal", "meet"))


@full
@soaks
def test_pipes():
    """Something to read is there, or comes when the reader sleeps."""
    check_all(check, ("read", "read_awaited"))


@full
@soaks
def test_births():
    """A thread's birth and end."""
    check_all(check, ("birth",))


@soaks
def test_samples():
    """In the middle of a sample."""
    check_all(check, ("sample",))
