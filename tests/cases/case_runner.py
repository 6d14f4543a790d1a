# SPDX-License-Identifier: MIT
"""Runs cases in processes of their own, some side by side, and prints how they ended.

A process gets one case that may run beside others, or all cases of a file that must run alone (they share what the file
caches). Each has a directory for temporary files: programs started at the same time have none in common. Open MPI, for one,
removes the directory of its sessions while another job creates its own below it. It is the working directory, too: what a
program leaves there does not become a part of the tree.

Times that are compared beside others are affected by them: where such a comparison fails, the case runs once more, alone. That
result counts; the other one is printed as what was tried again."""
import collections
import json
import os
import select
import shutil
import signal
import sys
import tempfile
import time
import traceback

import support
from verdict import Apart, used_seconds

Case = collections.namedtuple("Case", "file name function beside full")
# Limit for a case that hangs outside of support.execute, which has limits of its own.
MOST_SECONDS = 1800


AGAIN = "----"  # it failed beside others, which may be why: it is run again


def verdict_of(case, is_alone):
    """(verdict, reason)"""
    try:
        case.function()
        return "ok", ""
    except support.Skip as skip:
        return "skip", str(skip)
    except Apart as difference:
        return "FAIL" if is_alone else AGAIN, str(difference)
    except support.Failure as failure:
        return "FAIL", str(failure)
    except Exception as error:  # a case that breaks is a case that fails
        where = traceback.extract_tb(error.__traceback__)[-1]
        return "FAIL", "%s: %s (%s:%d)" % (type(error).__name__, error, os.path.basename(where.filename), where.lineno)
    finally:
        support.clean_up()


def result_of(case, is_alone):
    support.RETRIES.clear()
    support.PARTS_SKIPPED.clear()
    begin, used = time.monotonic(), used_seconds()
    verdict, reason = verdict_of(case, is_alone)
    return {"file": case.file, "name": case.name, "verdict": verdict, "reason": reason, "seconds": time.monotonic() - begin,
            "processor": used_seconds() - used, "retries": list(support.RETRIES), "parts": list(support.PARTS_SKIPPED)}


def child(cases, is_alone, pipe, place):
    """In the new process: a line of JSON for each case, then the end."""
    os.environ["TMPDIR"] = tempfile.tempdir = place
    os.chdir(place)
    with os.fdopen(pipe, "w") as out:
        for case in cases:
            signal.alarm(MOST_SECONDS)  # nothing handles it: the parent sees the death
            out.write(json.dumps(result_of(case, is_alone)) + "\n")
            out.flush()


class Worker:
    """A process that runs some cases."""

    def __init__(self, cases, is_alone):
        self.waiting, self.rest = list(cases), b""
        self.place = tempfile.mkdtemp(prefix="pt-")  # short: sockets have their names below it
        self.pipe, writer = os.pipe()
        sys.stdout.flush()
        self.pid = os.fork()
        if not self.pid:
            os.close(self.pipe)
            code = 1
            try:
                child(cases, is_alone, writer, self.place)
                code = 0
            finally:
                os._exit(code)
        os.close(writer)

    def results(self):
        """Results since the last call; None when there will be no more."""
        text = os.read(self.pipe, 65536)
        if not text:
            return None
        *lines, self.rest = (self.rest + text).split(b"\n")
        del self.waiting[:len(lines)]
        return [json.loads(line) for line in lines]

    def lost(self):
        """After the end: the cases that the process did not get to."""
        _, status = os.waitpid(self.pid, 0)
        os.close(self.pipe)
        shutil.rmtree(self.place, ignore_errors=True)
        why = "the case's process died of signal %d" % os.WTERMSIG(status) if os.WIFSIGNALED(status) else "the case's process ended"
        return [{"file": c.file, "name": c.name, "verdict": "FAIL", "reason": why, "seconds": 0, "processor": 0, "retries": [], "parts": []}
                for c in self.waiting]


def told(result):
    """Prints the result of a case; returns it."""
    print("%-4s %s %s %.1f s, %.1f s of a processor%s" % (result["verdict"], result["file"], result["name"], result["seconds"], result["processor"],
                                   ": " + result["reason"] if result["reason"] else ""))
    for what, rows in (("tried again", result["retries"]), ("part skipped", result["parts"])):
        for row in rows:
            print("     %s: %s" % (what, row))
    sys.stdout.flush()
    return result


def run_groups(groups, jobs):
    """Yields results as they come. groups: lists of cases, each for one process."""
    groups, workers = collections.deque(groups), {}
    while groups or workers:
        while groups and len(workers) < jobs:
            worker = Worker(groups.popleft(), jobs == 1)
            workers[worker.pipe] = worker
        for pipe in select.select(list(workers), [], [])[0]:
            results = workers[pipe].results()
            if results is None:
                results = workers.pop(pipe).lost()
            yield from (told(result) for result in results)


def alone_by_file(cases):
    files = collections.OrderedDict()
    for case in cases:
        files.setdefault(case.file, []).append(case)
    return list(files.values())


def key_of(result):
    return result["file"], result["name"]


def run(cases, jobs):
    with tempfile.TemporaryDirectory(prefix="pt-shared-") as support.SHARED:
        first = list(run_groups([[c] for c in cases if c.beside], jobs))
        again = {key_of(r): r["reason"] for r in first if r["verdict"] == AGAIN}
        alone = alone_by_file(c for c in cases if not c.beside or (c.file, c.name) in again)
        results = [r for r in first if key_of(r) not in again] + list(run_groups(alone, 1))
    for result in results:
        if key_of(result) in again:
            result["retries"].append("beside others: " + again[key_of(result)])
    return results


def summary(results, elapsed):
    """Prints it; returns the exit status. elapsed: seconds that all of it took."""
    failed = [r for r in results if r["verdict"] == "FAIL"]
    verdicts = collections.Counter(r["verdict"] for r in results)
    if failed:
        print("== failed")
        for result in failed:
            print("%s %s: %s" % (result["file"], result["name"], result["reason"]))
    print("== took longest")
    for result in sorted(results, key=lambda r: -r["seconds"])[:10]:
        print("%6.1f s %s %s" % (result["seconds"], result["file"], result["name"]))
    print("== used most of a processor, of %.0f s in all; %.0f s elapsed" % (sum(r["processor"] for r in results), elapsed))
    for result in sorted(results, key=lambda r: -r["processor"])[:10]:
        print("%6.1f s %s %s" % (result["processor"], result["file"], result["name"]))
    print("assertions of time that were tried again: %d; parts of cases that were skipped: %d" % (
        sum(len(r["retries"]) for r in results), sum(len(r["parts"]) for r in results)))
    print("%d passed, %d failed, %d skipped" % (verdicts["ok"], verdicts["FAIL"], verdicts["skip"]))
    return 1 if failed else 0
