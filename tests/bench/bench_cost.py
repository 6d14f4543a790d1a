# SPDX-License-Identifier: MIT
"""Whether the report's "the profiler took" is true: ten kinds of programs natively and profiled in turn (tests/programs/own_cost.c).

True is the CPU time that the profiled run has beyond the native one, as a share of the former; told is what the report says of that
same run. Both are medians of the pairs. CPU time, since that hardly depends on what else runs."""
import json
import os
import shutil

from measure import BUILD, REPORT, alternate, median, profiled, run, verdict

PROGRAM = BUILD / "tests/own_cost"
KINDS = [
    ("locks", "a free lock, 60 million times"),
    ("trylocks", "a lock that is tried, 40 million times"),
    ("once", "pthread_once, 200 million times"),
    ("reads", "a byte of /dev/zero, 3 million times"),
    ("compute", "two threads that compute"),
    ("contended", "two threads, sections of a microsecond under one lock"),
    ("condition", "two threads that take turns by a condition"),
    ("pipes", "two threads that pass a byte by pipes"),
    ("threads", "600 threads one after the other, of 50 us"),
    ("forks", "300 children that end at once"),
]
NEAR_PART, NEAR_POINTS = 0.25, 1


def cpu_of(command, scratch):
    """The CPU seconds of one run, by its own account."""
    told = scratch / "truth.json"
    run(command, env=dict(os.environ, TRUTH_FILE=str(told)))
    return json.loads(told.read_text())["cpu"]


def measure_of(scratch, directory):
    def measure(command):
        shutil.rmtree(directory, ignore_errors=True)
        seconds = cpu_of(command, scratch)
        told = directory.exists() and json.loads(run([REPORT, "--format", "json", directory]).stdout)["run"]["overhead_percent"]
        return seconds, told
    return measure


def bench_cost(rounds, scratch):
    print("\n| what a program does | native s | profiled s | true | told | bar | |\n|---|---|---|---|---|---|---|")
    directory = scratch / "cost"
    for kind, text in KINDS if PROGRAM.exists() else []:
        command = [PROGRAM, kind]
        pairs = alternate(lambda: command, lambda: profiled(command, directory), measure_of(scratch, directory), rounds)
        true = median(100 * (b[0] - a[0]) / b[0] for a, b in pairs)
        told = median(b[1] for _, b in pairs)
        bar = max(NEAR_PART * true, NEAR_POINTS)
        print("| %s | %.3g | %.3g | %.1f %% | %.1f %% | within %.1f | %s |" % (
            text, median(a[0] for a, _ in pairs), median(b[0] for _, b in pairs), true, told, bar, verdict(abs(told - true), bar)), flush=True)
