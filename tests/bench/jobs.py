# SPDX-License-Identifier: MIT
"""Jobs of many ranks, made of a real one by multiply_profiles, and what a command on them costs."""
import json
import os
import shutil
import subprocess
import sys
import time

from measure import BUILD, RUN
import mpi_job

RANKS_PER_HOST, PEERS = 64, 16


def measured(command, environment=None, good=(0, 1)):
    """(elapsed seconds, CPU seconds, MiB at most) of a command. good: statuses of success."""
    start = time.monotonic()
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in good:
        sys.exit("%s ended with status %d" % (" ".join(command), process.returncode))
    return time.monotonic() - start, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def make_source(scratch):
    """A real job of four ranks."""
    for library in mpi_job.LIBRARIES:
        program = BUILD / "programs/mpi" / library / "communicators"
        if program.exists() and shutil.which("mpirun." + library):
            environment = mpi_job.clean_environment(dict(mpi_job.ENVIRONMENT, MPI_TRUTH=str(scratch)))
            subprocess.run(["mpirun." + library, "-n", "4", RUN, "-q", "-o", str(scratch / "source"), "--", str(program)],
                           env=environment, check=True, stdout=subprocess.DEVNULL)
            return scratch / "source"
    sys.exit("no MPI program is built: make mpi-programs")


def multiply(source, ranks, directory):
    command = [str(BUILD / "tests/multiply_profiles"), source, ranks, directory, RANKS_PER_HOST, PEERS]
    return json.loads(subprocess.run([str(w) for w in command], check=True, capture_output=True).stdout)
