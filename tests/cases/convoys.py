# SPDX-License-Identifier: MIT
"""One culprit holds an object, and any number of threads queue for it: all of their time is charged to the culprit, but what those in
front kept it from those behind them.

The truth is the program's own: what its waiters waited, and how much of that had passed when the culprit let go. What passed afterwards is
the most that may be charged to anybody else, on any machine; [unknown] included, but for a lock that several let go of at once: one of them
may lose its processor while it says so. Then the others say nothing, and what passes until it goes on may be charged to it."""
from openmp_job import Job, each_runtime
from support import blame_of, check_laws, expect, expect_equal, expect_same, full, premise, run, timed, timing, waits

BESIDE = True  # no case asserts a time

MANY = (9, 20, 60, 500)
UNTOLD = 0.05  # of all waiting: more than one reader ever held up the others while it let go
ROUNDING = 1e-6  # of a sum of seconds that is printed with nine digits

# Scene, kind and name of the object.
SCENES = {
    "mutex": ("mutex", "plain"), "checked": ("mutex", "checked"), "inherit": ("mutex", "inherit"), "c11": ("mutex", "c11"),
    "recursive": ("mutex", "recursive"), "writers": ("rwlock", "table"), "readers": ("rwlock", "table"), "reader": ("rwlock", "table"),
    "shared": ("rwlock", "table"), "spin": ("spinlock", "spin"), "semaphore": ("semaphore", "one"), "signals": ("condition", "news"),
    "broadcast": ("condition", "news"), "kept": ("condition", "news"), "woken": ("condition", "news"), "barrier": ("barrier", "meeting"),
    "once": ("once", "once"),
}


def check_culprit(rows, truth, culprits, what, passer=None):
    """passer: the routine of the others that release it besides the culprit, if there are any."""
    waited = sum(r["wait_seconds"] for r in rows)
    blamed = sum(b["seconds"] for r in rows for b in r["blame"])
    unknown = blame_of(rows, "[unknown]") if passer else 0
    by_passers = blame_of(rows, passer) if passer else 0
    by_culprits = sum(blame_of(rows, c) for c in culprits)
    others = blamed - unknown - by_passers - by_culprits
    victims = sum(w["seconds"] for r in rows for w in r["waiters"] if w["routine"] not in culprits)  # the last at a barrier waits as well
    told = sorted(((b["seconds"], b["routine"]) for r in rows for b in r["blame"]), reverse=True)[:5]
    expect(abs(blamed - waited) < ROUNDING, "%s: waited %.9f, blamed %.9f", what, waited, blamed)
    expect(victims <= truth["waited"] + ROUNDING, "%s: waited %.6f, the program says at most %.6f", what, victims, truth["waited"])
    after = truth["waited"] - truth["least"]
    if passer:
        with timing():
            premise(unknown < by_culprits and others + by_passers <= after + ROUNDING, "%s: a reader lost its processor while it let go; "
                    "%.6f s charged to others than %s, at most %.6f passed after it let go; blame: %s", what, others + by_passers, culprits,
                    after, told)
    expect(others + by_passers <= after + UNTOLD * waited, "%s: %.6f s charged to others than %s; blame: %s", what, others + by_passers, culprits, told)
    expect(others <= after + ROUNDING, "%s: %.6f s charged to others than %s, at most %.6f passed after it let go; blame: %s", what, others,
           culprits, after, told)
    expect(unknown < by_culprits, "%s: most of it is charged to nobody; blame: %s", what, told)


def convoy(scene, waiters):
    one = run("convoy", [scene, waiters])
    expect_same(one)
    check_laws(one.report)
    kind, name = SCENES[scene]
    rows = [r for r in waits(one.report, kind, name) if r["contended"]]
    what = "%s, %d waiters" % (scene, waiters)
    culprits = ["woken_waker", "woken_culprit"] if scene == "woken" else ["%s_culprit" % scene]
    check_culprit(rows, one.truth, culprits, what, passer="shared_passer" if scene == "shared" else None)
    if scene == "woken":
        expect(blame_of(rows, "woken_culprit") >= one.truth["kept"] - ROUNDING, "%s: %.6f s charged to the one that woke first, it kept "
               "the others for %.6f", what, blame_of(rows, "woken_culprit"), one.truth["kept"])


def each_number(*scenes, most=500):
    for scene in scenes:
        for waiters in MANY:
            if waiters <= most:
                convoy(scene, waiters)


@full
def test_convoy_mutex():
    """A mutex, and mutexes that record their owner."""
    each_number("mutex", "checked", "recursive")


@full
def test_convoy_mutex_kinds():
    """Priority inheritance; C11."""
    each_number("inherit", "c11")


@full
def test_convoy_rwlock():
    """Writers behind a writer, readers behind a writer, writers behind a reader."""
    each_number("writers", "readers", "reader")


@timed("a reader lost its processor while it let go")
def test_convoy_of_writers_behind_readers():
    """Other readers come and go meanwhile: they are not to blame."""
    each_number("shared")


def test_convoy_spin_lock():
    """Waiters that spin; more of them would take turns for seconds."""
    each_number("spin", most=20)


def test_convoy_semaphore():
    """A semaphore as a lock."""
    each_number("semaphore")


@full
def test_convoy_condition():
    """Each that is signalled signals the next; all are woken at once."""
    each_number("signals", "broadcast")


def test_convoy_mutex_of_a_condition():
    """The thread that woke all, or woke first, keeps the mutex."""
    each_number("kept", "woken")


def test_convoy_barrier():
    """The last one is late."""
    each_number("barrier")


def test_convoy_once():
    """The routine takes its time."""
    each_number("once")


def openmp_convoy(runtime):
    for scene, kind in (("critical", "critical"), ("lock", "omp_lock"), ("nest", "omp_lock")):
        for waiters in (9, 20, 60):
            job = Job(runtime, "convoy", [scene], environment={"OMP_NUM_THREADS": str(waiters + 1)})
            job.check_laws()
            rows = [r for r in waits(job.run.report, kind) if any(w["routine"] == scene + "_victim" for w in r["waiters"])]
            what = "%s on %s, %d waiters" % (scene, runtime, waiters)
            expect_equal("%s: objects" % what, len(rows), 1)
            check_culprit(rows, job.truth, ["%s_culprit" % scene], what)


@full
def test_openmp_convoy():
    """critical, lock and nest lock, on both runtimes."""
    each_runtime(openmp_convoy)
