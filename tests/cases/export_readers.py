# SPDX-License-Identifier: MIT
"""Exports, read by the programs for which they are made. A reader that is not installed is skipped."""
import html
import json
import os
import re
import shutil
import subprocess

import export_pages as pages
import export_read as ex
import mpi_job
from support import ROOT, built, clean_environment, execute, expect, expect_equal, full, need, run, scratch, skip

BESIDE = True  # no case asserts a time, but those that are marked


def profiled():
    one = run("holder", ["mutex", 2])
    one.profiled
    return one


def seconds(text):
    """Of pprof: "1.52s", "537.82ms", "12us"."""
    number, unit = re.match(r"([\d.]+)(\w+)", text).groups()
    return float(number) * {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1, "mins": 60}[unit]


def pprof(path, *options):
    environment = clean_environment({"HOME": scratch(), "PPROF_TMPDIR": scratch()})
    result = execute([need("go"), "tool", "pprof"] + list(options) + [path], environment=environment)
    expect_equal("status of pprof %s; %s" % (" ".join(options), result.stderr_text()[-200:]), result.status, 0)
    return result.stdout.decode()


def test_pprof_reads_the_export():
    need("go")
    one = profiled()
    path = ex.export(one.directory, "pprof")
    cpu, wait = (sum(w for _, w in ex.folded(ex.export(one.directory, "folded", "--measure", m))) for m in ("cpu", "wait"))
    for index, wanted in ("cpu", cpu), ("wait", wait):
        total = seconds(re.search(r"Total samples = (\S+)", pprof(path, "-top", "-sample_index=" + index)).group(1))
        expect(abs(total - wanted / 1e9) <= 0.01 * wanted / 1e9, "pprof: %s %.6f s, expected %.6f s", index, total, wanted / 1e9)
    raw = pprof(path, "-raw", "-sample_index=wait")
    expect("lock:[mutex queue_lock]" in raw, "no label of the lock in %s", raw[:500])
    top = pprof(path, "-top", "-sample_index=wait", "-tagfocus=lock=mutex queue_lock")
    expect("[mutex queue_lock]" in top and "join" not in top, "waits for the lock: %s", top)
    build_id = re.search(r"Build ID: (\w+)", execute([need("readelf"), "-n", built("holder")]).stdout.decode())
    if build_id:
        expect(build_id.group(1) in raw, "the program's build-id %s is not in pprof's output", build_id.group(1))


def test_callgrind_annotate_reads_the_export():
    tool = need("callgrind_annotate")
    one = profiled()
    path = ex.export(one.directory, "callgrind")
    summary, _, _ = ex.callgrind(path)
    result = execute([tool, "--threshold=100", "--show=Cpu,Wait", path])
    text = result.stdout.decode()
    expect_equal("status; %s" % result.stderr_text()[-200:], result.status, 0)
    total = re.search(r"^\s*([\d,]+)\s+\([\d. ]+%\)\s+([\d,]+)\s+\([\d. ]+%\)\s+PROGRAM TOTALS", text, re.M)
    expect(total, "no totals in %s", text[-500:])
    expect_equal("totals", [int(n.replace(",", "")) for n in total.groups()], summary)
    inclusive = execute([tool, "--inclusive=yes", "--threshold=100", path]).stdout.decode()
    main = re.search(r"^\s*([\d,]+)\s.*holder\.c:main ", inclusive, re.M)
    expect(main, "main is not in %s", inclusive[-500:])


def test_recursion_counts_at_each_level_in_callgrind_only():
    """What docs/export.md says of it: inclusive figures beyond the total in callgrind, and not in pprof; the file says so."""
    tool = need("callgrind_annotate")
    one = run("deep")
    one.profiled
    path = ex.export(one.directory, "callgrind")
    expect("\ndesc: the inclusive cost of a routine that calls itself counts at each level" in ex.read_text(path), "the file does not say it")
    total = ex.callgrind(path)[0][1]
    text = execute([tool, "--inclusive=yes", "--threshold=100", "--show=Wait", "--sort=Wait", path]).stdout.decode()
    waits = ex.folded(ex.export(one.directory, "folded", "--measure", "wait"))
    _, samples = ex.pprof(ex.export(one.directory, "pprof"))
    for routine in "left", "right":
        inclusive = int(re.search(r"^\s*([\d,]+) .*deep\.c:%s \[" % routine, text, re.M).group(1).replace(",", ""))
        expect_equal("inclusive waits of %s" % routine, inclusive, sum(wait * stack.count(routine) for stack, wait in waits))
        once = sum(wait for stack, wait in waits if routine in stack)
        expect_equal("waits of %s in pprof" % routine, sum(values["wait"] for stack, values, _ in samples if routine in stack), once)
        expect(once <= total, "%s: %d once, %d in all", routine, once, total)
        if routine == "left":  # the other one is at most once in a stack
            expect(inclusive > total, "%d at each level, %d in all", inclusive, total)


def test_waits_stand_at_the_source_lines():
    one = profiled()
    _, _, routines = ex.callgrind(ex.export(one.directory, "callgrind"))
    line = int(one.truth["line_wait"])
    wait = routines["mutex_wait"][2].get((line, "[mutex queue_lock]"), 0)
    expect(wait > 0, "mutex_wait waits at lines %s, expected %d", routines["mutex_wait"][2], line)


def test_sqlite3_reads_the_export():
    tool = need("sqlite3")
    path = ex.export(profiled().directory, "sqlite", suffix="sqlite")
    result = execute([tool, path, "pragma integrity_check; select count(*) > 0 from lock_waits;"])
    expect_equal("answer; %s" % result.stderr_text(), result.stdout.decode().split(), ["ok", "1"])


@full
def test_memory_of_a_large_export():
    """A database of 400 processes stays within the cache that it is given, and a model's."""
    one = profiled()
    out = os.path.join(scratch(), "many")
    expect_equal("status of multiply_profiles", execute([built("multiply_profiles"), one.directory, "400", out]).status, 0)
    for form in ("sqlite", "pprof", "chrome"):
        path = os.path.join(scratch(), "x")
        process = subprocess.Popen([ex.EXPORT, "--format", form, "-o", path, out], env=clean_environment())
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        expect(process.returncode == 0 and used.ru_maxrss < 300 * 1024, "%s: status %d, %d KiB", form, process.returncode, used.ru_maxrss)


def sum_of(stacks):
    """{stack: weight}, of rows with the same stack."""
    sums = {}
    for stack, weight in stacks:
        sums[tuple(stack)] = sums.get(tuple(stack), 0) + weight
    return sums


def waits_ns(report):
    return round(sum(row["wait_seconds"] for row in report["synchronization"] + report["io"]["rows"]) * 1e9)


@full
def test_speedscope_reads_its_own_format():
    """All four measures, with names that would break a careless writer."""
    with pages.Speedscope() as speedscope:
        for one in profiled(), run("hostile_names"):
            wanted = ex.speedscope(ex.export(one.profiled and one.directory, "speedscope"))
            text, found = speedscope.read(ex.export(one.directory, "speedscope"))
            expect("CPU time (1/4)" in text, "the page does not offer four profiles: %s", text[:200])
            expect_equal("profiles", [(title, unit) for title, unit, _ in found], [(title, "nanoseconds") for title, _ in wanted])
            for (title, _, stacks), (_, expected) in zip(found, wanted):
                expect_equal("stacks of %s" % title, stacks, expected)
            totals = [sum(stacks.values()) for _, _, stacks in found]
            expect_equal("CPU time and waits", [totals[0], totals[2]], [ex.report_ns(one.report), waits_ns(one.report)])


@full
def test_speedscope_reads_folded_stacks():
    one = profiled()
    with pages.Speedscope() as speedscope:
        for measure, total in ("cpu", ex.report_ns(one.report)), ("wait", waits_ns(one.report)):
            path = ex.export(one.directory, "folded", "--measure", measure)
            _, [(_, _, stacks)] = speedscope.read(path)
            expect_equal("stacks of " + measure, stacks, sum_of(ex.folded(path)))
            expect_equal("total of " + measure, sum(stacks.values()), total)


@full
def test_speedscope_reads_pprof():
    """It shows the type of value that a file names as its default: CPU time."""
    one = profiled()
    with pages.Speedscope() as speedscope:
        path = ex.export(one.directory, "pprof")
        _, [(_, unit, stacks)] = speedscope.read(path)
    _, samples = ex.pprof(path)
    expect_equal("unit", unit, "nanoseconds")
    expect_equal("stacks", stacks, sum_of((stack[::-1], values["cpu"]) for stack, values, _ in samples if values["cpu"]))
    expect_equal("CPU time", sum(stacks.values()), ex.report_ns(one.report))


def flamegraph():
    """Debian brings the script with a profiler of Perl that draws with it."""
    bundled = "/usr/share/perl5/Devel/NYTProf/flamegraph.pl"
    script = shutil.which("flamegraph.pl") or bundled
    return [need("perl"), script] if os.path.exists(script) else skip("flamegraph.pl is not installed")


def drawn(path):
    """[(name, value)] of the boxes that flamegraph.pl draws, sorted."""
    result = execute(flamegraph() + ["--countname", "ns", "--minwidth", "0", path])
    expect_equal("status of flamegraph.pl", result.status, 0)
    expect_equal("what it refuses", result.stderr_text(), "")  # it tells of lines that it ignores, and of those without a count
    boxes = re.findall(r"<title>(.*) \(([\d,]+) ns, [\d.]+%\)</title>", result.stdout.decode())
    return sorted((html.unescape(name), int(value.replace(",", ""))) for name, value in boxes)


def boxes_of(stacks):
    """What should be drawn: each call path with all below it. The script writes <> as ()."""
    totals = {("all",): 0}
    for stack, weight in stacks:
        stack = ("all",) + tuple(name.translate({ord("<"): "(", ord(">"): ")"}) for name in stack)
        for depth in range(1, len(stack) + 1):
            totals[stack[:depth]] = totals.get(stack[:depth], 0) + weight
    return sorted((path[-1], weight) for path, weight in totals.items())


def test_flamegraph_pl_reads_folded_stacks():
    flamegraph()
    for one in profiled(), run("hostile_names"):
        for measure, total in ("cpu", ex.report_ns), ("wait", waits_ns):
            path = ex.export(one.profiled and one.directory, "folded", "--measure", measure)
            found = drawn(path)
            expect_equal("boxes of " + measure, found, boxes_of(ex.folded(path)))
            expect_equal("total of " + measure, dict(found)["all"], total(one.report))


def check_trace(directory):
    """Every event of a trace is in the model of Chrome's viewer. Returns the model and the events."""
    path = ex.export(directory, "chrome")
    events, _ = ex.chrome(path)
    model = pages.trace_viewer(path)
    expect_equal("warnings", model["warnings"], [])
    for process in model["processes"]:
        mine = [e for e in events if e["pid"] == process["pid"]]
        names = {e["name"]: e["args"] for e in mine if e["name"] in ("process_name", "process_labels")}
        expect_equal("process", process["name"], names["process_name"]["name"])
        slices = sorted((t["tid"], s[0], round(1e3 * s[2], 3), round(1e3 * s[3], 3)) for t in process["threads"] for s in t["slices"])
        expect_equal("slices of %s" % process["name"], slices,
                     sorted((e["tid"], e["name"], round(e["ts"], 3), round(e["dur"], 3)) for e in mine if e["ph"] == "X"))
        expect_equal("instants of %s" % process["name"], process["instants"], [e["name"] for e in mine if e["ph"] == "i"])
        points = sorted((c["name"], round(1e3 * at, 3), value) for c in process["counters"] for at, value in c["points"])
        expect_equal("counters of %s" % process["name"], points,
                     sorted((e["name"], round(e["ts"], 3), e["args"]["threads"]) for e in mine if e["ph"] == "C"))
    expect_equal("processes", {p["pid"] for p in model["processes"]}, {e["pid"] for e in events})
    return model, events


@full
def test_chromes_viewer_reads_the_trace():
    one = run("hostile_names")
    one.profiled
    model, _ = check_trace(one.directory)
    threads = {t["tid"]: t["name"] for p in model["processes"] for t in p["threads"]}
    for thread in one.report["threads"]:
        name = threads[thread["tid"]]
        expect(name == thread["name"] or "\ufffd" in name, "thread %d: %r, expected %r", thread["tid"], name, thread["name"])
    expect_equal("threads", sorted(threads), sorted(t["tid"] for t in one.report["threads"]))


@full
def test_chromes_viewer_reads_the_arrows_of_a_job():
    """Each arrow has a slice at both ends: the call of the rank that was waited for, and the rest of the waiting rank's call."""
    job = mpi_job.job_of("openmpi", "late_rank", 2)
    job.profiled
    model, events = check_trace(job.directory)
    expect_equal("arrows", len(model["flows"]), sum(e["ph"] == "s" for e in events))
    expect(model["flows"], "the trace has no arrows")
    for start, end in model["flows"]:
        expect(start and end and start[0].startswith("MPI_") and end[0] == "after the wait" and start[1] != end[1],
               "an arrow from %s to %s", start, end)
        # Perfetto has an arrow point to the slice that begins later.
        expect(start[2] <= end[2], "an arrow from %s back to %s", start, end)


def violations(document, schema):
    """What a JSON document has against a schema, the first few."""
    try:
        import jsonschema
    except ImportError:
        skip("python3-jsonschema is not installed")
    with open(document, encoding="utf-8") as file, open(schema, encoding="utf-8") as rules:
        errors = jsonschema.Draft7Validator(json.load(rules)).iter_errors(json.load(file))
        return ["%s: %s" % ("/".join(map(str, e.absolute_path)), e.message[:200]) for e, _ in zip(errors, range(3))]


@full
def test_schemas():
    """Perfetto cannot be had here: what its importer asks for, and speedscope's published schema if it is there."""
    schema = os.path.join(ROOT, "tests", "chrome_trace.schema.json")
    runs = [profiled(), run("hostile_names")]
    for one in runs:
        expect_equal("trace", violations(ex.export(one.profiled and one.directory, "chrome"), schema), [])
    job = mpi_job.job_of("openmpi", "late_rank", 2)
    job.profiled
    expect_equal("trace of a job", violations(ex.export(job.directory, "chrome"), schema), [])
    published = os.path.join(os.path.dirname(pages.Speedscope.PAGE), "file-format-schema.json")
    if not os.path.exists(published):
        skip("traces are as they should be; speedscope's schema is not there")
    for one in runs:
        expect_equal("speedscope", violations(ex.export(one.directory, "speedscope"), published), [])
