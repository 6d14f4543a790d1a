# SPDX-License-Identifier: MIT
"""Counts, bytes, messages and times of MPI calls, under every MPI that is installed, against what the programs know."""
import glob
import os

from mpi_job import check_job, each_library
from profile_file import Profile
from support import BUILD, REPORT, execute, expect, expect_equal, full, report_json, scratch

BESIDE = True  # no case asserts a time
MERGE = os.path.join(BUILD, "bin", "ptrace-merge")


def under_each(name, ranks, *arguments, peers=True):
    each_library(lambda library: check_job(library, name, ranks, *arguments, peers=peers))


@full
def test_mpi_in_place():
    """Every collective with MPI_IN_PLACE; null types and null counts there are legal."""
    under_each("in_place", 3)


def check_told_sizes(library):
    """Each message in its power of two, repeated or not, of every kind; those with MPI_PROC_NULL in none."""
    job = check_job(library, "sizes", 2)
    wanted = {}
    for truth in job.truths.values():
        for name, count in truth["facts"].items():
            wanted[name] = wanted.get(name, 0) + int(count)
    got = {"%s/%d" % (row["call"], b["at_most_bytes"].bit_length() - 2): b["count"] for row in job.mpi["sizes"] for b in row["sizes"]}
    expect_equal("messages by call and size", got, wanted)
    merged = os.path.join(scratch(), "merged")
    expect_equal("status of the merge", execute([MERGE, "-o", merged, job.directory]).status, 0)
    expect_equal("a merged run", report_json(merged)["mpi"]["sizes"], job.mpi["sizes"])
    check_sizes_unknown(job.directory)


def check_sizes_unknown(directory):
    """As of a version that did not count them: not none, but unknown."""
    for path in glob.glob(os.path.join(directory, "*.profile")):
        with open(path, "rb+") as file:
            content = file.read()
            file.seek(0)
            file.write(content.replace(b"column hist32 sizes ", b"column hist32 xizes "))
    moving = {row["call"] for row in report_json(directory)["mpi"]["calls"] if row["bytes_sent"] or row["bytes_received"]}
    text = execute([REPORT, "--section", "mpi_sizes", "--top", "0", directory]).stdout.decode()
    expect_equal("calls of unknown sizes", dict(line.split() for line in text.splitlines()[2:]), dict.fromkeys(moving, "?"))


@full
def test_mpi_message_sizes():
    each_library(check_told_sizes)


def check_types(library):
    job = check_job(library, "types", 2)
    gapped = {row["call"]: row["gapped"] for row in job.mpi["calls"] if row["gapped"]}
    # once of a vector, of which 8 of 18 ints are gaps; the structure has 11 of 40 bytes
    expect_equal("calls with gaps", gapped, {"MPI_Send": 1, "MPI_Isend": 1, "MPI_Recv": 1, "MPI_Irecv": 1, "MPI_Bcast": 2})
    expect_equal("of their sites", sum(site["gapped"] for site in job.mpi["sites"]), 6)


def test_mpi_derived_types():
    """The true size of vectors and structures, and which have gaps; handles that come back for other types."""
    each_library(check_types)


@full
def test_mpi_vector_collectives():
    """v- and w-variants, plain ones, blocking and nonblocking; other counts on each rank."""
    under_each("vectors", 3)


@full
def test_mpi_neighbourhood_collectives():
    """Neighbours on a line with ends, and on a star: different degrees in and out."""
    under_each("neighbours", 4)


def test_mpi_edges_of_point_to_point():
    """No elements, MPI_PROC_NULL, any source and tag, Sendrecv_replace, probes, statuses, send modes."""
    under_each("edges", 2)


def test_mpi_persistent_and_completion():
    """Persistent requests and every call of the families of wait and test; statuses stay right."""
    under_each("persistent", 2)


@full
def test_mpi_one_sided():
    """Put, get and accumulate with fence, lock, flush, and post-start-complete-wait."""
    under_each("windows", 3)


@full
def test_mpi_files():
    """Reads count what was there, also at the end of a file; requests and split collectives."""
    under_each("files", 2)


def test_mpi_failed_waits():
    """A wait for several requests fails for some of them: what the others received counts."""
    under_each("failed_waits", 2)


def check_left(library):
    job = check_job(library, "jumps", 1)
    expect_equal("calls that failed", {row["call"]: row["failed"] for row in job.mpi["calls"] if row["failed"]}, {"MPI_Send": 20})


def test_mpi_calls_left_by_a_jump():
    """They have no time, since nobody knows when they were left: they are counted among those that failed."""
    each_library(check_left)


def waited(job, rank):
    """Seconds that a rank waited for others, by peer."""
    return {row["peer"]: row["wait_seconds"] for row in job.mpi["peers"] if row["rank"] == rank}


def check_charged(library, ranks, how, call):
    """All time of the call is charged to the senders."""
    job = check_job(library, "halos", ranks, how)
    spent = next(row["seconds"] for row in job.mpi["calls"] if row["call"] == call)
    charged = sum(sum(waited(job, rank).values()) for rank in range(ranks))
    expect(spent > 0 and abs(charged - spent) < 1e-6, "%s of %d ranks: %.9f s of %.9f s are charged to peers", call, ranks, charged, spent)


@full
def test_mpi_halos_charge_their_peers():
    """A wait that one message ends, and one for messages of one rank only, is a wait for its sender."""
    def check(library):
        check_charged(library, 2, "all", "MPI_Waitall")
        check_charged(library, 3, "any", "MPI_Waitany")
    each_library(check)


@full
def test_mpi_halos_of_several_charge_nobody():
    """Which of the messages that a call waited for came last is not known: it is charged to nobody."""
    def check(library):
        job = check_job(library, "halos", 3, "all")
        expect_equal("charged to peers", [sum(waited(job, rank).values()) for rank in range(3)], [0] * 3)
    each_library(check)


def check_vain(library):
    """Each call that looked and found nothing; their time is a part of that of all, and no other call has any."""
    job = check_job(library, "polls", 2)
    wanted = {name: int(count) for name, count in job.truths[0]["facts"].items()}
    rows = {row["call"]: row for row in job.mpi["calls"]}
    expect_equal("calls in vain", {name: row["vain"] for name, row in rows.items() if row["vain"]}, wanted)
    for name, row in rows.items():
        expect(0 <= row["vain_seconds"] <= row["seconds"], "%s: %.9f s in vain of %.9f s", name, row["vain_seconds"], row["seconds"])
        expect(bool(row["vain_seconds"]) == (name in wanted), "%s: %.9f s in vain", name, row["vain_seconds"])
        sites = [s for s in job.mpi["sites"] if s["call"] == name]
        expect_equal("%s: sum of sites' vain" % name, sum(s["vain"] for s in sites), row["vain"])


def test_mpi_calls_in_vain():
    """Tests and probes that found nothing, with every call that looks and does not wait."""
    each_library(check_vain)


@full
def test_mpi_communicators():
    """Split, dup, idup, groups, grids and two sides: peers are ranks of the job."""
    under_each("communicators", 4)


def no_row_lost(job):
    expect_equal("tables that were full", [n for n in job.report["notes"] if "were full" in n], [])


@full
def test_mpi_many_communicators():
    """600 one after the other and 550 at once: every call, byte and peer, in rows that do not grow with their number."""
    def check(library):
        job = check_job(library, "many_comms", 2, 600, 550)
        no_row_lost(job)
        for path in glob.glob(os.path.join(job.directory, "*.profile")):
            rows = len(Profile(path).rows["mpi_communicators"])
            expect(rows <= 8, "%d rows of communicators", rows)
    each_library(check)


@full
def test_mpi_many_windows():
    """100 windows alive at once."""
    under_each("many_windows", 2)


@full
def test_mpi_what_callbacks_free():
    """A communicator, a type, a window and a request that are freed in an attribute's callback; their handles are reused."""
    under_each("freed_inside", 4)


@full
def test_mpi_threads_that_make_communicators():
    """Three threads make, use and free communicators of three sizes at once."""
    # MPICH's threads take turns in polling, on two processors with milliseconds between
    each_library(lambda library: check_job(library, "comm_threads", 4, 6 if library == "mpich" else 60, peers=False))


def check_switched_off(library):
    mpi = check_job(library, "pcontrol", 2).mpi
    rows = mpi["calls"] + mpi["sites"] + mpi["collectives"]
    expect_equal("rows of no call", [row["call"] for row in rows if not row["count"]], [])


def test_mpi_pcontrol():
    """Calls between MPI_Pcontrol(0) and MPI_Pcontrol(1) are not counted, and what was only called there is no row."""
    each_library(check_switched_off)


def test_mpi_matched_probes():
    """MPI_Mrecv and MPI_Imrecv: the messages' communicator is that of the probe."""
    under_each("matched", 2)


@full
def test_mpi_many_requests():
    """20,000 requests under way at once."""
    under_each("many", 2)


def test_mpi_large_counts():
    """The calls with counts of 64 bits."""
    under_each("large_counts", 2)


def test_mpi_four():
    """Persistent collectives, partitioned messages, and MPI_Isendrecv with its peers."""
    under_each("mpi_four", 2)


def test_mpi_sessions():
    """No MPI_Init, no MPI_COMM_WORLD."""
    under_each("sessions", 2)
