# SPDX-License-Identifier: MIT
"""Several MPI jobs in one run: each is judged by its own ranks and its own time."""
import os

from mpi_job import built, each_library, job_environment, launcher
from support import RUN, clean_environment, execute, expect, expect_equal, expect_near, full, report_json, scratch

BESIDE = True  # no case asserts a time

ROUNDS = 4  # barriers of job_parts


def report_of(command, status=0):
    directory = os.path.join(scratch(), "run")
    result = execute(command(directory), environment=clean_environment(job_environment()))
    expect_equal("status; stderr: %s" % result.stderr_text()[-300:], result.status, status)
    return report_json(directory)


def check_efficiency(mpi):
    """Each job is judged by its own ranks; all jobs together by the sums of these."""
    useful = paid = 0
    for job in mpi["jobs"]:
        ranks = [r for r in mpi["ranks"] if r["job"] == job["job"]]
        expect_equal("ranks of job %d" % job["job"], [r["rank"] for r in ranks], list(range(job["size"])))
        own = sum(r["useful_seconds"] for r in ranks)
        units = sum(r["units"] for r in ranks)
        expect_near("efficiency of job %d" % job["job"], job["parallel"], own / units / job["elapsed_seconds"], relative=1e-5)
        expect(job["elapsed_seconds"] <= 1.000001 * sum(r["elapsed_seconds"] for r in ranks), "ranks did not overlap: %r", job)
        useful, paid = useful + own, paid + units * job["elapsed_seconds"]
    whole = mpi["efficiency"]
    expect_near("efficiency of all", whole["parallel"], useful / paid, relative=1e-5)
    expect_near("parallel = load balance x communication", whole["parallel"], whole["load_balance"] * whole["communication"],
                relative=1e-5)


def several(library):
    command = " ".join(launcher(library, 2) + [built(library, "job_parts")])
    own = ["OMPI_MCA_orte_tmpdir_base=%s " % scratch() + command for _ in range(2)]
    for line in " && ".join(own), " & ".join(own) + " && wait $!":
        report = report_of(lambda directory: [RUN, "-q", "-o", directory, "--", "sh", "-c", line])
        mpi = report["mpi"]
        expect_equal("ranks and size by job", [(j["ranks"], j["size"], j["parent"]) for j in mpi["jobs"]], [(2, 2, None)] * 2)
        check_efficiency(mpi)
        barrier = [c for c in mpi["collectives"] if c["call"] == "MPI_Barrier"]
        expect_equal("barriers, and those judged", [(c["count"], c["recorded"]) for c in barrier], [(2 * ROUNDS, 2 * ROUNDS)])
        peers = {(p["job"], p["rank"], p["peer"]): p["messages"] for p in mpi["peers"]}
        expect_equal("messages by job, rank and peer", peers, {(job, rank, 1 - rank): 1 for job in (1, 2) for rank in (0, 1)})


@full
def test_mpi_two_jobs_are_two():
    """The same job twice, one after the other and at once."""
    each_library(several)


def in_turn(library):
    processors = len(os.sched_getaffinity(0))
    line = "OMPI_MCA_orte_tmpdir_base=%s " % scratch() + " ".join(launcher(library, processors) + [built(library, "crowded_ranks")])
    report = report_of(lambda directory: [RUN, "-q", "-o", directory, "--", "sh", "-c", "%s && %s && %s" % (line, line, line)])
    expect_equal("ranks by job", [j["ranks"] for j in report["mpi"]["jobs"]], [processors] * 3)
    found = {f["id"]: f["evidence"] for f in report["findings"]}
    expect("rank-oversubscription" not in found, "never more ranks at once than processors: %s", found.get("rank-oversubscription"))


@full
def test_mpi_jobs_in_turn_share_the_processors():
    """Three jobs, one after the other, of as many ranks as there are processors."""
    in_turn("mpich")


def spawned(library):
    command = launcher(library, 2) + [RUN], [built(library, "job_parts"), "spawn"]
    mpi = report_of(lambda directory: [RUN, "-q", "-o", directory, "--"] + launcher(library, 2) + command[1])["mpi"]
    expect_equal("jobs", [(j["ranks"], j["size"], j["spawned"], j["parent"]) for j in mpi["jobs"]],
                 [(2, 2, False, None), (2, 2, True, 1)])
    check_efficiency(mpi)


def test_mpi_spawned_children_are_a_job():
    """Of its own, and linked to the one that started it. Debian's MPICH cannot start any."""
    spawned("openmpi")


def test_mpi_children_that_are_not_seen_are_missed():
    """The launcher starts the children without the profiler."""
    report = report_of(lambda directory: launcher("openmpi", 2) + [RUN, "-q", "-o", directory, "--"]
                       + [built("openmpi", "job_parts"), "spawn"])
    notes = [n for n in report["notes"] if "MPI_Comm_spawn" in n]
    expect(len(notes) == 1 and notes[0].startswith("2 processes"), "notes: %r", report["notes"])
    expect_equal("the run is complete", report["overview"]["complete"] if "overview" in report else report["run"]["complete"], False)
