# SPDX-License-Identifier: MIT
"""Time in MPI: late senders, late ranks, uneven work, overlap. The ranks measure around their own calls, so that the truth
stands also where the machine made another rank late than the program meant to.

Jobs of two ranks, so that each has a processor; waits within 3 %, or 1 ms."""
from mpi_job import check_job, check_seconds, each_library, site, told
from support import expect, expect_equal, expect_near, full, premise, timed, timing

BESIDE = True

LATE = "a rank lost its processor between a call and the program's look at its clock"


@timed(LATE)
def late_sender(library):
    job = check_job(library, "late_sender", 2)
    check_seconds(job)
    received, waited = told(job, 0, "MPI_Recv"), told(job, 0, "MPI_Wait")
    with timing():
        premise(received > 0.01 and waited > 0.01, "the program did not wait: %.3f, %.3f", received, waited)
    pairs = {(p["rank"], p["peer"]): p for p in job.mpi["peers"]}
    with timing():
        expect_near("MPI_Recv in receive_late", site(job, "MPI_Recv", "receive_late")["seconds"], received, floor=0.001)
        expect_near("MPI_Wait in wait_late", site(job, "MPI_Wait", "wait_late")["seconds"], waited, floor=0.001)
        expect_near("rank 0 waits for rank 1", pairs[0, 1]["wait_seconds"], received + waited, floor=0.001)
    expect(pairs[1, 0]["wait_seconds"] < 0.5 * pairs[0, 1]["wait_seconds"], "rank 1, which sends late, waits for rank 0: %r", pairs)
    row = [c for c in job.mpi["calls"] if c["call"] == "MPI_Recv"][0]
    expect_equal("who waits most in MPI_Recv", row["max_rank"], 0)


def test_mpi_late_sender():
    """Rank 1 sends 50 ms late: rank 0 waits in MPI_Recv and in MPI_Wait, and for rank 1."""
    each_library(late_sender)


def check_time_in_mpi(job):
    """Of each rank. In MPI_Init the profiler begins to account for more than one thread, before and after its clock: for its
    first records of switches the kernel stops all processors (10 to 30 ms). So that call is as long as it says itself."""
    init = [c for c in job.mpi["calls"] if c["call"] == "MPI_Init"][0]
    for rank in job.mpi["ranks"]:
        calls = job.truths[rank["rank"]]["calls"]
        own = init["max_seconds"] if rank["rank"] == init["max_rank"] else init["seconds"] - init["max_seconds"]
        around = calls["MPI_Init"]["seconds"]
        expect(own <= around, "rank %d: MPI_Init took %.6f, the program measured %.6f around it", rank["rank"], own, around)
        rest = sum(c["seconds"] for c in calls.values()) - around
        with timing():
            expect_near("rank %d: mpi_seconds" % rank["rank"], rank["mpi_seconds"], own + rest, floor=0.003)


@timed(LATE)
def late_rank(library):
    job = check_job(library, "late_rank", 2)
    check_seconds(job)
    rows = {c["call"]: c for c in job.mpi["calls"]}
    for call in ("MPI_Barrier", "MPI_Allreduce"):
        waited = [told(job, r, call) for r in range(2)]
        with timing():
            premise(max(waited) > 0.01, "%s: the program did not wait: %r", call, waited)
            expect_near("%s: the longest wait of a rank" % call, rows[call]["max_seconds"], max(waited), floor=0.001)
        if abs(waited[0] - waited[1]) > 0.1 * max(waited):
            expect_equal("who waits most in %s" % call, rows[call]["max_rank"], waited.index(max(waited)))
    check_time_in_mpi(job)


def test_mpi_late_rank():
    """One rank is 60 ms late at a barrier; uneven work before MPI_Allreduce makes the other one wait."""
    each_library(late_rank)


def efficiency(library):
    job = check_job(library, "late_rank", 2)
    told_by_report, ranks = job.mpi["efficiency"], job.mpi["ranks"]
    useful = [r["useful_seconds"] for r in ranks]
    elapsed = told_by_report["elapsed_seconds"]
    expect_near("parallel = average useful / elapsed", told_by_report["parallel"], sum(useful) / len(useful) / elapsed, floor=1e-6)
    expect_near("load balance = average / most useful", told_by_report["load_balance"], sum(useful) / len(useful) / max(useful),
                floor=1e-6)
    expect_near("parallel = load balance x communication", told_by_report["parallel"],
                told_by_report["load_balance"] * told_by_report["communication"], relative=1e-6, floor=1e-8)
    for rank in [r for r in ranks if r["useful_grade"] == "exact"]:
        expect(rank["useful_seconds"] + rank["mpi_seconds"] <= rank["elapsed_seconds"] * 1.03 + 0.002,
               "rank %d: useful %.6f and MPI %.6f in %.6f", rank["rank"], rank["useful_seconds"], rank["mpi_seconds"],
               rank["elapsed_seconds"])


def test_mpi_efficiency_is_that_of_pop():
    each_library(efficiency)


@timed(LATE)
def overlap(library):
    job = check_job(library, "overlap", 2)
    check_seconds(job)
    facts = [job.truths[r]["facts"] for r in (0, 1)]
    busy, idle = site(job, "MPI_Irecv", "exchange_and_work"), site(job, "MPI_Irecv", "wait_idly")
    expect_equal("completed requests", (busy["completed"], idle["completed"]), (2, 1))
    for what, row in (("with work", busy), ("without work", idle)):
        expect_near("overlap " + what, row["overlap"], 1 - row["finish_seconds"] / row["flight_seconds"], floor=1e-6)
    with timing():
        expect_near("time in flight with work", busy["flight_seconds"], sum(f["overlapped_flight"] for f in facts), floor=0.001)
        expect_near("of it in waits", busy["finish_seconds"], sum(f["overlapped_finish"] for f in facts), floor=0.001)
        expect_near("time in flight without work", idle["flight_seconds"], facts[0]["idle_flight"], floor=0.001)
        expect_near("in waits without work", idle["finish_seconds"], facts[0]["idle_finish"], floor=0.001)
        # nearly none, unless rank 0 lost its processor between posting and waiting
        expect_near("overlap without work", idle["overlap"], 1 - facts[0]["idle_finish"] / facts[0]["idle_flight"], floor=0.05)


def test_mpi_overlap():
    """Requests in flight while the program works, and while it only waits."""
    each_library(overlap)


def collective(job, call):
    rows = [c for c in job.mpi["collectives"] if c["call"] == call]
    expect_equal("rows of %s" % call, len(rows), 1)
    return rows[0]


@timed(LATE)
def late_roots(library):
    job = check_job(library, "late_roots", 2, peers=False)
    facts = [job.truths[r]["facts"] for r in range(2)]
    for call, part, late, routine in (("MPI_Bcast", "bcast_enter", 1, "late_root"), ("MPI_Reduce", "reduce_enter", 0, "late_leaf"),
                                      ("MPI_Barrier", "barrier_enter", None, "late_at_barrier")):
        enters, row = [f[part] for f in facts], collective(job, call)
        lost = sum(max(enters) - e for e in enters)
        last = enters.index(max(enters))
        with timing():
            premise(lost > 0.01 and late in (None, last), "%s: the program's late rank was not: %r", call, enters)
        with timing():
            expect_near("time lost in %s" % call, row["lost_seconds"], lost, relative=0.03, floor=0.0005)
        expect_equal("%s: recorded, count, grade" % call, (row["recorded"], row["count"], row["grade"]), (1, 1, "exact"))
        expect_equal("%s: who was late, and where" % call, (row["late"][0]["rank"], row["late"][0]["routine"]), (last, routine))


@full
def test_mpi_late_root_and_late_leaf():
    """A late root of MPI_Bcast, a late leaf of MPI_Reduce on a communicator of its own, a late rank at a barrier."""
    each_library(late_roots)


def zero_elements(library):
    """check_job holds the time lost against the report's time in the calls; here it is the program's."""
    job = check_job(library, "zero_elements", 2)
    for name in ("MPI_Allreduce", "MPI_Allgather", "MPI_Alltoall", "MPI_Reduce", "MPI_Gather"):
        row, spent = collective(job, name), sum(told(job, rank, name) for rank in (0, 1))
        expect_equal("%s: recorded" % name, (row["count"], row["recorded"]), (3, 3))
        expect(row["lost_seconds"] <= spent, "%s: %.6f s lost of %.6f s in it", name, row["lost_seconds"], spent)


def test_mpi_calls_without_elements_lose_no_more_than_they_take():
    """Such calls need not wait for the last rank."""
    each_library(zero_elements)


def member_made(library):
    job = check_job(library, "member_made", 4)
    rows = {c["communicator_size"]: c for c in job.mpi["collectives"] if c["call"] == "MPI_Allreduce"}
    expect_equal("calls and those judged, by size", {size: (c["count"], c["recorded"]) for size, c in rows.items()},
                 {3: (20, 20), 4: (20, 20)})


@full
def test_mpi_communicators_that_members_make_are_judged():
    """MPI_Comm_create_group and MPI_Intercomm_create in a loop: each has an identity of its own."""
    each_library(member_made)
