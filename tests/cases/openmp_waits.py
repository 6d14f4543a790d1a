# SPDX-License-Identifier: MIT
"""Waits in the OpenMP runtime: for critical sections and locks, with their holders, for a turn, at barriers, at a region's start and end.

The truth is what each waiter measured around its own call; 3 %, at least 2 ms for what the scheduler did in between."""
import os

from openmp_job import CAUSE_OPENMP, OPERATIONS, TEAM, Job, each_runtime, first_floor, told_region, undisturbed
from support import beside, expect, expect_between, expect_equal, expect_near, full, premise, ready_seconds, timing, waits

# Name of the facts, kind, name of gcc's object, where it is taken, where it is given back, calls
LOCKS = (
    ("critical", "critical", "(unnamed critical)", "unnamed_critical", {"unnamed_critical"}, 8),
    ("critical_till", "critical", "critical(till)", "named_critical", {"named_critical"}, 8),
    ("lock", "omp_lock", "lock", "simple_lock", {"simple_lock"}, 1008),
    ("nest_lock", "omp_lock", "nest_lock", "enter_twice", {"leave_twice", "enter_twice"}, 16),
)


def row_of(job, kind, name, routine):
    """OMPT does not report the name of a critical section: there it is identified by its first use."""
    rows = [r for r in waits(job.run.report, kind, operation="lock")
            if r["name"] == name or (kind == "critical" and job.runtime == "libomp" and (r["created_at"] or "").startswith(routine + " "))]
    expect_equal("rows of %s" % name, len(rows), 1)
    return rows[0]


def contention(runtime):
    job = Job(runtime, "critical")
    facts = job.truth["facts"]
    most = (TEAM - 1) * facts["rounds"]
    for fact, kind, name, routine, holders, calls in LOCKS:
        row, waited = row_of(job, kind, name, routine), facts[fact + "_waited"]
        expect_equal("%s: calls" % name, row["count"], calls)
        expect(row["contended"] <= most, "%s: calls that waited: %d, of %d", name, row["contended"], most)
        # On a machine that others use, a thread may come too late to wait, or lose its processor where it would begin to.
        with timing():
            premise(waited > 0.9 * most * facts["hold"], "%s: the program did not wait: %.6f", name, waited)
            expect_equal("%s: calls that waited" % name, row["contended"], most)
            expect_near("%s: waiting" % name, row["wait_seconds"], waited, floor=0.002)
            expect_near("%s: longest wait" % name, row["wait_max_seconds"], facts[fact + "_waited_most"], floor=0.002)
        expect_equal("%s: who waited" % name, {w["routine"] for w in row["waiters"]}, {routine})
        expect_equal("%s: files" % name, {os.path.basename(w["file"]) for w in row["waiters"]}, {"critical.c"})
        # The first thread held it for all the time that the others waited.
        blamed = sum(b["seconds"] for b in row["blame"] if b["routine"] in holders)
        expect(blamed >= 0.97 * row["wait_seconds"], "%s: blame of %s %.6f of %.6f; there are %r", name, sorted(holders), blamed,
               row["wait_seconds"], [(b["routine"], b["seconds"]) for b in row["blame"]])


def test_openmp_contended_locks():
    """critical, critical(name), lock, nest lock: how often, how long, who waited, and who held it meanwhile."""
    each_runtime(undisturbed(contention))


def alone(runtime):
    job = Job(runtime, "critical")
    job.truth
    rows = [r for r in job.run.report["synchronization"] if r["kind"] == "critical" and (r["created_at"] or "").startswith("alone ")]
    expect_equal("critical section of one thread: count, contended, waiting", [(r["count"], r["contended"], r["wait_seconds"]) for r in rows],
                 [(1000, 0, 0)])
    tries = waits(job.run.report, "omp_lock", operation="trylock")
    expect_equal("tries: contended, waiting", {(r["contended"], r["wait_seconds"]) for r in tries}, {(0, 0)})


@beside
def test_openmp_locks_without_contention_do_not_wait():
    each_runtime(alone)


def blame_sums(runtime):
    """In the tables the blame for each object equals the waiting for it."""
    for program in ("critical", "schedules", "reductions", "exceptions"):
        job = Job(runtime, program)
        waited, blamed = {}, {}
        for table, column, into in (("waits", "sum_ns", waited), ("blame", "time_ns", blamed)):
            for row in job.rows(table):
                if row["cause"] == CAUSE_OPENMP:
                    key = (row["object"], row["operation"])
                    into[key] = into.get(key, 0) + row[column]
        expect(waited or program != "critical", "%s: nothing waited", program)
        expect_equal("%s: blame by object and operation" % program, {k: v for k, v in blamed.items() if v}, {k: v for k, v in waited.items() if v})


@full
@beside
def test_openmp_blame_is_the_waiting():
    each_runtime(blame_sums)


def ordered(runtime):
    job = Job(runtime, "schedules")
    told = job.truth["counts"]
    rows = [r for r in job.run.report["synchronization"] if r["kind"] == "ordered"]
    expect_equal("ordered blocks", sum(r["count"] for r in rows), told["ordered"])
    # One object for each block: 9 loops. OMPT knows an ordered block by the team's.
    routines = {w["routine"] for r in rows for w in r["waiters"]}
    wanted = {"ordered_static", "ordered_static_2", "ordered_dynamic", "ordered_guided", "ordered_runtime", "huge_ordered_static",
              "huge_ordered_dynamic", "huge_ordered_guided", "huge_ordered_runtime"}
    expect(routines <= wanted, "waiters for their turn: %r", sorted(routines - wanted))
    expect(routines, "in %d loops somebody waited for his turn: %r", len(routines), sorted(routines))
    waited, by_construct = sum(r["wait_seconds"] for r in rows), job.met("ORDERED", "time_ns") / 1e9
    # libgomp also waits for its turn when it asks for the next iterations, which is no ordered block
    expect(by_construct >= 0.97 * waited, "waiting for a turn: %.6f by construct, %.6f in blocks", by_construct, waited)
    if runtime == "libomp":
        expect_near("waiting for a turn, by construct", by_construct, waited, floor=0.0005)
    contended = sum(r["contended"] for r in rows)
    # The first of each execution's 64 blocks has nobody before it. OMPT knows one object for all blocks of a team: who is first in turn, but
    # comes when others want their turns already, finds somebody who may be in the way, and counts as one that waited (for no time).
    # Each piece has its block: to ask for the next one is no wait, even if it wakes up who is next.
    expect_equal("waits for a turn, by construct", job.met("ORDERED"), contended)
    expect_between("blocks that waited", contended, 1, told["ordered"] * (63 / 64 if runtime == "gomp" else 1), relative=0, floor=0)


@full
@beside
def test_openmp_ordered():
    """Waits for an iteration's turn: each has a loop's routine, and they are those of the constructs."""
    each_runtime(ordered)


def late(runtime):
    job = Job(runtime, "sections")
    facts = job.truth["facts"]
    region = job.region("late_at_barrier")
    rows = [c for c in region["constructs"] if c["construct"] == "barrier"]
    expect_equal("routines of barriers of late_at_barrier", {c["routine"] for c in rows}, {"late_at_barrier"})
    expect_equal("barriers met", sum(c["count"] for c in rows), job.truth["counts"]["barrier"])
    # gcc makes two calls of the second one, for those who are late and those who are not, and gives them lines of its own
    expect_equal("places of barriers", len(rows), 3 if runtime == "gomp" else 2)
    with timing():
        expect_near("waiting at the late thread's barrier", max(c["seconds"] for c in rows), facts["barrier_waited"], floor=0.002)
        expect_near("longest wait there", max(c["max_seconds"] for c in rows), facts["barrier_waited_most"], floor=0.002)
        expect(facts["barrier_waited"] > 0.9 * facts["late"] * facts["late_waiters"], "the program did not wait: %.6f", facts["barrier_waited"])
    expect_near("of the region, waiting at barriers in the body", region["wait_seconds"], sum(c["seconds"] for c in rows), floor=1e-6)
    expect(region["gain_seconds"] >= 0.97 * facts["barrier_waited"] / TEAM - 0.002, "gain if all came at once %.6f, waiting of %d threads %.6f",
           region["gain_seconds"], TEAM, facts["barrier_waited"])


def test_openmp_late_at_a_barrier():
    """One thread sleeps 50 ms before a barrier: the other one waits for it."""
    each_runtime(undisturbed(late))


def sections(runtime):
    """Of sections of 1, 2, 3 and 4 units, what one thread works less than the other it waits for at their end."""
    job = Job(runtime, "sections")
    told, region = told_region(job, "four_sections"), job.region("four_sections")
    seconds = [t["elapsed_seconds"] for t in told["threads"]]
    lost = TEAM * told["elapsed_seconds"] - sum(seconds)
    with timing():
        expect_near("fork, waits and join", region["fork_seconds"] + region["wait_seconds"] + region["join_seconds"], lost, floor=0.003)
        expect(region["wait_seconds"] + region["join_seconds"] >= abs(seconds[0] - seconds[1]) * 0.97 - 0.003, "waits %.6f, difference of work %.6f",
               region["wait_seconds"] + region["join_seconds"], abs(seconds[0] - seconds[1]))


@full
def test_openmp_waits_at_end_of_sections():
    each_runtime(undisturbed(sections))


def fork_and_join(runtime):
    """What is neither work nor a wait in the body is the region's start and end."""
    job = Job(runtime, "serial")
    told, region = told_region(job, "together"), job.region("together")
    lost = TEAM * told["elapsed_seconds"] - sum(t["elapsed_seconds"] for t in told["threads"])
    expect_equal("waits in a body that has none", region["wait_seconds"], 0)
    with timing():
        expect_near("fork and join", region["fork_seconds"] + region["join_seconds"], lost,
                    floor=0.001 + first_floor(runtime) + ready_seconds(job.run.report))


@full
def test_openmp_fork_and_join():
    each_runtime(undisturbed(fork_and_join))


def doacross(runtime):
    job = Job(runtime, "doacross")
    job.truth
    for routine in ("chain_static", "chain_dynamic", "chain_huge", "wavefront"):
        rows = [c for c in job.region(routine)["constructs"] if c["construct"] == "ordered depend(sink)"]
        expect_equal("%s: routines that wait for earlier iterations" % routine, {c["routine"] for c in rows}, {routine})
    expect(job.met("DOACROSS", "time_ns") > 0, "nobody waited for an earlier iteration")


@beside
def test_openmp_waits_for_earlier_iterations():
    each_runtime(doacross)


def idle(runtime):
    """A worker waits for the next region while the first thread is alone: idle, and no loss of any region (fork and join, above)."""
    job = Job(runtime, "serial")
    facts = job.truth["facts"]
    between = facts["serial_seconds"] + facts["asleep_seconds"]
    least = (TEAM - 1) * between * 0.9
    # OMPT: a thread of LLVM's runtime begins its next body only when it is called; the time between is idle.
    with timing():
        expect(job.openmp["idle_seconds"] >= least, "idle between regions %.6f, the first thread was alone for %.6f", job.openmp["idle_seconds"], between)


@full
def test_openmp_idle_between_regions():
    each_runtime(undisturbed(idle))


def operations_have_rows(runtime):
    """Calls without a wait and waits are each of one operation with its own kind of object."""
    job = Job(runtime, "critical")
    kinds = {r["number"]: r["kind"] for r in job.rows("objects")}
    allowed = {OPERATIONS.index("CRITICAL"): 9, OPERATIONS.index("OMP_SET_LOCK"): 10, OPERATIONS.index("OMP_TEST_LOCK"): 10,
               OPERATIONS.index("ATOMIC"): 12}
    for table in ("tallies", "waits"):
        for row in job.rows(table):
            if row["operation"] in allowed:
                expect_equal("kind of the object of %s" % OPERATIONS[row["operation"]], kinds[row["object"]], allowed[row["operation"]])


@beside
def test_openmp_kinds_of_objects():
    each_runtime(operations_have_rows)
