# SPDX-License-Identifier: MIT
"""The database of an export: every query of docs/queries.md on real runs, and its figures against the report's."""
import os
import re
import sqlite3

import export_read as ex
import mpi_job
from document_pages import whole
from support import ROOT, clean_environment, execute, expect, expect_equal, full, need, run, scratch, skip

BESIDE = True  # no case asserts a time

COMPILERS = {"words": ["cc", "-pthread"], "stripes": ["mpicc.openmpi"], "triangle": ["cc", "-fopenmp"]}


def documented():
    """{example: [(query, columns of the output in the document)]}"""
    text = whole("docs/queries.md")
    found = {name: [] for name in COMPILERS}
    for name, query, output in re.findall(r"```sql\n-- (\w+)\.sqlite\n(.*?)```\n\n```\n(.*?)\n```", text, re.S):
        found[name].append((query, output.splitlines()[0].split()))
    expect_equal("queries in the document", sum(map(len, found.values())), text.count("```sql"))
    expect(sum(map(len, found.values())) >= 11, "the document has fewer queries than it says")
    return found


def example(name):
    """The database of a run of an example, and the run's directory."""
    program, directory = os.path.join(scratch(), name), os.path.join(scratch(), "run")
    compiler = COMPILERS[name]
    result = execute([need(compiler[0]), "-std=gnu11", "-O2", "-g", os.path.join(ROOT, "docs", "example", name + ".c"), "-o", program]
                     + compiler[1:] + ["-lm"])
    if result.status:
        skip("%s cannot be compiled here: %s" % (name, result.stderr_text()[-200:]))
    start = mpi_job.launcher("openmpi", 2) if name == "stripes" else []
    environment = clean_environment(dict(mpi_job.job_environment(), OMP_NUM_THREADS="2"))
    result = execute(start + [ex.support.RUN, "-q", "-o", directory, "--", program] + (["400"] if name == "stripes" else []),
                     environment=environment)
    expect_equal("status of %s; %s" % (name, result.stderr_text()[-200:]), result.status, 0)
    return ex.database(directory), directory


def check_queries(name):
    queries = documented()[name]
    base, _ = example(name)
    for query, columns in queries:
        try:
            cursor = base.connection.execute(query)
        except sqlite3.Error as error:
            ex.fail("%s\n%s", query, error)
        expect_equal("columns of %s" % query, [c[0] for c in cursor.description], columns)
        expect(cursor.fetchall(), "no row comes out of %s", query)


def test_documented_queries_of_threads():
    check_queries("words")


@full
def test_documented_queries_of_ranks():
    check_queries("stripes")


def test_documented_queries_of_openmp():
    check_queries("triangle")


def test_views_can_be_read_and_are_explained():
    base, _ = example("words")
    views = [r[0] for r in base.rows("select name from sqlite_schema where type = 'view' order by 1")]
    expect_equal("views that are explained", views, [r[0] for r in base.rows("select name from views order by 1")])
    for view in views:
        base.rows("select * from %s" % view)


def by_name(rows, key):
    found = {}
    for row in rows:
        fields = ("self_seconds", "elapsed_seconds", "alone_seconds")
        found[key(row)] = [a + round((row[f] or 0) * 1e9) for a, f in zip(found.get(key(row), [0, 0, 0]), fields)]
    return found


def test_views_of_an_older_profile_can_be_read():
    """Its tables have no columns that were added since: they are NULL, and figures that do not need them are there."""
    path = os.path.join(scratch(), "older.sqlite")
    profile = os.path.join(ROOT, "tests", "fuzz", "corpus", "workers.profile")
    execute([ex.EXPORT, "--format", "sqlite", "-o", path, profile])
    base = sqlite3.connect(path)
    with open(profile, "rb") as file:
        expect(b"u16 cause" not in file.read().partition(b"table samples")[2].partition(b"table ")[0], "the profile has the column")
    rows = base.execute("select routine, cpu_ns, elapsed_ns from routine_times").fetchall()
    expect(rows and all(row[1] and row[2] is not None for row in rows), "figures are missing: %r", rows)
    base.close()


def test_views_have_the_figures_of_the_report():
    one = run("holder", ["mutex", 2])
    report, base = one.report, ex.database(one.directory)
    wanted = by_name((r for r in report["routines"] if r["self_seconds"] and r["name"] != "[unsampled]"), lambda r: (r["name"], r["file"]))
    found = {(n, f): [c, e, a] for n, f, c, e, a in
             base.rows("select routine, file, sum(cpu_ns), sum(elapsed_ns), sum(alone_ns) from routine_times group by routine, file, module")}
    expect_equal("CPU time, share of elapsed time and time alone by routine", found, wanted)
    told = {r["name"]: (round(r["wait_seconds"] * 1e9), r["contended"]) for r in report["synchronization"] if r["kind"] == "mutex"}
    found = {n: (ns, waits) for n, ns, waits in base.rows(
        "select object, sum(wait_ns), sum(waits) from lock_calls where kind = 'mutex' group by object")}
    expect_equal("waits by mutex", {k: v for k, v in found.items() if v[0]}, {k: v for k, v in told.items() if v[0]})
    for name, (ns, _) in told.items():
        expect_equal("blame for %s" % name, base.one("select coalesce(sum(wait_ns), 0) from lock_holders where object = '%s'" % name), ns)


def test_views_have_waits_that_were_not_over_at_the_end():
    """Threads are in their first wait for a mutex when the process kills itself."""
    one = run("left", ["killed"])
    report, base = one.report, ex.database(one.directory, status=1)
    waiting = [t for t in report["threads"] if t["waits"]["mutex"]]
    expect(len(waiting) == 3, "%d threads wait for a mutex at the end", len(waiting))
    told = {(r["kind"], r["name"], r["operation"]): (r["count"], r["contended"], round(r["wait_seconds"] * 1e9))
            for r in report["synchronization"] if r["kind"] != "call"}
    found = {tuple(row[:3]): tuple(row[3:]) for row in base.rows(
        "select kind, object, operation, sum(calls), sum(waits), sum(wait_ns) from lock_calls where object is not null group by 1, 2, 3")}
    expect_equal("calls, waits and their time by object", found, told)
    by_kind = {k: sum(row[2] for key, row in told.items() if key[0] == k) for k, _, _ in told}
    for view in "lock_waits", "lock_holders":
        expect_equal("waiting for mutexes in " + view, base.one("select sum(wait_ns) from %s where kind = 'mutex'" % view), by_kind["mutex"])
    lives = {t["tid"]: round(t["elapsed_seconds"] * 1e9) for t in report["threads"]}
    expect_equal("lives of threads", dict(base.rows("select tid, lifetime_ns from thread_states")), lives)


def test_references_lead_somewhere():
    """A reference is 0 or the number of a row of the table that docs/dev/format.md names."""
    base, _ = example("words")
    for table, column, target in (("callpaths", "parent", "callpaths"), ("callpaths", "module", "modules"), ("waits", "callpath", "callpaths"),
                                  ("waits", "object", "objects"), ("tallies", "callpath", "callpaths"), ("samples", "callpath", "callpaths"),
                                  ("threads", "start", "callpaths"), ("objects", "birth", "callpaths"), ("waits", "thread", "threads")):
        lost = base.one("select count(*) from %s a left join %s b on b.process = a.process and b.row = a.\"%s\" where a.\"%s\" and "
                        "b.row is null" % (table, target, column, column))
        expect_equal("%s.%s that lead nowhere" % (table, column), lost, 0)
    total = base.one("select count(*) from callpaths")
    expect_equal("places with names", base.one("select count(distinct callpath) from frames"), total)
