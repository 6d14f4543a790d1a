# SPDX-License-Identifier: MIT
"""Exports: read back, every format has the report's CPU time and the profiles' waits, to the nanosecond."""
import export_read as ex
import mpi_job
import openmp_job
from support import execute, expect, expect_equal, report_json, run


def check_exports(directory, status=0, waits=None):
    """waits: what the sum of all waits must be; None: whatever the folded stacks say."""
    report = report_json(directory)
    cpu, options = ex.report_ns(report), {"status": status}
    expect_equal("CPU time of the profiles", ex.raw_cpu(directory), cpu)
    totals = {m: sum(w for _, w in ex.folded(ex.export(directory, "folded", "--measure", m, **options)))
              for m in ("cpu", "alone", "wait")}
    expect_equal("folded: CPU time", totals["cpu"], cpu)
    expect(totals["alone"] <= cpu, "time alone %d is more than the CPU time %d", totals["alone"], cpu)
    if waits is not None:
        expect_equal("folded: waits", totals["wait"], waits)
    found = ex.speedscope(ex.export(directory, "speedscope", **options))
    expect_equal("speedscope: totals", [sum(s.values()) for _, s in found], [totals[m] for m in ("cpu", "alone", "wait")])
    summary, sums, _ = ex.callgrind(ex.export(directory, "callgrind", **options))
    expect_equal("callgrind: summary", summary, [cpu, totals["wait"]])
    expect_equal("callgrind: sum of self costs", sums, summary)
    types, samples = ex.pprof(ex.export(directory, "pprof", **options))
    expect_equal("pprof: types", types, ["samples", "cpu", "alone", "waits", "wait"])
    sums = {t: sum(values[t] for _, values, _ in samples) for t in types}
    expect_equal("pprof: CPU time, time alone, waits", (sums["cpu"], sums["alone"], sums["wait"]),
                 (cpu, totals["alone"], totals["wait"]))
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
        rows = ex.table(directory, name, **options)
        expect_equal("CSV: %s.%s" % (name, column), sum(int(r[column]) for r in rows), wanted)


def test_export_of_a_program_with_locks():
    one = run("holder", ["mutex", 2])
    waits = ex.raw_waits(one.profiled and one.directory, openmp_constructs())
    totals = check_exports(one.directory, waits=waits)
    reported = round(sum(r["wait_seconds"] for r in one.report["synchronization"]) * 1e9)
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


def test_export_of_a_job():
    mpi_job.each_library(rank_exports)


def openmp_exports(runtime):
    job = openmp_job.Job(runtime, "schedules")
    job.run.profiled
    check_exports(job.run.directory, waits=ex.raw_waits(job.run.directory, openmp_constructs()))


def test_export_of_openmp():
    openmp_job.each_runtime(openmp_exports)


def test_export_of_children():
    one = run("processes", ["fork"])
    one.profiled
    check_exports(one.directory, status=one.report["report_status"])
    expect_equal("processes in SQLite", ex.database(one.directory, one.report["report_status"]).one("select count(*) from processes"), len(one.profiles()))


def test_export_of_a_killed_program():
    one = run("killer", [ex.support.built("death"), "deadlock"])
    one.profiled
    check_exports(one.directory, status=one.report["report_status"])
    expect_equal("status of the report", one.report["report_status"], 1)
    events, _ = ex.chrome(ex.export(one.directory, "chrome", status=1))
    waits = [e for e in events if e.get("cat") == "wait" and e["ph"] == "X"]
    expect(waits, "a program that was killed in a deadlock has no open wait in its trace")
    base = ex.database(one.directory, status=1)
    expect(base.one("select count(*) from open_waits where kind = 'mutex'") > 0, "no open wait for a mutex in SQLite")


def test_export_without_samples():
    one = run("holder", ["mutex", 2], options=["-s", "0"])
    one.profiled
    check_exports(one.directory)
    rows = ex.folded(ex.export(one.directory, "folded"))
    expect_equal("call paths", [frames for frames, _ in rows], [["[unsampled]"]])


def test_export_of_many_processes_is_that_of_one_read_again():
    """More threads than the model keeps rows of: what is left out there is read again."""
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
    for measure in ("cpu", "alone", "wait"):
        rows = [sorted(ex.folded(ex.export(d, "folded", "--measure", measure))) for d in (one.directory, merged)]
        expect_equal("folded stacks, %s" % measure, rows[1], rows[0])
    _, samples = ex.pprof(ex.export(merged, "pprof"))
    expect_equal("pprof: CPU time", sum(values["cpu"] for _, values, _ in samples), ex.report_ns(one.report))
    expect_equal("callgrind", ex.callgrind(ex.export(merged, "callgrind"))[0][0], ex.report_ns(one.report))
    _, other = ex.chrome(ex.export(merged, "chrome"))
    expect("merged" in other, "the trace of a merged run does not say what is missing: %s", other)
    for form in ("sqlite", "csv"):
        words = ["--table", "waits"] if form == "csv" else []
        result = execute([ex.EXPORT, "--format", form, "-o", ex.os.path.join(ex.scratch(), "x")] + words + [merged])
        expect(result.status == 2 and b"merged run" in result.stderr, "%s of a merged run: status %d, %r", form, result.status, result.stderr)
