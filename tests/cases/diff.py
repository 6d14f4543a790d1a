# SPDX-License-Identifier: MIT
"""ptrace-diff: pairs of runs that differ by one known thing, which its first line must name; runs that do not differ.

Where a case depends on elapsed time, that time is slept, not computed: other work on the machine cannot change it by as much
as the case does."""
import concurrent.futures
import functools
import itertools
import json
import os
import random
import shutil
import subprocess

import support
from support import (BUILD, RUN, beside, built, clean_environment, execute, expect, expect_equal, expect_near, fail, full, need,
                     premise, scratch, skip, timed, timing)

DIFF = os.path.join(BUILD, "bin", "ptrace-diff")
SAME, WORSE, WRONG, BETTER = 0, 1, 2, 3
# Nearly no CPU time, all the time under locks.
SLEEPING = ("hold=1000", "parse=20", "store=20", "rounds=300")


def record(program, *arguments, **settings):
    """Directory of a run."""
    return record_with_truth(program, *arguments, **settings)[0]


def record_with_truth(program, *arguments, environment=None, options=(), limits=None):
    directory = os.path.join(scratch(), "run")
    path = program if os.path.isabs(program) else built(program)
    result = execute([RUN, "-q", "-o", directory] + list(options) + ["--", path] + [str(a) for a in arguments],
                     environment=clean_environment(environment), limits=limits)
    expect_equal("status of %s; stderr: %s" % (program, result.stderr_text()[-300:]), result.status, 0)
    return directory, result.truth


class Diff:
    def __init__(self, *words):
        self.text_result = execute([DIFF, "--width", "1000"] + list(words))
        expect(self.text_result.status in (SAME, WORSE, BETTER), "status %d: %s", self.text_result.status,
               self.text_result.stderr_text())
        self.status = self.text_result.status
        self.text = self.text_result.stdout.decode()
        self.headline = self.text.split("\n", 1)[0]
        result = execute([DIFF, "--format", "json"] + list(words))
        expect_equal("status with --format json", result.status, self.status)
        self.json = json.loads(result.stdout, parse_constant=lambda word: fail("the JSON holds %s", word))
        expect_equal("headline of the JSON", self.json["headline"], self.headline)

    def figure(self, section, key, metric):
        rows = [f for f in self.json["figures"] if (f["section"], f["key"], f["metric"]) == (section, key, metric)]
        expect(len(rows) == 1, "%d figures (%s, %s, %s)", len(rows), section, key, metric)
        return rows[0]

    def ratio(self, section, key, metric):
        row = self.figure(section, key, metric)
        return row["b"] / row["a"]

    def says(self, *words):
        for word in words:
            expect(word in self.headline, "%r is not in: %s", word, self.headline)

    def ended(self, status):
        expect_equal("status; headline: %s" % self.headline, self.status, status)


def wrong(*words):
    """One line, status 2, no output; returns the line."""
    result = execute([DIFF] + list(words))
    expect_equal("status of %s" % " ".join(words), result.status, WRONG)
    expect_equal("standard output", result.stdout, b"")
    lines = result.stderr_text().strip().split("\n")
    expect_equal("lines on standard error: %s" % lines, len(lines), 1)
    return lines[0]


# One known thing at a time

@full
@timed("of one run a side beside others nobody can tell")
def test_split_lock():
    one, split = record("diff_work", *SLEEPING), record("diff_work", *SLEEPING, "locks=2")
    better, worse = Diff(one, split), Diff(split, one)
    with timing():
        better.ended(BETTER)
        better.says("better: elapsed time", "less for mutex queue_lock", "held by store (diff_work.c)")
        worse.ended(WORSE)
        worse.says("worse: elapsed time", "more for mutex queue_lock", "held by store (diff_work.c)")
    row = better.figure("waits", "mutex queue_lock, lock", "wait")
    with timing():
        expect(row["a"] > 0.1 and row["b"] < 0.1 * row["a"], "waits for queue_lock: %r -> %r", row["a"], row["b"])
    calls = better.figure("waits", "mutex queue_lock, lock", "calls")
    expect_equal("calls", (calls["a"], calls["b"]), (302, 152))
    expect_equal("unit, grade", (row["unit"], row["grade"]), ("seconds", "exact"))


@full
@timed("a run beside others takes longer")
def test_slower_routine():
    (a, before), (b, after) = record_with_truth("diff_work", "parse=800"), record_with_truth("diff_work", "parse=4000")
    diff = Diff(a, b)
    with timing():
        diff.ended(WORSE)
        diff.says("worse: ", "parse (diff_work.c) takes", "more CPU time")
    told, true = diff.ratio("routines", "parse", "self"), after["parse"] / before["parse"]
    # The shorter run has some 40 samples there: two deviations.
    with timing():
        expect(0.7 < told / true < 1.43, "parse x%.2f, by its own clock x%.2f", told, true)
    diff.figure("paths", "work > parse", "self")
    # all of the routine's time is at its lines, on either side
    for side in "a", "b":
        lines = [f[side] for f in diff.json["figures"] if f["section"] == "lines" and f["metric"] == "self" and f["key"].startswith("parse (diff_work.c:")]
        whole = diff.figure("routines", "parse", "self")[side]
        expect(lines and 0.9 * whole <= sum(lines) <= whole * (1 + 1e-9), "lines of parse %r, the routine %r", lines, whole)
    expect("@ lines:" not in diff.text, "lines were not asked for")


@full
@timed("a run beside others takes longer")
def test_twice_the_work():
    diff = Diff(record("diff_work", "rounds=800"), record("diff_work", "rounds=1600"))
    with timing():
        diff.ended(WORSE)
        diff.says("more work, x2.0: calls or bytes grew by it")
    expect_equal("factor of calls", diff.figure("waits", "mutex queue_lock, lock", "calls")["b"], 1602)


@timed("of one run a side beside others nobody can tell")
def test_fewer_threads():
    arguments = SLEEPING + ("locks=4",)
    diff = Diff(record("diff_work", "threads=4", *arguments), record("diff_work", "threads=1", *arguments))
    with timing():
        diff.ended(WORSE)
        diff.says("worse: elapsed time", "with 2 threads instead of 5")
    expect("B ran with 2 threads instead of 5" in diff.json["differences"], "differences: %r", diff.json["differences"])


@timed("of one run a side beside others nobody can tell")
def test_sleep():
    diff = Diff(record("diff_work", *SLEEPING), record("diff_work", *SLEEPING, "sleep=400"))
    with timing():
        diff.ended(WORSE)
        diff.says("more in usleep")


@full
@beside
def test_mpi_twice_the_bytes():
    import mpi_job
    def check(library):
        runs = []
        for kibibytes in (512, 1024):
            job = mpi_job.Job(library, 2, [mpi_job.built(library, "diff_exchange"), str(kibibytes)])
            mpi_job.check_native(job)
            expect_equal("status", job.profiled.status, 0)
            runs.append(job.directory)
        diff = Diff(*runs)
        for call, metric in (("MPI_Send", "bytes sent"), ("MPI_Recv", "bytes received"), ("MPI_Send in exchange", "bytes sent")):
            row = diff.figure("mpi", call, metric)
            expect_equal("%s %s" % (call, metric), (row["a"], row["b"], row["verdict"]), (200 << 19, 200 << 20, "changed"))
        expect_equal("calls", diff.ratio("mpi", "MPI_Send", "calls"), 1)
        for side, run in zip("ab", runs):
            check_mpi_figures(diff, side, support.report_json(run)["mpi"])
    mpi_job.each_library(check)


def check_mpi_figures(diff, side, mpi):
    """The figures of one run are those of its own report."""
    seconds = sum(s["seconds"] for s in mpi["sites"] if s["call"] == "MPI_Recv" and s["routine"] == "exchange")
    expect_near("time in MPI_Recv in exchange", diff.figure("mpi", "MPI_Recv in exchange", "time")[side], seconds, 1e-6, 1e-6)
    expect_near("MPI parallel efficiency", diff.figure("overview", "MPI parallel efficiency", "percent")[side],
                100 * mpi["efficiency"]["parallel"], 1e-6, 1e-4)


@full
def test_openmp_schedule():
    """A triangular loop: the same iterations, shared out on demand."""
    import openmp_job

    @openmp_job.undisturbed
    def check(runtime):
        program = os.path.join(BUILD, "programs", "openmp", runtime, "diff_schedule")
        if not os.path.exists(program):
            skip("diff_schedule was not built for %s" % runtime)
        runs = [record(program, environment={"OMP_NUM_THREADS": "2", "OMP_SCHEDULE": schedule, "OMP_WAIT_POLICY": "passive"}) for schedule in ("static", "dynamic,1")]
        diff = Diff(*runs)
        expect_equal("executions", diff.ratio("openmp", "region triangle", "executions"), 1)
        for side, run in zip("ab", runs):
            row = [r for r in support.report_json(run)["openmp"]["regions"] if r["routine"] == "triangle"][0]
            for metric, told in (("waits", row["wait_seconds"] + row["join_seconds"]), ("work", row["work_seconds"])):
                expect_near("%s, as the report has it" % metric, diff.figure("openmp", "region triangle", metric)[side], told, 1e-6, 1e-6)
        with timing():
            diff.ended(BETTER)
            diff.says("OpenMP threads wait", "less in region triangle (diff_schedule.c)")
            ratios = [diff.ratio("openmp", "region triangle", metric) for metric in ("waits", "work")]
            expect(ratios[0] < 0.5 and 0.85 < ratios[1] < 1.15, "waits x%.2f, work x%.2f", *ratios)
            balance = diff.figure("overview", "OpenMP load balance", "percent")
            expect(balance["verdict"] == "better", "load balance %r -> %r", balance["a"], balance["b"])

    openmp_job.each_runtime(check)


@timed("of one run a side beside others nobody can tell")
def test_pigz_harder():
    """A real program, with other options: another routine of zlib, or more time in it."""
    program, data = need("pigz"), os.path.join(scratch(), "data")
    with open(data, "wb") as file:
        file.write(random.Random(1).randbytes(3 << 20).hex().encode())
    diff = Diff(*[record(program, "-p", "2", level, "-k", "-c", data) for level in ("-1", "-9")])
    with timing():
        diff.ended(WORSE)
        diff.says("CPU time")
    expect("B ran 'pigz -p 2 -9" in diff.json["differences"][0], "differences: %r", diff.json["differences"])


@timed("of one run a side beside others nobody can tell")
def test_sysbench_mutex():
    """More work in the same program: more locks are taken, as many as were asked for."""
    program = need("sysbench")
    runs = [record(program, "mutex", "--threads=2", "--mutex-num=1", "--mutex-locks=%d" % n, "--mutex-loops=500", "run")
            for n in (5000, 40000)]
    diff = Diff(*runs)
    with timing():
        diff.ended(WORSE)
    calls = [f for f in diff.json["figures"] if f["section"] == "waits" and f["metric"] == "calls" and f["key"].startswith("mutex created")]
    expect(any((f["a"], f["b"]) == (10000, 80000) for f in calls), "calls: %r", [(f["key"], f["a"], f["b"]) for f in calls])


# What is no change

def matched(diff, names):
    """Routines and objects of these names are on both sides, and nothing is new or gone that matters."""
    for section, key, metric in names:
        row = diff.figure(section, key, metric)
        expect(row["a"] and row["b"], "%s %s: %r -> %r", key, metric, row["a"], row["b"])
    moved = [f["key"] for f in diff.json["figures"] if f["verdict"] in ("new", "gone") and f["counts"] and f["section"] != "lines"]
    with timing():  # who met whom at a lock is chance
        expect_equal("new or gone", moved, [])


NAMES = (("routines", "parse", "self"), ("routines", "store", "self"), ("paths", "work > parse", "self"),
         ("waits", "mutex queue_lock, lock", "calls"), ("waits", "mutex created at make_lock (diff_work.c), lock", "calls"))


@full
@timed("threads meet at a lock in one run only")
def test_rebuilt_program():
    """Other addresses, lines, compiler flags and directory, and threads that have names."""
    diff = Diff(record("diff_work", "locks=2"), record("rebuilt/diff_work", "locks=2", "rename=1"))
    matched(diff, NAMES)
    expect(not any(":" in f["key"].split("(")[-1].split(")")[0] for f in diff.json["figures"]
                   if "(" in f["key"] and f["section"] != "lines"), "a key has a line")


@full
@timed("threads meet at a lock in one run only")
def test_stripped_program():
    """Without debugging information there are no files, but still symbols."""
    directory = os.path.join(scratch(), "other")
    os.mkdir(directory)
    path = shutil.copy(built("diff_work"), os.path.join(directory, "diff_work"))
    result = execute([need("objcopy"), "--strip-debug", path])
    expect_equal("objcopy", result.status, 0)
    diff = Diff(record("diff_work"), record(path))
    matched(diff, NAMES[:3])


@functools.lru_cache(maxsize=None)
def noise_runs():
    """Directories that live as long as the case."""
    return tuple(record("diff_work") for _ in range(14))


@full
@timed("the host slowed its processors down in some of the runs")
def test_noise():
    """20 pairs of three runs a side of one program: no change. Each pair takes its runs in turn from all of the time."""
    runs = list(noise_runs())
    noise_runs.cache_clear()
    draw = random.Random(20)
    commands = []
    for number in range(20):
        chosen = sorted(draw.sample(range(len(runs)), 6))
        first = number % 2
        sides = [[runs[c] for c in chosen[first::2]], [runs[c] for c in chosen[1 - first::2]]]
        commands.append([DIFF] + sides[0] + ["--"] + sides[1])
    results = side_by_side(execute, [(command,) for command in commands])
    changed = [result.stdout.decode().split("\n", 1)[0] for result in results if result.status != SAME]
    with timing():  # where the host has two speeds, some pairs have one speed a side
        expect(not changed, "%d of 20 pairs: %s", len(changed), changed[:3])


def crowded_runs(count, *arguments):
    """Runs that share one processor with another program."""
    taskset, processor = need("taskset"), str(min(os.sched_getaffinity(0)))
    other = subprocess.Popen([taskset, "-c", processor, "sh", "-c", "while :; do :; done"])
    try:
        return [record(taskset, "-c", processor, built("diff_work"), *arguments) for _ in range(count)]
    finally:
        other.kill()
        other.wait()


@full
@timed("the host slowed its processors down in some of the runs")
def test_one_run_a_side_beside_another_program():
    """The same program each time: whatever elapsed time did, it has not changed; and where nobody can tell, that is said. Its CPU time
    must not have changed by more than the other program can do to it: we saw 192 and 345 ms, which the host did."""
    runs = crowded_runs(5)
    reports = [support.report_json(run) for run in runs]
    if not any(thread["ready_seconds"] for thread in reports[0]["threads"]):
        skip("this kernel does not say how long threads are ready")
    used = [sum(process["cpu_seconds"] for process in report["processes"]) for report in reports]
    with timing():
        premise(max(used) < 1.5 * min(used), "CPU time of the same work: %s s", used)
    told = []
    for diff in side_by_side(Diff, itertools.permutations(runs, 2)):
        told.append(diff.headline)
        diff.ended(SAME)
        expect(diff.json["neighbours_processors"] > 0.1, "neighbours used %r processors", diff.json["neighbours_processors"])
        cannot = diff.headline.startswith("cannot tell: elapsed time")
        expect_equal("verdict of %s" % diff.headline, diff.json["verdict"], "cannot tell" if cannot else "same")
        row = diff.figure("overview", "elapsed time", "time")
        expect(abs(row["change_percent"]) < 5 or diff.json["elapsed_undecided"], "decided: %s", diff.headline)
    expect(all(": elapsed time" in line or "elapsed undecided" in line for line in told), "%s", told)


@timed("runs beside others have a larger spread")
def test_three_against_three():
    """A real change is found as well."""
    a = [record("diff_work", *SLEEPING) for _ in range(3)]
    b = [record("diff_work", *SLEEPING, "locks=2") for _ in range(3)]
    diff = Diff(*a, "--", *b)
    with timing():
        diff.ended(BETTER)
        diff.says("less for mutex queue_lock")
    row = diff.figure("overview", "elapsed time", "time")
    expect_equal("values", (len(row["a_values"]), len(row["b_values"])), (3, 3))
    with timing():
        expect(abs(row["p_value"] - 0.1) < 1e-9, "p of 3 against 3 that do not overlap: %r", row["p_value"])
        expect(row["decides"] and row["counts"] and row["spread"] is not None, "elapsed time: %r", row)


@full
@timed("beside others the spread may be anything")
def test_limit_and_what_would_do():
    """A difference within the spread: the text says how large it would have to be, and the JSON has the same limit."""
    a = [record("diff_work", *SLEEPING[:3], "rounds=%d" % n) for n in (60, 90, 75)]
    b = [record("diff_work", *SLEEPING[:3], "rounds=%d" % n) for n in (80, 120, 100)]
    diff = Diff(*a, "--", *b)
    diff.ended(SAME)
    row = diff.figure("overview", "elapsed time", "time")
    with timing():
        expect_equal("verdict", (diff.json["verdict"], row["verdict"]), ("cannot tell", "within noise"))
        expect(row["limit"] > row["change"] > 0.1 * row["a"], "limit %r, change %r", row["limit"], row["change"])
        diff.says("cannot tell: elapsed time", "would need ")
    if not diff.json["elapsed_undecided"]:
        needed = diff.json["runs_needed"]
        expect(needed and needed > 3, "runs needed: %r", needed)
        diff.says("about %d runs a side would" % needed if needed <= 30 else "more than 30 runs a side")
    expect(" limit " in diff.text, "no column of that name")


# Figures are those of the report

@beside
def test_figures_are_the_reports():
    a = record("diff_work", "locks=2", "hold=200")
    diff, report = Diff(a, a), support.report_json(a)
    run = report["run"]
    expect_equal("elapsed", diff.figure("overview", "elapsed time", "time")["a"], run["elapsed_seconds"])
    expect_equal("CPU time", diff.figure("overview", "CPU time", "time")["a"], run["cpu_seconds"])
    expect_equal("efficiency", diff.figure("overview", "efficiency", "percent")["a"], run["efficiency_percent"])
    expect_equal("CEFF", diff.figure("overview", "CEFF", "percent")["a"], report["concurrency"]["on_processor"]["ceff_percent"])
    for row in report["routines"]:
        names = [r for r in report["routines"] if r["name"] == row["name"]]
        if row["self_seconds"] and len(names) == 1:
            got = diff.figure("routines", row["name"], "self")["a"]
            expect(abs(got - row["self_seconds"]) < 1e-9, "%s: %r, report %r", row["name"], got, row["self_seconds"])
    lock = support.waits(report, "mutex", "queue_lock")[0]
    for metric, key in (("wait", "wait_seconds"), ("calls", "count"), ("waited", "contended")):
        expect_equal(metric, diff.figure("waits", "mutex queue_lock, lock", metric)["a"], lock[key])
    blamed = sum(f["a"] for f in diff.json["figures"] if f["section"] == "holders" and f["key"].startswith("mutex queue_lock, lock"))
    expect(abs(blamed - lock["wait_seconds"]) < 1e-6, "holders: %r, waits %r", blamed, lock["wait_seconds"])
    for section in ("on a processor", "useful"):
        levels = sum(f["a"] for f in diff.json["figures"] if f["section"] == "concurrency" and f["key"].endswith(section))
        expect(abs(levels - run["elapsed_seconds"]) < 1e-6, "sum of T_i %s: %r, elapsed %r", section, levels, run["elapsed_seconds"])


@full
@beside
def test_merged_run_is_the_run():
    a, merged = record("diff_work", "locks=2", "hold=200"), os.path.join(scratch(), "merged")
    expect_equal("ptrace-merge", execute([os.path.join(BUILD, "bin", "ptrace-merge"), "-o", merged, a]).status, 0)
    diff = Diff(a, merged)
    diff.ended(SAME)
    other = [(f["section"], f["key"], f["metric"], f["a"], f["b"]) for f in diff.json["figures"]
             if (f["a"] is None) != (f["b"] is None) or (f["a"] is not None and abs(f["a"] - f["b"]) > 1e-6 * abs(f["a"]) + 2e-9)]
    expect(not other, "%d figures differ: %r", len(other), other[:3])


def side_by_side(function, rows):
    """Results of function(*row), on two processors: for comparing runs that have ended."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda row: function(*row), rows))


def cpu_seconds(command):
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    expect(process.returncode in (0, 1, 3), "%s: status %d", " ".join(command), process.returncode)
    return used.ru_utime + used.ru_stime


@full
@beside
def test_runs_of_64_processes():
    """A comparison costs no more than a few reports of its runs."""
    a = record("diff_work")
    runs = [os.path.join(scratch(), name) for name in ("one", "other")]
    for run in runs:
        expect_equal("multiply_profiles", execute([built("multiply_profiles"), a, "64", run]).status, 0)
    # in turn, and the least: beside others both take up to a third more now and then
    pairs = [(cpu_seconds([DIFF] + runs), cpu_seconds([support.REPORT, runs[0]])) for _ in range(4)]
    compared, reported = (min(seconds) for seconds in zip(*pairs))
    expect(compared < 5 * reported, "CPU time %.3f s, of a report %.3f s", compared, reported)
    diff = Diff(*runs)
    diff.ended(SAME)
    expect_equal("processes", diff.json["a"][0]["processes"], 64)


# The command line and what it reads

@beside
def test_arguments():
    a, b = record("diff_work", "rounds=20"), record("diff_work", "rounds=20")
    reference = execute([DIFF, "--threshold", "300", a, b])
    expect_equal("status with a threshold of 300 %%; %s" % reference.stdout.decode()[:200], reference.status, SAME)
    for words in ([a, b, "--threshold", "300"], [a, "--threshold=300", b], ["--threshold", "300", a, "--", b],
                  [a, "--", "--threshold", "300", b], [a, "--", b, "--threshold", "300"]):
        result = execute([DIFF] + words)
        expect_equal(" ".join(words), (result.status, result.stdout), (reference.status, reference.stdout))
    expect("two runs" in wrong(a), "one run")
    expect("two runs" in wrong(a, b, a), "three runs")
    expect("each side" in wrong(a, "--"), "nothing on one side")
    expect("more than one --" in wrong(a, "--", b, "--", a), "two dividers")
    expect("percent" in wrong(a, b, "--threshold", "much"), "no number")


@beside
def test_unreadable():
    a = record("diff_work", "rounds=20")
    empty = scratch()
    expect(empty in wrong(a, empty), "an empty directory")
    expect("/nowhere" in wrong("/nowhere/run", a), "a missing directory")
    text = os.path.join(empty, "text")
    with open(text, "w") as file:
        file.write("no profile\n" * 1000)
    expect(text in wrong(a, text), "a text")


@beside
def test_other_program_and_same_run_twice():
    a, other = record("diff_work", "rounds=20"), record("counts")
    result = execute([DIFF, a, other])
    expect("the program counts instead of diff_work" in result.stderr_text(), "stderr: %s", result.stderr_text())
    expect(result.status != WRONG and b"the program counts instead of diff_work" in result.stdout, "status %d", result.status)
    result = execute([DIFF, a, a, "--", other])
    expect("given more than once" in result.stderr_text(), "stderr: %s", result.stderr_text())
    same = Diff(a, a)
    same.ended(SAME)
    expect(all(f["change"] in (0, None) for f in same.json["figures"]), "a run differs from itself")


@full
@timed("threads meet at a lock in one run only")
def test_rebuilt_in_place():
    """The run has a copy of the program. Without it its names are lost, and that is reported; if it was merged before, it keeps them."""
    path = shutil.copy(built("diff_work"), os.path.join(scratch(), "program"))
    a, merged = record(path), os.path.join(scratch(), "merged")
    expect_equal("ptrace-merge", execute([os.path.join(BUILD, "bin", "ptrace-merge"), "-o", merged, a]).status, 0)
    shutil.copy(built("rebuilt/diff_work"), path)
    b = record(path)
    expect("was changed since the run" not in execute([DIFF, a, b]).stderr_text(), "the copy is not used")
    shutil.rmtree(os.path.join(a, "symbols"))
    result = execute([DIFF, a, b])
    expect("was changed since the run" in result.stderr_text(), "stderr: %s", result.stderr_text())
    diff = Diff(merged, b)
    matched(diff, NAMES[:2])
    expect_equal("notes", diff.json["notes"], [])


@timed("of one run a side beside others nobody can tell")
def test_page():
    a, b = record("diff_work", *SLEEPING), record("diff_work", *SLEEPING, "locks=2")
    path = os.path.join(scratch(), "page.html")
    result = execute([DIFF, a, b, "--format", "html", "-o", path])
    with timing():
        expect_equal("status; stderr: %s" % result.stderr_text(), (result.status, result.stdout), (BETTER, b""))
    with open(path, encoding="utf-8") as file:
        page = file.read()
    for text in ("<!DOCTYPE html>", "better: elapsed time", "mutex queue_lock", "store (diff_work.c)", "</html>"):
        expect(text in page, "%r is not in the page", text)
    for text in ("http://", "https://", " src="):
        expect(text not in page.replace("http://www.w3.org/2000/svg", ""), "the page asks for %s", text)


@beside
def test_incomplete():
    a, b = record("diff_work", "rounds=20"), os.path.join(scratch(), "killed")
    execute([RUN, "-q", "-o", b, "--", built("death"), "kill"])
    result = execute([DIFF, a, b])
    expect("is incomplete" in result.stderr_text() and b"INCOMPLETE" in result.stdout, "stderr: %s", result.stderr_text())


@beside
def test_size_of_text():
    a, b = record("diff_work", "rounds=40"), record("diff_work", "rounds=400", "locks=2", "threads=4", "sleep=100")
    lines = execute([DIFF, "--width", "80", a, b]).stdout.decode().split("\n")
    expect(len(lines) <= 101, "%d lines", len(lines))
    long = [line for line in lines if len(line) > 80]
    expect(not long, "longer than 80 columns: %r", long[:1])
    sections = [line for line in lines if line.startswith("@ ")]
    expect(len(sections) >= 5 and all(": " in line for line in sections), "sections: %r", sections)
    everything = execute([DIFF, "--top", "0", a, b]).stdout.decode().split("\n")
    expect(len(everything) > len(lines), "--top 0 has %d lines, the default %d", len(everything), len(lines))
