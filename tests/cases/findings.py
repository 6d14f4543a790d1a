# SPDX-License-Identifier: MIT
"""Findings: each program has exactly one problem, which comes first, and its counterpart has none of that kind."""
import functools
import os
import re

import mpi_job
import openmp_job
from document_pages import whole
from support import ROOT, beside, check_laws, expect, expect_equal, expect_near, fail, full, run, skip, timed, timing

PROGRAM = "finding_scenes"
_reports = {}


def scene(name):
    """The report of a scene; each is run once for all cases."""
    if name not in _reports:
        _reports[name] = run(PROGRAM, [name]).report
        check_laws(_reports[name], sampling=False)  # of which short programs on a busy machine are no test
        check_findings(_reports[name])
    return _reports[name]


def problems(report):
    return [f for f in report["findings"] if f["kind"] == "problem"]


def check_findings(report):
    """What holds for any findings."""
    groups = {"problem": 0, "environment": 0, "symptom": 1, "caveat": 2}
    order = [(groups[f["kind"]], -f["elapsed_percent"]) for f in report["findings"]]
    for one, next_one in zip(order, order[1:]):
        # of stakes that differ by less than a tenth, the cause comes first
        expect(one[0] < next_one[0] or one[0] == next_one[0] and -one[1] >= 0.9 * -next_one[1] - 1, "out of order: %s", order)
    for finding in report["findings"]:
        check_finding(report, finding)


def check_finding(report, finding):
    name = finding["id"]
    for key in "severity_percent", "elapsed_percent":
        expect(0 <= finding[key] <= 100, "%s of %s: %r", key, name, finding[key])
    expect(finding["kind"] == "caveat" or finding["severity_percent"] >= finding["threshold_percent"], "%s is below its threshold", name)
    expect_near("elapsed time at stake of " + name, finding["elapsed_seconds"],
                finding["elapsed_percent"] / 100 * report["run"]["elapsed_seconds"], 1e-6, 1e-6)
    expect(finding["grade"] in ("exact", "sampled", "estimated"), "grade of %s: %r", name, finding["grade"])
    for step in finding["where"]:
        expect(60 <= step["share_percent"] <= 100 and step["name"], "%s: %s", name, step)
    for step in finding["spread"]:
        expect(0 < step["share_percent"] < 60 and step["among"] > 1, "%s: %s", name, step)


def levels(finding):
    return {step["level"]: step["name"] for step in finding["where"]}


def expect_first(name, wanted):
    """The first problem of the scene."""
    found = problems(scene(name))
    with timing():
        expect(found and found[0]["id"] == wanted, "%s: found %s, expected %s first; %s", name, [f["id"] for f in found], wanted, disturbance())
    return found[0]


def expect_absent(name, *unwanted):
    wrong = [f["id"] for f in scene(name)["findings"] if f["id"] in unwanted]
    with timing():
        expect(not wrong, "%s has not the problem: %s; %s", name, wrong, disturbance())


def stake(finding, least, most):
    with timing():
        expect(least <= finding["elapsed_percent"] <= most, "%s: %.1f %% of the elapsed time at stake, expected %g .. %g",
               finding["id"], finding["elapsed_percent"], least, most)


def disturbance():
    """What the reports themselves say about other programs during the scenes."""
    told = ["%s: %s" % (name, f["evidence"]) for name, report in _reports.items() for f in report["findings"] if "other programs" in f["title"]]
    return "; ".join(told) or "nobody disturbed"


def on_free_processors(check):
    """For what is no problem, or a small one, unless processors are free for it. Which finding comes first is a matter of times, and tried
    again; the laws, the order of findings and what they are made of are not."""
    @functools.wraps(check)
    def once(*arguments):
        _reports.clear()
        return check(*arguments)
    return timed("other programs had the processors")(once)


WAITS = ("lock-contention", "spin-wait", "barrier-wait", "condition-wait", "sleep", "blocked")
GRAIN = ("short-threads", "fine-locks")


@full
@on_free_processors
def test_even_work_has_no_problem():
    """Two threads with equal work, with and without a lock that nobody waits for, and beside a thread that sleeps."""
    for name in "even", "beside_lock", "ticker":
        expect_absent(name, "imbalance", "false-parallelism", "few-samples", *(WAITS + GRAIN))


@on_free_processors
def test_a_contended_lock_comes_first():
    """With its holder, who waited, and the object."""
    finding = expect_first("lock", "lock-contention")
    expect_equal("object", levels(finding).get("object"), "shared_lock")
    expect("work_locked" in levels(finding).get("routine", ""), "the routine is not work_locked: %s", finding["where"])
    expect("held by work_locked" in finding["evidence"], "no holder: %s", finding["evidence"])
    stake(finding, 10, 60)
    expect_absent("lock", "spin-wait", "barrier-wait", "sleep")


@on_free_processors
def test_spinning_comes_first():
    finding = expect_first("spin", "spin-wait")
    expect_equal("object", levels(finding).get("object"), "shared_spin")
    expect_absent("spin", "lock-contention")


@on_free_processors
def test_a_loop_around_sched_yield_comes_first():
    """A thread that yields to another program loses nothing."""
    expect("sched_yield" in expect_first("yield", "spin-wait")["evidence"], "sched_yield is not named")
    expect_absent("yield", "lock-contention", "barrier-wait", "blocked")


@full
@on_free_processors
def test_busy_threads_that_are_not_useful_are_told():
    """Twelve threads of which eleven spin, and six that work: both look equally busy."""
    finding = {f["id"]: f for f in scene("spinners")["findings"]}.get("false-parallelism")
    with timing():
        expect(finding, "false-parallelism is not found; there are %s", [f["id"] for f in scene("spinners")["findings"]])
    expect_equal("kind", finding["kind"], "symptom")
    expect("spinlocks" in finding["evidence"], "what they wait in is not named: %s", finding["evidence"])
    expect_absent("crowd", "false-parallelism", "spin-wait")


@on_free_processors
def test_waits_at_a_barrier_come_first():
    """Each step is uneven, all steps together are not."""
    finding = expect_first("barrier", "barrier-wait")
    expect_equal("object", levels(finding).get("object"), "meeting")
    expect_absent("barrier", "imbalance", "sequential")


@full
@on_free_processors
def test_unequal_work_comes_first():
    finding = expect_first("imbalance", "imbalance")
    expect("thread" in levels(finding), "who has more is not said: %s", finding["where"])
    expect_absent("imbalance", "barrier-wait", "lock-contention")


@full
@on_free_processors
def test_a_serial_part_comes_first():
    finding = expect_first("serial", "sequential")
    with timing():  # threads that have to wait for a processor are alone, too
        expect("serial_part" in finding["evidence"], "serial_part is not named: %s", finding["evidence"])
    stake(finding, 10, 55)
    expect_absent("serial", "imbalance", "too-few-threads")


@full
@on_free_processors
def test_a_single_thread_comes_first():
    expect_first("single", "too-few-threads")
    expect_absent("single", "sequential")


@on_free_processors
def test_sleeping_comes_first():
    """Long sleeps; many short ones are polling: of less than 5 ms, where a thread of those is woken in time."""
    finding = expect_first("asleep", "sleep")
    expect("sleep_long" in levels(finding).get("routine", ""), "the routine is not sleep_long: %s", finding["where"])
    expect_equal("title", finding["title"], "threads sleep")
    polling = expect_first("poll", "sleep")
    with timing():
        expect("poll" in polling["title"], "400 sleeps of 1 ms are: %s", polling["title"])
    expect_absent("asleep", "blocked")


@on_free_processors
def test_a_sleep_that_another_thread_waits_for_is_at_stake_whole():
    """One thread sleeps and writes to a pipe, the other one reads: nobody works, and all of the sleep can be won."""
    finding = expect_first("asleep_before_pipe", "sleep")
    stake(finding, 80, 100)


@on_free_processors
def test_blocked_time_comes_first():
    """What no wrapper sees, as input and output."""
    expect_first("blocked", "blocked")
    expect_absent("blocked", "sleep")


@on_free_processors
def test_fine_grain_comes_first():
    """Threads that do nothing, and locks around nothing. A thread that lost its processor for a millisecond is not short-lived."""
    finding = expect_first("short_threads", "short-threads")
    with timing():
        expect("5000 threads" in finding["evidence"], "not all threads: %s", finding["evidence"])
    expect_first("fine_locks", "fine-locks")
    expect_absent("fine_locks", "short-threads")


@on_free_processors
def test_more_threads_than_processors_come_first():
    if len(os.sched_getaffinity(0)) > 4:
        skip("too many processors for the six threads of the program")
    finding = expect_first("crowd", "oversubscription")
    expect(finding["title"].startswith("more threads than processors"), "%s", finding["title"])
    expect("thread" not in levels(finding), "six equal threads, and one has most: %s", finding["where"])


@beside
def test_few_samples_are_a_caveat():
    """At the end, and never the first thing to fix."""
    finding = scene("short_run")["findings"][-1]
    expect_equal("last finding of a short run", (finding["id"], finding["kind"]), ("few-samples", "caveat"))
    expect_equal("what could be won", (finding["severity_percent"], finding["elapsed_seconds"]), (0, 0))
    off = run(PROGRAM, ["even"], options=["--sample", "0"]).report
    check_findings(off)
    expect_equal("without samples", off["findings"][-1]["title"], "no samples")


def found_in(report, name):
    _reports[name] = report
    check_findings(report)
    return {f["id"]: f for f in report["findings"]}


def expect_only(name, found, wanted, *unwanted):
    """The wanted one, and none of the others."""
    wrong = [one for one in unwanted if one in found]
    with timing():
        expect(not wanted or wanted in found, "%s: %s is not found; there are %s", name, wanted, sorted(found))
        expect(not wrong, "%s has not the problem: %s", name, [(one, found[one]["severity_percent"], found[one]["evidence"]) for one in wrong])


# Findings of MPI that a program with another one, or with none, must not have.
MPI_FINDINGS = {"late_rank": ("late-rank", "late-sender", "mpi-polling", "small-messages", "rank-oversubscription"),
                "late_sender": ("late-sender", "late-rank", "mpi-polling", "small-messages", "rank-oversubscription"),
                "many": ("small-messages", "late-rank", "rank-oversubscription"),
                "even_ranks": (None, "rank-imbalance", "late-rank", "late-sender", "mpi-polling", "small-messages", "communication", "mpi-site",
                               "rank-oversubscription")}


@on_free_processors
def ranks_of(library, name):
    wanted, *unwanted = MPI_FINDINGS[name]
    # as many messages as make a job that does nothing else: its start takes 0.1 s and more
    job = mpi_job.job_of(library, name, 2, *(["40"] if name == "many" else []))
    expect_equal("status of %s; stderr: %s" % (name, job.profiled.stderr_text()[-300:]), job.profiled.status, 0)
    found = found_in(job.report, name)
    expect_only(name, found, wanted, *unwanted)
    if name == "late_rank":
        where = levels(found["late-rank"])
        with timing():
            expect("rank" in where and where.get("call", "").startswith("MPI_"), "who is late where: %s", where)


@full
def test_each_mpi_job_has_its_own_finding():
    """And a balanced one has none; the late rank is named with its call."""
    mpi_job.each_library(lambda library: openmp_job.each_of(MPI_FINDINGS, lambda name: ranks_of(library, name)))


# The same for OpenMP. Threads that wait do not spin, and are not ready for a processor that others have: ready time may be work.
BLOCKING = {"GOMP_SPINCOUNT": "0", "KMP_BLOCKTIME": "0"}
OMP_FINDINGS = {"one_works": ("omp-imbalance", "omp-serial", "omp-lock", "omp-short-regions", "omp-small-pieces", "omp-small-tasks", "omp-blocking",
                         "omp-oversubscription"),
                "serial": ("omp-serial", "omp-imbalance", "omp-lock", "omp-short-regions", "omp-small-pieces", "omp-small-tasks",
                           "omp-blocking", "omp-oversubscription"),
                "critical": ("omp-lock", "omp-imbalance", "omp-short-regions", "omp-small-pieces", "omp-small-tasks", "omp-blocking",
                             "omp-oversubscription")}


@on_free_processors
def teams_of(runtime, name):
    wanted, *unwanted = OMP_FINDINGS[name]
    found = found_in(openmp_job.Job(runtime, name, environment=BLOCKING).run.report, name)
    expect_only(name, found, wanted, *unwanted)
    if name == "one_works":
        with timing():
            expect("one_works" in levels(found["omp-imbalance"]).get("region", ""), "where: %s", found["omp-imbalance"]["where"])


@full
def test_each_openmp_program_has_its_own_finding():
    """The region with uneven work is named."""
    openmp_job.each_of(OMP_FINDINGS, lambda name: openmp_job.each_runtime(teams_of, name))


# The tables of rules and limits, and their document

RULE = re.compile(r'^RULE\("([^"]+)", (\w+), (\d+), \w+, "([^"]+)",\s*"([^"]+)",\s*"([^"]+)"\)', re.M)


def rules():
    with open(os.path.join(ROOT, "analyze/findings/rules/finding_rules.def")) as file:
        return RULE.findall(file.read())


def document():
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in whole("docs/findings.md").splitlines() if line.startswith("|")]
    return {row[0]: row for row in rows}


@beside
def test_the_document_lists_the_rules():
    """docs/findings.md has a row for each rule, with its title, threshold and reason."""
    with open(os.path.join(ROOT, "analyze/findings/rules/finding_rules.def")) as file:
        expect_equal("rules that this test understands", len(rules()), len(re.findall(r"^RULE\(", file.read(), re.M)))
    written = document()
    for name, kind, threshold, title, reason, advice in rules():
        row = written.get(name) or fail("docs/findings.md has no row for %s", name)
        expect(row[1].startswith(title), "title of %s: %r, in the document %r", name, title, row[1])
        expect_equal("threshold of %s" % name, row[3], threshold + " %")
        expect_equal("reason of %s" % name, row[4], reason)
    names = {name for name, *_ in rules()}
    extra = [n for n in written if re.fullmatch(r"[a-z]+(-[a-z]+)+", n) and n not in names]
    expect(not extra, "docs/findings.md has rows without a rule: %s", extra)


LIMIT = re.compile(r'^LIMIT\((\w+), (\d+(?:\.\d+)?), (\w+), "([^"]+)",\s*"([^"]+)"\)', re.M)
UNITS = {"PERCENT": " %", "NS": " ns", "US": " us", "MS": " ms", "KIB": " KiB", "COUNT": ""}


@beside
def test_the_document_lists_the_limits():
    """docs/findings.md has a row for each limit, with its figure, what it is and why."""
    with open(os.path.join(ROOT, "analyze/model/common/finding_limits.def")) as file:
        text = file.read()
    limits = LIMIT.findall(text)
    expect_equal("limits that this test understands", len(limits), len(re.findall(r"^LIMIT\(", text, re.M)))
    written = document()
    for name, number, unit, what, reason in limits:
        row = written.get("`%s`" % name) or fail("docs/findings.md has no row for the limit %s", name)
        expect_equal("limit " + name, row, ["`%s`" % name, number + UNITS[unit], what, reason])
    names = {"`%s`" % name for name, *_ in limits}
    extra = [n for n in written if re.fullmatch("`[a-z_]+`", n) and n not in names]
    expect(not extra, "docs/findings.md has limits that there are not: %s", extra)
