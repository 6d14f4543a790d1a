# SPDX-License-Identifier: MIT
"""MPI and OpenMP in one program: regions of all ranks together, and the efficiencies joined by DLB TALP's definitions."""
from mpi_job import check_job, each_library
from support import REPORT, execute, expect, expect_equal, expect_near, full, timed, timing

BESIDE = True

RANKS, ROUNDS, TEAM = 2, 10, 2


def ranks(library):
    job = check_job(library, "teams", RANKS, peers=False)
    openmp = job.report["openmp"]
    expect(openmp is not None, "the report has no part \"openmp\"")
    regions = [r for r in openmp["regions"] if r["routine"] == "together"]
    expect_equal("regions in together", [(r["count"], r["team"]) for r in regions], [(RANKS * ROUNDS, TEAM)])
    alone, first, second = (sum(t["facts"][f] for t in job.truths.values()) for f in ("alone", "first", "second"))
    expect_near("work in the regions", regions[0]["work_seconds"], first + second, floor=0.002)
    expect_near("who has most to do", regions[0]["work_max_seconds"], max(t["facts"]["second"] for t in job.truths.values()), floor=0.002)
    elapsed = sum(p["elapsed_seconds"] for p in job.report["processes"])
    mpi = sum(c["seconds"] for c in job.mpi["calls"])
    # what the processes do before MPI_Init, after MPI_Finalize and between the parts is useful as well
    rest = elapsed - mpi - regions[0]["elapsed_seconds"] - alone
    joined(openmp["efficiency"], (alone + first + second) / (TEAM * elapsed),
           (alone + first + second + rest) / (TEAM * elapsed))
    tree = job.mpi["efficiency"]["between"]
    expect_near("one tree: MPI x OpenMP", tree["mpi_parallel"] * tree["threads_parallel"], tree["parallel"], relative=1e-6)
    text = execute([REPORT, "--width", "400", "--section", "overview", job.directory]).stdout.decode()
    expect(" x OpenMP " in text and "time in MPI included" in text and text.count("parallel efficiency") == 1, "%s", text)


def joined(found, least, most):
    """TALP: parallel (hybrid) = useful / all thread time; of MPI: useful / (useful + MPI); of OpenMP its own factors."""
    factors = [found[f] for f in ("serialization", "load_balance", "scheduling", "mpi_parallel")]
    expect(all(0 < f <= 1 for f in factors), "efficiencies %r", factors)
    expect_near("product of the factors", found["parallel"], factors[0] * factors[1] * factors[2], relative=1e-3)
    expect_near("hybrid = MPI x OpenMP", found["hybrid_parallel"], found["mpi_parallel"] * found["parallel"], relative=1e-3)
    expect(0.97 * least <= found["hybrid_parallel"] <= 1.03 * most, "hybrid efficiency %.4f, expected %.4f to %.4f",
           found["hybrid_parallel"], least, most)
    expect(found["mpi_parallel"] < 0.99, "ranks wait for the last one, and the efficiency of MPI is %.4f", found["mpi_parallel"])


def test_openmp_regions_of_ranks():
    each_library(ranks)


@timed("other programs had the processors")
def serial_part(library):
    """Where others have most of the processors, little is at stake, and nothing is said."""
    job = check_job(library, "serial_rank", RANKS, peers=False)
    found = [f for f in job.report["findings"] if f["id"] == "omp-serial"]
    with timing():
        expect_equal("findings of serial parts", len(found), 1)
    steps = [s["name"].split(" ")[0] for s in found[0]["where"] if s["level"] == "routine"]
    expect(steps == ["prepare"], "the serial part is %r: %s", steps, found[0]["evidence"])


@full
def test_openmp_serial_part_of_a_rank():
    """Neither what polls in MPI meanwhile, nor the kernel that teams call as well."""
    each_library(serial_part)
