# SPDX-License-Identifier: MIT
"""MPI objects that programs free, legally, while something still refers to them."""
from mpi_job import check_job, each_library

BESIDE = True  # no case asserts a time


def test_mpi_what_outlives_its_communicator():
    """No freed handle is passed to MPI, which would end the job; peers are still ranks of the job."""
    each_library(lambda library: check_job(library, "outlived", 2))
