# SPDX-License-Identifier: MIT
"""How jobs run and end: threads beside MPI, ranks that die, no MPI_Finalize, no launcher, Python."""
import os
import re
import subprocess

from mpi_job import (HUNTED, Job, built, check_calls, check_job, check_native, check_peers, check_same, each_library, job_environment,
                     job_of, launcher, sum_truths)
from support import ROOT, RUN, clean_environment, execute, expect, expect_equal, expect_near, full, report_json, scratch, skip, unsampled_seconds

BESIDE = True  # no case asserts a time


def multiple(library):
    job = check_job(library, "multiple", 2)
    for rank in (0, 1):
        called = [t for t in job.report["threads"] if t["rank"] == rank and t["waits"]["mpi"]]
        expect_equal("rank %d: threads that called MPI, the first included" % rank, len(called), 5)


@full
def test_mpi_thread_multiple():
    """Four threads of each rank call at once; none is counted twice or lost."""
    each_library(multiple)


WORKERS = 2  # threads of each rank of hybrid.c that work


def hybrid(library):
    job = check_job(library, "hybrid", 2)
    total = sum(t["facts"]["work"] for t in job.truths.values())
    for rank in job.mpi["ranks"]:
        worked = job.truths[rank["rank"]]["facts"]["work"]
        threads = [t for t in job.report["threads"] if t["rank"] == rank["rank"]]
        # the first thread may have polled for longer than they worked
        others = sorted(t["user_seconds"] + t["system_seconds"] for t in threads if not t["waits"]["mpi"])
        busy = others[-WORKERS:]
        expect_near("rank %d: CPU time of its %d busiest threads" % (rank["rank"], WORKERS), sum(busy), worked, floor=0.003)
        expect(min(busy) > 0.45 * worked, "rank %d: its workers had %s of %.6f", rank["rank"], busy, worked)
        expect(rank["cpu_seconds"] >= worked * 0.97, "rank %d: CPU time %.6f, its threads worked %.6f", rank["rank"],
               rank["cpu_seconds"], worked)
        joined = [t["waits"]["join"] for t in threads if t["waits"]["join"]]
        # how much of it was waiting is the machine's: the thread may have been without a processor before
        join = job.truths[rank["rank"]]["facts"]["join"]
        expect(len(joined) == 1 and joined[0] <= join, "rank %d: waits for its workers: %s, of %.6f", rank["rank"], joined, join)
        called = [t for t in threads if t["waits"]["mpi"]]
        expect_equal("rank %d: threads that called MPI" % rank["rank"], len(called), 1)
    rows = [r for r in job.report["routines"] if r["name"] == "work"]
    expect_equal("rows of the routine work", len(rows), 1)
    # Seen once under heavy load: a worker without any sample in it.
    expect(WORKERS <= rows[0]["threads"] <= 2 * WORKERS, "threads in the routine work: %d", rows[0]["threads"])
    # Sampled: what threads ran after their last sample is in no routine, and a loaded machine delays samples.
    unsampled = unsampled_seconds(job.report)
    expect(0.95 * total - unsampled <= rows[0]["total_seconds"] <= 1.05 * total + 0.01,
           "CPU time in the routine work of all ranks: %.6f, and [unsampled] %.6f; the threads worked %.6f",
           rows[0]["total_seconds"], unsampled, total)


@full
def test_mpi_hybrid():
    """Threads that work beside MPI are in the report of the same job."""
    each_library(hybrid)


def is_hunted(library, how, job):
    return how == "exit" and library == "mpich" and job.profiled.status in HUNTED


def ended(library, how):
    """The calls until then are there, exactly; the barrier before the end has been counted on both ranks."""
    job = job_of(library, "dying", 2, how, dies=True)
    if not is_hunted(library, how, job):
        expect_equal("status of the job", job.profiled.status, job.native.status)
    expect_equal("ranks that told their truth", sorted(job.truths), [0, 1])
    check_calls_without(job, {"MPI_Abort"})
    check_peers(job)
    expect_equal("ranks in the report", sorted(r["rank"] for r in job.mpi["ranks"]), [0, 1])
    expect(not any(r["finalized"] for r in job.mpi["ranks"]), "MPI_Finalize was never called")
    return job


def status_of(job):
    return {r["rank"]: r["status"] for r in job.mpi["ranks"]}


def check_calls_without(job, names):
    job.aborts = [c["count"] for c in job.mpi["calls"] if c["call"] == "MPI_Abort"]
    job.mpi["calls"] = [c for c in job.mpi["calls"] if c["call"] not in names]
    check_calls(job)


def killed(library):
    """Only the launcher, which is not profiled, has seen the rank's end."""
    job = ended(library, "kill")
    expect(job.profiled.status != 0, "a job with a killed rank ended with status 0")
    expect_equal("status of the killed rank", status_of(job)[1], "ended without a word")
    expect(not status_of(job)[0].startswith("exited"), "status of the rank that the launcher ended: %s", status_of(job)[0])
    expect_equal("status of the report", job.report["report_status"], 1)
    advice = [note for note in job.report["notes"] if "ptrace-run mpirun" in note]
    expect(advice, "no note says how to learn more: %r", job.report["notes"])


def test_mpi_rank_killed():
    """SIGKILL of one rank: what both did until then is in the report."""
    each_library(killed)


def killed_below_a_profiled_launcher(library):
    directory = os.path.join(scratch(), "run")
    command = [RUN, "-q", "-o", directory] + launcher(library, 2) + [built(library, "dying"), "kill"]
    result = execute(command, clean_environment(dict(job_environment(), MPI_TRUTH=scratch())))
    expect(result.status != 0, "a job with a killed rank ended with status 0")
    ranks = {r["rank"]: r["status"] for r in report_json(directory)["mpi"]["ranks"]}
    expect_equal("status of the killed rank", ranks[1], "killed by SIGKILL")


def test_mpi_rank_killed_below_a_profiled_launcher():
    """The launcher, or its proxy, has waited for the rank, and its profile says how it ended."""
    each_library(killed_below_a_profiled_launcher)


def aborted(library):
    job = ended(library, "abort")
    expect_equal("status of the job", job.profiled.status, 3)
    expect_equal("calls of MPI_Abort", job.aborts, [1])
    notes = job.report["notes"]
    expect(re.match(r"rank 1 \(process \d+\) called MPI_Abort with error code 3,", notes[0]), "who called MPI_Abort is not the first note: %r", notes)
    expect(not any("ptrace-run mpirun" in note for note in notes), "how the ranks ended is known: %r", notes)


def test_mpi_abort():
    """MPI_Abort keeps its status, and the profile; who called it, and why, is the first note."""
    each_library(aborted)


def left(library):
    job = ended(library, "exit")
    if is_hunted(library, "exit", job):
        statuses = sorted(status_of(job).values(), key=lambda status: status != "exited 0")
        expect(statuses[0] == "exited 0", "nobody ended well: %r", statuses)
        expect(all(s in ("exited 0", "killed by SIGKILL", "ended without a word") for s in statuses), "status of the ranks: %r", statuses)
    else:
        expect_equal("status of the ranks", status_of(job), {0: "exited 0", 1: "exited 0"})
    expect_equal("calls of MPI_Abort", job.aborts, [])


def test_mpi_exit_without_finalize():
    """exit() instead of MPI_Finalize."""
    each_library(left)


def singleton(library):
    job = Job(library, 0, [built(library, "singleton")])
    check_native(job)
    check_same(job)
    check_calls(job)
    check_peers(job)
    expect_equal("ranks", [(r["rank"], r["size"]) for r in job.mpi["ranks"]], [(0, 1)])


def test_mpi_singleton():
    """A program of an MPI build without a launcher."""
    each_library(singleton)


def python_library():
    """The system's Python, whichever comes first in PATH, and which MPI its mpi4py was built for."""
    python = "/usr/bin/python3"
    if not os.path.exists(python):
        skip("no python3 of the system")
    asked = subprocess.run([python, "-c", "import mpi4py, glob, os; print(glob.glob(os.path.dirname(mpi4py.__file__) + '/MPI*.so')[0])"],
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, universal_newlines=True)
    if asked.returncode:
        skip("python3-mpi4py is not installed")
    linked = subprocess.run(["ldd", asked.stdout.strip()], stdout=subprocess.PIPE, universal_newlines=True).stdout
    return python, "mpich" if "mpich" in linked else "openmpi"


def test_mpi_python():
    """mpi4py: the MPI library comes by dlopen, long after the start."""
    python, library = python_library()
    job = Job(library, 2, [python, os.path.join(ROOT, "tests", "programs", "mpi", "python_traffic.py")])
    check_native(job)
    check_same(job)
    wanted = sum_truths(job.truths, "calls", ("count", "bytes_sent", "bytes_received"))
    got = {c["call"]: c for c in job.mpi["calls"]}
    for name, told in wanted.items():
        expect(name in got, "%s is not in the report; it has %s", name, ", ".join(sorted(got)))
        expect_equal(name, {f: got[name][f] for f in told}, told)
    check_peers(job)
