# SPDX-License-Identifier: MIT
"""What is found does not depend on other programs that use the same processors: unequal work is found with about its share, equal work is not
accused."""
import contextlib
import os

from openmp_job import Job
from support import burner, check_laws, expect, expect_equal, need, run, scratch, skip

BESIDE = True  # no case asserts a time: shares of a run, within wide margins, whatever others do

# So many other programs have the first, or the second, of two processors; None: any of both.
LOADS = {"alone": [], "on the first": [0], "on the second": [1], "three on the first": [0] * 3, "two on both": [None] * 2}


@contextlib.contextmanager
def beside(loads):
    """All that is started meanwhile has two processors; others have them, too."""
    everybody = os.sched_getaffinity(0)
    if len(everybody) < 2:
        skip("there is one processor only")
    two = sorted(everybody)[:2]
    os.sched_setaffinity(0, two)
    others = [burner() if load is None else burner(need("taskset"), "-c", str(two[load])) for load in loads]
    try:
        yield two
    finally:
        os.sched_setaffinity(0, everybody)
        for other in others:
            other.kill()
            other.wait()


def found_in_team(loads, milliseconds):
    """Eight executions by two members, each bound to its processor; (finding or None, report)."""
    with beside(loads) as two:
        places = ",".join("{%d}" % processor for processor in two)
        job = Job("gomp", "shares", ["8"] + [str(m) for m in milliseconds], environment={"OMP_PROC_BIND": "true", "OMP_PLACES": places})
    report = job.run.report
    check_laws(report, sampling=False)
    return {f["id"]: f for f in report["findings"]}.get("omp-imbalance"), report


def test_unequal_work_of_a_team_is_found_beside_any_load():
    """28 and 8 ms of CPU time: equal work would take 36 % less than the longer one, alone as well as beside others."""
    for name, loads in LOADS.items():
        finding, report = found_in_team(loads, (28, 8))
        told = [(f["id"], f["elapsed_percent"]) for f in report["findings"]]
        expect(finding, "%s: no unequal work in %s", name, told)
        expect(8 <= finding["elapsed_percent"] <= 50, "%s: %.1f %% at stake, of 36 %%: %s", name, finding["elapsed_percent"],
               finding["evidence"])


def test_equal_work_of_a_team_is_not_accused_beside_any_load():
    for name, loads in LOADS.items():
        finding, _ = found_in_team(loads, (20, 20))
        expect(not finding, "%s: %s at stake: %s", name, finding and finding["elapsed_percent"], finding and finding["evidence"])


def findings_of_threads(loads, scene):
    with beside(loads):
        one = run("stakes", [scene])
    check_laws(one.report, sampling=False)
    return {f["id"]: f for f in one.report["findings"]}, one.report


def test_who_is_late_at_a_barrier_since_others_had_its_processor_is_not_accused():
    """Two threads with equal work between barriers, each on a processor of its own; one of the two is shared with three others."""
    found, report = findings_of_threads([0] * 3, "even_barrier")
    barrier = found.get("barrier-wait")
    expect(not barrier or barrier["elapsed_percent"] < 15, "%s at stake: %s", barrier and barrier["elapsed_percent"],
           barrier and barrier["evidence"])
    expect_equal("first of %s" % list(found), report["findings"][0]["id"], "oversubscription")


def may_be_work_on_demand(report):
    """The thread with less CPU time wanted to run meanwhile and could not, and ended with the other one or before: so it looks if work is
    shared out on demand, and the thread that others keep from it gets less (docs/findings/threads.md, imbalance)."""
    rows = sorted((t for t in report["threads"] if t["role"] == "work_pinned"), key=lambda t: t["cpu_seconds"])
    expect(len(rows) == 2, "%d threads of that role", len(rows))
    less, more = rows
    ends = [t["begin_seconds"] + t["elapsed_seconds"] for t in rows]
    return ends[0] < ends[1] + 0.1 * more["elapsed_seconds"] and less["ready_seconds"] > 0.3 * (more["cpu_seconds"] - less["cpu_seconds"])


def test_unequal_threads_are_found_beside_any_load():
    """Threads with 120 and 40 ms of CPU time, each on a processor of its own: 33 % of the longer one."""
    for name in "alone", "on the first", "three on the first":
        found, report = findings_of_threads(LOADS[name], "uneven_threads")
        if "imbalance" not in found and may_be_work_on_demand(report):
            continue
        expect("imbalance" in found, "%s: no unequal work in %s", name, sorted(found))
        stake = found["imbalance"]["elapsed_percent"]
        expect(8 <= stake <= 45, "%s: %.1f %% at stake, of 33 %%: %s", name, stake, found["imbalance"]["evidence"])


SPINNING = """
import threading, time

def spin(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        sum(range(200))

threads = [threading.Thread(target=spin, args=(0.5,)) for _ in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


def findings_of_python(loads):
    """Of three threads that compute by Python code, of which one runs at a time."""
    script = os.path.join(scratch(), "spin.py")
    with open(script, "w", encoding="utf-8") as file:
        file.write(SPINNING)
    with beside(loads):
        one = run(need("python3"), ["-I", script])
    return {f["id"]: f for f in one.report["findings"]}


def test_the_lock_of_python_is_found_beside_any_load():
    """A thread that holds the lock and has no processor keeps the others from theirs: what others took is no reason to be silent. Alone,
    one of two processors is idle."""
    for name, loads in LOADS.items():
        found = findings_of_python(loads)
        expect("gil" in found, "%s: not found in %s", name, [(f["id"], f["elapsed_percent"]) for f in found.values()])
        expect(15 <= found["gil"]["elapsed_percent"] <= 75, "%s: %.1f %% at stake: %s", name, found["gil"]["elapsed_percent"],
               found["gil"]["evidence"])
