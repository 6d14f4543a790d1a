# SPDX-License-Identifier: MIT
"""Servers: what they wait for when they wait for their clients is idle, and no finding."""
import support
from merge import difference, merged
from support import expect, expect_equal, run

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
