# SPDX-License-Identifier: MIT
"""Programs generated from numbers (tests/programs/random.c): threads, locks, conditions, barriers, a queue and a semaphore in any order, each
with costs that the program knows. Counts are right to the last call; time waited, who kept the lock meanwhile, and CPU time agree with
the program's own clocks.

The program's clock is read before and after each call, so what it says of a wait is the most that the report may say. It says a little
more than the report: what lies between its clock and the wait, which is a lost processor now and then."""
from support import Failure, check_laws, expect, expect_equal, expect_same, ready_seconds, run, short_or_long, soaks, waits

BESIDE = True  # no case asserts a time that depends on the machine

SHORT, LONG = 24, 1000
ROUNDING = 1e-6
A_CALL = 30e-6     # between two readings of the clock around a call that does not wait; with its records, on a machine that is beside others
SECTIONS = 4
LOCKS = ("lock_a", "lock_b", "lock_c", "lock_d")
# Name: kind, operations that the program counts together.
OBJECTS = dict({name: ("mutex", ("lock", "trylock", "timedlock")) for name in LOCKS}, table=("rwlock", ("read_lock", "write_lock")),
               queue_lock=("mutex", ("lock",)), turn_lock=("mutex", ("lock",)), not_full=("condition", ("wait",)),
               not_empty=("condition", ("wait",)), next_turn=("condition", ("wait",)), phase_end=("barrier", ("wait",)),
               tokens=("semaphore", ("wait",)))


def rows_of(report, name):
    kind, operations = OBJECTS[name]
    return [r for r in waits(report, kind, name) if r["operation"] in operations]


def total(rows, column):
    return sum(r[column] or 0 for r in rows)


def check_calls(report, truth):
    for name in OBJECTS:
        expect_equal("calls of %s" % name, total(rows_of(report, name), "count"), truth[name + ".calls"])
    for name in LOCKS:
        expect_equal("timeouts of %s" % name, total(rows_of(report, name), "timeouts"), truth[name + ".timeouts"])
    expect_equal("threads", len(report["threads"]), truth["threads"] + 1)


def held_seconds(report):
    """Time for which the kernel kept threads in no wait: for a page or a block of the profile on a busy disk."""
    return sum(thread["waits"].get("other") or 0 for thread in report["threads"])


def slack_of(truth, name, ready):
    return 0.05 * truth[name + ".waited"] + A_CALL * truth[name + ".calls"] + ready + 0.001


def check_waits(report, truth, ready):
    for name in OBJECTS:
        waited, most = total(rows_of(report, name), "wait_seconds"), truth[name + ".waited"]
        expect(waited <= most + ROUNDING, "%s: waited %.9f, all calls took %.9f", name, waited, most)
        slack = slack_of(truth, name, ready)
        expect(waited >= most - slack, "%s: waited %.9f, calls took %.9f, of which %.9f may be no wait", name, waited, most, slack)


def check_blame(report, truth, ready):
    """Who had the lock while others waited. A wait that timed out does not say by whose path the lock was let go later. A thread that loses
    its processor between the lock and its clock, or that does not get one for a lock that is free, is waited for by all others at once."""
    most_waiting = max(truth["threads"] - 1, 1)
    for name in LOCKS:
        blame = {}
        for row in rows_of(report, name):
            for item in row["blame"]:
                blame[item["routine"]] = blame.get(item["routine"], 0) + item["seconds"]
        open_end = blame.get("[still held]", 0) + blame.get("[unknown]", 0)
        slack = slack_of(truth, name, ready * most_waiting)
        for section in range(SECTIONS):
            told, kept = blame.get("section_%d" % section, 0), truth["%s.section_%d" % (name, section)]
            expect(kept - open_end - slack <= told <= kept + slack, "%s: section_%d is charged with %.6f, it had the lock for %.6f while others "
                   "waited (%.6f more or less); blame: %r", name, section, told, kept, slack, blame)


def check_cpu(report, truth):
    """Each thread's, but for its own beginning and end."""
    for thread in report["threads"]:
        cpu = truth.get("cpu." + thread["name"])
        if cpu is None:
            expect_equal("name of a thread that says no CPU time", thread["name"], "random")
            continue
        expect(cpu - 0.001 - 0.02 * cpu <= thread["cpu_seconds"] <= cpu + 0.003 + 0.02 * cpu, "%s: CPU time %.6f, by its own clock %.6f",
               thread["name"], thread["cpu_seconds"], cpu)


def check_program(seed):
    one = run("random", [seed])
    expect_same(one)
    check_laws(one.report)
    ready = ready_seconds(one.report) + held_seconds(one.report)
    check_calls(one.report, one.truth)
    check_waits(one.report, one.truth, ready)
    check_blame(one.report, one.truth, ready)
    check_cpu(one.report, one.truth)


@soaks
def test_random_programs():
    """Each number generates a program."""
    for seed in range(1, short_or_long(SHORT, LONG) + 1):
        try:
            check_program(seed)
        except Failure as failure:
            raise Failure("random %d: %s" % (seed, failure)) from failure
