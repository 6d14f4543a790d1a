# SPDX-License-Identifier: MIT
"""Programs that an interposer of MPI has harmed once: stand-ins for MPI, arrays of unusual lengths, forks inside calls."""
from mpi_job import check_job, each_library


def test_mpi_arrays_of_counts_are_read_as_far_as_they_reach():
    """Between groups, and among neighbours: nothing behind an array is read, and bytes are exact."""
    each_library(lambda library: check_job(library, "harm_between", 3, peers=False))
