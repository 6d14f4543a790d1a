# SPDX-License-Identifier: MIT
"""scripts/check-mpi-calls: the table agrees with every mpi.h that is installed, and a damaged table does not."""
from call_tables import CallTable
from support import execute, expect_equal, full

BESIDE = True  # no case asserts a time

TABLE = CallTable("check-mpi-calls", "mpi/mpi_calls.def", "no mpi.h is installed")
SEND = "MPI_CALLS(Send, 6, SEND, .send = ONE(0, 2, 3), .target = 4, .comm = 6)\n"

# What is done to the table, and what must be said about it.
DAMAGES = [
    (SEND, "", "MPI_Send: is declared and has no row"),
    (SEND, SEND + "MPI_CALL(Shout, 6, SEND)\n", "MPI_Shout: no installed MPI declares it"),
    ("(Send, 6,", "(Send, 7,", "MPI_Send: has 6 arguments, the table says 7"),
    (SEND, SEND.replace(".comm = 6", ".comm = 5"), "MPI_Send: comm: argument 5 is int, not MPI_Comm"),
    (SEND, SEND.replace(".comm = 6", ".comm = 7"), "MPI_Send: comm: there is no argument 7"),
    (SEND, SEND.replace(", .comm = 6", ""), "MPI_Send: has an argument MPI_Comm and no .comm"),
    (SEND, SEND.replace(".target = 4", ".target = 5"), "MPI_Send: target: argument 5 is called tag, not dest"),
    (SEND, SEND.replace("ONE(0, 2, 3)", "ONE(0, 3, 2)"), "MPI_Send: send count: argument 3 is MPI_Datatype, not int"),
    (SEND, SEND.replace("ONE(0, 2, 3)", "LIST(0, 2, 3)"), "MPI_Send: send count: argument 2 is int, not int*"),
    (SEND, SEND.replace("ONE", "ALL"), "MPI_Send: send: no such shape: ALL"),
    (SEND, SEND.replace(".target", ".goal"), "MPI_Send: no such member: goal"),
    ("MPI_CALL(Iprobe", "MPI_CALLS(Iprobe", "MPI_Iprobe_c: no installed MPI declares it"),
    (".receive = EACH(0, 5, 6), .comm = 7)", ".receive = EACH(0, 2, 3), .comm = 7)",
     "MPI_Allgather: receive: argument 2 is called sendcount"),
    (".send = LIST(1, 2, 4), .receive = LIST(0, 6, 8), .comm = 9)", ".send = LIST(1, 2, 8), .receive = LIST(0, 6, 8), .comm = 9)",
     "MPI_Alltoallv: send: recvbuf stands between count 2 and type 8"),
    (".send = EACH(1, 2, 3)", ".send = EACH(4, 2, 3)", "MPI_Alltoall: send buffer: argument 4 is called recvbuf, not sendbuf"),
    (".special = SPECIAL_REQUEST, .request = 7", ".special = SPECIAL_REQUEST", "MPI_Isend: SPECIAL_REQUEST needs .request"),
    ("SPECIAL_WAITANY, .many = 1, .request = 2, .index = 3, .status = 4", "SPECIAL_WAITANY, .many = 1, .request = 2, .index = 1, .status = 4",
     "MPI_Waitany: index: argument 1 is int, not int*"),
    (", .large = 1)", ")", "MPI_Psend_init: send count: argument 3 is MPI_Count, not int"),
    ('MPI_LEFT(Wtime, "returns a double")\n', "", "MPI_Wtime: returns double: say MPI_LEFT"),
]


def test_mpi_table_agrees_with_headers():
    TABLE.expect_agrees()


@full
def test_mpi_table_damage_is_found():
    """Calls that only MPI-4 has are compared if there is an MPICH."""
    mpich = b"MPICH" in execute([TABLE.script]).stdout
    TABLE.expect_found([d for d in DAMAGES if mpich or not ("Psend" in d[2] or "_c:" in d[2])])


def test_mpi_table_without_mpi():
    """Without a compiler wrapper nothing is compared, and the script says so."""
    result = TABLE.without_path()
    expect_equal("what the script says", (result.status, result.stdout), (0, b"skipped: no mpi.h\n"))
