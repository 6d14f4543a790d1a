# SPDX-License-Identifier: MIT
"""OpenMP together with other threads and processes: pthreads, forks, death by SIGKILL, a million regions, calls of old compilers."""
import os

from openmp_job import Job, each_runtime, expect_count, told_region, undisturbed
from support import alone, check_laws, expect, expect_equal, expect_near, expect_same, full, short_or_long, soaks, timing

BESIDE = True  # no case asserts a time, but those that are marked

TABLES = ("omp_executions", "omp_work", "omp_constructs", "omp_tasks")


def mixed(runtime):
    job = Job(runtime, "mixed")
    expect_same(job.run)
    job.check_laws()
    facts = job.truth["facts"]
    masters = {r["owner"] for r in job.rows("omp_executions")}
    expect_equal("threads that started regions", len(masters), 2)
    # Neither of the two pthreads is a worker of a team; both teams have one.
    flags = [r["flags"] & 32 for r in job.rows("threads") if r["tid"]]
    expect_equal("workers of OpenMP", sum(bool(f) for f in flags), 2)
    mutex = [r for r in job.run.report["synchronization"] if r["kind"] == "mutex" and r["name"] == "mutex"]
    with timing():
        expect_near("waiting for the mutex of pthread", sum(r["wait_seconds"] for r in mutex), facts["mutex_wait"], floor=0.002)
    used = {r["owner"] for t in TABLES for r in job.rows(t)}
    lone = [r["number"] for r in job.rows("threads") if r["tid"] and r["number"] not in used]
    expect(lone, "the thread that works alone is in a region")


@full
@alone
def test_openmp_beside_pthreads():
    """Two leaders with a team each, a thread in no region, a mutex of pthread."""
    each_runtime(undisturbed(mixed))


def parent_and_child(job, child):
    """(tables of the parent, of the child or None), by process."""
    parent = [t for h, t in job.profiles if h["pid"] == job.truth["pid"]]
    children = [t for h, t in job.profiles if h["pid"] == child]
    expect_equal("profiles of the parent", len(parent), 1)
    expect(len(children) <= 1, "profiles of the child: %d", len(children))
    return parent[0], children[0] if children else None


def check_no_use(tables, who):
    for name in TABLES + ("omp_threads",):
        expect_equal("rows of %s in the profile of %s" % (name, who), len(tables[name]), 0)


def forking(runtime):
    job = Job(runtime, "forking")
    expect_same(job.run)
    facts = job.truth["facts"]
    parent, child = parent_and_child(job, int(facts["child"]))
    expect_equal("executions in the parent", sum(r["count"] for r in parent["omp_executions"]), 7)
    if child:
        check_no_use(child, "a child without OpenMP")
    told = told_region(job, "together")
    with timing():
        expect_near("work of the parent", sum(r["work_ns"] for r in parent["omp_work"]) / 1e9, sum(t["elapsed_seconds"] for t in told["threads"]))
    job.check_laws()


@full
@alone
def test_openmp_fork_without_openmp_in_the_child():
    """The parent's regions before and after; the child has none, whatever it inherits."""
    each_runtime(undisturbed(forking))


def own_regions(runtime, when):
    if runtime == "gomp" and when == "after":
        return  # libgomp's threads are not in that child: it would wait for them for ever
    job = Job(runtime, "child", [when])
    expect_same(job.run)
    facts = job.truth["facts"]
    parent, child = parent_and_child(job, int(facts["child"]))
    told = told_region(job, "of_parent")
    expect_equal("executions in the parent", sum(r["count"] for r in parent["omp_executions"]), facts["of_parent"])
    expect_equal("executions of of_parent", told["count"], facts["of_parent"])
    expect(child is not None, "the child has no profile")
    expect_equal("executions in the child", sum(r["count"] for r in child["omp_executions"]), facts["of_child"])
    for tables, wanted in ((parent, facts["of_parent"]), (child, facts["of_child"])):
        expect_equal("members", sum(r["members"] for r in tables["omp_executions"]), 2 * wanted)
        expect_equal("bodies by thread", sum(r["count"] for r in tables["omp_work"]), 2 * wanted)
        expect_equal("rows of omp_process", len(tables["omp_process"]), 1)
    counts = {r: job.region(r)["count"] for r in ("of_parent", "of_child")}
    expect_equal("executions in the report", counts, {"of_parent": facts["of_parent"], "of_child": facts["of_child"]})
    job.check_laws()


def test_openmp_in_a_child():
    """A child that uses OpenMP itself, forked before its parent used it, and after. covers: D46"""
    for when in ("before", "after"):
        each_runtime(own_regions, when)


def within(runtime):
    job = Job(runtime, "child", ["within"])
    expect_same(job.run)
    facts = job.truth["facts"]
    parent, child = parent_and_child(job, int(facts["child"]))
    expect_equal("executions in the parent", sum(r["count"] for r in parent["omp_executions"]), facts["of_parent"] + 1)
    for row in parent["omp_executions"]:
        expect_equal("members", row["members"], row["team"] * row["count"])
        expect_equal("parts of the time", row["fork_ns"] + row["work_ns"] + row["wait_ns"] + row["join_ns"], row["team"] * row["elapsed_ns"])
    if child:
        expect_equal("executions in the child", sum(r["count"] for r in child["omp_executions"]), 0)
    job.check_laws()


def test_openmp_fork_within_a_region():
    """By a worker, in a body: the child's copy of it ends nothing."""
    each_runtime(within)


def killed(runtime):
    for arguments in ([], ["wait"]):
        job = Job(runtime, "killed", arguments)
        expect_equal("status", job.run.profiled.status, -9)
        expect_equal("status without the profiler", job.run.native.status, -9)
        row = job.region("ending")
        expect_equal("executions that have ended", (row["count"], row["team_min"], row["team_max"]), (5, 2, 2))
        expect_equal("report's status: incomplete", (job.run.report["report_status"], job.run.report["run"]["complete"]), (1, False))
        expect_equal("regions under way", sum(r["region_since_ns"] != 0 for r in job.rows("omp_threads")), 1)
        for execution in job.rows("omp_executions"):
            parts = [execution[k] for k in ("fork_ns", "work_ns", "wait_ns", "join_ns")]
            expect_equal("parts of the time", sum(parts), execution["team"] * execution["elapsed_ns"])
        # What lasted when it died is in the time in regions.
        expect(job.openmp["region_seconds"] >= row["elapsed_seconds"] + 0.02, "time in regions %.6f, of those that ended %.6f",
               job.openmp["region_seconds"], row["elapsed_seconds"])
        job.check_laws(complete=False)


@full
def test_openmp_killed_in_a_region():
    """The profile is readable, with what has ended and what was under way. covers: D49"""
    each_runtime(killed)


def only_one(runtime):
    job = Job(runtime, "killed", ["first"])
    expect_equal("status", job.run.profiled.status, -9)
    expect_equal("threads of the largest team", job.openmp["threads"], 2)
    found = job.openmp["efficiency"]["parallel"]
    # The second thread works all the time, the first one as long as the program is serial, and before the barrier.
    expect(0.4 <= found <= 0.7, "parallel efficiency %.3f, of two threads of which one waits", found)
    job.check_laws(complete=False)


def test_openmp_only_region_under_way():
    """The only region never ends: its team, and what its members did so far, are known all the same."""
    each_runtime(only_one)


def many(runtime):
    sizes, most = {}, short_or_long(50000, 1000000)
    for count in (1000, most):
        job = Job(runtime, "million", [count], options=["-s", "0"])
        expect_count(job, "executions", job.sum("omp_executions", "count"), job.truth["counts"]["parallel"])
        expect_count(job, "members", job.sum("omp_executions", "members"), 2 * count)
        expect_count(job, "rows of executions", len(job.rows("omp_executions")), 1)
        sizes[count] = [os.path.getsize(p) for p in job.run.profiles()]
        expect_count(job, "profiles", len(sizes[count]), 1)
        check_laws(job.run.report, sampling=False)
    # Without samples, which find more places in a longer run: regions cost nothing.
    expect(sizes[most][0] <= sizes[1000][0] + 65536, "profile of %d regions: %d bytes, of 1000: %d", most, sizes[most][0], sizes[1000][0])


@full
@soaks
def test_openmp_million_regions():
    """A twentieth of them in the short form. Each is counted, and the profile does not grow with them."""
    each_runtime(many)


def old_calls(runtime):
    job = Job(runtime, "old_calls")
    expect_same(job.run, stderr=True)
    told, facts = job.truth["counts"], job.truth["facts"]
    expect_count(job, "executions", job.sum("omp_executions", "count"), told["parallel"])
    for row in job.rows("omp_executions"):
        expect_equal("members", row["members"], row["team"] * row["count"])
        expect_equal("parts of the time", row["fork_ns"] + row["work_ns"] + row["wait_ns"] + row["join_ns"], row["team"] * row["elapsed_ns"])
    job.check_laws()
    if runtime == "libomp":
        return  # it is seen by OMPT, as every call of gcc on that runtime
    for body, inner in (("plain_body", 0), ("loop_body", 0), ("sections_body", 0), ("outer_body", 0), ("inner_body", 1)):
        row = [r for r in job.regions(body) if bool(inner) == (r["parent"] is not None)]
        expect_equal("%s: rows" % body, len(row), 1)
        row = row[0]
        expect_equal("%s: executions, parent" % body, (row["count"], row["parent"] and row["parent"]["routine"]),
                     (facts["executions"] * (1 + inner), "outer_body" if inner else None))
    seconds = [t["elapsed_seconds"] for t in told_region(job, "plain_body")["threads"]]
    for thread in job.region("plain_body")["threads"]:
        with timing():
            expect_near("plain_body: work of thread %d" % thread["thread"], thread["work_seconds"], seconds[thread["thread"]], floor=0.002)


@alone
def test_openmp_calls_of_old_compilers():
    """GOMP_parallel_start and GOMP_parallel_end, where the program calls the first thread's body itself; loops, sections, nested."""
    each_runtime(undisturbed(old_calls))


def test_openmp_old_locks():
    """A nest lock of 8 bytes gets the routines of its version: nothing behind it is written."""
    job = Job("gomp", "old_locks")
    expect_same(job.run, stderr=True)
    expect_equal("status", job.run.profiled.status, 0)
    told = job.truth["counts"]
    # Calls of the old version reach the library directly.
    expect_count(job, "locks of today", job.calls("OMP_SET_LOCK"), told["lock"])
    expect_count(job, "tries of today", job.calls("OMP_TEST_LOCK"), told["test_lock"])
    job.check_laws()


def test_openmp_large_teams():
    """Teams of more threads than the profiler keeps at hand for small ones."""
    def check(runtime):
        for threads in (9, 16):
            job = Job(runtime, "million", [50, threads], environment={"OMP_WAIT_POLICY": "passive"})
            expect_same(job.run)
            row = job.rows("omp_executions")
            expect_equal("executions, team, members", [(r["count"], r["team"], r["members"]) for r in row], [(50, threads, 50 * threads)])
            parts = [row[0][k] for k in ("fork_ns", "work_ns", "wait_ns", "join_ns")]
            expect_equal("parts of the time", sum(parts), threads * row[0]["elapsed_ns"])
            expect_equal("threads in the report", len(job.region("empty")["threads"]), threads)
            job.check_laws()

    each_runtime(check)


def masters(runtime):
    for how in ("one", "many", "exit"):
        job = Job(runtime, "masters", [how])
        expect_same(job.run, stderr=True)
        expect_equal("status of %s" % how, job.run.profiled.status, 0)
        told = job.truth["counts"]["parallel"]
        expect_count(job, "%s: executions" % how, job.sum("omp_executions", "count"), told)
        expect_count(job, "%s: members" % how, job.sum("omp_executions", "members"), 2 * told)
        expect_count(job, "%s: bodies" % how, job.sum("omp_work", "count"), 2 * told)
        expect_count(job, "%s: in the report" % how, job.region("of_thread")["count"], told)
        job.check_laws()
        for path in job.run.profiles():
            expect(os.path.getsize(path) < 1 << 22, "%s: profile of %d bytes", how, os.path.getsize(path))


@full
def test_openmp_in_threads_that_end():
    """Regions of 60 threads one after the other, of several at once, and of one that outlives the initial thread."""
    each_runtime(masters)
