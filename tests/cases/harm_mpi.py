# SPDX-License-Identifier: MIT
"""Programs that an MPI interposer once harmed: stand-ins for MPI, arrays of unusual lengths, forks inside calls."""
import os
import re
import subprocess

from mpi_job import Job, built, check_calls, check_job, check_native, check_same, each_library, job_environment, job_of
from support import BUILD, execute, expect_equal, expect_same, full, need, run, scratch, skip

BESIDE = True  # no case asserts a time


@full
def test_mpi_arrays_of_counts_are_read_as_far_as_they_reach():
    """Between groups, and among neighbours: nothing behind an array is read, and bytes are exact."""
    each_library(lambda library: check_job(library, "harm_between", 3, peers=False))


# Stand-ins for MPI: for programs without ranks

def serial(name):
    path = os.path.join(BUILD, "programs", "mpi", name)
    return path if os.path.exists(path) else skip("%s was not built" % name)


def test_mpi_stand_in_is_called():
    """A library with MPI_ names and no PMPI_ ones, called from the program and from another library; in C and Fortran."""
    one = run(serial("harm_serial"))
    expect_equal("status without the profiler", one.native.status, 0)
    expect_same(one, stderr=True)
    expect_equal("the report's part", one.report["mpi"], None)


def both(library, order):
    paths = {"serial": serial("libharm_user.so"), "real": built(library, "libharm_real.so")}
    job = Job(library, 2, [serial("harm_both")] + [paths[name] for name in order])
    check_native(job)
    check_same(job)
    check_calls(job)


@full
def test_mpi_and_a_stand_in_in_one_process():
    """Each call goes to the library that its caller was linked with, whichever comes first; those of the MPI are counted."""
    each_library(lambda library: both(library, ("serial", "real")))
    # Open MPI makes itself visible for whatever is loaded after its start, without the profiler as well.
    both("mpich", ("real", "serial"))


def test_a_second_mpi_is_told():
    """Two MPI libraries in one process: the calls of the first are counted, and a note says that there is another."""
    libraries = [built(library, "libharm_real.so") for library in ("mpich", "openmpi")]
    one = run(serial("harm_both"), libraries, environment=job_environment())
    if one.native.status:
        skip("the two MPI libraries do not go together here")
    expect_same(one)
    expect_equal("told", any("second MPI library" in note for note in one.report["notes"]), True)
    expect_equal("the first", ["MPICH" in rank["library"] for rank in one.report["mpi"]["ranks"]], [True])


NOT_SEEN = "called by dlsym"


def opened(library, *arguments):
    """Whether the notes of a program that opens that MPI for itself say that its calls are not seen."""
    linked = execute([need("ldd"), built(library, "edges")]).stdout.decode()
    path = re.search(r"libmpi(ch)?\.so\S* => (\S+)", linked).group(2)
    one = run(serial("opened"), (path,) + arguments, environment=job_environment())
    expect_equal("status without the profiler", one.native.status, 0)
    expect_same(one)
    expect_equal("the report's part", one.report["mpi"], None)
    return any(NOT_SEEN in note for note in one.report["notes"])


def test_mpi_by_dlsym_is_told():
    """A program that is not linked with MPI calls what dlsym returns: no wrapper sees it, and a note says so, unless it calls nothing."""
    def check(library):
        expect_equal("told, used", opened(library), True)
        expect_equal("told, not used", opened(library, "unused"), False)
    each_library(check)


def test_mpi_mumps_without_ranks():
    """A solver of the distribution that is linked with its stand-in (libmumps-seq)."""
    place = scratch()
    program = os.path.join(place, "solve")
    with open(program + ".c", "w") as file:
        file.write(SOLVE)
    command = [need("cc"), "-w", "-I/usr/include/mumps_seq", "-o", program, program + ".c", "-ldmumps_seq", "-lmpiseq_seq"]
    if subprocess.run(command, stderr=subprocess.DEVNULL).returncode:
        skip("libmumps-seq-dev is not installed")
    one = run(program)
    expect_equal("what it solves", one.native.stdout, b"initialized 0, rank 0: 1 2\n")
    expect_same(one, stderr=True)


SOLVE = r"""
#include <stdio.h>
#include <mpi.h>
#include <dmumps_c.h>
int main(int count, char **arguments)
{
	DMUMPS_STRUC_C id = {.par = 1, .comm_fortran = -987654, .job = -1};
	int rows[] = {1, 2}, columns[] = {1, 2}, rank = -1, failed = MPI_Init(&count, &arguments);
	double values[] = {1, 2}, side[] = {1, 4};

	failed |= MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	dmumps_c(&id);
	id.n = id.nnz = 2;
	id.irn = rows, id.jcn = columns, id.a = values, id.rhs = side;
	id.icntl[0] = id.icntl[1] = id.icntl[2] = -1, id.icntl[3] = 0;
	id.job = 6;
	dmumps_c(&id);
	id.job = -2;
	dmumps_c(&id);
	failed |= MPI_Finalize();
	printf("initialized %d, rank %d: %g %g\n", failed, rank, side[0], side[1]);
	return failed;
}
"""


# Forks within a call

def forks(library, how):
    job = job_of(library, "harm_fork", 1, how)
    check_native(job)
    check_same(job)


def test_mpi_fork_within_a_call():
    """In functions that MPI calls back; the child comes back from a call that its parent made."""
    for how in ("fork", "clone"):
        each_library(lambda library: forks(library, how))
