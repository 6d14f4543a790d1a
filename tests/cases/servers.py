# SPDX-License-Identifier: MIT
"""Servers: what they wait for when they wait for their clients is idle, and no finding; what they answered, and comparisons by that."""
import json
import re

import support
from diff import DIFF, record
from diff_evidence import compare
from merge import difference, merged
from support import expect, expect_equal, expect_near, full, need, run

BESIDE = True  # how long who was ready is part of what is compared


def of_role(report, role):
    """Sums over the threads of that name of the server, which is the first process."""
    pid = report["processes"][0]["pid"]
    rows = [t for t in report["threads"] if t["pid"] == pid and t["role"] == role]
    expect(rows, "no thread %s: %s", role, [t["role"] for t in report["threads"]])
    return rows


def check_idle(one, role, causes):
    """Threads waited for requests as long as the program says, without the time in which they were ready again; of the causes nothing
    that counts is left."""
    report, truth = one.report, one.truth["idle"]
    rows = of_role(report, role)
    idle = sum(t["idle_seconds"] for t in rows)
    ready = sum(t["ready_seconds"] or 0 for t in rows)
    cpu = sum(t["cpu_seconds"] for t in rows)
    expect(idle <= 1.01 * truth + 0.001, "idle %.3f s, waited %.3f s", idle, truth)
    expect(idle + ready + cpu >= 0.99 * truth, "idle %.3f s, ready %.3f s, on a processor %.3f s; waited %.3f s", idle, ready, cpu, truth)
    blocked = sum(t["blocked_seconds"] for t in rows)
    expect(idle >= 0.9 * blocked, "idle %.3f s of %.3f s blocked", idle, blocked)
    found = [f["id"] for f in report["findings"]]
    expect(not set(found) & set(causes), "findings: %s", found)


def test_reads_from_clients_are_idle():
    check_idle(run("request_server", ["threads"]), "serve_connection", ["io-wait", "condition-wait"])


def test_a_pool_waits_for_requests():
    check_idle(run("request_server", ["pool"]), "work_in_pool", ["io-wait", "condition-wait"])


def test_merged_runs_know_it():
    """The section threads of a merged run is that of the run."""
    one = run("request_server", ["pool", "requests=30"])
    there = one.report["threads"]
    expect_equal("difference", difference(support.report_json(merged(one.directory))["threads"], there), None)
    expect(sum(t["idle_seconds"] for t in there if t["role"] == "work_in_pool"), "no idle time: %s", there)


def check_requests(one):
    """All were answered, and took as long as the program says: the profiler's interval contains the program's, and what a thread that
    lost its processor between the two instants was ready."""
    report, truth = one.report, one.truth
    rows = report["requests"]
    server = report["processes"][0]
    expect_equal("requests", sum(row["count"] for row in rows), int(truth["requests"]))
    expect_equal("programs, processes, routines", {(row["program"], row["processes"], row["routine"]) for row in rows},
                 {("request_server", 1, "serve_request")})
    expect(all(row["socket"].endswith(", accepted") for row in rows), "sockets: %s", [row["socket"] for row in rows])
    took = sum(row["mean_seconds"] * row["count"] for row in rows)
    ready = sum(t["ready_seconds"] or 0 for t in report["threads"] if t["pid"] == server["pid"])
    most = 1.05 * truth["answering"] + 20e-6 * truth["requests"] + ready
    expect(truth["answering"] * 0.999 - 0.001 <= took <= most, "they took %.4f s, by the program %.4f", took, truth["answering"])
    for row in rows:
        expect_equal("lengths", sum(bin["count"] for bin in row["lengths"]), row["count"])
        expect(row["p50_low_seconds"] <= row["p50_seconds"] <= row["p99_seconds"] * 1.0001 <= row["longest_seconds"] * 1.001,
               "half %r, 99 %% %r, longest %r", row["p50_seconds"], row["p99_seconds"], row["longest_seconds"])
        expect_near("CPU time each", row["cpu_seconds_each"] * row["server_requests"], server["cpu_seconds"], 0.001, 1e-6 * truth["requests"])
        expect_near("a second", row["per_second"] * report["run"]["elapsed_seconds"], row["count"], 1e-6)
    locks = sum(t["waits"][cause] for t in report["threads"] if t["pid"] == server["pid"] for cause in ("mutex", "rwlock", "spinlock"))
    expect_near("blocked for locks", rows[0]["lock_seconds_each"] * rows[0]["server_requests"], locks, 0.001, 1e-6 * truth["requests"])
    return rows


def test_requests_of_threads():
    check_requests(run("request_server", ["threads", "table=1", "think=100"]))


def test_requests_of_a_pool():
    one = run("request_server", ["pool", "requests=150"])
    rows = check_requests(one)
    expect_equal("difference", difference(support.report_json(merged(one.directory))["requests"], rows), None)


LEFT_OUT = re.compile(r"\(for lack of width without: ([^;]*); --width (\d+) shows all\)")


def table_of(one, section, width):
    """The titles of its table, the names of the columns that the line below it says are left out, and the width that it names."""
    text = support.execute([support.REPORT, "--width", str(width), section, one.directory]).stdout.decode()
    said = LEFT_OUT.search(" ".join(text.split()))
    names, enough = (said.group(1).split(", "), int(said.group(2))) if said else ([], None)
    return re.sub(r"\s+", " ", text.split("\n")[1]) + " ", names, enough


def test_the_width_that_is_named_has_all_columns():
    """Of tables some of whose columns are there from a width on only: the widest table has each column, or says that it is left out."""
    one = run("request_server", ["threads", "requests=30"])
    expect_equal("status", one.profiled.status, 0)
    for section, held in ("requests", {"locks each", "mean", "90 %", "socket"}), ("processes", {"read", "written"}), ("routines", {"+waits"}):
        everything = table_of(one, section, 300)
        expect_equal("%s, left out in 300 columns" % section, everything[1:], ([], None))
        for width in (80, 100, 115):
            titles, names, enough = table_of(one, section, width)
            missing = {name for name in held if " %s " % name not in titles}
            expect(width > 80 or missing == held, "%s in 80 columns: %s", section, titles)
            expect(missing <= set(names), "%s in %d columns: %s are missing, it says %s", section, width, missing, names)
            expect(not [name for name in names if " %s " % name in titles], "%s in %d columns has some of %s", section, width, names)
            if enough:
                expect_equal("%s in %d columns" % (section, enough), table_of(one, section, enough), everything)
                expect(table_of(one, section, enough - 1)[1], "%s: %d columns are enough, too", section, enough - 1)


def test_what_is_a_request_and_what_is_none():
    """A look at what has come, a write of nothing, calls that fail or close nothing, a vfork child's close, a copy of the number."""
    for kind in ("plain", "peek", "empty", "failed_dup", "cloexec", "vfork", "copy"):
        one = run("request_kinds", [kind])
        expect_equal("%s: requests" % kind, sum(row["count"] for row in one.report["requests"]), int(one.truth["requests"]))
        expect_equal("%s: status" % kind, (one.native.status, one.profiled.status), (0, 0))


def test_comparison_by_requests():
    """A load test lasts as long as it is told to: how many requests a second were answered decides where it is asked for. Beside other
    programs that may be within noise."""
    runs = [record("request_server", "threads", "requests=100", "think=%d" % think) for think in (500, 20000)]
    status, told = compare("--metric", "requests", *runs)
    row = [f for f in told["figures"] if (f["section"], f["metric"]) == ("requests", "requests a second")][0]
    expect_equal("of", row["key"], "request_server")
    expect(row["a"] > row["b"], "%r requests a second became %r", row["a"], row["b"])
    is_worse = row["verdict"] == "worse"
    expect_equal("status: %s" % told["headline"], status, 1 if is_worse else 0)
    expect(is_worse == ("request_server: requests a second" in told["headline"]), "headline: %s", told["headline"])
    counts = [f for f in told["figures"] if (f["section"], f["metric"]) == ("requests", "requests")][0]
    expect_equal("requests", (counts["a"], counts["b"]), (200, 200))
    # the row is the first of its table, and without a change the first line speaks of it
    for words, begins in ((runs, ""), (runs[:1] * 2, "no significant change: requests a second ")):
        text = support.execute([DIFF, "--metric", "requests", "--top", "1", "--width", "300"] + words).stdout.decode()
        expect(text.startswith(begins), "first line: %s", text[:200])
        rows = text[text.index("\n@ requests"):].split("\n")
        expect("requests a second" in rows[3], "rows: %s", rows[:6])


def test_ports_make_no_difference():
    """The kernel chose another port for the second run, as load tests at the same time do: they are the same sockets."""
    runs = [record("request_server", "threads", "requests=50", "think=500") for _ in range(2)]
    _, told = compare(*runs)
    sockets = {f["key"]: (f["a"], f["b"]) for f in told["figures"] if f["section"] == "waits" and "tcp" in f["key"] and f["metric"] == "calls"}
    answers = sockets["socket tcp 127.0.0.1, accepted, write"]  # the first ones may be made before the descriptors are looked up
    expect(all(90 <= count <= 100 for count in answers), "answers: %s", answers)
    expect(all(min(pair) > 0 for pair in sockets.values() if max(pair) > 10), "sockets of one side: %s", sockets)
    expect(not any("tcp" in row["text"] for row in told["evidence"]), "evidence: %s", told["evidence"])


def test_scaling_is_that_of_requests():
    """Twice the clients for as long: the second run answered more. What it would have taken for as many requests as the first is what is
    compared, and the losses sum to the processor time of that."""
    runs = [record("request_server", "threads", "clients=%d" % clients, "requests=150", "think=1000", "work=20") for clients in (1, 2)]
    rate = [sum(row["per_second"] for row in support.report_json(run)["requests"]) for run in runs]
    result = support.execute([DIFF, "--scaling", "--format", "json"] + ["%d=%s" % pair for pair in zip((1, 2), runs)])
    expect_equal("status: %s" % result.stderr_text(), result.status, 0)
    told = json.loads(result.stdout)
    expect_equal("requests", told["requests"], 150)
    expect_near("speedup", told["points"][1]["speedup"], rate[1] / rate[0], 1e-6)
    expect_near("elapsed time for as many", told["points"][1]["elapsed_seconds"], 150 / rate[1], 1e-6)
    text = support.execute([DIFF, "--scaling"] + ["%d=%s" % pair for pair in zip((1, 2), runs)]).stdout.decode()
    expect("times: for 150 requests each" in " ".join(text.split()), "%s", text[:600])


def test_without_a_server_there_are_none():
    """Its clients read answers, and write requests, on sockets that they connected."""
    report = run("equal").report
    expect_equal("requests", report["requests"], [])


@full
def test_requests_of_redis():
    """One at a time on each connection, and what redis-benchmark asks besides."""
    server, client = need("redis-server"), need("redis-benchmark")
    folder = support.scratch()
    socket = folder + "/redis.sock"
    script = "%s --port 0 --unixsocket %s --save '' --dir %s >/dev/null & for i in $(seq 100); do [ -S %s ] && break; sleep 0.1; done; " \
             "%s -s %s -n 3000 -c 5 -t set -q >/dev/null; kill $!; wait" % (server, socket, folder, socket, client, socket)
    report = run("/bin/sh", ["-c", script]).report
    rows = [row for row in report["requests"] if row["program"].startswith("redis")]
    count = sum(row["count"] for row in rows)
    expect(3000 <= count <= 3020, "redis answered %d requests", count)
    expect(all(row["socket"].startswith("unix " + socket) for row in rows), "sockets: %s", [row["socket"] for row in rows])
