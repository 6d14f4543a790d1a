# SPDX-License-Identifier: MIT
"""The profiler's own cost: what the program would not have used without it, whatever it does most; never computed from a
measurement that was interrupted, and a lower bound if the profiler changes who runs. How near it is to the truth is measured by
alternation: tests/bench/run cost."""
import os
import subprocess
import sys

from profile_file import profiles
from support import beside, check_laws, expect, expect_equal, expect_same, free_port, full, need, run

BURN = "import time\nend = time.monotonic() + 30\nwhile time.monotonic() < end: pass\n"


@beside
def test_costs_are_possible_on_a_busy_processor():
    """Eight programs with samples on a processor that two others burn: a signal never takes more than 20 us, a call never more than 0.1 us."""
    processor = str(min(os.sched_getaffinity(0)))
    burners = [subprocess.Popen(["taskset", "-c", processor, sys.executable, "-c", BURN]) for _ in range(2)]
    sampled = 0
    try:
        for _ in range(8):
            one = run("/usr/bin/taskset", ["-c", processor, "sh", "-c", "i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done"])
            for profile in profiles(one):
                row = profile.rows["process"][0]
                has_samples = any(sample["count"] for sample in profile.rows["samples"])
                expect(has_samples <= row["signal_cost_ps"] <= 20e6, "a signal takes %.3f us", row["signal_cost_ps"] / 1e6)
                sampled += has_samples
                expect(0 < row["tally_cost_ps"] <= 0.1e6, "a call takes %.3f us", row["tally_cost_ps"] / 1e6)
                for price in ("lock_cost_ps", "pair_cost_ps"):
                    expect(row[price] <= 0.1e6, "%s: %.3f us", price, row[price] / 1e6)
                expect(0 < row["clock_cost_ps"] <= 2e6, "the clock takes %.3f us", row["clock_cost_ps"] / 1e6)
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()
    expect(sampled >= 4, "only %d of 8 programs had samples", sampled)


SERVE = """redis-server --port %d --save "" >/dev/null & server=$!
for i in 1 2 3 4 5 6 7 8 9; do redis-cli -p %d ping >/dev/null 2>&1 && break; sleep 0.2; done
redis-benchmark -p %d -n 20000 -q -t set,get >/dev/null
redis-cli -p %d shutdown nosave
wait $server"""


@full
@beside
def test_cost_of_calls_on_descriptors_is_possible():
    """Of long calls one in 16 measures what its end costs, which counts twice if its begin asked something as well. A call on the
    usual way did not write down that it had not: what was read in its place made a server's own cost 100 %."""
    for program in ("redis-server", "redis-benchmark", "redis-cli"):
        need(program)
    port = free_port()
    one = run(need("sh"), ["-c", SERVE % ((port,) * 4)])
    calls = one.report["io"]["calls"]
    expect(calls > 20000, "%d calls", calls)
    # about 3 %; it was 60 to 100 %, at 0 to 3 % more CPU time
    expect(one.report["run"]["overhead_percent"] <= 30, "the profiler took %.0f %% of the CPU time", one.report["run"]["overhead_percent"])


def is_told(one):
    return any("context switches a second" in note for note in one.report["notes"])


@beside
def test_many_switches_make_the_share_a_lower_bound():
    """Threads that do nothing but yield to each other; the report says "at least", and why."""
    one = run("yielding")
    expect_same(one)
    check_laws(one.report)
    told = one.report["run"]
    expect(told["context_switches"] > 20000 * told["cpu_seconds"], "%d switches in %.3f s of CPU time are no storm", told["context_switches"], told["cpu_seconds"])
    expect_equal("the share is known", told["overhead_is_bounded"], False)
    expect(is_told(one), "no note tells of it: %s", one.report["notes"])
    expect("at least" in " ".join(one.text.split()), "the overview says no bound")


@full
@beside
def test_few_switches_leave_it_as_it_is():
    one = run("alone")
    expect_same(one)
    expect_equal("the share is known", one.report["run"]["overhead_is_bounded"], True)
    expect(not is_told(one), "a note tells of a storm of switches: %s", one.report["notes"])


def share_of(one, name):
    """Percent of the CPU time in a routine itself."""
    rows = [row for row in one.report["routines"] if row["name"] == name]
    return 100 * sum(row["self_seconds"] for row in rows) / one.report["run"]["cpu_seconds"]


@beside
def test_waking_a_waiter_is_the_unlock():
    """The wrapper makes the system call that libc would make: its time is the unlock's, as natively."""
    one = run("hot", ["shares"])
    expect_same(one)
    ours, unlock = share_of(one, "[profiler]"), share_of(one, "pthread_mutex_unlock")
    expect(ours <= 4 + unlock / 2, "%.1f %% in [profiler], %.1f %% in pthread_mutex_unlock", ours, unlock)


@beside
def test_free_locks_cost_what_the_wrapper_adds():
    """A free mutex is taken in libc's place: what that takes is the lock's, in libc; only the count is the profiler's."""
    one = run("own_cost", ["locks", 20000000])
    expect_same(one)
    check_laws(one.report)
    cost = one.report["run"]["overhead_percent"]
    expect(cost < 35, "%.1f %% is said to be the profiler's", cost)
    expect(share_of(one, "[profiler]") < 35, "%.1f %% in [profiler]", share_of(one, "[profiler]"))
    libcs = sum(row["self_seconds"] for row in one.report["routines"] if "pthread_mutex_" in row["name"] and "libc" in (row["module"] or ""))
    expect(100 * libcs > 40 * one.report["run"]["cpu_seconds"], "%.3f s in libc's locks", libcs)


@beside
def test_locks_that_are_tried_cost_little():
    one = run("own_cost", ["trylocks", 15000000])
    expect_same(one)
    expect(one.report["run"]["overhead_percent"] < 38, "%.1f %%", one.report["run"]["overhead_percent"])


@beside
def test_children_that_do_nothing_cost_most():
    """A profile for each of them is opened and closed: several times the CPU time of a fork."""
    one = run("own_cost", ["forks", 60])
    expect_same(one)
    expect(one.report["run"]["overhead_percent"] > 25, "only %.1f %%", one.report["run"]["overhead_percent"])


@beside
def test_short_threads_cost_their_births():
    """Also births that take long: a row of its own for each of the first 500."""
    one = run("own_cost", ["threads", 400])
    expect_same(one)
    expect(one.report["run"]["overhead_percent"] > 15, "only %.1f %%", one.report["run"]["overhead_percent"])


@beside
def test_calls_on_descriptors_cost():
    """Fewer than 20 samples: no other measure would tell."""
    one = run("own_cost", ["reads", 150000])
    expect_same(one)
    expect(one.report["run"]["overhead_percent"] > 4, "only %.1f %%", one.report["run"]["overhead_percent"])

