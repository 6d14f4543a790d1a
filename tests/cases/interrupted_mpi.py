# SPDX-License-Identifier: MIT
"""A handler of the program at exactly one instruction of the profiler's in a call of MPI (programs/mpi/interrupted.c): a process without a
launcher asks for its rank, probes in vain, and sends itself a message. Calls, messages and bytes are what was done."""
from interrupted import check_all, check_counts, check_end, check_ends, run_children, with_profiles
from mpi_job import built, each_library, job_environment
from support import expect, soaks

BESIDE = True  # no case asserts a time
FULL = "MPI_Init takes seconds, and more under a tracer; cases/interrupted.py has libc's calls"

FEW = 2
DISTANCE = 64  # up to 27,000 places, and MPI_Init takes longer than all the rest of a process
BYTES = 4  # of a message


def expect_most(what, found, most, may_miss):
    expect(most - may_miss <= found <= most, "%s: %d, expected %d%s", what, found, most, ", or one less" if may_miss else "")


def total(rows, column):
    return sum(sum(row[column]) if isinstance(row[column], list) else row[column] for row in rows)


def check_returned(what, child, rows):
    """Each call that was counted has a length, but for the one that was left."""
    for name, calls in rows.items():
        if name in child.did:
            expect_most("%s: lengths of %s" % (what, name), total(calls, "histogram"), total(calls, "count"), name == child.left)
            expect(total(calls, "failed") <= (name == child.left), "%s: %d calls of %s failed", what, total(calls, "failed"), name)


def check_vain(what, child, rows):
    probes = rows.get("MPI_Iprobe", ())
    expect_most("%s: probes in vain" % what, total(probes, "vain"), total(probes, "histogram"), child.left == "MPI_Iprobe")


def check_messages(what, child, profile, rows):
    """Messages sent and received, their bytes and sizes, and requests that ended. Of each two waits the first one is for what is sent."""
    peers, sends, receives = profile.rows["mpi_peers"], rows.get("MPI_Isend", ()), rows.get("MPI_Irecv", ())
    sent, waits = child.did["MPI_Isend"], child.did["MPI_Wait"]
    is_send, is_wait = child.left == "MPI_Isend", child.left == "MPI_Wait"
    for name, found, most, may_miss in (
            ("messages sent", total(peers, "messages_sent"), sent, is_send),
            ("bytes sent", total(peers, "bytes_sent"), sent * BYTES, is_send * BYTES),
            ("bytes of MPI_Isend", total(sends, "bytes_sent"), sent * BYTES, is_send * BYTES),
            ("sizes of what was sent", total(sends, "sizes"), sent, is_send),
            ("sends that ended", total(sends, "completed"), (waits + 1) // 2, is_wait),
            ("receives that ended", total(receives, "completed"), waits // 2, is_wait),
            ("messages received", total(peers, "messages_received"), waits // 2, is_wait),
            ("bytes received", total(peers, "bytes_received"), waits // 2 * BYTES, is_wait * BYTES),
            ("sizes of what was received", total(receives, "sizes"), waits // 2, is_wait)):
        expect_most("%s: %s" % (what, name), found, most, may_miss)


def check_mpi_child(operation, child, profile):
    what = "%s, %s" % (operation, child)
    check_end(operation, child, profile)
    check_counts(operation, child, profile, may_be_more=[name for name in child.did if not name.startswith("MPI_")])
    rows = profile.mpi_calls()
    check_returned(what, child, rows)
    check_vain(what, child, rows)
    check_messages(what, child, profile, rows)


def check_operation(operation):
    def check(library):
        one, children = run_children(built(library, "interrupted"), operation, DISTANCE, job_environment(), FEW)
        for child, profile in with_profiles(one, children):
            check_mpi_child(operation, child, profile)
        check_ends(operation, one)  # the laws are those of one job, and here are many

    each_library(check)


@soaks
def test_calls():
    """A question, and a probe that finds nothing."""
    check_all(check_operation, ("rank", "probe"))


@soaks
def test_messages():
    """Requests begin and end."""
    check_all(check_operation, ("message",))
