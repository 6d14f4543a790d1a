# SPDX-License-Identifier: MIT
"""Units of work that the user names (--per): how many, what one cost, and comparisons by them."""
import json

import support
from diff import DIFF, record
from diff_evidence import compare
from merge import merged
from mpi_job import check_job, each_library
from support import REPORT, execute, expect, expect_equal, expect_near, run


def units(per, directory):
    """Of the JSON; the first screen has the same number."""
    run_of = support.report_json(directory, "--per", per)["run"]
    told = run_of["units"]
    expect_equal("what is counted", told["per"], per)
    expect_near("a second", told["per_second"] * run_of["elapsed_seconds"], told["count"], 1e-6)
    expect_near("CPU time each", told["cpu_seconds_each"] * told["count"], run_of["cpu_seconds"], 1e-6)
    return told


def test_calls_on_descriptors():
    """As many as the program made: an answer to each request, and a read more for the end of each of the two connections."""
    one = run("request_server", ["threads", "requests=50", "think=500", "table=1"])
    one.profiled  # pylint: disable=pointless-statement
    requests = int(one.truth["requests"])
    answers = units("write@serve_request", one.directory)
    expect_equal("answers", answers["count"], requests)
    expect_equal("reads", units("read@serve_request", one.directory)["count"], requests + 2)
    locks = sum(t["waits"][cause] for t in one.report["threads"] for cause in ("mutex", "rwlock", "spinlock"))
    expect_near("blocked for locks each", answers["lock_seconds_each"] * requests, locks, 1e-6)
    expect_equal("of a merged run", units("write@serve_request", merged(one.directory)), answers)
    screen = " ".join(execute([REPORT, "--per", "write@serve_request", "overview", one.directory]).stdout.decode().split())
    expect("units %d of write@serve_request, " % requests in screen, "the first screen: %s", screen[:800])
    expect_equal("units that nobody asked for", one.report["run"]["units"], None)


def test_calls_of_an_instrumented_routine():
    one = run("instrumented", ["plain"])
    one.profiled  # pylint: disable=pointless-statement
    expect_equal("calls of leaf", units("leaf", one.directory)["count"], int(one.truth["leaf"]))


def test_calls_of_mpi():
    def check(library):
        job = check_job(library, "late_sender", 2)
        counts = {}
        for site in job.mpi["sites"]:
            key = "%s@%s" % (site["call"], site["routine"])
            counts[key] = counts.get(key, 0) + site["count"]
        per = max((key for key in counts if not key.endswith("]")), key=counts.get)
        expect_equal(per, units(per, job.directory)["count"], counts[per])
    each_library(check)


def test_what_is_not_there_is_one_line():
    one = run("request_server", ["threads", "requests=50", "think=500", "table=1"])
    one.profiled  # pylint: disable=pointless-statement
    for words, part in ((["--per", "writ@serve_request"], "did you mean write@serve_request"), (["--per", "leaf"], "no instrumented routine"),
                        (["--per", "MPI_Send@main"], "")):
        result = execute([REPORT] + words + [one.directory])
        expect_equal("status of %s" % words, result.status, 2)
        lines = result.stderr_text().splitlines()
        expect(len(lines) == 1 and lines[0].startswith("ptrace-report: --per " + words[1] + ": ") and part in lines[0], "%s", lines)
    result = execute([DIFF, "--metric", "units", one.directory, one.directory])
    expect_equal("status without --per; %s" % result.stderr_text(), result.status, 2)


def test_comparisons_by_units():
    """Two load tests, of which the second answers less in the same time, and a server with more clients: what counts is the unit."""
    per = "write@serve_request"
    runs = [record("request_server", "threads", "clients=2", "requests=50", "think=%d" % think) for think in (500, 20000)]
    status, told = compare("--per", per, *runs)
    row = [f for f in told["figures"] if (f["key"], f["metric"]) == (per, "units a second")][0]
    expect(row["a"] > row["b"], "%r units a second became %r", row["a"], row["b"])
    is_worse = row["verdict"] == "worse"  # beside other programs it may be within noise
    expect_equal("status: %s" % told["headline"], status, 1 if is_worse else 0)
    expect(is_worse == (per + ": units a second" in told["headline"]), "headline: %s", told["headline"])
    result = execute([DIFF, "--scaling", "--format", "json", "--per", per] + ["%d=%s" % pair for pair in zip((1, 2), runs)])
    expect_equal("status: %s" % result.stderr_text(), result.status, 0)
    points, scaling = [units(per, directory) for directory in runs], json.loads(result.stdout)
    expect_equal("unit", (scaling["per"], scaling["requests"]), (per, 100))
    expect_near("speedup", scaling["points"][1]["speedup"], points[1]["per_second"] / points[0]["per_second"], 1e-6)
