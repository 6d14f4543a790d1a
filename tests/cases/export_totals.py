# SPDX-License-Identifier: MIT
"""Exports: read back, every format has the report's CPU time and the profiles' waits, to the nanosecond."""
import export_read as ex
import mpi_job
import openmp_job
from support import execute, expect, expect_equal, expect_near, full, report_json, run

BESIDE = True  # no case asserts a time
MEASURES = ("cpu", "alone", "wait", "elapsed")


def check_exports(directory, status=0, waits=None):
    """waits: what the sum of all waits must be; None: whatever the folded stacks say."""
    report = report_json(directory)
    cpu, options = ex.report_ns(report), {"status": status}
    expect_equal("CPU time of the profiles", ex.raw_cpu(directory), cpu)
    totals = {m: sum(w for _, w in ex.folded(ex.export(directory, "folded", "--measure", m, **options)))
              for m in MEASURES}
    expect_equal("folded: CPU time", totals["cpu"], cpu)
    for measure, key in (("alone", "sequential_seconds"), ("elapsed", "executing_seconds")):
        expect_equal("folded: %s" % measure, totals[measure], sum(round(p[key] * 1e9) for p in report["processes"]))
    if waits is not None:
        expect_equal("folded: waits", totals["wait"], waits)
    found = ex.speedscope(ex.export(directory, "speedscope", **options))
    expect_equal("speedscope: totals", [sum(s.values()) for _, s in found], [totals[m] for m in MEASURES])
    summary, sums, _ = ex.callgrind(ex.export(directory, "callgrind", **options))
    expect_equal("callgrind: summary", summary, [cpu, totals["wait"]])
    expect_equal("callgrind: sum of self costs", sums, summary)
    types, samples = ex.pprof(ex.export(directory, "pprof", **options))
    expect_equal("pprof: types", types, ["samples", "cpu", "alone", "waits", "wait", "elapsed"])
    sums = {t: sum(values[t] for _, values, _ in samples) for t in types}
    for measure in MEASURES:
        expect_equal("pprof: %s" % measure, sums[measure], totals[measure])
    expect_equal("pprof: samples", sums["samples"], sum(t["samples"] for t in report["threads"]))
    check_tables(directory, cpu, options)
    ex.chrome(ex.export(directory, "chrome", **options))
    return totals


def check_tables(directory, cpu, options):
    base = ex.database(directory, **options)
    expect_equal("SQLite: CPU time of threads", base.one("select sum(user_ns + system_ns) from threads"), cpu)
    expect_equal("SQLite: CPU time of the run", base.one("select value from run where name = 'cpu_ns'"), cpu)
    raw = [tables for _, tables in ex.raw(directory)]
    for name, column in ("waits", "sum_ns"), ("tallies", "count"), ("blame", "time_ns"), ("mpi_calls", "bytes_sent"), ("samples", "cpu_ns"):
        wanted = sum(row[column] for tables in raw for row in tables[name])
        expect_equal("SQLite: %s.%s" % (name, column), base.one("select coalesce(sum(%s), 0) from %s" % (column, name)), wanted)


def test_export_of_a_program_with_locks():
    one = run("holder", ["mutex", 2])
    waits = ex.raw_waits(one.profiled and one.directory, openmp_constructs())
    totals = check_exports(one.directory, waits=waits)
    reported = round(sum(r["wait_seconds"] for r in one.report["synchronization"] + one.report["io"]["rows"]) * 1e9)
    expect(totals["wait"] >= reported > 0, "waits %d, of which for objects %d", totals["wait"], reported)


def openmp_constructs():
    return {name: number for number, name in enumerate(openmp_job.CONSTRUCTS)}


def rank_exports(library):
    job = mpi_job.job_of(library, "communicators", 4)
    job.profiled
    check_exports(job.directory, waits=ex.raw_waits(job.directory, openmp_constructs()))
    base = ex.database(job.directory)
    expect_equal("ranks in SQLite", base.rows("select distinct rank from processes order by 1"), [(r,) for r in range(4)])
    peers = {(p["rank"], p["peer"]): p["bytes"] for p in job.report["mpi"]["peers"] if p["peer"] is not None}
    found = {(r, p): b for r, p, b in base.rows("select rank, peer, bytes_sent from rank_traffic") if p is not None and b}
    expect_equal("bytes by pair of ranks", found, {k: v for k, v in peers.items() if v})


@full
def test_export_of_a_job():
    mpi_job.each_library(rank_exports)


def openmp_exports(runtime):
    job = openmp_job.Job(runtime, "schedules")
    job.run.profiled
    check_exports(job.run.directory, waits=ex.raw_waits(job.run.directory, openmp_constructs()))


@full
def test_export_of_openmp():
    openmp_job.each_runtime(openmp_exports)


@full
def test_export_of_children():
    one = run("processes", ["fork"])
    one.profiled
    check_exports(one.directory, status=one.report["report_status"])
    expect_equal("processes in SQLite", ex.database(one.directory, one.report["report_status"]).one("select count(*) from processes"), len(one.profiles()))


@full
def test_export_of_a_killed_program():
    one = run("killer", [ex.support.built("death"), "deadlock"])
    one.profiled
    check_exports(one.directory, status=one.report["report_status"])
    expect_equal("status of the report, where a helper was killed", one.report["report_status"], 0)
    events, _ = ex.chrome(ex.export(one.directory, "chrome"))
    waits = [e for e in events if e.get("cat") == "wait" and e["ph"] == "X"]
    expect(waits, "a program that was killed in a deadlock has no open wait in its trace")
    base = ex.database(one.directory)
    expect(base.one("select count(*) from open_waits where kind = 'mutex'") > 0, "no open wait for a mutex in SQLite")
    one = run("death", ["kill"])
    one.profiled
    expect_equal("status of the report, where the program was", one.report["report_status"], 1)
    check_exports(one.directory, status=1)


def test_export_without_samples():
    one = run("holder", ["mutex", 2], options=["-s", "0"])
    one.profiled
    check_exports(one.directory)
    rows = ex.folded(ex.export(one.directory, "folded"))
    expect_equal("call paths", [frames for frames, _ in rows], [["[unsampled]"]])


@full
def test_export_of_many_processes_is_that_of_one_read_again():
    """More threads than the model keeps rows for: those left out are read again."""
    one = run("holder", ["mutex", 2])
    source, out = one.profiled and one.directory, ex.os.path.join(ex.scratch(), "many")
    result = execute([ex.support.built("multiply_profiles"), source, "1500", out])
    expect_equal("status of multiply_profiles", result.status, 0)
    report = report_json(out)
    types, samples = ex.pprof(ex.export(out, "pprof"))
    expect_equal("CPU time", sum(values["cpu"] for _, values, _ in samples), ex.report_ns(report))
    wait = sum(w for _, w in ex.folded(ex.export(out, "folded", "--measure", "wait")))
    expect_equal("waits", sum(values["wait"] for _, values, _ in samples), wait)


def test_export_of_a_merged_run():
    one = run("holder", ["mutex", 2])
    merged = ex.os.path.join(ex.scratch(), "merged")
    result = execute([ex.os.path.join(ex.BUILD, "bin", "ptrace-merge"), "-o", merged, one.profiled and one.directory])
    expect_equal("status of ptrace-merge", result.status, 0)
    for measure in MEASURES:
        rows = [sorted(ex.folded(ex.export(d, "folded", "--measure", measure))) for d in (one.directory, merged)]
        expect_equal("folded stacks, %s" % measure, rows[1], rows[0])
    _, samples = ex.pprof(ex.export(merged, "pprof"))
    expect_equal("pprof: CPU time", sum(values["cpu"] for _, values, _ in samples), ex.report_ns(one.report))
    expect_equal("callgrind", ex.callgrind(ex.export(merged, "callgrind"))[0][0], ex.report_ns(one.report))
    _, other = ex.chrome(ex.export(merged, "chrome"))
    expect("merged" in other, "the trace of a merged run does not say what is missing: %s", other)
    result = execute([ex.EXPORT, "--format", "sqlite", "-o", ex.os.path.join(ex.scratch(), "x"), merged])
    expect(result.status == 2 and b"merged run" in result.stderr, "sqlite of a merged run: status %d, %r", result.status, result.stderr)


def arrows_of(library):
    """Rank 0 is 60 ms late at a barrier: an arrow leads from it to rank 1, whose slice is that long."""
    job = mpi_job.job_of(library, "late_rank", 2)
    job.profiled
    events, other = ex.chrome(ex.export(job.directory, "chrome"))
    expect("no event trace" in other["what this is"], "otherData does not say what the trace is: %s", other)
    names = {e["pid"]: e["args"]["name"] for e in events if e["name"] == "process_name"}
    rank_of = {pid: int(name.split()[1].rstrip(":")) for pid, name in names.items() if name.startswith("rank ")}
    expect_equal("ranks with a name", sorted(rank_of.values()), [0, 1])
    starts = {e["id"]: e for e in events if e["ph"] == "s"}
    ends = {e["id"]: e for e in events if e["ph"] == "f"}
    expect_equal("arrows that begin and those that end", sorted(starts), sorted(ends))
    slices = [e for e in events if e.get("cat") == "mpi"]
    for number, start in starts.items():
        end = ends[number]
        expect(start["pid"] != end["pid"] and start["ts"] <= end["ts"] + 1e-3, "an arrow that leads nowhere: %s %s", start, end)
        expect(any(s["pid"] == end["pid"] and s["ts"] < start["ts"] <= s["ts"] + s["dur"] + 1e-3 for s in slices),
               "who was awaited came when nobody waited: %s", start)
    # other barriers may take longer, where other programs keep one of both from its processor, before or after all have come
    late = [s["dur"] for s in slices if s["name"] == "MPI_Barrier" and rank_of[s["pid"]] == 1 and s["args"].get("waited_for_rank") == 0]
    expect(max(late, default=0) > 30000, "rank 1 waits for rank 0 at barriers for %s us", late)


def test_arrows_of_a_trace():
    mpi_job.each_library(arrows_of)


COUNTERS = (("useful", "useful threads"), ("on_processor", "threads on a processor"))


def area(events, pid, name):
    """Seconds below a counter, which is 0 at the end."""
    points = sorted((e["ts"], e["args"]["threads"]) for e in events if e["ph"] == "C" and e["name"] == name and e["pid"] == pid)
    expect(points and not points[-1][1], "%s of process %d does not end at 0: %s", name, pid, points[-1:])
    return sum((b[0] - a[0]) * a[1] for a, b in zip(points, points[1:])) / 1e6


def check_areas(directory, report):
    """Counters of a trace, which are the bins of the page's plot, hold the CPU time of each process and of all; those of the process that
    the section concurrency shows, what its levels hold. A bin of the trace is rounded to a nanosecond."""
    events, _ = ex.chrome(ex.export(directory, "chrome", status=report["report_status"]))
    cpu = [process["cpu_seconds"] for process in report["processes"]]
    for pid, wanted in enumerate([sum(cpu)] + cpu):
        there = area(events, pid, "threads on a processor")
        expect_near("threads on a processor over time, process %d" % pid, there, wanted, 0.02, 1e-5)
        useful = area(events, pid, "useful threads")
        expect(useful <= there * 1.001 + 1e-5, "process %d: useful %.6f s, on a processor %.6f s", pid, useful, there)
    if len(cpu) == 1:
        for part, name in COUNTERS:
            levels = sum(level["active"] * level["seconds"] for level in report["concurrency"][part]["levels"])
            expect_near("%s over time, against the levels" % name, area(events, 1, name), levels, 0.001, 1e-5)
    return events


def test_time_line_of_windows():
    """So many switches that their records are taken in windows: between them, threads that are ready are not counted as running."""
    one = run("yielding")
    check_areas(one.directory, one.report)


def test_time_line_of_processes():
    """Processes with one thread have no bins: each is there at its mean rate."""
    one = run("processes", ["fork"])
    check_areas(one.directory, one.report)


def test_time_line_of_a_killed_program():
    one = run("death", ["kill"])
    check_areas(one.directory, one.report)


def test_counters_of_a_trace():
    """The areas below the counters are the process's T_i; lives of threads are those of the report."""
    one = run("holder", ["mutex", 2])
    one.profiled
    events = check_areas(one.directory, one.report)
    lives = {e["tid"]: e for e in events if e.get("cat") == "life"}
    expect_equal("threads", sorted(lives), sorted(t["tid"] for t in one.report["threads"]))
    for thread in one.report["threads"]:
        life = lives[thread["tid"]]
        expect(abs(life["dur"] / 1e6 - thread["elapsed_seconds"]) < 2e-6, "life of %d: %.6f s, expected %.6f s", thread["tid"],
               life["dur"] / 1e6, thread["elapsed_seconds"])
        expect_equal("user time of %d" % thread["tid"], life["args"]["user_seconds"], thread["user_seconds"])
