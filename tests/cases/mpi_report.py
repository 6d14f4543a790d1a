# SPDX-License-Identifier: MIT
"""The report of a job as a user meets it: overview, findings, what is left out, CSV."""
import csv
import io
import os

from mpi_job import check_job, each_library, site
from support import REPORT, alone, execute, expect, expect_between, expect_equal, expect_near, full, skip, timed, timing

BESIDE = True


def printed(job, *options):
    result = execute([REPORT] + list(options) + [job.directory])
    expect_equal("status of ptrace-report %s; stderr: %s" % (options, result.stderr_text()[-300:]), result.status, 0)
    return result.stdout.decode()


def cell(value):
    """A value of the JSON as it stands in CSV; numbers are compared as numbers."""
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def same(text, value):
    if isinstance(value, float):
        return text != "" and float(text) == value
    return text == cell(value)


def check_table(job, section, rows):
    table = list(csv.DictReader(io.StringIO(printed(job, "--format", "csv", "--section", section))))
    expect_equal("rows of %s" % section, len(table), len(rows))
    for got, wanted in zip(table, rows):
        plain = {k: v for k, v in wanted.items() if not isinstance(v, (list, dict))}
        wrong = [k for k, v in plain.items() if not same(got.get(k, "missing"), v)]
        expect(not wrong, "%s: %s differ: %r, %r", section, wrong, got, wanted)


def csv_of_a_job(library):
    job = check_job(library, "late_sender", 2)
    expect(job.mpi["peers"] and job.mpi["ranks"], "nothing to compare")
    for section, key in (("peers", "peers"), ("ranks", "ranks"), ("mpi_calls", "calls"), ("mpi_sites", "sites"),
                         ("collectives", "collectives")):
        check_table(job, section, job.mpi[key])
    check_table(job, "processes", job.report["processes"])
    pairs = dict(list(csv.reader(io.StringIO(printed(job, "--format", "csv", "--section", "mpi"))))[1:])
    expect_near("parallel", float(pairs["parallel"]), job.mpi["efficiency"]["parallel"], floor=1e-9)
    one = printed(job, "--format", "csv", "--section", "peers", "--top", "1")
    expect_equal("lines with --top 1", len(one.splitlines()), 2)


@full
def test_mpi_csv_says_what_json_says():
    each_library(csv_of_a_job)


@timed("other programs had the processors")
def overview(library):
    job = check_job(library, "late_rank", 2, peers=False)
    text = printed(job)
    expect("2 of 2 ranks; parallel efficiency" in text, "the overview does not name the ranks: %s", text[:900])
    expect("@ mpi_calls:" in text and "@ processes:" not in text, "the ranks' processes are listed twice")
    expect("@ processes:" in printed(job, "--section", "processes"), "a section that was asked for is not there")
    ids = {f["id"]: f for f in job.report["findings"]}
    with timing():
        expect("late-rank" in ids, "late ranks were not found: %s", sorted(ids))
    # bound to one processor each, or free to use both: two in any case
    expect(job.report["run"]["efficiency_percent"] <= 100.5, "%.1f %% of %d processors", job.report["run"]["efficiency_percent"],
           job.report["run"]["processors"])


@full
@alone
def test_mpi_overview_and_findings_of_a_late_rank():
    each_library(overview)


def law(what, found, wanted):
    expect_near(what, found, wanted, 1e-6, 1e-8)


def check_shares(job):
    """Of elapsed time, however many threads a rank has; all calls are made by the first one."""
    ranks, whole, between = job.mpi["ranks"], job.mpi["efficiency"], job.mpi["efficiency"]["between"]
    life = sum(c["seconds"] for c in job.mpi["calls"] if c["call"] in ("MPI_Init", "MPI_Init_thread", "MPI_Finalize"))
    calls, elapsed = sum(c["seconds"] for c in job.mpi["calls"]), sum(r["elapsed_seconds"] for r in ranks)
    window = sum(r["between_seconds"] for r in ranks)
    law("time in MPI / elapsed time", whole["mpi_fraction"], calls / elapsed)
    law("the same between MPI_Init and MPI_Finalize", between["mpi_fraction"], (calls - life) / window)
    law("shares of calls", sum(c["elapsed_percent"] for c in job.mpi["calls"]), 100 * calls / elapsed)
    law("shares of ranks", sum(r["mpi_percent"] * r["elapsed_seconds"] for r in ranks), 100 * calls)
    law("windows, start and end of MPI, and the rest", window + len(ranks) * sum(between[k + "_seconds"] for k in ("init", "finalize", "elsewhere")),
        elapsed)
    expect_equal("grades", (whole["mpi_fraction_grade"], between["mpi_fraction_grade"]), ("exact", "exact"))


def check_tree(job, units):
    """Its factors multiply to the efficiency, and are what the ranks' rows say."""
    ranks, between = job.mpi["ranks"], job.mpi["efficiency"]["between"]
    useful = [r["useful_between_seconds"] / r["units"] for r in ranks]
    outside = [r["between_seconds"] - r["mpi_between_seconds"] for r in ranks]
    expect_equal("units", [r["units"] for r in ranks], [units] * len(ranks))
    law("parallel", between["parallel"], sum(useful) / len(ranks) / between["elapsed_seconds"])
    law("load balance", between["load_balance"], sum(useful) / len(ranks) / max(useful))
    law("parallel = load balance x communication", between["load_balance"] * between["communication"], between["parallel"])
    law("of MPI", between["mpi_parallel"], sum(outside) / len(ranks) / between["elapsed_seconds"])
    law("of MPI = load balance x communication", between["mpi_load_balance"] * between["mpi_communication"], between["mpi_parallel"])
    if units > 1:
        law("parallel = MPI x threads", between["mpi_parallel"] * between["threads_parallel"], between["parallel"])
    for rank in ranks:
        expect(rank["useful_between_seconds"] <= rank["useful_seconds"] * (1 + 1e-9), "rank %(rank)d is useful for %(useful_between_seconds)f s of "
               "%(useful_seconds)f s", rank)


def check_words(job, factor):
    """One tree on the first screen; threads of the library apart, in one row for each rank."""
    text, threads = printed(job, "--width", "400", "--section", "overview,mpi"), job.report["threads"]
    library = sum(t["of_mpi_library"] for t in threads)
    expect_equal("threads of the library", job.mpi["efficiency"]["library_threads"], library)
    expect("parallel efficiency" in text and (" x %s " % factor in text) == bool(factor) and "between MPI_Init (" in text, "%s", text)
    apart = " and %d of the MPI library" % library
    expect((apart in text) == bool(library), "%d threads of the library: %s", library, text[:600])
    rows = printed(job, "--width", "400", "--top", "0", "--section", "threads")
    of_library = [line for line in rows.splitlines() if line.startswith("  MPI (")]
    expect_equal("rows of threads", len(rows.splitlines()) - 2, len(threads) - library + len(of_library))
    expect_equal("rows of the library", len(of_library), len({t["pid"] for t in threads if t["of_mpi_library"]}))


def hybrid(library):
    """Two threads of each rank work while the first one waits for them, and is not in MPI."""
    job = check_job(library, "hybrid", 2, peers=False)
    check_shares(job)
    check_tree(job, 3)
    check_words(job, "threads")
    between = job.mpi["efficiency"]["between"]
    expect(between["threads_parallel"] < 0.75, "of three threads one joins, and %.3f of their time is useful", between["threads_parallel"])


def test_mpi_efficiency_of_ranks_with_threads_is_one_tree():
    each_library(hybrid)


def plain(library):
    job = check_job(library, "late_sender", 2)
    check_shares(job)
    check_tree(job, 1)
    expect_equal("a factor for threads", job.mpi["efficiency"]["between"]["threads_parallel"], None)
    check_words(job, "")


@full
def test_mpi_efficiency_leaves_start_and_end_out():
    each_library(plain)


def few_processors():
    processors = len(os.sched_getaffinity(0))
    if processors > 4:
        skip("%d processors: too many ranks would be needed" % processors)
    return processors


def oversubscribed(library):
    processors = few_processors()
    job = check_job(library, "crowded_ranks", 2 * processors, peers=False)
    found = {f["id"]: f for f in job.report["findings"]}
    expect("rank-oversubscription" in found, "twice as many ranks as processors were not found: %s", sorted(found))
    expect("%d ranks with %d threads" % (2 * processors, 2 * processors) in found["rank-oversubscription"]["evidence"],
           "%s", found["rank-oversubscription"]["evidence"])
    expect(found.get("oversubscription", {"kind": "environment"})["kind"] == "environment" and "too-few-threads" not in found, "%s", sorted(found))
    expect("spin-wait" not in found, "what the library yields in its calls is no spinning of the program's: %s", found.get("spin-wait"))


@full
def test_mpi_finding_of_more_ranks_than_processors():
    """They work all the time; what other programs took of the processors is told apart."""
    each_library(oversubscribed)


def polled_for(library):
    job = check_job(library, "crowded_ranks", 2 * few_processors(), "late", peers=False)
    found = {f["id"]: f["elapsed_seconds"] for f in job.report["findings"]}
    expect("late-rank" in found, "the rank that sleeps was not found: %s", found)
    expect_between("%s: what too many ranks cost" % library, found.get("rank-oversubscription", 0), 0, found["late-rank"] / 2, 0, 0)


@full
def test_mpi_who_polls_for_a_late_rank_needs_no_processor():
    """More ranks than processors, which have nothing to do but to wait for one that sleeps."""
    each_library(polled_for)


@timed("other programs had the processors")
def late_sender(library):
    job = check_job(library, "late_sender", 2)
    found = [f for f in job.report["findings"] if f["id"] == "late-sender"]
    with timing():
        expect_equal("findings on late senders", len(found), 1)
    expect("rank 0 waited longest" in found[0]["evidence"] and "of rank 1" in found[0]["evidence"], "%s", found[0]["evidence"])


@alone
def test_mpi_finding_of_a_late_sender():
    each_library(late_sender)


@timed("other programs had the processors")
def polls(library):
    """Both ranks do nothing but look for messages that nobody sends."""
    job = check_job(library, "polls", 2, 400000)
    place = site(job, "MPI_Iprobe", "look_often")
    expect_equal("calls in vain", (place["vain"], place["count"]), (800000, 800000))
    found = [f for f in job.report["findings"] if f["id"] == "mpi-polling"]
    with timing():
        expect_equal("findings on polls", len(found), 1)
    expect("800000 calls" in found[0]["evidence"] and "MPI_Iprobe called at look_often" in found[0]["evidence"], "%s", found[0]["evidence"])
    expect("in vain" in printed(job, "--section", "mpi_sites", "--width", "200"), "the sites do not say how many calls found nothing")


@alone
def test_mpi_finding_of_polls_in_vain():
    each_library(polls)
