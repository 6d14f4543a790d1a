# SPDX-License-Identifier: MIT
"""Two ranks of mpi4py with buffers of 100 doubles; each writes its truth to RANK.json in MPI_TRUTH.

Only the calls that it makes itself are told: mpi4py makes others of its own when it is loaded."""
import array
import json
import os

from mpi4py import MPI

ROUNDS, NUMBERS, BYTES = 20, 100, 800
comm = MPI.COMM_WORLD
rank, other = comm.Get_rank(), 1 - comm.Get_rank()
data, back = array.array("d", [rank] * NUMBERS), array.array("d", [0] * NUMBERS)

for _ in range(ROUNDS):
    if rank == 0:
        comm.Send([data, MPI.DOUBLE], dest=other, tag=1)
        comm.Recv([back, MPI.DOUBLE], source=other, tag=2)
    else:
        comm.Recv([back, MPI.DOUBLE], source=other, tag=1)
        comm.Send([data, MPI.DOUBLE], dest=other, tag=2)
assert back[0] == other
comm.Allreduce([data, MPI.DOUBLE], [back, MPI.DOUBLE], op=MPI.SUM)
assert back[0] == 1

moved = {"count": ROUNDS, "seconds": 0, "bytes_sent": 0, "bytes_received": 0}
truth = {"rank": rank, "size": comm.Get_size(), "pid": os.getpid(), "facts": {}, "calls": {
    "MPI_Send": dict(moved, bytes_sent=ROUNDS * BYTES), "MPI_Recv": dict(moved, bytes_received=ROUNDS * BYTES),
    "MPI_Allreduce": dict(moved, count=1, bytes_sent=BYTES, bytes_received=BYTES)},
    "peers": {str(other): {"messages": ROUNDS, "bytes": ROUNDS * BYTES,
                           "received_messages": ROUNDS, "received_bytes": ROUNDS * BYTES}}}
if "MPI_TRUTH" in os.environ:
    with open(os.path.join(os.environ["MPI_TRUTH"], "%d.json" % rank), "w") as file:
        json.dump(truth, file)
