# SPDX-License-Identifier: MIT
"""Processes that pass data to each other: which ends belong together, who waited for whom, and which stage is slow."""
import csv
import io
import json
import os
import sqlite3
import threading

from support import (BUILD, REPORT, alone, built, execute, expect, expect_equal, expect_near, expect_same, full, need,
                     report_json, run, scratch, timed, timing)

BESIDE = True

TOOL = {name: os.path.join(BUILD, "bin", "ptrace-" + name) for name in ("merge", "export")}
BUSY = "a stage had no processor"
BLOCK = 16384


def stage(name, role, blocks=0, work_us=0, sleep_us=0, size=BLOCK):
    return "%s %s %s %d %d %d %d" % (built("pipe_stage"), name, role, blocks, size, work_us, sleep_us)


class Pipeline:
    """A run of a shell command, and what each of its stages said of itself."""

    def __init__(self, command, directory=None):
        self.one = run(need("sh"), ["-c", command], directory=directory)
        expect_equal("status", self.one.profiled.status, 0)
        lines = [json.loads(line) for line in self.one.profiled.stderr_text().splitlines() if line.startswith("{")]
        self.truth = {line["stage"]: line for line in lines}
        self.report = self.one.report
        self.found = self.report["pipelines"]
        self.rows = {row["command"].split()[1]: row for row in self.found["stages"]}

    def pid(self, name):
        return self.truth[name]["pid"]

    def only(self):
        expect_equal("pipelines", len(self.found["pipelines"]), 1)
        return self.found["pipelines"][0]

    def connection(self, writer, reader):
        rows = [row for row in self.found["connections"] if row["writers"] == [self.pid(writer)] and row["readers"] == [self.pid(reader)]]
        expect_equal("connections from %s to %s" % (writer, reader), len(rows), 1)
        return rows[0]

    def expect_slow(self, name, verdict):
        with timing():
            expect_equal("verdict, %s" % self.only()["text"], (self.only()["verdict"], self.only()["slow_pid"]), (verdict, name and self.pid(name)))
            expect_equal("slow stages", [row["pid"] for row in self.found["stages"] if row["is_slow"]], [self.pid(name)] if name else [])

    def findings(self):
        return {finding["id"]: finding for finding in self.report["findings"]}


def check_connection(pipeline, writer, reader):
    """Bytes are exact but for those of the first calls; waits are what the two measure themselves, who are also ready in calls that
    do not wait."""
    row = pipeline.connection(writer, reader)
    missing = pipeline.found["unseen_bytes"]
    out, got = pipeline.truth[writer], pipeline.truth[reader]
    for what, seen, true in (("written", row["bytes_written"], out["bytes_out"]), ("read", row["bytes_read"], got["bytes_in"])):
        expect(seen <= true <= seen + missing, "bytes %s from %s to %s: %d of %d, %d not looked up", what, writer, reader, seen, true, missing)
    with timing():
        expect_near("%s waits to write" % writer, row["write_wait_seconds"], out["writing"], 0.03, pipeline.rows[writer]["ready_seconds"] + 0.01 * out["elapsed"])
        expect_near("%s waits to read" % reader, row["read_wait_seconds"], got["reading"], 0.03, pipeline.rows[reader]["ready_seconds"] + 0.01 * got["elapsed"])


def check_stages(pipeline, names):
    expect_equal("stages", [row["command"].split()[1] for row in pipeline.found["stages"]], names)
    for row in pipeline.found["stages"]:
        shares = [row[key + "_percent"] for key in ("busy", "ready", "read_wait", "write_wait", "events", "outside", "other")]
        expect(all(0 <= share <= 100.1 for share in shares if share is not None), "%s: %s", row["command"], shares)
        expect(None in shares or 99 <= sum(shares) <= 102, "%s: parts of its time are %s", row["command"], shares)
        with timing():
            truth = pipeline.truth[row["command"].split()[1]]
            expect_near("busy: %s" % row["command"], row["busy_seconds"], truth["cpu"], 0.05, 0.01)


CHAIN = ["a", "b", "c", "d"]


@timed(BUSY)
def test_the_slow_stage_of_a_chain_is_named():
    one = Pipeline(" | ".join([stage("a", "source", 200, 50), stage("b", "filter", 0, 2000), stage("c", "filter", 0, 50), stage("d", "sink", 0, 50)]))
    expect_equal("kinds", [row["kind"] for row in one.found["connections"]], ["pipe"] * 3)
    expect_equal("ends without another", one.found["unmatched_ends"], 0)
    check_stages(one, CHAIN)
    for writer, reader in zip(CHAIN, CHAIN[1:]):
        check_connection(one, writer, reader)
    one.expect_slow("b", "busy")
    with timing():
        found = one.findings()
        expect("slow-stage" in found and "pipeline" not in found, "findings: %s", sorted(found))
        steps = [step["name"] for step in found["slow-stage"]["where"]]
        expect(steps and str(one.pid("b")) in steps[0] and "work_on_block" in steps[-1], "where: %s", steps)
        elapsed = one.report["run"]["elapsed_seconds"]
        expect(found["slow-stage"]["elapsed_seconds"] <= one.truth["b"]["cpu"] - one.truth["a"]["cpu"] + 0.02 * elapsed, "at stake: %s", found["slow-stage"])


@timed(BUSY)
def test_a_slow_sink_and_a_slow_source():
    """What sleeps is slow by itself: sleep is another finding."""
    one = Pipeline(" | ".join([stage("a", "source", 80), stage("b", "filter"), stage("c", "sink", 0, 0, 5000)]))
    check_stages(one, ["a", "b", "c"])
    one.expect_slow("c", "itself")
    one = Pipeline(" | ".join([stage("a", "source", 80, 0, 5000), stage("b", "filter"), stage("c", "sink")]))
    one.expect_slow("a", "itself")
    with timing():
        expect("slow-stage" not in one.findings(), "a stage that sleeps is a finding")


@timed(BUSY)
def test_stages_of_equal_speed_are_in_balance():
    one = Pipeline(" | ".join([stage("a", "source", 100, 0, 4000), stage("b", "filter", 0, 0, 4000), stage("c", "sink", 0, 0, 4000)]))
    one.expect_slow(None, "balanced")
    expect("slow-stage" not in one.findings(), "a pipeline in balance has a slow stage")


def feed(path, blocks, pause):
    with open(path, "wb", buffering=0) as file:
        for _ in range(blocks):
            pause.wait(0.005)
            file.write(bytes(BLOCK))


@timed(BUSY)
def test_a_source_that_waits_for_something_outside():
    """Its writer is no process of the run."""
    path = os.path.join(scratch(), "from")
    os.mkfifo(path)
    feeder = threading.Thread(target=feed, args=(path, 100, threading.Event()))
    feeder.start()
    one = Pipeline("%s < %s | %s | %s" % (stage("a", "filter"), path, stage("b", "filter", 0, 300), stage("c", "sink")))
    feeder.join()
    expect_equal("ends without another", one.found["unmatched_ends"], 1)
    one.expect_slow("a", "outside")
    with timing():
        expect_near("a waits outside", one.rows["a"]["outside_seconds"], one.truth["a"]["reading"], 0.03, one.rows["a"]["ready_seconds"] + 0.01)
        found = one.findings().get("slow-stage")
        expect(found and "of its own" in found["evidence"], "findings: %s", sorted(one.findings()))


@timed(BUSY)
def test_branches():
    """One of two readers of copies is slow: the other one waits as long as the source."""
    path = os.path.join(scratch(), "branch")
    os.mkfifo(path)
    one = Pipeline("%s < %s & %s | %s 3> %s | %s; wait" % (stage("b", "sink", 0, 0, 5000), path, stage("a", "source", 80), stage("s", "split"), path, stage("c", "sink")))
    row = one.connection("s", "b")
    expect_equal("the FIFO", (row["kind"], row["name"]), ("fifo", path))
    expect_equal("stages", [r["command"].split()[1] for r in one.found["stages"]][:2], ["a", "s"])
    one.expect_slow("b", "itself")


@timed(BUSY)
def test_two_that_take_turns():
    """The wait of each is the work of the other; nobody is slow."""
    one, two = (os.path.join(scratch(), name) for name in ("ask", "answer"))
    os.mkfifo(one)
    os.mkfifo(two)
    found = Pipeline("%s > %s < %s & %s < %s > %s; wait" % (stage("a", "ask", 100, 0, 2000, 1000), one, two, stage("b", "filter", 0, 0, 4000, 1000), one, two))
    check_connection(found, "a", "b")
    check_connection(found, "b", "a")
    found.expect_slow(None, "alternating")
    expect("slow-stage" not in found.findings(), "who takes turns has a slow stage")


@timed(BUSY)
def test_one_after_the_other_is_no_pipeline():
    """Processes overlap as they do in time: what runs first and what runs then are never at work at once."""
    path = os.path.join(scratch(), "between")
    both = stage("a", "source", 40, 0, 5000), stage("b", "sink", 0, 0, 5000)
    after = Pipeline("%s > %s; %s < %s" % (both[0], path, both[1], path))
    expect_equal("connections of two that never met", (after.found["connections"], after.found["stages"]), ([], []))
    beside = Pipeline(" | ".join(both))
    check_stages(beside, ["a", "b"])
    for what, found, factor in (("after", after, 2), ("beside", beside, 1)):
        spent = sum(row["elapsed"] for row in found.truth.values()) / 2
        with timing():
            expect_near("elapsed time, one %s the other, of lives of %g s" % (what, spent), found.report["run"]["elapsed_seconds"], factor * spent, 0.1, 0.08)


def test_processes_overlap_as_they_did_in_time():
    """T_i of all processes together: of commands that follow one another T_2 is nothing, of stages side by side what their rates say."""
    path = os.path.join(scratch(), "between")
    both = stage("a", "source", 40, 4000), stage("b", "sink", 0, 4000)
    for command in ("%s > %s; %s < %s" % (both[0], path, both[1], path), " | ".join(both)):
        found = Pipeline(command)
        together, elapsed = found.report["concurrency"]["together"], found.report["run"]["elapsed_seconds"]
        levels = {row["active"]: row["seconds"] for row in together["levels"]}
        expect_equal("grade, processes", (together["grade"], together["processes"]), ("estimated", 3))
        expect_near("sum of T_i", sum(levels.values()), elapsed, 1e-3)
        expect_near("sum of i T_i", sum(i * seconds for i, seconds in levels.items()), found.report["run"]["cpu_seconds"], 0.01)
        rates = [found.truth[name]["cpu"] / found.truth[name]["elapsed"] for name in "ab"]
        wanted = rates[0] * rates[1] * min(found.truth[name]["elapsed"] for name in "ab") if "|" in command else 0
        # starts and ends are not in the stages' own figures; the shell works for an instant beside them
        expect_near("T_2 of %s" % command[-60:], sum(s for i, s in levels.items() if i > 1), wanted, 0.15, 0.03 * elapsed + 0.01)
    single = run("pipe_stage", ["a", "source", 1, BLOCK, 0])
    expect_equal("T_i of one process together", single.report["concurrency"]["together"], None)


def test_of_many_processes_the_run_is_shown():
    """Two alike, as workers of a server or compilers of make: the table is that of all, and the busiest one is told beside it."""
    busy = stage("a", "source", 40, 2000)
    one = run("/bin/sh", ["-c", "%s > /dev/null & %s > /dev/null; wait" % (busy, busy)])
    shown = one.report["concurrency"]
    for part in ("on_processor", "useful"):
        expect_equal("whose T_i, grade", [shown[part][key] for key in ("pid", "processes", "grade")], [None, 3, "estimated"])
        busy_seconds = sum(level["active"] * level["seconds"] for level in shown[part]["levels"])
        expect_near("sum of i T_i, %s" % part, busy_seconds, one.report["run"]["cpu_seconds"], 0.02)
    expect_equal("T_i that are shown", shown["on_processor"]["levels"], shown["together"]["levels"])
    most = max(one.report["processes"], key=lambda process: process["cpu_seconds"])
    expect_equal("the one with the most CPU time", shown["process_on_processor"]["pid"], most["pid"])
    alone = run("/bin/sh", ["-c", "%s > /dev/null; :" % busy]).report["concurrency"]
    expect_equal("a shell around one program", alone["on_processor"], alone["process_on_processor"])


def test_a_shell_is_a_stage_only_where_it_reads_or_writes():
    one = Pipeline("x=$(%s | %s | wc -c); test -n \"$x\"" % (stage("a", "source", 40), stage("b", "filter")))
    commands = [row["command"] for row in one.found["stages"]]
    expect_equal("stages that the shell started", sorted(c.split()[1] for c in commands if "pipe_stage" in c), ["a", "b"])


def test_every_form_says_the_same():
    one = Pipeline(" | ".join([stage("a", "source", 60), stage("b", "sink", 0, 500)]))
    wanted = (one.pid("a"), one.pid("b"), one.connection("a", "b")["bytes_written"])
    merged, base = os.path.join(scratch(), "merged"), os.path.join(scratch(), "base.sqlite")
    expect_equal("status of ptrace-merge", execute([TOOL["merge"], "-o", merged, one.one.directory]).status, 0)
    expect_equal("pipelines of the merged run", report_json(merged)["pipelines"], one.found)

    def printed(*options):
        return execute([REPORT, "--top", "0", *options, one.one.directory]).stdout.decode()
    rows = list(csv.DictReader(io.StringIO(printed("--section", "connections", "--format", "csv"))))
    expect_equal("CSV", [(int(r["bytes_written"]), json.loads(r["writers"]), json.loads(r["readers"])) for r in rows], [(wanted[2], [wanted[0]], [wanted[1]])])
    text = printed("--section", "pipelines,connections", "--width", "200")
    expect("%d (pipe_stage)" % wanted[0] in text and "pipe_stage b sink" in text, "the text is %s", text)
    page = printed("--format", "html")
    expect("Stages, in the order in which data flows" in page and "Pipes and sockets between processes" in page, "the page has no pipelines")
    execute([TOOL["export"], "--format", "sqlite", "-o", base, one.one.directory])
    with sqlite3.connect(base) as database:
        found = database.execute("select from_pid, to_pid, bytes_written, bytes_read from pipes").fetchall()
    expect_equal("SQLite", found, [(*wanted, one.connection("a", "b")["bytes_read"])])


@full
@timed(BUSY)
def test_real_programs():
    """gzip works, tar and wc wait for it."""
    directory = scratch()
    with open(os.path.join(directory, "data"), "wb") as file:
        file.write(os.urandom(12 << 20))
    command = "%s cf - data | %s -c | %s bs=64k of=/dev/null status=none" % (need("tar"), need("gzip"), need("dd"))
    one = run(need("bash"), ["-c", command], directory=directory)
    expect_same(one)
    found = one.report["pipelines"]
    expect_equal("stages", [os.path.basename(row["command"].split()[0]) for row in found["stages"]], ["tar", "gzip", "dd"])
    first = found["connections"][0]
    expect(first["bytes_written"] + found["unseen_bytes"] >= 12 << 20 and abs(first["bytes_written"] - first["bytes_read"]) <= found["unseen_bytes"], "%s", first)
    with timing():
        expect_equal("slow, %s" % found["pipelines"][0]["text"], (found["pipelines"][0]["verdict"], found["pipelines"][0]["slow_pid"]), ("busy", found["stages"][1]["pid"]))


SERVER = """import os, socket, sys, time
path, clients = sys.argv[1], int(sys.argv[2])
if os.path.exists(path):
    os.unlink(path)
server = socket.socket(socket.AF_UNIX); server.bind(path); server.listen(8)
pids = []
for _ in range(clients):
    pid = os.fork()
    if not pid:
        os.execv(sys.executable, [sys.executable, "-c", sys.argv[3], path])
    pids.append(pid)
found = [server.accept()[0] for _ in range(clients)]
for _ in range(60):
    for one in found:
        if one.recv(1):
            time.sleep(0.002)
            one.send(b"y")
for pid in pids:
    os.waitpid(pid, 0)
"""
CLIENT = """import socket, sys
one = socket.socket(socket.AF_UNIX); one.connect(sys.argv[1])
for _ in range(60):
    one.send(b"x"); one.recv(1)
"""


@full
@alone
@timed(BUSY)
def test_many_clients_of_one_server():
    """Each waits for its answer while the server is about the others."""
    path = os.path.join(scratch(), "socket")
    python = os.path.realpath(need("python3"))
    one = run(python, ["-c", SERVER, path, 4, CLIENT])
    expect_same(one)
    found = one.report["pipelines"]
    rows = found["connections"]
    expect_equal("connections", sorted((r["kind"], r["name"], len(r["writers"]), len(r["readers"])) for r in rows), [("unix", path, 1, 4), ("unix", path, 4, 1)])
    server = [row for row in found["stages"] if row["command"].endswith(CLIENT.rstrip().rsplit("\n", 1)[-1]) or "server.bind" in row["command"]][0]
    with timing():
        expect_equal("slow, %s" % found["pipelines"][0]["text"], found["pipelines"][0]["slow_pid"], server["pid"])
        clients = [row for row in found["stages"] if row["pid"] != server["pid"]]
        expect(all(row["read_wait_percent"] >= 40 for row in clients), "%s", clients)
