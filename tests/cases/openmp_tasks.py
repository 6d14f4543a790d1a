# SPDX-License-Identifier: MIT
"""Explicit tasks: how many by each way to create them, where, which threads ran them, and their time."""
import os

from openmp_job import TEAM, Job, each_runtime, undisturbed
from support import alone, expect, expect_between, expect_equal, expect_near, expect_same, full, timing

BESIDE = True  # no case asserts a time, but those that are marked

MADE = ("created", "executed")


def of_region(job, routine):
    """The report's rows of tasks of one region, summed by column."""
    rows = [t for r in job.regions(routine) for t in r["tasks"]]
    return rows, {k: sum(t[k] or 0 for t in rows) for k in ("created", "executed", "undeferred", "stolen", "dependences", "work_seconds",
                                                            "delay_seconds")}


def sites(runtime):
    job = Job(runtime, "tasks")
    told = job.truth["counts"]
    fib = int(job.truth["facts"]["fib_tasks"])
    rows, tree = of_region(job, "tree")
    expect_equal("tasks of fib: created, executed", [tree[k] for k in MADE], [fib, fib])
    expect_equal("routines and files of the tasks of fib", {(t["routine"], os.path.basename(t["file"])) for t in rows}, {("fib", "tasks.c")})
    # Two places, one for each child of a node.
    expect_equal("tasks of each place of fib", sorted(t["executed"] for t in rows), [fib // 2, fib // 2])
    for routine, wanted in (("group", 40), ("loops", told["taskloop_task"]), ("chain", 13), ("yields", 20), ("at_once", 12)):
        found_rows, found = of_region(job, routine)
        expect_equal("tasks of %s: created, executed" % routine, [found[k] for k in MADE], [wanted, wanted])
        expect_equal("routines of tasks of %s" % routine, {t["routine"] for t in found_rows}, {routine})
    expect_equal("dependences of chain", of_region(job, "chain")[1]["dependences"], 14)
    expect_equal("tasks outside of regions", job.openmp["outside"]["tasks"], [])


def test_openmp_tasks_by_place():
    """Each place that makes tasks, in its routine, with the tasks that it made."""
    each_runtime(sites)


def taskloops(runtime):
    (row,) = Job(runtime, "tasks").regions("loops")
    loops = sorted((c["routine"], c["line"], c["count"]) for c in row["constructs"] if c["construct"] == "taskloop")
    tasks = sorted(t["line"] for t in row["tasks"])
    expect_equal("routines and counts of the taskloops", [(r, n) for r, _, n in loops], [("loops", 1)] * 2)
    for (_, line, _), of_tasks in zip(loops, tasks):  # the directive, or the loop behind it, by compiler
        expect_between("line of a taskloop whose tasks are made at %d" % of_tasks, line, of_tasks, of_tasks + 1)


def test_openmp_taskloops_by_place():
    """Each taskloop at its own line, not at that of the region."""
    each_runtime(taskloops)


def laws(runtime):
    for program in ("tasks", "reductions", "exceptions"):
        job = Job(runtime, program)
        job.truth
        for row in job.rows("omp_tasks"):
            expect(row["undeferred"] <= row["executed"] and row["stolen"] <= row["executed"], "%s: executed %d, undeferred %d, stolen %d",
                   program, row["executed"], row["undeferred"], row["stolen"])
            expect(row["max_ns"] <= row["work_ns"], "%s: most work of one task %d ns of %d", program, row["max_ns"], row["work_ns"])
            expect(row["delay_max_ns"] <= row["delay_ns"], "%s: longest delay %d ns of %d", program, row["delay_max_ns"], row["delay_ns"])
        for place in {(r["place"], r["region"]) for r in job.rows("omp_tasks")}:
            made, done = (job.sum("omp_tasks", k, place=place[0], region=place[1]) for k in MADE)
            expect_equal("%s: executed tasks of one place, and made ones" % program, done, made)
        # The work of tasks is work of their regions.
        for region in {r["region"] for r in job.rows("omp_tasks")}:
            work, whole = job.sum("omp_tasks", "work_ns", region=region), job.sum("omp_work", "work_ns", region=region)
            expect(work <= whole * 1.001 + 20000, "%s: work in tasks %d ns, in their region %d ns", program, work, whole)


def test_openmp_tasks_add_up():
    """Each created task is executed once; parts are not larger than wholes."""
    each_runtime(laws)


def test_openmp_untied_tasks_end_on_another_thread():
    """A task's last part ends before its first one: libomp tells the thread of the first, and that of the last nothing."""
    job = Job("libomp", "untied")
    facts = job.truth["facts"]
    rows, found = of_region(job, "untied")
    expect_equal("tasks: created, executed", [found[k] for k in MADE], [40, 40])
    for row in job.rows("omp_tasks"):
        expect(row["undeferred"] <= row["executed"] and row["stolen"] <= row["executed"], "executed %d, undeferred %d, stolen %d",
               row["executed"], row["undeferred"], row["stolen"])
    least, region = facts["bodies"], job.region("untied")
    expect(0.97 * least <= found["work_seconds"] <= 1.001 * region["work_seconds"] + 2e-5,
           "work of the tasks %.6f, of their bodies %.6f, of the region %.6f", found["work_seconds"], least, region["work_seconds"])


def times(runtime):
    job = Job(runtime, "tasks")
    facts = job.truth["facts"]
    _, group = of_region(job, "group")
    row = job.region("group")
    # Bodies burn CPU time; on a machine with other programs they take longer.
    expect(group["work_seconds"] >= 0.97 * facts["group_body"], "work of the group's tasks %.6f, of their bodies %.6f", group["work_seconds"],
           facts["group_body"])
    with timing():
        expect_near("the group's tasks are nearly all of its region's work", group["work_seconds"], row["work_seconds"], relative=0.03, floor=0.002)
        # One thread makes all 40, and two threads need 20 ms for them: on average a task waits half of that.
        expect(group["delay_seconds"] > 40 * 0.1 * row["elapsed_seconds"], "delay of the group's tasks %.6f, the region took %.6f", group["delay_seconds"],
               row["elapsed_seconds"])
    expect(group["delay_seconds"] <= 40 * row["elapsed_seconds"], "delay of the group's tasks %.6f, the region took %.6f", group["delay_seconds"],
           row["elapsed_seconds"])


@alone
def test_openmp_times_of_tasks():
    """Work is that of the bodies; the delay from making to beginning is within the region."""
    each_runtime(undisturbed(times))


def at_once(runtime):
    job = Job(runtime, "tasks")
    told = job.truth["counts"]
    rows, found = of_region(job, "at_once")
    # if(0), and the one within a final task; the runtime may run the final one at once too.
    least = told["task_undeferred"] + told["task_included"]
    expect(least <= found["undeferred"] <= least + told["task_final"], "undeferred tasks %d, expected %d, or one more", found["undeferred"], least)
    for row in rows:
        if row["undeferred"] == row["executed"]:
            expect_equal("of undeferred tasks: stolen, delay", (row["stolen"], row["delay_seconds"]), (0, 0))


def test_openmp_undeferred_tasks():
    """if(0) and included tasks run within the call that makes them, by its thread, without a delay."""
    each_runtime(at_once)


def stolen(runtime):
    """40 bodies of 1 ms, made by one of two threads: the other one gets some of them."""
    job = Job(runtime, "tasks")
    job.truth
    _, group = of_region(job, "group")
    threads = {t["thread"]: t["work_seconds"] for t in job.region("group")["threads"]}
    with timing():
        expect(0 < group["stolen"] < 40, "stolen tasks of the group: %d of 40", group["stolen"])
    expect(threads[1] >= 0.9 * 0.001 * group["stolen"], "the other thread worked %.6f in %d stolen tasks", threads[1], group["stolen"])


@full
@alone
def test_openmp_stolen_tasks():
    each_runtime(undisturbed(stolen))


def cancelled(runtime):
    job = Job(runtime, "cancel")
    job.truth
    _, found = of_region(job, "cancelled_tasks")
    expect_equal("tasks made", found["created"], 150)
    # Of each group the first cancels; those that had not begun never do.
    expect(3 <= found["executed"] <= 3 * TEAM, "executed tasks of three cancelled groups: %d", found["executed"])
    # Where it takes effect: at the first thread's cancel, and at the other's, or at a point at which that one finds it.
    expect_between("cancellations", job.met("CANCEL"), job.truth["counts"]["cancelled"], TEAM * job.truth["counts"]["cancelled"])


def test_openmp_cancelled_tasks_are_not_executed():
    each_runtime(cancelled)


def not_told_twice(runtime):
    """A task run while its thread waits is work, no wait: the waits of a region's members are less than what is left."""
    job = Job(runtime, "tasks")
    job.truth
    for row in job.openmp["regions"]:
        waits = row["wait_seconds"] + row["join_seconds"] + row["fork_seconds"] + row["work_seconds"]
        expect_near("%s: all parts" % row["routine"], waits, row["team_elapsed_seconds"], relative=1e-6, floor=1e-7)
    tree = job.region("tree")
    by_construct = sum(c["seconds"] or 0 for c in tree["constructs"] if c["construct"] in ("taskwait", "barrier", "implicit barrier"))
    expect(by_construct <= tree["team_elapsed_seconds"], "waits in tree by construct %.6f, team x elapsed %.6f", by_construct,
           tree["team_elapsed_seconds"])
    # Waits of tasks that run at the closing barrier are waits after the end of a body: part of the join.
    expect_between("waits in tree, by construct", by_construct, tree["wait_seconds"], tree["wait_seconds"] + tree["join_seconds"], floor=2e-6)


def test_openmp_tasks_interrupt_waits():
    each_runtime(not_told_twice)


def data(runtime):
    for threads in (1, 2, 4):
        job = Job(runtime, "task_data", environment={"OMP_NUM_THREADS": str(threads)})
        expect_same(job.run, stderr=True)
        expect_equal("status", job.run.profiled.status, 0)
        told = job.truth["counts"]
        made = told["task"] + told["taskloop_task"]
        expect_equal("tasks made, executed, by %d" % threads, [job.sum("omp_tasks", k) for k in MADE], [made, made])
        job.check_laws()


def test_openmp_data_of_tasks():
    """Objects with constructors and destructors, aligned and very large data, events: each task finds its own."""
    each_runtime(data)


def bodies(runtime):
    for threads in (1, 2):
        job = Job(runtime, "task_bodies", environment={"OMP_NUM_THREADS": str(threads)})
        told, facts = job.truth["counts"], job.truth["facts"]
        expect_same(job.run, stderr=True)
        for way in sorted(name[len("tasks_"):] for name in told if name.startswith("tasks_")):
            what, tasks = "%s, %d threads" % (way, threads), told["tasks_" + way]
            _, found = of_region(job, way)
            expect_equal("%s: tasks made, executed" % what, [found[k] for k in MADE], [tasks, tasks])
            if threads > 1 and "once_" + way in told:
                expect_equal("%s: run at once" % what, found["undeferred"], told["once_" + way])
            expect(found["work_seconds"] >= 0.97 * facts["work_" + way], "%s: work of tasks %.6f, of their bodies %.6f", what, found["work_seconds"],
                   facts["work_" + way])
            expect(job.region(way)["work_seconds"] >= 0.97 * facts["work_" + way], "%s: work in its region %.6f, in bodies %.6f", what,
                   job.region(way)["work_seconds"], facts["work_" + way])
        locks = [r["count"] for r in job.run.report["synchronization"] if (r["name"], r["operation"]) == ("the_mutex", "lock")]
        expect_equal("locks of the mutex by %d threads" % threads, sum(locks), told["locks"])
        expect_equal("tasks that are not timed", [n["text"] for n in job.rows("notes") if "are counted only" in n["text"]], [])
        job.check_laws()


@full
def test_openmp_bodies_of_tasks():
    """What tasks do is work, and what they call is observed, however their data is passed to them."""
    each_runtime(bodies)
