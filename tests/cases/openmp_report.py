# SPDX-License-Identifier: MIT
"""The report of OpenMP programs: its regions are those of the program, its sums agree, merged and as CSV as well."""
import csv
import io
import os
import re

from merge import difference, merged
from support import (BUILD, COLUMNS, REPORT, SharedRun, built, check_laws, execute, expect, expect_equal, expect_near, full, part_skipped,
                     report_json, run, scratch, skip)

BESIDE = True  # no case asserts a time

PROGRAMS = os.path.join(BUILD, "programs", "openmp")
WAITS = ("barrier", "implicit barrier", "end of loop", "end of sections", "end of single", "reduction")


def each_runtime(check, *programs):
    done = 0
    for runtime in "gomp", "libomp":
        for program in programs:
            path = os.path.join(PROGRAMS, runtime, program)
            if not os.path.exists(path):
                part_skipped("%s was not built for %s" % (program, runtime))
                continue
            check(run(path, environment={"OMP_NUM_THREADS": "2"}, kind=SharedRun))
            done += 1
    if not done:
        skip("no OpenMP programs were built")


def openmp(one):
    expect_equal("status of the program", one.profiled.status, 0)
    expect(one.report["openmp"], "no OpenMP was seen; notes: %s", one.report["notes"])
    return one.report["openmp"]


def close(what, got, wanted):
    expect_near(what, got, wanted, 1e-9, 1e-8)


def check_region(region):
    name = "%(routine)s:%(line)s" % region
    if not region["missing_members"]:
        parts = [region[k + "_seconds"] for k in ("fork", "work", "wait", "join")]
        close("team x elapsed of " + name, sum(parts), region["team_elapsed_seconds"])
    if region["team_elapsed_seconds"]:
        close("imbalance of " + name, region["imbalance_percent"],
              100 * region["join_seconds"] / region["team_elapsed_seconds"])
    inner = sum(c["seconds"] for c in region["constructs"] if c["construct"] in WAITS)
    close("barriers of " + name, region["barrier_seconds"], inner + region["join_seconds"])
    if region["threads"]:
        work = [t["work_seconds"] for t in region["threads"]]
        close("least work in " + name, region["work_min_seconds"], min(work))
        close("most work in " + name, region["work_max_seconds"], max(work))
        close("mean work in " + name, region["work_mean_seconds"], sum(work) / len(work))
        most = max(region["threads"], key=lambda t: t["work_seconds"])
        expect_equal("who worked most in " + name, region["work_max_thread"], most["thread"])


def check_efficiency(one):
    found = openmp(one)
    parts = found["efficiency"]
    product = parts["load_balance"] * parts["scheduling"] * parts["serialization"]
    close("product of the efficiencies", parts["parallel"], product)
    expect(0 < parts["parallel"] <= 1, "parallel efficiency %r", parts["parallel"])
    waits = sum(t["waits"]["openmp"] for t in one.report["threads"])
    close("waits of all threads", found["wait_seconds"], waits)
    close("spinning, blocked and ready", found["spin_seconds"] + found["blocked_seconds"] + found["ready_seconds"], found["wait_seconds"])


def check_sums(one):
    check_laws(one.report)
    for region in openmp(one)["regions"]:
        check_region(region)
    check_efficiency(one)


@full
def test_sums_of_openmp_agree():
    each_runtime(check_sums, "ramp", "critical", "schedules", "nested", "tasks", "sections", "reductions", "mixed")


def check_regions(one):
    found = {}
    for region in openmp(one)["regions"]:
        place = region["routine"], region["line"]
        found[place] = found.get(place, 0) + region["count"]
    wanted = {(r["routine"], r["line"]): r["count"] for r in one.truth["regions"]}
    expect_equal("executions of regions", {p: found.get(p) for p in wanted}, wanted)


@full
def test_regions_are_those_of_the_program():
    each_runtime(check_regions, "ramp", "ramp_fortran", "serial", "schedules", "sections", "exceptions")


def check_serial(one):
    """All time of the only master lies inside or outside of regions."""
    found, threads = openmp(one), one.report["threads"]
    master = next(t for t in threads if t["tid"] == t["pid"])
    close("serial time and regions", found["serial_seconds"] + found["region_seconds"], master["elapsed_seconds"])


@full
def test_master_is_in_a_region_or_serial():
    each_runtime(check_serial, "serial", "ramp")


def check_names(one):
    """Outlined functions have the names of the user's routines; runtime and wrapper call nothing."""
    openmp(one)
    rows = one.report["routines"]
    raw = [r["name"] for r in rows if "omp_fn" in r["name"] or "omp_outlined" in r["name"]]
    expect(not raw, "routines of the compiler: %s", raw)
    ramp, = [r for r in rows if r["name"] == "ramp"]
    main = [r for r in rows if r["name"] == "main"]
    expect(ramp["total_seconds"] > 0.5 * one.report["run"]["cpu_seconds"] or not main, "ramp has %r", ramp)
    for row in rows:
        runtime = row["name"] == "[profiler]" or os.path.basename(row["module"] or "").startswith(("libgomp", "libomp"))
        expect(not runtime or row["total_seconds"] < 0.6 * one.report["run"]["cpu_seconds"], "%s called the program: %r", row["name"], row)


def test_routines_are_the_users():
    each_runtime(check_names, "ramp")


def check_merged(one):
    openmp(one)
    report = report_json(merged(one.directory))
    for key in "openmp", "findings", "synchronization", "threads":
        wrong = difference(one.report[key], report[key])
        expect(not wrong, "%s%s", key, wrong)


@full
def test_merged_runs_keep_openmp():
    each_runtime(check_merged, "tasks", "critical", "nested")


def check_text(one):
    openmp(one)
    lines = one.text.splitlines()
    expect(any(line.startswith("@ openmp: ") for line in lines), "no section openmp")
    expect(any(line.startswith("  OpenMP ") for line in lines), "the overview has no line on OpenMP")
    wide = [line for line in lines if len(line) > COLUMNS]
    # tables have five rows, however long the whole is
    expect(not wide and len(lines) <= 120, "%d lines, too wide: %s", len(lines), wide)
    result = execute([REPORT, "--format", "csv", "--section", "openmp", one.directory])
    table = list(csv.DictReader(io.StringIO(result.stdout.decode())))
    regions = openmp(one)["regions"]
    expect_equal("regions in CSV", [row["routine"] for row in table], [r["routine"] for r in regions])
    for row, region in zip(table, regions):
        close("gain in CSV", float(row["gain_seconds"]), region["gain_seconds"])


@full
def test_text_and_csv_of_openmp():
    each_runtime(check_text, "tasks", "schedules")


def test_programs_without_openmp_have_no_section():
    one = run("phases")
    expect(one.report["openmp"] is None, "openmp: %r", one.report["openmp"])
    expect("@ openmp" not in one.text, "a section openmp")
    expect_equal("waits of cause openmp", sum(t["waits"]["openmp"] for t in one.report["threads"]), 0)


def check_team_of_one(runtime):
    path = os.path.join(PROGRAMS, runtime, "ramp")
    if not os.path.exists(path):
        part_skipped("ramp was not built for %s" % runtime)
        return 0
    for threads in 1, 2:
        one = run(path, environment={"OMP_NUM_THREADS": str(threads)}, kind=SharedRun)
        expect_equal("largest team", openmp(one)["threads"], threads)
        result = execute([REPORT, "--width", "300", "--section", "overview,openmp", one.directory])
        lines = [line.split()[0] for line in result.stdout.decode().splitlines() if line.startswith("  ")]
        expect_equal("lines with an efficiency, %d threads" % threads, (lines.count("parallel"), "parallel efficiency" in result.stdout.decode()),
                     (threads - 1, threads > 1))
    return 1


def test_a_team_of_one_thread_has_no_efficiency():
    if not sum(check_team_of_one(runtime) for runtime in ("gomp", "libomp")):
        skip("no OpenMP programs were built")


def test_the_first_screen_names_what_most_of_the_waiting_was_for():
    """Of 200 ms of waits at ends of regions, and for an atomic, some spun: the name is told only if the rest cannot have been for the
    other one."""
    for name, ends, noted in ("omp-ends", 190, r"ends of regions 95 %"), ("omp-atomic", 10, r"atomic .*95 % at \S+"), ("omp-both", 90, r""):
        directory = os.path.join(scratch(), name)
        os.makedirs(directory)
        expect_equal("make_profile", execute([built("make_profile"), name, os.path.join(directory, "nowhere-1000-0.profile")]).status, 0)
        openmp = report_json(directory)["openmp"]
        expect_equal("%s: waits, at ends" % name, [round(1000 * s) for s in (openmp["wait_seconds"], openmp["regions"][0]["join_seconds"])],
                     [200, ends])
        text = execute([REPORT, "--width", "160", "--section", "overview", directory]).stdout.decode()
        line = re.search(r"^    OpenMP +\S+ ms +\S+ %  \S+ *(.*)$", text, re.M)
        expect(line and re.fullmatch(noted, line.group(1)), "%s: %s", name, line.group(0) if line else text)
