# SPDX-License-Identifier: MIT
"""Two ranks of mpi4py with buffers of 100 doubles, and with pickled objects, whose messages are received by matched
probes and whose broadcast is one of the length and one of the bytes; each writes its truth to RANK.json in MPI_TRUTH.

Only the calls that it makes itself are told: mpi4py makes others of its own when it is loaded."""
import array
import json
import os

from mpi4py import MPI

ROUNDS, NUMBERS, BYTES, OBJECTS = 20, 100, 800, 5
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

thing = {"numbers": list(range(500)), "text": "pickled " * 100}
length = len(MPI.pickle.dumps(thing))
for n in range(OBJECTS):
    if rank == 0:
        comm.send(thing, dest=other, tag=3)
        assert comm.recv(source=MPI.ANY_SOURCE, tag=4) == n
    else:
        assert comm.recv(source=other, tag=3) == thing
        comm.send(n, dest=other, tag=4)
assert comm.bcast(thing if rank == 0 else None, root=0) == thing

lengths = [length * OBJECTS, sum(len(MPI.pickle.dumps(n)) for n in range(OBJECTS))]
given, got = lengths[rank], lengths[other]


def call(count, sent=0, received=0):
    return {"count": count, "seconds": 0, "bytes_sent": sent, "bytes_received": received}


calls = {"MPI_Send": call(ROUNDS + OBJECTS, ROUNDS * BYTES + given), "MPI_Recv": call(ROUNDS, 0, ROUNDS * BYTES),
         "MPI_Mprobe": call(OBJECTS), "MPI_Mrecv": call(OBJECTS, 0, got), "MPI_Allreduce": call(1, BYTES, BYTES),
         "MPI_Bcast": call(2, (4 + length) * (rank == 0), (4 + length) * (rank == 1))}
peer = {"messages": ROUNDS + OBJECTS, "bytes": ROUNDS * BYTES + given,
        "received_messages": ROUNDS + OBJECTS, "received_bytes": ROUNDS * BYTES + got}
truth = {"rank": rank, "size": comm.Get_size(), "pid": os.getpid(), "facts": {}, "calls": calls, "peers": {str(other): peer}}
if "MPI_TRUTH" in os.environ:
    with open(os.path.join(os.environ["MPI_TRUTH"], "%d.json" % rank), "w") as file:
        json.dump(truth, file)
