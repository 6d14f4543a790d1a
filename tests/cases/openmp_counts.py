# SPDX-License-Identifier: MIT
"""Counts of constructs and tasks, exactly as the programs know them.

What a runtime does not report is left out, with the reason: libgomp is observed by its entry points, libomp by OMPT. A static loop of gcc
makes no call, nor do master and masked; a combined loop or sections of gcc begins within the call that starts the team, so that only
the loop's next pieces are seen. libomp 14 tells nothing of taskyield."""
import json

from openmp_job import Job, each_runtime, expect_count
from support import expect, expect_equal, full

BESIDE = True  # no case asserts a time


def check_counts(job, expected):
    """{what: (got, wanted)}"""
    for what, (got, wanted) in expected.items():
        expect_count(job, what, got, wanted)


def locks(runtime):
    job = Job(runtime, "critical")
    told = job.truth["counts"]
    check_counts(job, {
        "critical": (job.calls("CRITICAL"), told["critical"] + told["critical_till"] + told["critical_solitude"]),
        "omp_set_lock": (job.calls("OMP_SET_LOCK"), told["lock"] + told["nest_lock"]),
        "omp_test_lock": (job.calls("OMP_TEST_LOCK"), told["test_lock"] + told["test_lock_failed"] + told["test_nest_lock"]),
        # clang's atomic of a long double is libatomic's
        "atomic": (job.calls("ATOMIC"), told["atomic"] if runtime == "gomp" else 0),
        "barrier": (job.met("BARRIER"), told["barrier"]),
    })
    rows = [r for r in job.run.report["synchronization"] if r["kind"] in ("critical", "omp_lock", "atomic")]
    by_kind = {(k, o): sum(r["count"] for r in rows if (r["kind"], r["operation"]) == (k, o)) for k, o in {(r["kind"], r["operation"]) for r in rows}}
    check_counts(job, {
        "critical sections in the report": (by_kind.get(("critical", "lock")), 1016),
        "locks in the report": (by_kind.get(("omp_lock", "lock")), 1024),
        "tries in the report": (by_kind.get(("omp_lock", "trylock")), 4000),
    })
    # One for each of critical, critical(till), critical(solitude); the two locks.
    objects = {(r["kind"], r["object"]) for r in rows}
    check_counts(job, {"critical sections": (sum(k == "critical" for k, _ in objects), 3),
                       "locks": (sum(k == "omp_lock" for k, _ in objects), 2)})


def entered(runtime):
    """A fork child's first use of OpenMP is a critical section."""
    job = Job(runtime, "entries", ["once"])
    told = json.loads(job.run.profiled.stdout)["entries"]
    expect_equal("entries with a name and without", job.calls("CRITICAL"), 2 * told)


def test_openmp_critical_sections_of_a_fork_child():
    each_runtime(entered)


def taking_turns(runtime):
    """A thread that loses its processor on the way into a section, or out of it, does not hold it: no other thread waits for it."""
    job = Job(runtime, "entries", ["turns"])
    told = json.loads(job.run.profiled.stdout)
    expect_equal("entries", job.calls("CRITICAL"), told["entries"])
    waited = sum(r["contended"] for r in job.run.report["synchronization"] if r["kind"] == "critical")
    expect(waited <= told["switches"] + told["entries"] / 100, "%d of %d entries waited, %d switches", waited, told["entries"], told["switches"])


@full
def test_openmp_turns_on_one_processor():
    each_runtime(taking_turns)


def test_openmp_counts_of_locks():
    """Each entry of critical, each lock, each test, failed or not, each lock of an atomic."""
    each_runtime(locks)


# In schedules: loops of gcc that call the runtime, of those that are not combined with their region; 2 threads, 3 times each.
LOOPS_OF_GCC = {"separate": 8, "ordered": 9}
ENDS_OF_GCC = {"separate": 5, "ordered": 9}  # without nowait
STATIC_ENDS_OF_GCC = 3                       # a barrier is all that is seen of them


def loops(runtime):
    job = Job(runtime, "schedules")
    told = job.truth["counts"]
    check_counts(job, {"parallel": (job.sum("omp_executions", "count"), told["parallel"]), "ordered": (job.calls("ORDERED"), told["ordered"])})
    if runtime == "libomp":
        check_counts(job, {"for": (job.met("LOOP"), told["for"])})
        return
    of_combined = sum(c["count"] for r in job.openmp["regions"] for c in r["constructs"] if c["construct"] == "loop" and r["routine"].startswith("combined"))
    check_counts(job, {"for": (job.met("LOOP") - of_combined, 6 * sum(LOOPS_OF_GCC.values())), "end of for": (job.met("LOOP_END"), 6 * sum(ENDS_OF_GCC.values())),
                       "end of static for": (job.met("BARRIER"), 6 * STATIC_ENDS_OF_GCC)})
    pieces, timed = job.met("LOOP", "pieces"), job.met("LOOP", "timed")
    expect(0 < timed <= pieces, "%d pieces, %d of them timed, of %d loops", pieces, timed, job.met("LOOP"))


@full
def test_openmp_counts_of_loops():
    """Regions, loops of every schedule, ordered blocks."""
    each_runtime(loops)


# Pieces handed out, 3 times: of 1, 3 or 4 iterations of 64 (OMP_SCHEDULE is dynamic, 4). Each thread asks once more, in vain.
PIECES = {1: 3 * 64, 3: 3 * 22, 4: 3 * 16}
IN_VAIN = 3 * 2
CHUNKS = {"long_dynamic": 1, "huge_dynamic": 1, "ordered_dynamic": 1, "huge_ordered_dynamic": 1, "long_monotonic": 3, "huge_monotonic": 3,
          "long_runtime": 4, "huge_runtime": 4, "ordered_runtime": 4, "huge_ordered_runtime": 4, "combined_dynamic": 1,
          "combined_dynamic_4": 4, "combined_monotonic": 4, "combined_runtime": 4, "combined_monotonic_runtime": 4}


def pieces(runtime):
    job = Job(runtime, "schedules")
    job.truth
    for routine, chunk in CHUNKS.items():
        row = job.region(routine)
        given, asked = (sum(c[k] for c in row["constructs"] if c["construct"] == "loop") for k in ("pieces", "asked"))
        check_counts(job, {"pieces of %s" % routine: (given, PIECES[chunk]), "asked for in %s" % routine: (asked, PIECES[chunk] + IN_VAIN)})
        expect(row["scheduling_grade"] == "sampled", "%s: time of handing out pieces: grade %r", routine, row["scheduling_grade"])
        expect(0 < row["scheduling_seconds"] < row["team_elapsed_seconds"], "%s: time of handing out pieces %r", routine, row["scheduling_seconds"])


@full
def test_openmp_pieces_of_loops():
    """How many pieces a dynamic loop hands out, and how often it is asked for one, in a construct of its own and combined with its region."""
    each_runtime(pieces)


@full
def test_openmp_loops_without_pieces():
    """Static loops: no pieces are handed out, or their number is unknown."""
    def check(runtime):
        job = Job(runtime, "schedules")
        job.truth
        for routine in ("combined_static", "combined_static_1", "long_static", "long_static_5", "huge_static"):
            row = job.region(routine)
            check_counts(job, {"pieces of %s" % routine: (sum(c["pieces"] for c in row["constructs"] if c["construct"] == "loop"), 0)})
            expect(not row["scheduling_seconds"], "%s: time of handing out pieces %r", routine, row["scheduling_seconds"])

    each_runtime(check)


def static_loops(runtime):
    for program in ("ramp", "ramp_fortran"):
        job = Job(runtime, program)
        # gcc and gfortran share a static loop out without a call; gfortran's program on libomp makes none either
        is_told = runtime == "libomp" and program == "ramp"
        check_counts(job, {"for": (job.met("LOOP"), job.truth["counts"]["for"] if is_told else 0)})


@full
def test_openmp_counts_of_static_loops():
    each_runtime(static_loops)


def of_routine(job, routine, construct):
    return sum(c["count"] for r in job.regions(routine) for c in r["constructs"] if c["construct"] == construct)


def sections(runtime):
    job = Job(runtime, "sections")
    told = job.truth["counts"]
    check_counts(job, {"single": (job.met("SINGLE"), told["single"]), "barrier": (of_routine(job, "late_at_barrier", "barrier"), told["barrier"])})
    if runtime == "libomp":
        # Asked of each thread: master and masked are told by the one that executes them.
        check_counts(job, {"sections": (job.met("SECTIONS"), told["sections"]), "masked": (job.met("MASKED"), told["master"] + told["masked"])})


def test_openmp_counts_of_sections():
    """Sections, single with and without nowait and copyprivate, master, masked, barriers of a region."""
    each_runtime(sections)


def tasks(runtime):
    job = Job(runtime, "tasks")
    told = job.truth["counts"]
    made = sum(told[k] for k in ("task", "taskloop_task", "task_undeferred", "task_final", "task_included"))
    check_counts(job, {
        "tasks made": (job.sum("omp_tasks", "created"), made), "tasks executed": (job.sum("omp_tasks", "executed"), made),
        # the chain's, and the last one's two
        "dependences": (job.sum("omp_tasks", "dependences"), told["task_dependent"] + 1),
        "single": (job.met("SINGLE"), told["single"]), "taskloop": (job.met("TASKLOOP"), told["taskloop"]),
    })
    if runtime == "gomp":
        check_counts(job, {"taskwait": (job.met("TASKWAIT"), told["taskwait"] + told["taskwait_depend"]),
                           "taskgroup": (job.met("TASKGROUP"), told["taskgroup"]), "taskyield": (job.met("TASKYIELD"), told["taskyield"])})
    else:  # the group that a taskloop without nogroup is
        check_counts(job, {"taskwait": (job.met("TASKWAIT"), told["taskwait"] + told["taskwait_depend"]), "taskgroup": (job.met("TASKGROUP"), told["taskgroup"] + 1),
                           "master": (job.met("MASKED"), told["master"])})


def test_openmp_counts_of_tasks():
    """Tasks of every kind, waits for them, groups, loops of tasks."""
    each_runtime(tasks)


def reductions(runtime):
    job = Job(runtime, "reductions")
    told = job.truth["counts"]
    made = told["task"] + told["taskloop_task"]
    check_counts(job, {
        "tasks made": (job.sum("omp_tasks", "created"), made), "tasks executed": (job.sum("omp_tasks", "executed"), made),
        "single": (job.met("SINGLE"), told["single"]), "taskloop": (job.met("TASKLOOP"), told["taskloop"]),
        # gcc: the static loop of the user's reduction is not seen; that of tasks is begun by a call
        "for": (job.met("LOOP"), told["for"] if runtime == "libomp" else told["for"] * 2 // 3),
    })
    if runtime == "gomp":
        check_counts(job, {"taskgroup": (job.met("TASKGROUP"), told["taskgroup"])})


def test_openmp_counts_of_reductions():
    each_runtime(reductions)


def doacross(runtime):
    job = Job(runtime, "doacross")
    facts = job.truth["facts"]
    check_counts(job, {"for": (job.met("LOOP"), 4 * 3 * 2)})
    # gcc leaves out the waits of the first iterations, or not
    waits = job.met("DOACROSS")
    expect(facts["doacross_wait_least"] <= waits <= facts["doacross_wait_most"], "waits for earlier iterations: %d, expected %d .. %d", waits,
           facts["doacross_wait_least"], facts["doacross_wait_most"])


def test_openmp_counts_of_doacross_loops():
    each_runtime(doacross)


def cancellation(runtime):
    job = Job(runtime, "cancel")
    told = job.truth["counts"]
    begun = job.sum("omp_tasks", "executed")
    check_counts(job, {"regions": (job.sum("omp_executions", "count"), told["cancelled"]), "tasks made": (job.sum("omp_tasks", "created"), 3 * 50)})
    expect(3 <= begun < 150, "tasks of cancelled groups that ran: %d of 150", begun)
    # cancel itself, and the points at which a thread asks
    expect(job.met("CANCEL") >= told["cancelled"], "cancellations: %d, at least %d", job.met("CANCEL"), told["cancelled"])


def test_openmp_counts_of_cancellation():
    """Cancelled loops, regions, sections and groups; a task that was cancelled is not executed."""
    each_runtime(cancellation)


def exceptions(runtime):
    job = Job(runtime, "exceptions")
    told = job.truth["counts"]
    check_counts(job, {"regions": (job.sum("omp_executions", "count"), 7), "critical": (job.calls("CRITICAL"), told["critical_fallen"]),
                       "locks": (job.calls("OMP_SET_LOCK"), told["lock"]),
                       "tasks": (job.sum("omp_tasks", "executed"), told["task"])})


def test_openmp_counts_beside_exceptions():
    """C++ exceptions thrown and caught in regions, loops, critical sections, tasks and under locks."""
    each_runtime(exceptions)


def awaited(runtime):
    job = Job(runtime, "awaited")
    told = job.truth["counts"]
    by_name = lambda routine, construct, key="count": sum(c[key] for r in job.regions(routine) for c in r["constructs"] if c["construct"] == construct)
    check_counts(job, {"waits for tasks that others depend on": (by_name("depending", "taskwait"), told["depending"]),
                       "regions": ({r["routine"] for r in job.openmp["regions"]}, {"depending", "targets", "sections", "copies"}),
                       "locks in tasks of target": (sum(r["count"] for r in job.run.report["synchronization"] if r["name"] == "the_mutex"), told["targets"])})
    # What the program measured contains what the runtime does before and after it waits.
    waits, waited = by_name("depending", "taskwait", "seconds"), job.truth["facts"]["waited"]
    expect(0.9 * waited <= waits <= waited, "waits for tasks by constructs %.6f, by the program %.6f", waits, waited)
    if runtime == "gomp":
        check_counts(job, {"pieces of sections": (by_name("sections", "sections", "pieces"), told["sections"]),
                           "ends of single": (by_name("copies", "end of single"), told["copies"])})
    expect(not any("first thread" in note for note in job.run.report["notes"]), "notes: %r", job.run.report["notes"])
    job.check_laws()


def test_openmp_counts_of_what_is_awaited():
    """Waits for tasks by their dependences, helpers of the runtime, pieces of sections, ends of single; a program that ends as usual has no note."""
    each_runtime(awaited)
