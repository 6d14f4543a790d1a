# SPDX-License-Identifier: MIT
"""Cost of MPI calls under each MPI that is here; see tests/bench/mpi_operations.c for what is measured."""
import os
import shutil
import subprocess
import time

from measure import BUILD, ROOT, alternate, median, profiled, verdict
from mpi_job import ENVIRONMENT

# name, count, ranks, what is compared (ns added per operation, or the ratio), bar, text
WORKS = [
    ("comm-rank", 1000000, 2, "added", 100, "MPI_Comm_rank"),
    ("iprobe", 500000, 2, "added", 100, "MPI_Iprobe"),
    ("nonblocking", 200000, 2, "added", 100, "Irecv, Isend, Waitall of its own rank: each call"),
    ("round-trip", 500000, 2, "ratio", 1.30, "8-byte round trip (4 calls)"),
    ("allreduce", 500000, 2, "ratio", 1.20, "8-byte MPI_Allreduce of 2"),
    ("large-round-trip", 20000, 2, "ratio", 1.01, "64 KiB round trip"),
]
FINALIZE_RANKS, FINALIZE_BAR_MS = 64, 10
LIBRARIES = [("openmpi", "Open MPI"), ("mpich", "MPICH")]


def build(library):
    program = BUILD / ("bench/mpi_operations." + library)
    program.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mpicc." + library, "-O2", "-g", "-o", str(program), str(ROOT / "tests/bench/mpi_operations.c")], check=True)
    return program


def job(library, ranks, command):
    """Standard output of a job, and the instant of its end."""
    words = ["mpirun." + library, "-n", ranks] + command
    done = subprocess.run([str(w) for w in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ, **ENVIRONMENT), timeout=300)
    if done.returncode:
        raise RuntimeError("%s: status %d: %s" % (words, done.returncode, done.stderr[-300:]))
    return done.stdout.split(), time.monotonic()


def bench_operation(work, library, title, program, rounds, scratch):
    name, count, ranks, kind, bar, text = work
    command = [program, name, count]
    pairs = alternate(lambda: command, lambda: profiled(command, scratch / "mpi"),
                      lambda words: [float(word) for word in job(library, ranks, words)[0][:2]], rounds)
    native, ours = median(a[0] for a, _ in pairs), median(b[0] for _, b in pairs)
    added = median(b[0] - a[0] for a, b in pairs)
    ratio, best = median(b[0] / a[0] for a, b in pairs), min(b[1] for _, b in pairs) / min(a[1] for a, _ in pairs)
    limit = "+%g ns" % bar if kind == "added" else "x%.2f" % bar
    print("| %s | %s | %.4g | %.4g | %+.4g | x%.3f | x%.3f | %s | %s |" % (
        text, title, native, ours, added, ratio, best, limit, verdict(added if kind == "added" else ratio, bar)), flush=True)


def after_last_entry(library, words):
    output, end = job(library, FINALIZE_RANKS, words)
    return (end - float(output[0])) * 1e3


def bench_finalize(library, title, program, rounds, scratch):
    command = [program, "finalize", 0]
    pairs = alternate(lambda: command, lambda: profiled(command, scratch / "mpi"), lambda words: after_last_entry(library, words), rounds)
    added = median(b - a for a, b in pairs)
    print("Last entry into MPI_Finalize to the end of the job, %d ranks, %s: native %.1f ms, profiled %.1f ms, added %.1f ms (bar: %d ms, %s)" % (
        FINALIZE_RANKS, title, median(a for a, _ in pairs), median(b for _, b in pairs), added, FINALIZE_BAR_MS,
        verdict(added, FINALIZE_BAR_MS)), flush=True)


def bench_mpi(rounds, scratch):
    here = [(library, title) for library, title in LIBRARIES if shutil.which("mpicc." + library) and shutil.which("mpirun." + library)]
    for library, title in LIBRARIES:
        if (library, title) not in here:
            print("MPI calls under %s: not measured (no mpicc.%s, mpirun.%s)" % (title, library, library))
    print("\n| MPI, 2 ranks | library | native ns | profiled ns | added ns | ratio | of the best batches | bar | |\n|---|---|---|---|---|---|---|---|---|")
    programs = {library: build(library) for library, _ in here}
    for work in WORKS:
        for library, title in here:
            bench_operation(work, library, title, programs[library], rounds, scratch)
    print()
    for library, title in here:
        bench_finalize(library, title, programs[library], rounds, scratch)
