# SPDX-License-Identifier: MIT
"""Jobs of several ranks that are attached to while they run: what cannot be known then is told, and is no figure."""
import os
import subprocess
import time

from attach import attach
from mpi_job import built, each_library, job_environment, launcher
from support import clean_environment, expect, expect_equal, read_line, report_json, scratch

BESIDE = True  # no case asserts a time

TOLD = "MPI was initialized before"


def attached_job(library):
    """The report of a job of two ranks, from the middle on."""
    stop = os.path.join(scratch(), "stop")
    process = subprocess.Popen(launcher(library, 2) + [built(library, "attached"), stop], stdout=subprocess.PIPE, text=True,
                               env=clean_environment(job_environment()))
    try:
        expect_equal("the first line", read_line(process), "ready\n")
        run = attach(process.pid, "--job")
        time.sleep(1)  # some rounds
        open(stop, "w").close()
        expect_equal("status", process.wait(timeout=60), 0)
    finally:
        process.kill()
        process.communicate()
    return report_json(run)


def check_attached(library):
    report = attached_job(library)
    mpi = report["mpi"]
    counts = {row["call"]: row["count"] for row in mpi["calls"]}
    expect(counts["MPI_Start"] and counts["MPI_Allreduce"], "calls: %s", counts)
    expect_equal("ranks that say what is not known", sum(TOLD in note for note in report["notes"]), 2)
    expect_equal("collective calls that were compared", [row["recorded"] for row in mpi["collectives"] if row["recorded"]], [])
    own = [t for t in report["threads"] if not t["of_mpi_library"]]
    expect_equal("threads that are not the library's: %r of %r" % ([t["role"] for t in own], [t["role"] for t in report["threads"]]), len(own), 2)
    for row in mpi["ranks"]:
        most = row["units"] * row["elapsed_seconds"]
        expect(row["wait_seconds"] <= 1.01 * most, "rank %d: %.3f s in other waits of %.3f s", row["rank"], row["wait_seconds"], most)


def test_mpi_attached_job():
    """Neither the waits of the library's threads, nor collectives whose number differs from rank to rank, nor requests made before."""
    each_library(check_attached)
