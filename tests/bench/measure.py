# SPDX-License-Identifier: MIT
"""What every part of tests/bench/run needs: commands, times, pairs in alternation."""
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("BUILD", ROOT / "build")).resolve()
RUN, REPORT, MERGE = (BUILD / "bin" / name for name in ("ptrace-run", "ptrace-report", "ptrace-merge"))
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests/cases")]  # what the cases know of MPI, and of profiles


def run(command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True, **options)


def profiled(command, directory, options=()):
    shutil.rmtree(directory, ignore_errors=True)
    return [RUN, "-q", *options, "-o", directory, "--"] + command


def usage(command, **options):
    """Elapsed and CPU seconds of a command and its children."""
    before, start = os.times(), time.monotonic()
    subprocess.run([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True, **options)
    elapsed, after = time.monotonic() - start, os.times()
    return elapsed, after.children_user + after.children_system - before.children_user - before.children_system


def alternate(native, other, measure, rounds):
    """Pairs of measurements, taken in turn."""
    pairs = []
    for _ in range(rounds + 1):
        pairs.append((measure(native()), measure(other())))
    return pairs[1:]  # the first warms up


def server_pair(kind, scratch, directory):
    """The same of a server, natively and profiled into `directory`; kind(scratch, prefix) starts one, which has measure() and close()."""
    result = []
    for prefix in ([], profiled([], directory)):
        server = kind(scratch, prefix)
        try:
            result.append(server.measure())
        finally:
            server.close()
    return tuple(result)


def batches(command, **options):
    """(median, best) of the batches of one run, in ns: what such a program of this folder prints first."""
    return tuple(float(word) for word in run(command, timeout=120, **options).stdout.split()[:2])


def best_of_batches(pairs):
    """(natively, profiled, added by medians) of pairs of the above. The best batches of all runs are what nothing else disturbed."""
    return min(a[1] for a, _ in pairs), min(b[1] for _, b in pairs), median(b[0] - a[0] for a, b in pairs)


def median(values):
    return statistics.median(list(values))


def verdict(value, bar):
    return "reached" if value <= bar else "MISSED"
