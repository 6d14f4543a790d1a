# SPDX-License-Identifier: MIT
"""Parallel regions: where they are, how often they were executed, how long, how much each member worked, and what was lost at their end.

The truth of work is what each thread measured of its stretches, in elapsed time: 3 %, at least 5 ms for what the scheduler did between
a stretch and the region's end."""
import os

from laws import ready_seconds
from openmp_job import RUNTIMES, TEAM, Job, each_program, each_runtime, first_floor, told_region, undisturbed
from support import SharedRun, alone, expect, expect_equal, expect_near, fail, full, skip, timing

BESIDE = True  # no case asserts a time, but those that are marked

ROUTINES = ("ramp", "serial", "critical", "schedules", "nested", "tasks", "cancel", "oversubscribed", "mixed", "forking", "sections",
            "reductions", "doacross", "exceptions", "ramp_fortran", "recursive")


def is_tail_call(job, row):
    """The inner region of nested.c's too_deep is the last thing that the outer one's body does: clang makes a jump of that call, and
    only the outer one's place is known."""
    return job.runtime == "libomp" and row["routine"] == "too_deep" and row["parent"] is not None


def merged(job, told):
    """The report's rows of one region of the truth: it has one for each parent."""
    rows = [r for r in job.regions(told["routine"]) if r["line"] == told["line"] and not is_tail_call(job, r)]
    if not rows:
        fail("no region %s:%d; there are %s", told["routine"], told["line"],
             ", ".join("%s:%s" % (r["routine"], r["line"]) for r in job.openmp["regions"]))
    return rows


def known(runtime, program):
    job = Job(runtime, program, kind=SharedRun)
    for told in job.truth["regions"]:
        rows = merged(job, told)
        what = "%s:%d" % (told["routine"], told["line"])
        expect_equal("%s: executions" % what, sum(r["count"] for r in rows), told["count"])
        expect_equal("%s: file" % what, {os.path.basename(r["file"]).split(".")[0] for r in rows}, {program})
        if told["team"]:
            expect_equal("%s: team" % what, {(r["team_min"], r["team_max"]) for r in rows}, {(told["team"], told["team"])})
    told = job.truth["counts"].get("parallel")
    if told:
        expect_equal("executions of all regions", sum(r["count"] for r in job.openmp["regions"]), told)


@full
def test_openmp_regions_are_where_they_are():
    """Routine, file, line, count and team of every region of every program."""
    each_program(known, ROUTINES)


def lasts(runtime, program):
    job = Job(runtime, program)
    for number, told in enumerate(job.truth["regions"]):
        with timing():
            expect_near("%s:%d: elapsed" % (told["routine"], told["line"]), sum(r["elapsed_seconds"] for r in merged(job, told)),
                        told["elapsed_seconds"], floor=0.004 if number else 0.002 + first_floor(runtime))


@full
@alone
def test_openmp_regions_last_as_long_as_they_do():
    each_program(undisturbed(lasts), ROUTINES)


# Regions whose bodies are their stretches.
STRETCHES = {"ramp": ["ramp"], "ramp_fortran": ["ramp"], "serial": ["together", "serialized"], "nested": ["inner"],
             "mixed": ["of_main", "of_pthread"], "forking": ["together"], "sections": ["four_sections", "combined_sections"],
             "oversubscribed": ["crowd"]}


def work(runtime, program):
    job = Job(runtime, program)
    for routine in STRETCHES[program]:
        told = told_region(job, routine)
        row = job.region(routine)
        seconds = [t["elapsed_seconds"] for t in told["threads"]]
        found = {t["thread"]: t["work_seconds"] for t in row["threads"]}
        expect_equal("%s: threads" % routine, sorted(found), list(range(len(seconds))))
        with timing():
            for number, wanted in enumerate(seconds):
                expect_near("%s: work of thread %d" % (routine, number), found[number], wanted)
            expect_near("%s: least work" % routine, row["work_min_seconds"], min(seconds))
            expect_near("%s: mean work" % routine, row["work_mean_seconds"], sum(seconds) / len(seconds))
            expect_near("%s: most work" % routine, row["work_max_seconds"], max(seconds))
        if len(seconds) > 1 and max(seconds) > 1.1 * sorted(seconds)[-2] + 0.01:
            expect_equal("%s: who worked most" % routine, row["work_max_thread"], seconds.index(max(seconds)))


@full
@alone
def test_openmp_work_of_threads():
    """What each member of the team did, least, mean and most, and who it was."""
    each_program(undisturbed(work), list(STRETCHES))


def imbalance(runtime, program):
    job = Job(runtime, program)
    told, row = told_region(job, "ramp"), job.region("ramp")
    seconds = [t["elapsed_seconds"] for t in told["threads"]]
    # The last thread has most work in each execution, so that the others' shorter work is what is lost.
    lost = max(seconds) - min(seconds)
    with timing():
        expect_near("waiting at the closing barrier", row["join_seconds"], lost, relative=0.1, floor=0.03)
        expect_near("imbalance_percent, by what was measured", row["imbalance_percent"], 100 * lost / (TEAM * told["elapsed_seconds"]), floor=4)
        # What is known of the program alone holds where each thread has a processor.
        if sum(seconds) <= 1.15 * sum(t["cpu_seconds"] for t in told["threads"]):
            expect_near("imbalance_percent, by analysis", row["imbalance_percent"], job.truth["facts"]["imbalance_percent"], floor=6)
        expect_near("imbalance_seconds", row["imbalance_seconds"], max(seconds) - sum(seconds) / TEAM, relative=0.1, floor=0.015)


@full
@alone
def test_openmp_imbalance_of_a_ramp():
    """Half of a static loop's iterations cost three times what the other half costs."""
    each_program(undisturbed(imbalance), ["ramp", "ramp_fortran"])


def nested(runtime):
    job = Job(runtime, "nested")
    outer, inner = job.region("outer"), job.region("inner")
    expect_equal("parent of outer", outer["parent"], None)
    expect_equal("parent of inner", (inner["parent"]["routine"], inner["parent"]["line"]), ("outer", outer["line"]))
    expect_equal("counts", (outer["count"], inner["count"]), (2, 12))
    deep = {r["parent"] and r["parent"]["routine"]: r for r in job.regions("too_deep")}
    expect_equal("parents of the regions of too_deep", set(deep), {None, "too_deep"})
    expect_equal("their counts and teams", [(deep[p]["count"], deep[p]["team_max"]) for p in (None, "too_deep")], [(1, 2), (2, 1)])
    share = {t["thread"]: t["work_seconds"] for t in inner["threads"]}
    expect_near("of the inner region, thread 1 does twice what thread 0 does", share[1] / share[0],
                told_region(job, "inner")["threads"][1]["elapsed_seconds"] / told_region(job, "inner")["threads"][0]["elapsed_seconds"],
                floor=0.1)


@full
@alone
def test_openmp_nested_regions():
    """Each region under the one in whose body it is met; serialized ones are regions as well."""
    each_runtime(nested)


def recursion(runtime):
    job = Job(runtime, "recursive")
    rows = job.regions("deeper")
    expect_equal("executions of the region that executes itself", sum(r["count"] for r in rows), told_region(job, "deeper")["count"])
    by_parent = {}
    for row in rows:
        name = row["parent"] and row["parent"]["routine"]
        by_parent[name] = by_parent.get(name, 0) + row["count"]
    expect_equal("of them, by parent", {k: by_parent[k] for k in (None, "first_parent", "second_parent")},
                 {None: 3, "first_parent": 1, "second_parent": 2})
    expect(len(rows) <= 12, "%d rows for one region that recurses", len(rows))


def test_openmp_recursion():
    """20 levels of one region: all are counted, and the table does not grow with them."""
    each_runtime(recursion)


@full
@alone
def test_openmp_runtimes_agree():
    """The same source on libgomp and on libomp: equal counts; shares of work and imbalance within 5 %."""
    jobs = {}

    def one(runtime):
        jobs[runtime] = {program: Job(runtime, program) for program in ("ramp", "nested", "tasks", "critical", "schedules", "serial")}

    each_runtime(one)
    if len(jobs) < len(RUNTIMES):
        skip("only one runtime is here")
    gomp, libomp = (jobs[r] for r in RUNTIMES)
    for program in gomp:
        regions = [sorted((r["routine"], r["count"], r["team"]) + ((r["line"],) if r["routine"] != "too_deep" else ())
                          for r in j[program].openmp["regions"]) for j in (gomp, libomp)]
        expect_equal("regions of %s on both" % program, regions[1], regions[0])
    for program, table, column in (("tasks", "omp_tasks", "created"), ("tasks", "omp_tasks", "executed"), ("tasks", "omp_tasks", "dependences"),
                                   ("ramp", "omp_executions", "members")):
        expect_equal("%s %s of %s" % (table, column, program), libomp[program].sum(table, column), gomp[program].sum(table, column))
    for operation in ("CRITICAL", "OMP_SET_LOCK", "OMP_TEST_LOCK"):
        expect_equal(operation, libomp["critical"].calls(operation), gomp["critical"].calls(operation))
    expect_equal("ordered", libomp["schedules"].calls("ORDERED"), gomp["schedules"].calls("ORDERED"))
    expect_equal("tasks by region and routine", *[executed(j["tasks"]) for j in (libomp, gomp)])
    check_shares(gomp, libomp)


def executed(job):
    """Not by line: LLVM's runtime tells of a taskloop with a place of its own."""
    found = {}
    for region in job.openmp["regions"]:
        for task in region["tasks"]:
            key = (region["routine"], task["routine"])
            found[key] = found.get(key, 0) + task["executed"]
    return found


def check_shares(gomp, libomp):
    """Each against its own truth, since the machine may have treated the two runs differently."""
    for program, routine in (("ramp", "ramp"), ("nested", "inner"), ("serial", "together")):
        ratios = []
        for jobs in (gomp, libomp):
            row, told = jobs[program].region(routine), told_region(jobs[program], routine)
            share = [t["work_seconds"] for t in row["threads"]][1] / row["work_seconds"]
            seconds = [t["elapsed_seconds"] for t in told["threads"]]
            ratios.append(share / (seconds[1] / sum(seconds)))
        expect_near("%s: thread 1's share of the work, libomp against libgomp" % routine, ratios[1], ratios[0], relative=0.05, floor=0)
    told = [told_region(jobs["ramp"], "ramp") for jobs in (gomp, libomp)]
    lost = [100 * abs(t["threads"][1]["elapsed_seconds"] - t["threads"][0]["elapsed_seconds"]) / (TEAM * t["elapsed_seconds"]) for t in told]
    found = [jobs["ramp"].region("ramp")["imbalance_percent"] for jobs in (gomp, libomp)]
    # who is ready, but has no processor, before it comes to the barrier is late there, and not in its own account
    ready = sum(100 * ready_seconds(jobs["ramp"].run.report) / (TEAM * t["elapsed_seconds"]) for jobs, t in zip((gomp, libomp), told))
    expect_near("imbalance beyond that of the run, libomp against libgomp", found[1] - lost[1], found[0] - lost[0], floor=5 + ready)
