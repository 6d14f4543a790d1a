# SPDX-License-Identifier: MIT
"""Every OpenMP program of known truth under each runtime: nothing is changed, and the figures add up."""
import os

from openmp_job import CAUSE_OPENMP, PROGRAMS, TEAM, Job, each_of, each_runtime
from support import BUILD, SharedRun, close, expect, expect_equal, expect_same, full, skip, thread_cpu

BESIDE = True  # no case asserts a time


def check_executions(job):
    """To the nanosecond, in every row: all time of a team is in one of four parts, and no member is missing."""
    rows = job.rows("omp_executions")
    expect(rows, "no region was recorded")
    for row in rows:
        parts = [row[k] for k in ("fork_ns", "work_ns", "wait_ns", "join_ns")]
        expect_equal("members of a team of %d, %d times" % (row["team"], row["count"]), row["members"], row["team"] * row["count"])
        expect_equal("fork + work + wait + join of a team of %d = %s" % (row["team"], parts), sum(parts), row["team"] * row["elapsed_ns"])
        expect(row["min_ns"] * row["count"] <= row["elapsed_ns"] <= row["max_ns"] * row["count"], "shortest %d, longest %d of %d, sum %d",
               row["min_ns"], row["max_ns"], row["count"], row["elapsed_ns"])
        expect(row["work_ns"] <= row["team"] * row["work_max_ns"], "work %d, of a team of %d, most %d", row["work_ns"], row["team"],
               row["work_max_ns"])
        expect(row["idle_min_ns"] * row["team"] <= row["team"] * row["elapsed_ns"] - row["work_ns"], "least idle %d times %d, idle %d",
               row["idle_min_ns"], row["team"], row["team"] * row["elapsed_ns"] - row["work_ns"])


def check_members(job):
    """The members' figures agree with those of their teams: as many bodies, and never less work than their masters charged."""
    bodies = job.sum("omp_executions", "members")
    expect_equal("bodies of all members", job.sum("omp_work", "count"), bodies)
    expect_equal("bodies of all threads", job.sum("omp_threads", "bodies"), bodies)
    for region in {row["region"] for row in job.rows("omp_executions")}:
        charged, done = (job.sum(t, "work_ns", region=region) for t in ("omp_executions", "omp_work"))
        # Work is cut at the instant at which the region ended, and the clocks of two processors are not one.
        expect(close(charged, done, 0.001, 20000), "region %d: work of teams %d ns, of members %d ns (0.1 %%, at least 20 us)",
               region, charged, done)
    for row in job.rows("omp_work"):
        expect(row["work_ns"] <= row["body_ns"] or job.met("SINGLE") or job.rows("omp_tasks"), "work %d in bodies of %d ns",
               row["work_ns"], row["body_ns"])
        expect(row["most_ns"] <= row["work_ns"], "most work of one execution %d of %d ns", row["most_ns"], row["work_ns"])


def check_constructs(job):
    """In-body waits by construct are the waits of the teams; those of locks stand in the table of waits as well."""
    names = ("CRITICAL", "OMP_LOCK", "ORDERED", "ATOMIC")
    locks = sum(row["sum_ns"] for row in job.rows("waits") if row["cause"] == CAUSE_OPENMP)
    by_construct = sum(job.met(name, "time_ns") for name in names)
    # An iteration without an ordered block waits for its turn in the loop's next: a wait without an object.
    expect(by_construct >= locks, "waits for locks: %d ns by construct, %d ns by object", by_construct, locks)
    for row in job.rows("omp_threads"):
        expect(row["outside_ns"] <= row["wait_ns"], "%d of %d ns of waiting outside of bodies", row["outside_ns"], row["wait_ns"])
        expect_equal("a region under way at the end", row["region_since_ns"], 0)


def check_report(job):
    """Each figure of the report against those from which it is computed."""
    for row in job.openmp["regions"]:
        what = "%s:%s" % (row["routine"], row["line"])
        whole = row["team_elapsed_seconds"]
        expect(close(sum(row[k] for k in ("fork_seconds", "work_seconds", "wait_seconds", "join_seconds")), whole, 1e-6, 2e-8),
               "%s: fork + work + wait + join is not team x elapsed: %r", what, row)
        expect(row["work_min_seconds"] <= row["work_mean_seconds"] * 1.01 + 1e-6 <= row["work_max_seconds"] * 1.02 + 2e-6,
               "%s: work %r %r %r", what, row["work_min_seconds"], row["work_mean_seconds"], row["work_max_seconds"])
        expect(row["barrier_seconds"] >= row["join_seconds"], "%s: waiting at barriers, %r, is less than at the closing one, %r", what,
               row["barrier_seconds"], row["join_seconds"])
        expect(close(row["gain_seconds"], row["barrier_seconds"] / row["team"], 1e-6, 1e-8), "%s: gain %r, waits at barriers %r", what,
               row["gain_seconds"], row["barrier_seconds"])
        expect(close(row["imbalance_percent"], 100 * row["join_seconds"] / whole, 1e-6, 1e-4), "%s: imbalance %r %%, join %r of %r", what,
               row["imbalance_percent"], row["join_seconds"], whole)
        expect_equal("%s: missing members" % what, row["missing_members"], 0)
        expect(close(sum(t["work_seconds"] for t in row["threads"]), row["work_seconds"], 0.001, 2e-5), "%s: work of threads and region",
               what)


def check_waits(job):
    """All waiting in the runtime is in the threads' own account."""
    waited = sum(t["waits"]["openmp"] or 0 for t in job.run.report["threads"])
    expect(close(waited, job.openmp["wait_seconds"], 1e-6, 1e-5), "waiting in the runtime: %.9f of threads, %.9f of all", waited,
           job.openmp["wait_seconds"])
    if job.openmp["spin_seconds"] is not None:
        parts = [job.openmp[k] for k in ("spin_seconds", "blocked_seconds", "ready_seconds")]
        expect(close(sum(parts), job.openmp["wait_seconds"], 1e-6, 1e-5), "spinning + blocked + ready: %r = %.9f, waiting %.9f", parts, sum(parts),
               job.openmp["wait_seconds"])
        expect(job.openmp["spin_seconds"] <= thread_cpu(job.run.report) * (1 + 1e-6) + 1e-5, "spinning: %.9f, CPU time of all threads %.9f",
               job.openmp["spin_seconds"], thread_cpu(job.run.report))


def check_efficiency(job):
    found = job.openmp["efficiency"]
    for name, value in found.items():
        expect(value is None or -1e-9 <= value <= 1 + 1e-9, "efficiency %s is no fraction of 1: %r", name, value)
    product = found["load_balance"] * found["scheduling"] * found["serialization"]
    expect(close(found["parallel"], product, 1e-6, 1e-8), "parallel efficiency %r, its factors' product %r", found["parallel"], product)


def laws_of(runtime, program):
    """Exit status, output and messages are those without the profiler; then what the profile says, and what the report makes of it."""
    job = Job(runtime, program, kind=SharedRun)
    expect_same(job.run, stderr=True)
    expect_equal("status", job.run.profiled.status, 0)
    job.check_laws()
    check_executions(job)
    check_members(job)
    check_constructs(job)
    check_report(job)
    check_waits(job)
    check_efficiency(job)


@full
def test_openmp_laws_on_libgomp():
    """Nothing is changed; team x elapsed = fork + work + wait + join in every row; members, bodies and waits agree between tables; each figure
    of a region with those it is made of."""
    each_of(PROGRAMS, lambda program: laws_of("gomp", program))


@full
def test_openmp_laws_on_libomp():
    """The same."""
    each_of(PROGRAMS, lambda program: laws_of("libomp", program))


@full
def test_openmp_identity_of_runtime():
    """Which library it is, how many threads, and the wait policy that was asked for."""
    def check(runtime):
        for policy in (None, "active", "PASSIVE"):
            job = Job(runtime, "ramp", environment={"OMP_WAIT_POLICY": policy} if policy else {})
            expect_equal("wait_policy", job.openmp["wait_policy"], policy and policy.lower())
        expect_equal("runtime", job.openmp["runtime"], ["libgomp" if runtime == "gomp" else "OMPT"])
        expect("libgomp.so.1" in job.openmp["library"] if runtime == "gomp" else "OMP" in job.openmp["library"], "library %r",
               job.openmp["library"])
        expect_equal("threads", job.openmp["threads"], TEAM)

    each_runtime(check)


# Programs that cases of other files run.
ELSEWHERE = {"awaited", "barriers", "bound", "child", "convoy", "critical_tsan", "diff_schedule", "entries", "killed",
             "masters", "million", "old_calls", "old_locks", "one_works", "own_tool", "parts", "shares", "task_bodies", "task_data", "tasks_asan", "teams", "untied"}


def test_openmp_programs_are_all_here():
    """Programs of the makefile that this list of programs has not are no longer checked."""
    found = set()
    for runtime in ("gomp", "libomp"):
        directory = os.path.join(BUILD, "programs", "openmp", runtime)
        if os.path.isdir(directory):
            found |= {n for n in os.listdir(directory) if "." not in n}
    if not found:
        skip("no OpenMP program was built")
    expect_equal("programs that are in no list", sorted(found - set(PROGRAMS) - ELSEWHERE), [])
